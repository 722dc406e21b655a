"""The handbook: rules of thumb in words, each a set of squares, from which lists of rules are made.

A list follows the first of its rules that names any square, and plays any of the squares that it names. The rules are
those that people and programs give (win, block, fork and the places of the board go back to A. Newell and H. A. Simon,
"Human Problem Solving", 1972), those of the seven rules of Hard, and the patterns that are told to beginners.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.strategies.decision import FINISHED, Decide, Decision, any_of
from solver.strategies.heuristics import centre, corners, neighbours, sides, threatened_corners
from solver.strategies.threats import allows_fork, forces, forces_fork, forks, threats_after


@dataclass(frozen=True, slots=True)
class Advice:
    """A rule of thumb for the player to move.

    `cells` names open squares, none where the rule does not apply. `sight` is how many plies it looks at: 0 for the
    stones as they stand, 1 for what one stone would threaten, 2 with the reply, 3 with a fork after it, 4 with all that
    the opponent could force.
    """

    name: str
    words: str
    sight: int
    cells: Callable[[Position], Iterable[Cell]]


def opposite(position: Position, cell: Cell) -> Mark | None:
    """The mark on the cell across the middle of the board."""
    return position.mark_at(position.rules.size - 1 - cell)


def beside(position: Position, cell: Cell) -> bool:
    """Whether a stone of the opponent shares an edge with the cell."""
    return any(position.mark_at(each) is position.mover.other for each in neighbours(position.rules, cell))


def _holds_centre(position: Position, mark: Mark) -> bool:
    return any(position.mark_at(cell) is mark for cell in centre(position.rules))


def _open(position: Position, cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if position.empty >> cell & 1]


def _open_corners(position: Position) -> list[Cell]:
    return _open(position, corners(position.rules))


def _open_sides(position: Position) -> list[Cell]:
    return _open(position, sides(position.rules))


def _only_fork(position: Position) -> list[Cell]:
    found = forks(position, position.mover.other)
    return found if len(found) == 1 else []


def _threat(position: Position) -> list[Cell]:
    return [cell for cell, threats in threats_after(position, position.mover).items() if threats]


def _quiet_threat(position: Position) -> list[Cell]:
    return [cell for cell in _threat(position) if not allows_fork(position, cell)]


def _while_forkable(cells: Callable[[Position], list[Cell]]) -> Callable[[Position], list[Cell]]:
    return lambda position: cells(position) if forks(position, position.mover.other) else []


def _guard(position: Position) -> list[Cell]:
    return [cell for cell in position.legal_moves if not allows_fork(position, cell)]


def _trap(position: Position) -> list[Cell]:
    enemy = position.mover.other
    ends = (cell for cell in corners(position.rules) if position.mark_at(cell) is enemy)
    return _open_sides(position) if any(opposite(position, cell) is enemy for cell in ends) else []


def _most(position: Position, spoilt_by: Callable[[int, int], bool]) -> list[Cell]:
    """The open squares on the most lines that are not spoilt, by own and other stones on them."""
    counts = {
        cell: sum(not spoilt_by(line & position.own, line & position.other) for line in lines)
        for cell in position.legal_moves
        for lines in (position.rules.lines_through[cell],)
    }
    return [cell for cell in counts if counts[cell] == max(counts.values())]


_ALL = (
    Advice("win", "complete a line", 0, lambda p: p.completing(p.mover)),
    Advice("block", "stop the opponent from completing a line", 0, lambda p: p.completing(p.mover.other)),
    Advice("centre", "take the centre", 0, lambda p: _open(p, centre(p.rules))),
    Advice("corner", "take a corner", 0, _open_corners),
    Advice("side", "take the middle of an edge", 0, _open_sides),
    Advice(
        "opposite corner",
        "take the corner across from the opponent's corner",
        0,
        lambda p: [cell for cell in _open_corners(p) if opposite(p, cell) is p.mover.other],
    ),
    Advice(
        "own diagonal",
        "take the corner across from your own corner",
        0,
        lambda p: [cell for cell in _open_corners(p) if opposite(p, cell) is p.mover],
    ),
    Advice(
        "threatened corner",
        "take a corner with the opponent on both sides of it",
        0,
        lambda p: threatened_corners(p, p.mover),
    ),
    Advice(
        "near corner",
        "take a corner beside a stone of the opponent",
        0,
        lambda p: [cell for cell in _open_corners(p) if beside(p, cell)],
    ),
    Advice(
        "free corner",
        "take a corner with no stone beside it",
        0,
        lambda p: [
            cell for cell in _open_corners(p) if all(p.mark_at(each) is None for each in neighbours(p.rules, cell))
        ],
    ),
    Advice(
        "corner, centre lost",
        "while the opponent holds the centre, take a corner",
        0,
        lambda p: _open_corners(p) if _holds_centre(p, p.mover.other) else [],
    ),
    Advice(
        "side, centre held",
        "while you hold the centre, take the middle of an edge",
        0,
        lambda p: _open_sides(p) if _holds_centre(p, p.mover) else [],
    ),
    Advice(
        "side, centre not lost",
        "unless the opponent holds the centre, take the middle of an edge",
        0,
        lambda p: [] if _holds_centre(p, p.mover.other) else _open_sides(p),
    ),
    Advice(
        "opposite side",
        "take the side across from the opponent's side",
        0,
        lambda p: [cell for cell in _open_sides(p) if opposite(p, cell) is p.mover.other],
    ),
    Advice(
        "quiet side",
        "take a side with no stone of the opponent beside it",
        0,
        lambda p: [cell for cell in _open_sides(p) if not beside(p, cell)],
    ),
    Advice("diagonal trap", "while the opponent holds two opposite corners, take the middle of an edge", 0, _trap),
    Advice(
        "across",
        "take the square across from a stone of the opponent",
        0,
        lambda p: [cell for cell in p.legal_moves if opposite(p, cell) is p.mover.other],
    ),
    Advice(
        "beside",
        "take a square beside a stone of the opponent",
        0,
        lambda p: [cell for cell in p.legal_moves if beside(p, cell)],
    ),
    Advice(
        "apart",
        "take a square with no stone of the opponent beside it",
        0,
        lambda p: [cell for cell in p.legal_moves if not beside(p, cell)],
    ),
    Advice(
        "own lines",
        "take the square on the most lines that hold no stone of the opponent",
        0,
        lambda p: _most(p, lambda _, other: bool(other)),
    ),
    Advice(
        "live lines",
        "take the square on the most lines that do not hold both marks",
        0,
        lambda p: _most(p, lambda own, other: bool(own and other)),
    ),
    Advice("threat", "threaten to complete a line", 1, _threat),
    Advice("fork", "make two threats at once", 1, lambda p: forks(p, p.mover)),
    Advice("spoil", "take a square where the opponent would make two threats", 1, lambda p: forks(p, p.mover.other)),
    Advice("spoil the one", "take the only square where the opponent would make two threats", 1, _only_fork),
    Advice("safe threat", "make a threat whose answer makes the opponent no two threats", 2, _quiet_threat),
    Advice(
        "distract",
        "where the opponent could fork next, make a threat whose answer makes no two threats",
        2,
        _while_forkable(_quiet_threat),
    ),
    Advice(
        "guard", "where the opponent could fork next, take a square after which it cannot", 2, _while_forkable(_guard)
    ),
    Advice(
        "force a fork",
        "make a threat whose answer leaves you a fork",
        3,
        lambda p: [cell for cell in p.legal_moves if forces_fork(p, cell)],
    ),
    Advice(
        "leave nothing",
        "take a square after which the opponent can neither win, nor fork, nor force a fork",
        4,
        lambda p: [cell for cell in p.legal_moves if not forces(p.after(cell))],
    ),
)

HANDBOOK: Final = MappingProxyType({advice.name: advice for advice in _ALL})
"""Every rule by its name, those that look least far first."""

REST: Final = "the rest: no rule applies, so any open square will do"


def first_advice(position: Position, names: Iterable[str]) -> tuple[str, tuple[Cell, ...]]:
    """The first of these rules that names a square, and its squares; an empty name and all squares if none does."""
    for name in names:
        if cells := tuple(sorted(HANDBOOK[name].cells(position))):
            return name, cells
    return "", position.legal_moves


def following(names: tuple[str, ...]) -> Decide:
    """The player who follows these rules in their order of priority, and then plays anywhere."""

    def decide(position: Position) -> Decision:
        if position.result is not None:
            raise ValueError(FINISHED)
        name, cells = first_advice(position, names)
        return any_of(cells, f"{name}: {HANDBOOK[name].words}" if name else REST)

    return decide
