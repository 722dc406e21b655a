"""Drawn boards of tic-tac-toe: the patterns that X can force, and best play under a scheme of points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Final

from solver.articles.openings import starts
from solver.board.game import PATTERNS, Pattern, Points, Scheme, pattern_of, points_of
from solver.board.position import Mark, Position, Result
from solver.board.rules import SMALL, TIC_TAC_TOE, Rules, bits_of, cells_of
from solver.errors import TooLarge
from solver.players.decision import Strategy
from solver.players.match import class_endings
from solver.search.fold import fold, itself, reached

MAX_FILLED_CELLS: Final = 20
"""The most squares of a board whose fillings are enumerated; 20 squares have 184,756."""


@lru_cache(maxsize=64)
def drawn_boards(rules: Rules) -> tuple[Position, ...]:
    """Return every full board without a line, in the order of O's squares. Raise TooLarge beyond 20 squares.

    The moves to a drawn board can come in any order, since nobody can win on the way.
    """
    if rules.squares > MAX_FILLED_CELLS:
        raise TooLarge(
            f"Drawn boards are listed for boards of up to {MAX_FILLED_CELLS} squares; {rules} has {rules.squares}."
        )
    return tuple(
        Position(rules, rules.full & ~o, o)
        for o in map(bits_of, combinations(cells_of(rules.full), rules.squares // 2))
        if all(line & o and line & ~o for line in rules.lines)
    )


def difference(position: Position, scheme: Scheme = PATTERNS) -> int:
    """Return X's points less O's. Raise BadOption like `points_of`."""
    x, o = points_of(position, scheme)
    return x - o


@lru_cache(maxsize=16)
def _play_below(root: Position) -> Mapping[Position, tuple[Position, ...]]:
    """Return every position that can be reached from `root`, with its successors."""
    return reached(root, Position.successors)


def back_up(root: Position, worth: Callable[[Position], int]) -> Mapping[Position, int]:
    """Return the value of `root` and of all positions below it. X maximises the `worth` of the end, O minimises it.

    Raise TooLarge on boards of more than nine squares.
    """
    if not root.rules.is_small:
        raise TooLarge(f"Whole games are searched on boards of up to {SMALL} squares, not on {root.rules}.")
    values: dict[Position, int] = {}

    def choice(position: Position, below: Sequence[int]) -> int:
        return max(below) if position.mover is Mark.X else min(below)

    fold(worth, choice, _play_below(root).__getitem__, itself, values)(root)
    return values


def best_ends(root: Position, values: Mapping[Position, int]) -> frozenset[Position]:
    """Return the boards at the end of all games from `root` in which no move changes the value."""
    play = _play_below(root)
    layer, ends = {root}, set[Position]()
    while layer:
        ends |= {at for at in layer if not play[at]}
        layer = {child for at in layer for child in play[at] if values[child] == values[at]}
    return frozenset(ends)


@dataclass(frozen=True, slots=True)
class BestPlay:
    """X's lead and the possible points at the end, if both players maximise their own lead under a scheme."""

    lead: int
    points: tuple[Points, ...]


def best_play(position: Position, scheme: Scheme = PATTERNS) -> BestPlay:
    """Return X's lead and the points by best play under a scheme. Raise BadOption or TooLarge beyond tic-tac-toe."""
    values = back_up(position, lambda end: difference(end, scheme))
    ends = best_ends(position, values)
    return BestPlay(values[position], tuple(sorted({points_of(end, scheme) for end in ends})))


def is_fair(scheme: Scheme = PATTERNS) -> bool:
    """Return whether best play from the empty board gives both players the same number of points."""
    empty = Position(TIC_TAC_TOE)
    return back_up(empty, lambda end: difference(end, scheme))[empty] == 0


def fair_without(scheme: Scheme = PATTERNS) -> tuple[Pattern, ...]:
    """Return each pattern for which the scheme would be fair if this pattern gave no points."""
    return tuple(pattern for pattern in Pattern if is_fair({**scheme, pattern: (0, 0)}))


@lru_cache(maxsize=16)
def force_values(root: Position, pattern: Pattern) -> Mapping[Position, int]:
    """Return the article's minimax values: 2 if X wins, 1 for this pattern, 0 for another draw, -1 if O wins."""
    worth = {Result.X: 2, Result.O: -1}
    return back_up(root, lambda end: worth.get(end.result or Result.DRAW) or int(pattern_of(end) is pattern))


def forceable() -> dict[str, dict[Pattern, bool]]:
    """Return the article's table: the patterns that X can force from the empty board and after each opening.

    A pattern counts as forced even if O can avoid it by losing, since O prefers any draw to a loss.
    """
    values = {pattern: force_values(Position(TIC_TAC_TOE), pattern) for pattern in Pattern}
    return {name: {pattern: values[pattern][at] >= 1 for pattern in Pattern} for name, at in starts().items()}


def expected(ends: Mapping[Position, Fraction], scheme: Scheme = PATTERNS) -> tuple[Fraction, Fraction]:
    """Return the expected points of X and O, given the probability of each final board."""
    points = [(points_of(end, scheme), chance) for end, chance in ends.items()]
    return (
        sum((x * chance for (x, _), chance in points), Fraction()),
        sum((o * chance for (_, o), chance in points), Fraction()),
    )


@lru_cache(maxsize=1024)
def expected_points(x: Strategy, o: Strategy) -> tuple[Fraction, Fraction]:
    """Return the exact expected points of X and O if these two strategies play tic-tac-toe."""
    return expected(class_endings(TIC_TAC_TOE, x, o))
