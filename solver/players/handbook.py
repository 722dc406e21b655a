"""The handbook: the rules of thumb that lists of rules are made of.

The rules come from people and programs: win, block, fork and the places of the board are from A. Newell and H. A.
Simon, "Human Problem Solving", 1972; others are the seven rules of Hard, and patterns that beginners are taught. The
places also have a meaning on boards other than 3×3. The centre is the one to four cells nearest the middle. A side is a
cell nearest the middle of an edge. A threatened corner has the opponent on every neighbour along the edges.
"""

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.players.decision import Rule
from solver.players.threats import allows_fork, forces, forces_fork, forks, threats_after


def always(words: str) -> Callable[[Position], str]:
    """Return a function that gives the same words for every position."""
    return lambda _: words


def centre(rules: Rules) -> tuple[Cell, ...]:
    """Return the one, two or four cells nearest the middle."""
    return tuple(rules.cell(column, row) for row in _middle(rules.rows) for column in _middle(rules.columns))


def corners(rules: Rules) -> tuple[Cell, ...]:
    """Return the corner cells, each once, in reading order."""
    return _distinct(rules.cell(column, row) for row in (0, rules.rows - 1) for column in (0, rules.columns - 1))


def sides(rules: Rules) -> tuple[Cell, ...]:
    """Return the cells nearest the middle of each edge, without the corners."""
    across = [rules.cell(column, row) for row in (0, rules.rows - 1) for column in _middle(rules.columns)]
    along = [rules.cell(column, row) for row in _middle(rules.rows) for column in (0, rules.columns - 1)]
    return tuple(cell for cell in _distinct(sorted(across + along)) if cell not in corners(rules))


def neighbours(rules: Rules, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells that share an edge with this one."""
    column, row = rules.column_row(cell)
    beside = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return tuple(rules.cell(c, r) for c, r in beside if 0 <= c < rules.columns and 0 <= r < rules.rows)


def _middle(length: int) -> tuple[int, ...]:
    return _distinct(((length - 1) // 2, length // 2))


def _distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))


def opposite(position: Position, cell: Cell) -> Mark | None:
    """Return the mark on the cell across the middle of the board."""
    return position.mark_at(position.rules.size - 1 - cell)


def beside(position: Position, cell: Cell) -> bool:
    """Return whether a stone of the opponent shares an edge with the cell."""
    return any(position.mark_at(each) is position.mover.other for each in neighbours(position.rules, cell))


def _holds_centre(position: Position, mark: Mark) -> bool:
    return any(position.mark_at(cell) is mark for cell in centre(position.rules))


def _you_hold_centre(position: Position) -> bool:
    return _holds_centre(position, position.mover.other)


def _first_of(*conditions: tuple[Callable[[Position], object], str], otherwise: str) -> Callable[[Position], str]:
    """Return a function that gives the words of the first condition that does not hold."""

    def lacks(position: Position) -> str:
        return next((words for holds, words in conditions if not holds(position)), otherwise)

    return lacks


def _open(position: Position, cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if position.empty >> cell & 1]


def _open_corners(position: Position) -> list[Cell]:
    return _open(position, corners(position.rules))


def _open_sides(position: Position) -> list[Cell]:
    return _open(position, sides(position.rules))


def threatened_corners(position: Position) -> list[Cell]:
    """Return the open corners whose neighbours are all the opponent's."""
    around = ((cell, neighbours(position.rules, cell)) for cell in _open_corners(position))
    return [
        cell
        for cell, cells in around
        if cells and all(position.mark_at(each) is position.mover.other for each in cells)
    ]


def _only_fork(position: Position) -> list[Cell]:
    found = forks(position, position.mover.other)
    return found if len(found) == 1 else []


def _threat(position: Position) -> list[Cell]:
    return [cell for cell, threats in threats_after(position, position.mover).items() if threats]


def _quiet_threat(position: Position) -> list[Cell]:
    return [cell for cell in _threat(position) if not allows_fork(position, cell)]


def _forkable(position: Position) -> bool:
    return bool(forks(position, position.mover.other))


def _while_forkable(cells: Callable[[Position], list[Cell]]) -> Callable[[Position], list[Cell]]:
    return lambda position: cells(position) if _forkable(position) else []


def _guard(position: Position) -> list[Cell]:
    return [cell for cell in position.legal_moves if not allows_fork(position, cell)]


def _holds_diagonal(position: Position, mark: Mark) -> bool:
    held = (cell for cell in corners(position.rules) if position.mark_at(cell) is mark)
    return any(opposite(position, cell) is mark for cell in held)


def _most(position: Position, spoilt_by: Callable[[int, int], bool]) -> list[Cell]:
    """Return the open squares on the most lines that are not spoilt.

    `spoilt_by` takes the mover's and the opponent's stones on a line.
    """
    counts = {
        cell: sum(not spoilt_by(line & position.own, line & position.other) for line in lines)
        for cell in position.legal_moves
        for lines in (position.rules.lines_through[cell],)
    }
    return [cell for cell in counts if counts[cell] == max(counts.values())]


_NO_CORNER, _NO_SIDE = "no corner is free", "no side is free"
_NO_FORK_NEXT = "{you} could not make two threats next"
_NO_THREAT = "no square makes a threat"

_ALL = (
    Rule("win", "complete a line", 0, lambda p: p.completing(p.mover), always("{me} completes a line nowhere")),
    Rule(
        "block",
        "stop the opponent from completing a line",
        0,
        lambda p: p.completing(p.mover.other),
        always("{you} completes a line nowhere"),
    ),
    Rule("centre", "take the centre", 0, lambda p: _open(p, centre(p.rules)), always("the centre is not free")),
    Rule("corner", "take a corner", 0, _open_corners, always(_NO_CORNER)),
    Rule("side", "take the middle of an edge", 0, _open_sides, always(_NO_SIDE)),
    Rule(
        "opposite corner",
        "take the corner across from the opponent's corner",
        0,
        lambda p: [cell for cell in _open_corners(p) if opposite(p, cell) is p.mover.other],
        always("no free corner is across from a corner of {you}"),
    ),
    Rule(
        "own diagonal",
        "take the corner across from your own corner",
        0,
        lambda p: [cell for cell in _open_corners(p) if opposite(p, cell) is p.mover],
        always("no free corner is across from a corner of {me}"),
    ),
    Rule(
        "threatened corner",
        "take a corner with the opponent on both sides of it",
        0,
        threatened_corners,
        always("no free corner has {you} on both sides"),
    ),
    Rule(
        "near corner",
        "take a corner beside a stone of the opponent",
        0,
        lambda p: [cell for cell in _open_corners(p) if beside(p, cell)],
        always("no free corner is beside {you}"),
    ),
    Rule(
        "free corner",
        "take a corner with no stone beside it",
        0,
        lambda p: [
            cell for cell in _open_corners(p) if all(p.mark_at(each) is None for each in neighbours(p.rules, cell))
        ],
        always("no free corner is without a stone beside it"),
    ),
    Rule(
        "corner, centre lost",
        "while the opponent holds the centre, take a corner",
        0,
        lambda p: _open_corners(p) if _holds_centre(p, p.mover.other) else [],
        _first_of((_you_hold_centre, "{you} does not hold the centre"), otherwise=_NO_CORNER),
    ),
    Rule(
        "side, centre held",
        "while you hold the centre, take the middle of an edge",
        0,
        lambda p: _open_sides(p) if _holds_centre(p, p.mover) else [],
        _first_of((lambda p: _holds_centre(p, p.mover), "{me} does not hold the centre"), otherwise=_NO_SIDE),
    ),
    Rule(
        "side, centre not lost",
        "unless the opponent holds the centre, take the middle of an edge",
        0,
        lambda p: [] if _holds_centre(p, p.mover.other) else _open_sides(p),
        _first_of((lambda p: not _you_hold_centre(p), "{you} holds the centre"), otherwise=_NO_SIDE),
    ),
    Rule(
        "opposite side",
        "take the side across from the opponent's side",
        0,
        lambda p: [cell for cell in _open_sides(p) if opposite(p, cell) is p.mover.other],
        always("no free side is across from a side of {you}"),
    ),
    Rule(
        "quiet side",
        "take a side with no stone of the opponent beside it",
        0,
        lambda p: [cell for cell in _open_sides(p) if not beside(p, cell)],
        always("no free side is without {you} beside it"),
    ),
    Rule(
        "diagonal trap",
        "while the opponent holds two opposite corners, take the middle of an edge",
        0,
        lambda p: _open_sides(p) if _holds_diagonal(p, p.mover.other) else [],
        _first_of(
            (lambda p: _holds_diagonal(p, p.mover.other), "{you} holds no two opposite corners"), otherwise=_NO_SIDE
        ),
    ),
    Rule(
        "across",
        "take the square across from a stone of the opponent",
        0,
        lambda p: [cell for cell in p.legal_moves if opposite(p, cell) is p.mover.other],
        always("no free square is across from a stone of {you}"),
    ),
    Rule(
        "beside",
        "take a square beside a stone of the opponent",
        0,
        lambda p: [cell for cell in p.legal_moves if beside(p, cell)],
        always("no free square is beside {you}"),
    ),
    Rule(
        "apart",
        "take a square with no stone of the opponent beside it",
        0,
        lambda p: [cell for cell in p.legal_moves if not beside(p, cell)],
        always("every free square is beside {you}"),
    ),
    Rule(
        "own lines",
        "take the square on the most lines that hold no stone of the opponent",
        0,
        lambda p: _most(p, lambda _, other: bool(other)),
    ),
    Rule(
        "live lines",
        "take the square on the most lines that do not hold both marks",
        0,
        lambda p: _most(p, lambda own, other: bool(own and other)),
    ),
    Rule("threat", "threaten to complete a line", 1, _threat, always(_NO_THREAT)),
    Rule(
        "fork",
        "make two threats at once",
        1,
        lambda p: forks(p, p.mover),
        always("no square makes two threats at once"),
    ),
    Rule(
        "spoil",
        "take a square where the opponent would make two threats",
        1,
        lambda p: forks(p, p.mover.other),
        always(_NO_FORK_NEXT),
    ),
    Rule(
        "spoil the one",
        "take the only square where the opponent would make two threats",
        1,
        _only_fork,
        _first_of((_forkable, _NO_FORK_NEXT), otherwise="{you} could make two threats on more than one square"),
    ),
    Rule(
        "safe threat",
        "make a threat whose answer makes the opponent no two threats",
        2,
        _quiet_threat,
        _first_of((_threat, _NO_THREAT), otherwise="after every threat {you} could make two"),
    ),
    Rule(
        "distract",
        "where the opponent could fork next, make a threat whose answer makes no two threats",
        2,
        _while_forkable(_quiet_threat),
        _first_of(
            (_forkable, _NO_FORK_NEXT), (_threat, _NO_THREAT), otherwise="after every threat {you} could make two"
        ),
    ),
    Rule(
        "guard",
        "where the opponent could fork next, take a square after which it cannot",
        2,
        _while_forkable(_guard),
        _first_of((_forkable, _NO_FORK_NEXT), otherwise="after every square {you} could make two threats"),
    ),
    Rule(
        "force a fork",
        "make a threat whose answer leaves you a fork",
        3,
        lambda p: [cell for cell in p.legal_moves if forces_fork(p, cell)],
        always("no threat leaves {me} a fork after its answer"),
    ),
    Rule(
        "leave nothing",
        "take a square after which the opponent can neither win, nor fork, nor force a fork",
        4,
        lambda p: [cell for cell in p.legal_moves if not forces(p.after(cell))],
        always("after every square {you} could win, fork or force a fork"),
    ),
)

HANDBOOK: Final = MappingProxyType({rule.name: rule for rule in _ALL})
"""Every rule by its name, in the order of their `sight`."""

REST: Final = Rule("the rest", "no rule applies, so any open square will do", 0, lambda p: p.legal_moves)
"""The rule that ends every list."""


def listed(names: Iterable[str]) -> tuple[Rule, ...]:
    """Return the rules of these names, followed by `REST`."""
    return (*(HANDBOOK[name] for name in names), REST)
