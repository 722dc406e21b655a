"""Whether it pays to evaluate squares in processes of their own, as the Erlang article does: both ways in one run."""

from collections.abc import Iterator
from statistics import median

from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.theory.parallel_squares import compare

JOBS = 2
TIMES = 3
BOARDS = {"3x3x3": "plain minimax", "7x4x4": "exact search", "7x5x4": "exact search"}


def figures() -> Iterator[str]:
    """A line for each board: how many times as fast the processes are, running already and to be started first."""
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
