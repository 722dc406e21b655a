"""The score of every reachable position of a small board, computed at first use and then looked up."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Score, to_parent
from solver.board.position import Position
from solver.board.rules import Bits, Rules
from solver.search.budget import Meter
from solver.search.fold import reached

Table: TypeAlias = dict[tuple[Bits, Bits], Score]
"""Scores for the mover, by the mover's and the opponent's stones."""

Scoring: TypeAlias = Callable[[Bits, Bits], Score]
"""A function from the mover's and the opponent's stones to the score for the mover."""

MOST_TABLES: Final = 64
"""The most games whose scores are kept: visitors can draw more of them than memory holds."""


@lru_cache(maxsize=MOST_TABLES)
def table(rules: Rules) -> Table:
    """Return the score of every position that can be reached from the empty board."""
    scores: Table = {}
    _scoring(rules, scores, every=True)(0, 0)
    return scores


def look_up(position: Position) -> Score:
    """Return the score of a reachable position for its mover."""
    if position.rules.stones_never_harm:
        return _scoring_of(position.rules)(position.own, position.other)
    # These games alone need the kernel.
    from solver.search import tables, vanishing  # noqa: PLC0415

    if position.rules.vanishes:
        return vanishing.look_up(position)
    return tables.small(position.rules).score(position.x, position.o)


@lru_cache(maxsize=MOST_TABLES)
def _scoring_of(rules: Rules) -> Scoring:
    """Return a function that searches only below the given position. Late in a game this takes few positions."""
    return _scoring(rules, {}, every=False)


def _scoring(rules: Rules, scores: Table, every: bool) -> Scoring:
    """Return a function that scores stones by minimax and remembers the scores in `scores`.

    With `every`, the function visits all positions that follow. Without it, the function stops at positions in which a
    move completes a line.
    """
    full = rules.full
    lost = [any(stones & line == line for line in rules.lines) for stones in range(full + 1)]

    def completed(own: Bits, empty: Bits) -> bool:
        while empty:
            move = empty & -empty
            empty ^= move
            if lost[own | move]:
                return True
        return False

    # This is faster than `fold`, and the first page of a board waits for it.
    def value(own: Bits, other: Bits) -> Score:
        known = scores.get((own, other))
        if known is not None:
            return known
        empty = 0 if lost[other] else full & ~(own | other)
        best = LOST if empty or lost[other] else DRAWN
        if not every and completed(own, empty):
            best, empty = WIN - 1, 0
        while empty:
            move = empty & -empty
            empty ^= move
            best = max(best, to_parent(value(other, own | move)))
        scores[own, other] = best
        return best

    return value


def positions(rules: Rules) -> Iterator[Position]:
    """Yield every position that can be reached from the empty board. Each comes after its successors."""
    if not rules.stones_never_harm:
        # Where stones vanish, positions repeat, and none comes after all its successors.
        yield from reversed(reached(Position(rules), Position.successors))
        return
    for own, other in table(rules):
        own_is_x = own.bit_count() == other.bit_count()
        yield Position(rules, *((own, other) if own_is_x else (other, own)))


@lru_cache(maxsize=MOST_TABLES)
def unfinished(rules: Rules) -> tuple[Position, ...]:
    """Return the reachable positions in which the game is not over, in the order of `positions`."""
    return tuple(position for position in positions(rules) if position.result is None)


def is_decided_by_table(position: Position, plies: int, _: Meter) -> bool:
    """Answer as `Solver.decided` does, for a reachable position of a small board, without a search."""
    score = look_up(position)
    return score <= plies - WIN if plies % 2 == position.rules.completing_loses else score >= WIN - plies
