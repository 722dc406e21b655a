"""Make the atlas: prove the boards one by one, and go on where an earlier run has stopped.

Three methods are tried in turn. A pairing of the squares proves a draw without a search. For lines of five or more, a
single question may be enough: can X complete a line at all, in any number of plies? If not, the board is a draw: an
extra stone never harms, so X never loses from the empty board. All other boards are solved by a full search.

On a drawn board every first move draws: an extra stone never harms X, so O cannot win after the move.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from solver.analysis.chances import chances, positions_below
from solver.board.outcome import Bounds, Outcome, Value, won_in_time
from solver.board.position import Position
from solver.board.rules import Cell, Rules, rules_of
from solver.catalogue.certify import SHIPPED, shipped_certificate
from solver.catalogue.check import check_certificate, read_certificate
from solver.catalogue.entry import Entry, ProvedBy, format_entry, parse_entries, sizes, without_search
from solver.catalogue.games import ProvedGame, format_game, games, parse_games, unknown_game
from solver.kernel.potential import LONG
from solver.players import STRATEGIES
from solver.search.budget import Budget, BudgetExhausted, Meter
from solver.search.exact import prove_moves, prove_score
from solver.search.solver import HARD_ENTRIES, Attack, Solver, pairing
from solver.search.vanishing import orders, scores

Proof = TypeVar("Proof", Entry, ProvedGame)

OPPONENTS: Final = ("medium", "hard")
"""The opponents against whom X's chances after each first move are computed."""

MAX_CHANCE_POSITIONS: Final = 150_000
"""The most positions for which chances are computed; boards of up to twelve squares have fewer."""

FEW_ORDERS: Final = 1_000_000
"""The most orders of stones of a game that is at once proved by the scores of all its positions."""

MOST_ORDERS: Final = 7_000_000
"""The same, up to symmetry, after a search of `FIRST_NODES` nodes has proved nothing: minutes and gigabytes."""

FIRST_NODES: Final = 1_000

PLACES: Final = 4
"""Decimal places of a chance in the file."""


def prove_board(rules: Rules, budget: Budget) -> Entry:
    """Prove a board and return its entry. Each search has the whole budget; seconds are processor time."""
    unknown = without_search(rules.columns, rules.rows, rules.k)
    for prove in (_by_pairing, _by_direct_questions, _by_search):
        began = time.process_time()
        entry = prove(unknown, rules, budget)
        if entry.proof is not None:
            return _with_openings(replace(entry, seconds=time.process_time() - began), budget)
    return unknown


def _by_pairing(unknown: Entry, rules: Rules, _: Budget) -> Entry:
    pairs = pairing(rules.lines)
    return unknown if pairs is None else replace(unknown, outcome=_draw(rules), proof=ProvedBy.PAIRING, pairs=pairs)


def _by_search(unknown: Entry, rules: Rules, budget: Budget) -> Entry:
    found = prove_score(Position(rules), budget)
    if found.score is None:
        return unknown
    outcome = Outcome.of_score(found.score, rules.squares)
    return replace(unknown, outcome=outcome, proof=ProvedBy.SEARCH, nodes=found.nodes)


def _by_direct_questions(unknown: Entry, rules: Rules, budget: Budget) -> Entry:
    meter = Meter(budget)
    if rules.k < LONG or not never_a_line(rules, meter):
        return unknown
    return replace(unknown, outcome=_draw(rules), proof=ProvedBy.SEARCH, nodes=meter.nodes)


def _draw(rules: Rules) -> Outcome:
    return Outcome(Value.DRAW, rules.squares)


def never_a_line(rules: Rules, meter: Meter) -> bool:
    """Return whether a proof shows that X can never complete a line. Return False if the meter runs out first."""
    first_move = Attack(0, 0, rules.squares - 1 + rules.squares % 2)
    try:
        return not Solver(rules, max_entries=HARD_ENTRIES).succeeds(first_move, meter)
    except BudgetExhausted:
        return False


def _with_openings(entry: Entry, budget: Budget) -> Entry:
    """Return the entry with the outcomes of its first moves and the chances after them."""
    rules = entry.rules
    if rules is None or entry.proof is None:
        return entry
    empty = Position(rules)
    openings: Mapping[Cell, Outcome]
    if entry.outcome.value is Value.DRAW:
        openings = dict.fromkeys(empty.legal_moves, entry.outcome)
    else:
        orbits = {orbit[0]: orbit for orbit in empty.orbits()}
        bounds = prove_moves(empty, orbits, budget).bounds
        outcomes = {cell: _exact(each, rules.squares) for first, each in bounds.items() for cell in orbits[first]}
        openings = dict(sorted(outcomes.items()))
    return replace(entry, openings=openings, chances=_chances(empty))


def _chances(empty: Position) -> dict[str, dict[Cell, float]]:
    """Return X's chances after each first move against each of `OPPONENTS`; an empty dictionary if too expensive."""
    if empty.rules.k < 3 or positions_below(empty) > MAX_CHANCE_POSITIONS:
        return {}
    against = {name: chances(empty, STRATEGIES[name], MAX_CHANCE_POSITIONS) for name in OPPONENTS}
    return {
        name: {cell: round(float(chance), PLACES) for cell, chance in found.items()} for name, found in against.items()
    }


def _exact(bounds: Bounds, size: int) -> Outcome:
    """Return the outcome with its distance, or an unknown outcome if the distance is not proved."""
    return Outcome(Value.UNKNOWN, None) if bounds.score is None else Outcome.of_score(bounds.score, size)


def boards() -> tuple[Rules, ...]:
    """Return the boards of the atlas on which a line fits."""
    return tuple(rules_of(*size) for size in sizes() if size[2] <= size[0])


def prove_game(rules: Rules, budget: Budget) -> ProvedGame:
    """Prove a game by a shipped certificate, by a pairing or by a search, with this budget for each search."""
    draw, began, meter = _draw(rules), time.process_time(), Meter(budget)
    if str(rules) in SHIPPED:
        return _by_certificate(rules, began)
    harmless = rules.stones_never_harm  # what pairings and direct questions take for granted
    if harmless and pairing(rules.lines) is not None:
        return ProvedGame(rules, draw, ProvedBy.PAIRING)
    if harmless and rules.k >= LONG and never_a_line(rules, meter):
        return ProvedGame(rules, draw, ProvedBy.SEARCH, meter.nodes, time.process_time() - began)
    countable = rules.vanishes and orders(rules) <= MOST_ORDERS * len(rules.symmetries)
    if countable and orders(rules) <= FEW_ORDERS:
        return _backwards(rules, began)
    found = prove_score(Position(rules), Budget(nodes=FIRST_NODES) if countable else budget, max_entries=HARD_ENTRIES)
    if found.score is None and countable:
        return _backwards(rules, began)
    if found.score is None:
        return unknown_game(rules)
    outcome = Outcome.of_score(found.score, Position(rules).plies_to_draw)
    return ProvedGame(rules, outcome, ProvedBy.SEARCH, found.nodes, time.process_time() - began)


def _by_certificate(rules: Rules, began: float) -> ProvedGame:
    """Prove by its certificate that X wins, without the number of plies. Raises Flaw."""
    check_certificate(read_certificate(shipped_certificate(rules)))
    outcome = Outcome.of_bounds(won_in_time(rules.squares), rules.squares)
    return ProvedGame(rules, outcome, ProvedBy.THREATS, seconds=time.process_time() - began)


def _backwards(rules: Rules, began: float) -> ProvedGame:
    """Prove a game in which stones vanish by the scores of all its positions."""
    known = scores(rules)
    outcome = Outcome.of_score(known[()], Position(rules).plies_to_draw)
    return ProvedGame(rules, outcome, ProvedBy.BACKWARDS, len(known), time.process_time() - began)


def extend_atlas(path: Path, wanted: Mapping[Rules, Budget]) -> Iterator[Entry]:
    """Prove the wanted boards that have no proof in the file yet. Yield each entry once it is in the file.

    Raises ValueError or KeyError if the file is not an atlas.
    """
    return _extend(path, wanted, parse_entries, format_entry, prove_board, boards())


def extend_games(path: Path, wanted: Mapping[Rules, Budget]) -> Iterator[ProvedGame]:
    """Do the same with games by other rules, in a file of games."""
    return _extend(path, wanted, parse_games, format_game, prove_game, (*games(), *wanted))


def _extend(  # noqa: PLR0913, PLR0917 - what differs between boards and games
    path: Path,
    wanted: Mapping[Rules, Budget],
    parse: Callable[[Iterable[str]], Iterator[Proof]],
    write: Callable[[Proof], str],
    prove: Callable[[Rules, Budget], Proof],
    order: Iterable[Rules],
) -> Iterator[Proof]:
    known: dict[str, Proof] = {}
    if path.exists():
        with path.open(encoding="ascii") as lines:
            known = {str(entry): entry for entry in parse(lines)}
    names = dict.fromkeys(map(str, order))
    beside = path.with_name(f"{path.name}.new")
    for rules, budget in wanted.items():
        name = str(rules)
        if name not in known or known[name].proof is None:
            known[name] = prove(rules, budget)
            beside.write_text("".join(f"{write(known[each])}\n" for each in names if each in known), encoding="ascii")
            beside.replace(path)  # the old file stays until the new one is complete
            yield known[name]
