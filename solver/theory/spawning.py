"""How many processes the parallel evaluation of the Erlang article starts: one a square of every board it meets.

Each unfinished board starts a process a square, taken squares included (theirs end at once), and waits for all answers;
so the processes of a game under way live together, and the tree's nodes are the processes.
"""

from dataclasses import dataclass
from functools import lru_cache

from solver.board.position import Position
from solver.errors import TooLarge
from solver.search.tablebase import has_table


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes below a position. `spawned` are all; `playing` are those of open squares, the nodes of the tree."""

    spawned: int
    playing: int
    at_once: tuple[int, ...]
    """How many are alive in each generation, if all processes work in step, one ply at a time."""


def processes_below(position: Position) -> Processes:
    """Counts what the evaluation of all squares of a position starts. Raises TooLarge beyond nine cells."""
    if not has_table(position.rules):
        raise TooLarge("Processes are counted on boards of up to nine squares.")
    shape = _shape(position.canonical())
    return Processes(position.rules.size * sum(shape.boards), sum(shape.boards) - 1 + shape.ends, shape.alive)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A tree: unfinished boards by ply, the games that end in it, and the processes alive in each generation."""

    boards: tuple[int, ...]
    ends: int
    alive: tuple[int, ...]


@lru_cache(maxsize=1 << 14)
def _shape(position: Position) -> _Shape:
    if position.result is not None:
        return _Shape((), 1, ())
    parts = [_shape(position.after(cell).canonical()) for cell in position.legal_moves]
    deeper = range(max(len(part.boards) for part in parts))
    boards = tuple(sum(part.boards[ply] for part in parts if ply < len(part.boards)) for ply in deeper)
    alive = tuple(sum(1 + part.alive[ply] for part in parts if ply < len(part.alive)) for ply in deeper)
    return _Shape((1, *boards), sum(part.ends for part in parts), (position.rules.size, *alive))
