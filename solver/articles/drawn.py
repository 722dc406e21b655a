"""Drawn full boards: how neither player has a line when no square is left, and the three patterns of tic-tac-toe."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final

from solver.board.notation import format_position
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Bits, Rules, union
from solver.errors import BadOption, TooLarge

MAX_FILLED_CELLS: Final = 20
"""The most cells of a board whose fillings are gone through: there are 184,756 of 20 cells."""


class Pattern(StrEnum):
    """The shape that O makes on a drawn board of tic-tac-toe, by the names of the Clojure article."""

    ISLAND = "island"
    """X holds the centre."""
    ARROW = "arrow"
    """O holds the centre and one corner."""
    SCORPION = "scorpion"
    """O holds the centre and two corners."""


@lru_cache(maxsize=64)
def drawn_boards(rules: Rules) -> tuple[Position, ...]:
    """Every full board without a line, in the order of O's cells. Play can reach all of them, in any order of moves.

    Raises TooLarge beyond 20 cells.
    """
    if rules.size > MAX_FILLED_CELLS:
        raise TooLarge(f"{rules} has too many fillings: drawn boards are listed for up to {MAX_FILLED_CELLS} squares.")
    return tuple(_drawn(rules))


def _drawn(rules: Rules) -> Iterator[Position]:
    for cells in combinations(range(rules.size), rules.size // 2):
        o = union(1 << cell for cell in cells)
        if all(line & o and line & ~o for line in rules.lines):
            yield Position(rules, rules.full & ~o, o)


def distinct_drawn_boards(rules: Rules) -> dict[Position, int]:
    """The drawn boards up to symmetry, each with the number of boards that a symmetry turns into it.

    The first of them in the order of `drawn_boards` stands for all. Raises TooLarge as that does.
    """
    firsts: dict[Position, Position] = {}
    counts: dict[Position, int] = {}
    for board in drawn_boards(rules):
        first = firsts.setdefault(board.canonical(), board)
        counts[first] = counts.get(first, 0) + 1
    return counts


@dataclass(frozen=True, slots=True)
class Filling:
    """Full boards that have as many of O's stones in the centre, in corners and on edges.

    Of `boards` of them, in `blocked` O stands on every line, so that X has none; in `drawn` of those O has none either.
    `example` is a drawn one, or else one in which O stands on as many lines as possible.
    """

    centre: int
    corners: int
    edges: int
    boards: int
    blocked: int
    drawn: int
    example: Position


@lru_cache(maxsize=1)
def fillings() -> tuple[Filling, ...]:
    """All full boards of tic-tac-toe by where O's stones are, those with O in the centre first.

    X fills the rest: so a board is drawn if each line has a stone of O, and none has three.
    """
    rules = TIC_TAC_TOE
    groups: dict[tuple[int, int], list[Bits]] = {}
    for cells in combinations(range(rules.size), rules.size // 2):
        centre, corners = cells.count(4), sum(cell in (0, 2, 6, 8) for cell in cells)
        groups.setdefault((-centre, corners), []).append(union(1 << cell for cell in cells))
    return tuple(_filling(-centre, corners, boards) for (centre, corners), boards in sorted(groups.items()))


def _filling(centre: int, corners: int, boards: list[Bits]) -> Filling:
    rules = TIC_TAC_TOE
    blocked = [o for o in boards if lines_held(o) == len(rules.lines)]
    drawn = [o for o in blocked if all(line & ~o for line in rules.lines)]
    example = max(drawn or boards, key=lines_held)
    edges = rules.size // 2 - centre - corners
    return Filling(
        centre, corners, edges, len(boards), len(blocked), len(drawn), Position(rules, rules.full & ~example, example)
    )


def lines_held(stones: Bits) -> int:
    """On how many of the eight lines of tic-tac-toe there is at least one of the stones."""
    return sum(bool(line & stones) for line in TIC_TAC_TOE.lines)


def pattern_of(position: Position) -> Pattern:
    """The pattern of a drawn board of tic-tac-toe. Raises BadOption for any other position."""
    rules = position.rules
    if rules != TIC_TAC_TOE or position.result is not Result.DRAW:
        raise BadOption(
            f"{format_position(position)} on {rules} is no drawn board of 3x3x3; only those have a pattern."
        )
    centre, corners = rules.cell(1, 1), union(1 << cell for cell in (0, 2, 6, 8))
    if position.x >> centre & 1:
        return Pattern.ISLAND
    return Pattern.SCORPION if (position.o & corners).bit_count() == 2 else Pattern.ARROW
