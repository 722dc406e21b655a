"""Makes the atlas: proves the boards one by one, and goes on where an earlier run has stopped.

A board is drawn at once where no line fits, or where a pairing of its squares is found. Where five in a row or more are
asked for, which nobody is known to force on these boards, the question is whether X can complete a line at all, without
counting plies. X does not lose an empty board, since an extra stone never harms; so where the answer is no the board is
drawn. Likewise every first move of a drawn board draws: the player who answers it cannot win either. What is still open
is searched as `solve` searches it.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from solver.analysis.chances import chances, positions_below
from solver.atlas.entry import Entry, ProvedBy, read, sizes, without_search, written
from solver.board.outcome import Bounds, Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell, Rules, rules_of
from solver.kernel.potential import LONG
from solver.players import STRATEGIES
from solver.search.budget import Budget, BudgetExhausted, Meter
from solver.search.exact import prove_moves, proved_score
from solver.search.pairings import pairing
from solver.search.solver import HARD_ENTRIES, Attack, Solver

OPPONENTS: Final = ("medium", "hard")
"""The opponents whose chances against each first move are computed."""

MAX_CHANCE_POSITIONS: Final = 150_000
"""Positions that such a computation may go through: boards of up to twelve squares."""

PLACES: Final = 4
"""Places to which chances are kept."""


def proved(rules: Rules, budget: Budget) -> Entry:
    """The entry of a board; each of its searches has the budget for itself. The seconds are those of a processor."""
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
    found = proved_score(Position(rules), budget)
    if found.score is None:
        return unknown
    outcome = Outcome.of_score(found.score, rules.size)
    return replace(unknown, outcome=outcome, proof=ProvedBy.SEARCH, nodes=found.nodes)


def _by_direct_questions(unknown: Entry, rules: Rules, budget: Budget) -> Entry:
    meter = Meter(budget)
    if rules.k < LONG or not never_a_line(rules, meter):
        return unknown
    return replace(unknown, outcome=_draw(rules), proof=ProvedBy.SEARCH, nodes=meter.nodes)


def _draw(rules: Rules) -> Outcome:
    return Outcome(Value.DRAW, rules.size)


def never_a_line(rules: Rules, meter: Meter) -> bool:
    """Whether it is proved that X cannot complete a line after any first move; False too where the meter runs out."""
    first_move = Attack(0, 0, rules.size - 1 + rules.size % 2)
    try:
        return not Solver(rules, max_entries=HARD_ENTRIES).succeeds(first_move, meter)
    except BudgetExhausted:
        return False


def _with_openings(entry: Entry, budget: Budget) -> Entry:
    """The entry with the outcomes of its first moves, and the chances that opponents leave after them."""
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
        told = {cell: _told(each, rules.size) for first, each in bounds.items() for cell in orbits[first]}
        openings = dict(sorted(told.items()))
    return replace(entry, openings=openings, chances=_chances(empty))


def _chances(empty: Position) -> dict[str, dict[Cell, float]]:
    """The chances that each of `OPPONENTS` leaves after each first move; nothing where they are too dear to compute."""
    if empty.rules.k < 3 or positions_below(empty) > MAX_CHANCE_POSITIONS:
        return {}
    against = {name: chances(empty, STRATEGIES[name], MAX_CHANCE_POSITIONS) for name in OPPONENTS}
    return {
        name: {cell: round(float(chance), PLACES) for cell, chance in found.items()} for name, found in against.items()
    }


def _told(bounds: Bounds, size: int) -> Outcome:
    return Outcome(Value.UNKNOWN, None) if bounds.score is None else Outcome.of_score(bounds.score, size)


def boards() -> tuple[Rules, ...]:
    """The boards of the atlas on which a line fits."""
    return tuple(rules_of(*size) for size in sizes() if size[2] <= size[0])


def made(path: Path, wanted: Mapping[Rules, Budget]) -> Iterator[Entry]:
    """Proves those of the wanted boards that the file does not have, each within its budget, and writes each at once.

    What an earlier run has not proved is tried again. Yields the new entries. Raises ValueError where the file is no
    atlas.
    """
    known: dict[Rules, Entry] = {}
    if path.exists():
        with path.open(encoding="ascii") as lines:
            known = {rules: entry for entry in read(lines) if (rules := entry.rules)}
    for rules, budget in wanted.items():
        if rules not in known or known[rules].proof is None:
            entry = known[rules] = proved(rules, budget)
            _write(path, [known[each] for each in boards() if each in known])
            yield entry


def _write(path: Path, entries: Iterable[Entry]) -> None:
    """Writes the file anew, and puts it in the old one's place only when it is whole."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_text("".join(f"{written(entry)}\n" for entry in entries), encoding="ascii")
    beside.replace(path)
