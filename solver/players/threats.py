"""Threats of the next stone: lines that lack one or two stones, as the rules of thumb look at them.

A line that holds no stone of the opponent and two empty cells links these cells: a stone on one of them threatens to
complete the line on the other. So the cells that a stone would make threats on are its neighbours in a small graph.
"""

from collections.abc import Mapping
from typing import TypeAlias

from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of

Links: TypeAlias = Mapping[Cell, Bits]
"""For each cell of such a line, the cells that a stone on it would threaten to win on."""


def links(rules: Rules, own: Bits, other: Bits) -> Links:
    """The cells that a next own stone would make threats on, by where it is put."""
    found: dict[Cell, Bits] = {}
    for line in rules.lines:
        missing = line & ~own
        if not line & other and missing.bit_count() == 2:
            for cell in cells_of(missing):
                found[cell] = found.get(cell, 0) | missing & ~(1 << cell)
    return found


def threats_after(position: Position, mark: Mark) -> dict[Cell, Bits]:
    """For each open cell, where `mark` would threaten to win next if it stood there."""
    own, other = position.stones(mark), position.stones(mark.other)
    linked, standing = links(position.rules, own, other), position.rules.completing(own, other)
    return {cell: linked.get(cell, 0) | standing & ~(1 << cell) for cell in position.legal_moves}


def forks(position: Position, mark: Mark) -> list[Cell]:
    """The open cells where `mark` would threaten to win on two cells or more at once."""
    return [cell for cell, threats in threats_after(position, mark).items() if threats.bit_count() >= 2]


def allows_fork(position: Position, cell: Cell) -> bool:
    """Whether the opponent could fork right after the mover has played this cell.

    After a single threat the opponent has one reply only; after a double one no fork comes in time.
    """
    threats = threats_after(position, position.mover)[cell]
    if threats.bit_count() >= 2:
        return False
    after = position.after(cell)
    answers = cells_of(threats) if threats else after.legal_moves
    return not set(answers).isdisjoint(forks(after, after.mover))


def forces_fork(position: Position, cell: Cell) -> bool:
    """Whether the cell makes a single threat, and the answer to it leaves the mover a fork in time."""
    threats = threats_after(position, position.mover)[cell]
    after = position.after(cell)
    if after.result is not None or threats.bit_count() != 1:
        return False
    answered = after.after(threats.bit_length() - 1)
    return answered.result is None and not set(in_time(answered)).isdisjoint(forks(answered, answered.mover))


def forces(position: Position) -> bool:
    """Whether the mover can win at once, fork, or force a fork, before the opponent wins."""
    if position.result is not None or position.completing(position.mover):
        return position.result is None
    forking = forks(position, position.mover)
    return any(cell in forking or forces_fork(position, cell) for cell in in_time(position))


def in_time(position: Position) -> tuple[Cell, ...]:
    """The cells after which the opponent does not win at once: all, or the one that blocks."""
    blocks = position.completing(position.mover.other)
    return blocks if len(blocks) == 1 else () if blocks else position.legal_moves
