"""The speed-up from a process for each square, as in the Erlang article, and from a Dask cluster.

Before them stands the order in which the answers of nine such processes come.

Each is measured beside its counterpart in one run: one process after another, and local processes.
"""

import random
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from solver.articles.parallel_squares import Mailbox, by_scattering, compare, evaluate
from solver.board.notation import format_cells, parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.proofs.workers import processes
from tests.benchmarks.proving import random_position
from tests.cluster import cluster_of_two

JOBS = 2
TIMES = 3
BOARDS = {"3x3x3": "plain minimax", "7x4x4": "exact search", "7x5x4": "exact search"}

SCATTERED = "7x7x4"
POSITIONS = 8
STONES = 6
"""The board that the cluster proves, its random positions and their stones."""


def figures() -> Iterator[str]:
    """Yield all tables."""
    yield from arrivals()
    yield from beside_one()
    yield from beside_a_cluster()


def arrivals() -> Iterator[str]:
    """Yield the squares of an empty board in the order of their answers, a line for each run."""
    yield "a process for each square of an empty board, the squares in the order of their answers:"
    for _ in range(TIMES):
        with processes(TIC_TAC_TOE.size).start() as executor:
            by_scattering(Position(TIC_TAC_TOE), inbox := Mailbox(executor))
            yield f"  {format_cells(inbox.came, TIC_TAC_TOE)}"


def beside_one() -> Iterator[str]:
    """Yield a line for each board: the speed-up with and without the time to start the processes."""
    yield f"all squares of an empty board, one after another and by {JOBS} processes, medians of {TIMES} runs:"
    for board, search in BOARDS.items():
        runs = [compare(Position(parse_rules(board)), JOBS) for _ in range(TIMES)]
        speedup, with_start = median(run.speedup for run in runs), median(run.speedup_with_start for run in runs)
        nodes = median(run.parallel.nodes for run in runs) / median(run.serial.nodes for run in runs)
        seconds = median(run.serial.seconds for run in runs)
        yield (
            f"  {board} by {search}: {seconds * 1000:,.0f} ms serial; parallel {speedup:.2f} times as fast, with the"
            f" start of the processes {with_start:.2f} times; {nodes:.2f} times the nodes"
        )


def beside_a_cluster() -> Iterator[str]:
    """Time `--dask` with two workers that run already, and `--jobs 2` with processes that it starts."""
    yield f"all squares of {POSITIONS} positions of {SCATTERED} with {STONES} stones, by {JOBS} processes, in turn:"
    if find_spec("distributed") is None:
        yield "  Dask is not installed."
        return
    from solver.proofs.workers import cluster  # noqa: PLC0415 - the optional extra

    rng = random.Random(SCATTERED)
    positions = [random_position(parse_rules(SCATTERED), STONES, rng) for _ in range(POSITIONS)]
    with TemporaryDirectory() as folder, cluster_of_two(Path(folder)) as (address, _):
        ways = {"--dask": cluster(address), f"--jobs {JOBS}": processes(JOBS)}
        found = [{name: evaluate(position, pool) for name, pool in ways.items()} for position in positions]
    for name in ways:
        seconds, nodes = [each[name].seconds for each in found], sum(each[name].nodes for each in found)
        yield f"  {name:8} {sum(seconds):6.1f} s in all, {median(seconds):5.2f} s the median, {nodes:,} nodes"
