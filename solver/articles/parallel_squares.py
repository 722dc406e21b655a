"""The parallel evaluation of the Erlang article: how many processes it starts, and what processes gain here.

In the article each unfinished board starts a process a square, taken squares included (theirs end at once), and waits
for all answers; so the processes of a game under way live together, and the tree's nodes are the processes. Those are
counted. Here a few processes share the squares of one position, which is as much as the cores of a machine can use.
Boards of up to nine cells are evaluated by plain minimax as in the article, larger ones by the exact search, where each
process has to find out for itself what the others know already.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass

from solver.board.outcome import Bounds, Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import TooLarge
from solver.proofs.workers import Workers, narrowing_by, processes
from solver.search.budget import Budget, Meter
from solver.search.exact import at_first, narrowing
from solver.search.fold import fold
from solver.search.minimax import minimax
from solver.search.solver import Solver
from solver.search.tablebase import has_table

USUAL = Budget(seconds=30)
"""What either evaluation of a larger board may take."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcome of every square as far as it is proved, and what that took: nodes of the search, seconds."""

    squares: Mapping[Cell, Outcome]
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Timing:
    """The same position evaluated both ways, and the seconds that starting the processes took before."""

    position: Position
    jobs: int
    serial: Evaluation
    parallel: Evaluation
    starting: float

    @property
    def speedup(self) -> float:
        """How many times as fast the processes are that run already."""
        return self.serial.seconds / self.parallel.seconds

    @property
    def speedup_with_start(self) -> float:
        """How many times as fast they are if they have to be started first."""
        return self.serial.seconds / (self.parallel.seconds + self.starting)

    @property
    def pays(self) -> bool:
        """Whether the processes are faster though they have to be started first."""
        return self.speedup_with_start > 1


def compare(position: Position, jobs: int, budget: Budget = USUAL) -> Timing:
    """Evaluates all squares of a position in this process, and then by `jobs` processes that know nothing yet."""
    serial = evaluate(position, None, budget)
    began = time.perf_counter()
    pool = processes(jobs)
    with pool.start() as executor:
        for ready in [executor.submit(_ready) for _ in range(jobs)]:
            ready.result()
        starting = time.perf_counter() - began
        running = Workers(lambda: nullcontext(executor), jobs, pool.deaths)
        return Timing(position, jobs, serial, evaluate(position, running, budget), starting)


def evaluate(position: Position, pool: Workers | None, budget: Budget = USUAL) -> Evaluation:
    """The outcome of every square of an unfinished position, by the pool's workers or, without one, by this process."""
    began = time.perf_counter()
    by_plain_search = has_table(position.rules)
    proved, nodes = _plain(position, pool) if by_plain_search else _exact(position, pool, budget)
    squares = {cell: Outcome.of_bounds(bounds.to_parent(), position.plies_left) for cell, bounds in proved.items()}
    return Evaluation(dict(sorted(squares.items())), nodes, time.perf_counter() - began)


def _ready() -> None:
    """What a process does first: it reads this program, and leaves the next such task to another process."""
    time.sleep(0.05)


def _plain(position: Position, pool: Workers | None) -> tuple[dict[Cell, Bounds], int]:
    """Every square's whole tree, nothing shared between them, symmetric or not."""
    after = [position.after(cell) for cell in position.legal_moves]
    with nullcontext(None) if pool is None else pool.start() as executor:
        searched = list(_mapped(executor, after))
    bounds = (Bounds(score, score) for score, _ in searched)
    return dict(zip(position.legal_moves, bounds, strict=True)), sum(nodes for _, nodes in searched)


def _mapped(executor: Executor | None, positions: Iterable[Position]) -> Iterable[tuple[int, int]]:
    return map(_searched, positions) if executor is None else executor.map(_searched, positions)


def _searched(position: Position) -> tuple[int, int]:
    found = minimax(position)
    return found.score, found.nodes


def _exact(position: Position, pool: Workers | None, budget: Budget) -> tuple[dict[Cell, Bounds], int]:
    """Every square's proof, of those that a symmetry makes alike one."""
    orbits = {position.after(orbit[0]): orbit for orbit in position.orbits()}
    known, meter = {after: at_first(after) for after in orbits}, Meter(budget)
    answers = narrowing(Solver(position.rules), known, meter) if pool is None else narrowing_by(pool, known, meter)
    found = known | dict(answers)
    return {cell: bounds for after, bounds in found.items() for cell in orbits[after]}, meter.nodes


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes below a position. `spawned` are all; `playing` are those of open squares, the nodes of the tree."""

    spawned: int
    playing: int
    at_once: tuple[int, ...]
    """How many are alive in each generation, if all processes work in step, one ply at a time."""


def processes_below(position: Position) -> Processes:
    """Counts what the article's evaluation of all squares of a position starts. Raises TooLarge beyond nine cells."""
    if not has_table(position.rules):
        raise TooLarge("Processes are counted on boards of up to nine squares.")
    shape = _shape(position)
    return Processes(position.rules.size * sum(shape.boards), sum(shape.boards) - 1 + shape.ends, shape.alive)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A tree: unfinished boards by ply, the games that end in it, and the processes alive in each generation."""

    boards: tuple[int, ...]
    ends: int
    alive: tuple[int, ...]


def _grown(position: Position, parts: Sequence[_Shape]) -> _Shape:
    deeper = range(max(len(part.boards) for part in parts))
    boards = tuple(sum(part.boards[ply] for part in parts if ply < len(part.boards)) for ply in deeper)
    alive = tuple(sum(1 + part.alive[ply] for part in parts if ply < len(part.alive)) for ply in deeper)
    return _Shape((1, *boards), sum(part.ends for part in parts), (position.rules.size, *alive))


_shape = fold(lambda _: _Shape((), 1, ()), _grown, Position.successors, Position.canonical)
