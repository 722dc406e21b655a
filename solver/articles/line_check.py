"""How a line is found: from each stone in each direction, step by step, as long as the same player stands there.

Source of the idea: the article on minimax in Scala. Every line has a stone from which it runs down, to the
right, or down to either side; so these four directions are enough on any board.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.notation import format_cell, format_cells
from solver.board.position import Mark, Position
from solver.board.rules import DIRECTIONS, Cell, Direction, cells_of

WORDS: Final[Mapping[Direction, str]] = MappingProxyType(
    {(1, 0): "to the right", (0, 1): "down", (1, 1): "down to the right", (-1, 1): "down to the left"}
)
"""The directions as people say them."""


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt: the stones met from `start` on, and the cell that ends it, None where the board or the line does."""

    start: Cell
    direction: Direction
    stones: tuple[Cell, ...]
    stopped_by: Cell | None
    is_line: bool


def line_check(position: Position, mark: Mark) -> tuple[Run, ...]:
    """Every attempt to find a line of a player, up to the first that does."""
    return tuple(attempts(position, mark))


def attempts(position: Position, mark: Mark) -> Iterator[Run]:
    """The same, one after the other."""
    rules, stones = position.rules, position.stones(mark)
    for direction in DIRECTIONS:
        for start in cells_of(stones):
            cells = rules.run(start, direction)
            met = next((number for number, cell in enumerate(cells) if not stones >> cell & 1), len(cells))
            is_line = met == rules.k
            yield Run(start, direction, cells[:met], cells[met] if met < len(cells) else None, is_line)
            if is_line:
                return


def told(run: Run, position: Position, mark: Mark) -> str:
    """An attempt as a sentence, e.g. "From b3 down: b3, b2, then b1 is empty."."""
    rules = position.rules
    begun = f"From {format_cell(run.start, rules)} {WORDS[run.direction]}: {format_cells(run.stones, rules)}"
    if run.is_line:
        return f"{begun}. That is {rules.k} in a row: {mark} has a line."
    if run.stopped_by is None:
        return f"{begun}, then the board ends."
    there = position.mark_at(run.stopped_by)
    return f"{begun}, then {format_cell(run.stopped_by, rules)} is {f'{there}’s' if there else 'empty'}."
