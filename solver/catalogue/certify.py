"""Write certificates, which `check` verifies.

The certificate of a won board is X's strategy. The certificate of a drawn board has a strategy for each side. If a
pairing proves the draw, the pairing is the whole certificate. Otherwise a search finds each step of a strategy: it
tries one move after the other until it has proved that a move keeps the claimed outcome. Moves that are likely to keep
the strategy small come first. A strategy ends as soon as a pairing is found, and skips forced moves. The certificate of
a win by threats is shipped, not searched for.
"""

import json
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Final, TypeAlias

from solver.board.notation import format_cell, format_pairs, format_position
from solver.board.outcome import Bounds, Outcome, Value, won_in_time
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Pairs, Rules
from solver.catalogue.check import Certificate, read_lines, replies_to
from solver.kernel.potential import LONG, promising, urgent
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.solver import Solver, pairing

FIRST_SHARE, FIRST_MOVES = 50, 3
"""The nodes for each move in the first round of searches, and the number of moves in that round."""

ROUND_GROWTH = 4
"""The factor by which the nodes for each move grow from round to round. The number of moves doubles."""

CERTIFYING_ENTRIES = 1 << 23
"""Positions that the search remembers."""

SOON_CERTIFIED = 20_000
"""The most nodes of an easy proof. The certificate of a board with an easy proof is small and quickly written."""

SHIPPED: Final = {"4x4x4x4": Path(__file__).with_name("qubic.jsonl.gz")}
"""The certificates of wins by threats."""

Step: TypeAlias = tuple[Cell, Pairs | None]
"""A move, and the pairing by which its player never loses from then on; None instead of a pairing if there is none."""

Choose: TypeAlias = Callable[[Position], Step]
"""A strategy of one player."""


def certificate(rules: Rules, outcome: Outcome, pairs: Pairs = (), budget: Budget = UNLIMITED) -> Iterator[str]:
    """Yield the lines of the certificate of a board whose outcome is known. Raises BudgetExhausted."""
    claim = {"board": str(rules), "outcome": str(outcome.value)}
    if pairs:
        yield json.dumps(claim | {"pairs": format_pairs(pairs, rules)})
        return
    if outcome.value is Value.WIN and not outcome.plies:
        yield from shipped_certificate(rules)
        return
    solver, meter = Solver(rules, max_entries=CERTIFYING_ENTRIES), Meter(budget)
    if outcome.value is Value.WIN and outcome.plies:
        yield json.dumps(claim | {"plies": outcome.plies})
        yield from _steps(rules, Mark.X, _winning(solver, meter, outcome.plies))
        return
    yield json.dumps(claim)
    for player in Mark:
        yield from _steps(rules, player, _holding(solver, meter))


def shipped_certificate(rules: Rules) -> Iterator[str]:
    """Yield the lines of a certificate that is shipped."""
    for line in read_lines(SHIPPED[str(rules)], inf):
        yield line.rstrip()


def proofs_by(certificate: Certificate) -> Iterator[tuple[Position, Bounds]]:
    """Yield the bounds that a checked certificate of X's win proves, for each step's position and the one after it."""
    for position, (cell, _) in certificate.steps.items():
        won = won_in_time(position.plies_left)
        yield position, won
        yield position.after(cell), won.to_child()


def _steps(rules: Rules, player: Mark, choose: Choose) -> Iterator[str]:
    """Yield the steps of a strategy against every reply, one for each symmetry class, without the forced moves."""
    empty = Position(rules)
    waiting = [empty] if player is Mark.X else replies_to(empty)
    seen = set(waiting)
    while waiting:
        position = waiting.pop()
        blocks = position.threats(player.other)
        cell, pairs = choose(position)
        if len(blocks) != 1 or pairs is not None:
            line = [format_position(position), format_cell(cell, rules)]
            yield json.dumps(line if pairs is None else [*line, format_pairs(pairs, rules)], separators=(",", ":"))
        after = position.after(cell)
        threats = after.threats(player)
        if after.winning_lines or pairs is not None or len(threats) > 1:
            continue
        for reply in [after.after(threats[0]).canonical()] if threats else replies_to(after):
            if reply not in seen and reply.empty:
                seen.add(reply)
                waiting.append(reply)


def _winning(solver: Solver, meter: Meter, plies: int) -> Choose:
    """Return a strategy for X that wins within the game's first `plies` plies."""

    def choose(position: Position) -> Step:
        left = plies - (position.rules.squares - position.plies_left) - 1

        def wins(cell: Cell, part: Meter) -> bool:
            after = position.after(cell)
            return bool(after.winning_lines) or (left > 0 and solver.decided(after, left, part))

        return _easiest(_likely(position), wins, meter), None

    return choose


def _holding(solver: Solver, meter: Meter) -> Choose:
    """Return a strategy that does not lose."""

    def choose(position: Position) -> Step:
        moves = _likely(position, urgent if position.rules.k >= LONG else promising)
        for cell in moves:
            if (pairs := _pairs_after(position, cell)) is not None:
                return cell, pairs

        def holds(cell: Cell, part: Meter) -> bool:
            after = position.after(cell)
            return bool(after.winning_lines) or not solver.decided(after, after.plies_left - 1 | 1, part)

        return _easiest(moves, holds, meter), None

    return choose


def _easiest(moves: list[Cell], keeps: Callable[[Cell, Meter], bool], meter: Meter) -> Cell:
    """Return the first move that is proved to keep the outcome.

    The searches go in rounds, each with more nodes and more moves than the last. One of the moves must keep the
    outcome, so the last move that is left needs no proof.
    """
    if len(moves) == 1:
        return moves[0]
    share, width = FIRST_SHARE, FIRST_MOVES
    while True:
        for cell in moves[:width]:
            try:
                if keeps(cell, meter.part(share)):
                    return cell
                moves.remove(cell)
            except BudgetExhausted:
                if meter.exhausted:
                    raise
        share, width = share * ROUND_GROWTH, width * 2


def _likely(position: Position, ordered: Callable[[Position], list[Cell]] = promising) -> list[Cell]:
    """Return the moves in the order to try them. If the opponent threatens a line, return only a block."""
    return list(position.threats()[:1]) or ordered(position)


def _pairs_after(position: Position, cell: Cell) -> Pairs | None:
    """Return pairs by which the mover never loses after a move; None if no pairs are found."""
    own, other = position.own | 1 << cell, position.other
    return pairing([line & ~other for line in position.rules.lines if not line & own])
