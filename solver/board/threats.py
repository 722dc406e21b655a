"""Threats that the next stone would make, for the rules of thumb.

A line links two empty cells if it holds no stone of the opponent and lacks only these two. A stone on one of them
threatens to complete the line on the other. So the threats of a stone are the cells linked to its cell.
"""

from collections.abc import Mapping
from typing import TypeAlias

from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of

Links: TypeAlias = Mapping[Cell, Bits]
"""The cells that are linked to each cell."""


def links(rules: Rules, own: Bits, other: Bits) -> Links:
    """Return the links of each empty cell by lines that hold no stone of `other` and lack two of `own`."""
    linked: dict[Cell, Bits] = {}
    for line in rules.lines:
        missing = line & ~own
        if not line & other and missing.bit_count() == 2:
            for cell in cells_of(missing):
                linked[cell] = linked.get(cell, 0) | missing & ~(1 << cell)
    return linked


def threats_after(position: Position, mark: Mark) -> dict[Cell, Bits]:
    """Return, for each open cell, the cells where `mark` would threaten to win after playing it."""
    own, other = position.stones(mark), position.stones(mark.other)
    linked, standing = links(position.rules, own, other), position.rules.threats(own, other)
    return {cell: linked.get(cell, 0) | standing & ~(1 << cell) for cell in position.legal_moves}


def forks(position: Position, mark: Mark) -> list[Cell]:
    """Return the open cells where `mark` would threaten to win on two cells or more at once."""
    return [cell for cell, threats in threats_after(position, mark).items() if threats.bit_count() >= 2]


def allows_fork(position: Position, cell: Cell) -> bool:
    """Return whether the opponent could fork right after the mover has played this cell.

    After a single threat the opponent has only one reply. After a double threat no fork comes in time.
    """
    threats = threats_after(position, position.mover)[cell]
    if threats.bit_count() >= 2:
        return False
    after = position.after(cell)
    answers = cells_of(threats) if threats else after.legal_moves
    return not set(answers).isdisjoint(forks(after, after.mover))


def forces_fork(position: Position, cell: Cell) -> bool:
    """Return whether the cell makes a single threat, and the mover can fork in time after the answer."""
    threats = threats_after(position, position.mover)[cell]
    after = position.after(cell)
    if after.result is not None or threats.bit_count() != 1:
        return False
    answered = after.after(threats.bit_length() - 1)
    return answered.result is None and not set(in_time(answered)).isdisjoint(forks(answered, answered.mover))


def forces(position: Position) -> bool:
    """Return whether the mover can win at once, fork, or force a fork, before the opponent wins."""
    if position.result is not None or position.threats(position.mover):
        return position.result is None
    forking = forks(position, position.mover)
    return any(cell in forking or forces_fork(position, cell) for cell in in_time(position))


def in_time(position: Position) -> tuple[Cell, ...]:
    """Return the cells after which the opponent does not win at once: all of them, or only the block."""
    blocks = position.threats()
    return blocks if len(blocks) == 1 else () if blocks else position.legal_moves
