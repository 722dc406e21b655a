"""The outcome of every reachable position of a small board, computed when it is first needed and then looked up."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Score, to_parent
from solver.board.position import Position
from solver.board.rules import Bits, Rules

Table: TypeAlias = dict[tuple[Bits, Bits], Score]
"""The score for the mover, by the mover's and the opponent's stones."""

Scoring: TypeAlias = Callable[[Bits, Bits], Score]
"""The score for the mover, of the mover's and the opponent's stones."""

MAX_CELLS = 9
"""The largest board that gets a table; 3×3 has 5,478 positions."""


def has_table(rules: Rules) -> bool:
    """Whether every position of this board is looked up."""
    return rules.size <= MAX_CELLS


@cache
def table(rules: Rules) -> Table:
    """The score of every position that play from the empty board reaches, by minimax that visits each once."""
    scores: Table = {}
    _scoring(rules, scores, every=True)(0, 0)
    return scores


def looked_up(position: Position) -> Score:
    """A reachable position's score for its mover."""
    return _scored(position.rules)(position.own, position.other)


@cache
def _scored(rules: Rules) -> Scoring:
    """Scores what is asked for and what follows it: of a game that is half over, little."""
    return _scoring(rules, {}, every=False)


def _scoring(rules: Rules, scores: Table, every: bool) -> Scoring:
    """The function that scores stones, and remembers the score in this table.

    Unless every move is to be followed, none is where one completes a line, which nothing beats.
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

    # A fold over these pairs, written out: the first page of a board waits for this.
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
    """Every position that play from the empty board reaches, finished ones too; each after all that follow it."""
    for own, other in table(rules):
        own_is_x = own.bit_count() == other.bit_count()
        yield Position(rules, *((own, other) if own_is_x else (other, own)))


@cache
def unfinished(rules: Rules) -> tuple[Position, ...]:
    """Every such position in which somebody is to move."""
    return tuple(position for position in positions(rules) if position.result is None)
