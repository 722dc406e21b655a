"""Hard: seven rules in order of priority, the first that applies decides.

The rules are those that the prose of "Unbeatable? Tictactoe in PyFL" (B. Wadge) lists, played by either mark. On 3×3
they are that list to the letter; on other boards the centre is the one to four cells nearest the middle, a side is a
cell nearest the middle of an edge, and a threatened corner has the opponent on every neighbour along the edges.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.strategies.decision import FINISHED, Decision, any_of

Rule: TypeAlias = Callable[[Position, Mark], Iterable[Cell]]
"""The cells that a rule would play for a mark, among the open ones; none where it does not apply."""


def centre(rules: Rules) -> tuple[Cell, ...]:
    """The cells nearest the middle: one, two or four."""
    return tuple(rules.cell(column, row) for row in _middle(rules.rows) for column in _middle(rules.columns))


def corners(rules: Rules) -> tuple[Cell, ...]:
    """The corner cells, each once, in reading order."""
    return _distinct(rules.cell(column, row) for row in (0, rules.rows - 1) for column in (0, rules.columns - 1))


def sides(rules: Rules) -> tuple[Cell, ...]:
    """The cells nearest the middle of each edge, without the corners."""
    across = [rules.cell(column, row) for row in (0, rules.rows - 1) for column in _middle(rules.columns)]
    along = [rules.cell(column, row) for row in _middle(rules.rows) for column in (0, rules.columns - 1)]
    return tuple(cell for cell in _distinct(sorted(across + along)) if cell not in corners(rules))


def neighbours(rules: Rules, cell: Cell) -> tuple[Cell, ...]:
    """The cells that share an edge with this one."""
    column, row = rules.column_row(cell)
    beside = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return tuple(rules.cell(c, r) for c, r in beside if 0 <= c < rules.columns and 0 <= r < rules.rows)


def threatened_corners(position: Position, mark: Mark) -> list[Cell]:
    """The open corners whose neighbours are all the opponent's."""
    around = ((cell, neighbours(position.rules, cell)) for cell in _open(position, corners(position.rules)))
    return [cell for cell, beside in around if beside and all(position.mark_at(each) is mark.other for each in beside)]


RULES: tuple[tuple[str, Rule], ...] = (
    ("win: it completes a line", lambda position, mark: position.completing(mark)),
    ("block: the opponent would win there", lambda position, mark: position.completing(mark.other)),
    ("centre: it is free", lambda position, _: _open(position, centre(position.rules))),
    ("threatened corner: the opponent stands on both sides of it", threatened_corners),
    ("side: the middle of an edge is free", lambda position, _: _open(position, sides(position.rules))),
    ("corner: one is free", lambda position, _: _open(position, corners(position.rules))),
    ("the rest: no other rule applies", lambda position, _: position.legal_moves),
)
"""The rules in order of priority, each with the words in which it explains itself."""


def hard(position: Position) -> Decision:
    """Any of the cells of the first rule that applies."""
    if position.result is None:
        for reason, rule in RULES:
            if cells := tuple(rule(position, position.mover)):
                return any_of(cells, reason)
    raise ValueError(FINISHED)


def _open(position: Position, cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if position.empty >> cell & 1]


def _middle(length: int) -> tuple[int, ...]:
    return _distinct(((length - 1) // 2, length // 2))


def _distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
