"""Proving commands are killed at any moment, and leave no false proof in their common store."""

import asyncio
import os
import random
import subprocess
from collections import Counter
from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]

from solver.board.notation import parse_rules
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver
from tests.load import KILLS, ROOT
from tests.load.links import moves
from tests.load.processes import COMMAND
from tests.solver.stored_proofs import rows

BOARDS = ("5x4x4", "5x5x4", "6x5x4", "6x6x4", "6x6x5", "7x7x5")
AT_ONCE = 2
LIVES = (0.25, 1.5)
"""Seconds after which a command is killed: before, while and after it writes its first proofs."""

LIMIT = Budget(seconds=5)
"""The budget to solve one row."""


def command() -> list[str]:
    """Return a command that proves a random position."""
    board = random.choice(BOARDS)
    position = ("--moves", moves(board, random.randrange(2, 10)))
    if random.random() < 0.3:
        return [*COMMAND, "predict", "--board", board, *position, "--budget", "5s"]
    return [*COMMAND, "solve", board, *position, "--jobs", random.choice(("1", "1", "1", "2"))]


async def killed(folder: Path) -> bool:
    """Start a command, then kill it and all its processes; return False if it was done before."""
    # The interpreted kernel takes long enough for the kill to meet it at work, the compiled one writes more.
    environment = os.environ | {
        "NOUGHTS_CACHE": str(folder),
        "NOUGHTS_KERNEL": random.choice(("interpreted", "interpreted", "interpreted", "compiled")),
    }
    process = await asyncio.create_subprocess_exec(
        *command(), env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        await asyncio.wait_for(process.wait(), random.uniform(*LIVES))
    except TimeoutError:
        try:
            descendants = psutil.Process(process.pid).children(recursive=True)
        except psutil.NoSuchProcess:  # it was done just now
            return False
        process.kill()
        await process.wait()
        # They end by themselves too; killed at once, they may be caught writing.
        for each in descendants:
            if each.is_running():
                each.kill()
        return True
    return False


async def kill_many(folder: Path) -> tuple[int, int]:
    """Kill commands, a few at a time; return their number, and the number that were done before."""
    kills = done = 0

    async def again_and_again() -> None:
        nonlocal kills, done
        while kills < KILLS and done < 9 * KILLS:
            if await killed(folder):
                kills += 1
            else:
                done += 1

    await asyncio.gather(*(again_and_again() for _ in range(AT_ONCE)))
    return kills, done


def verdict(solver: Solver, position: Position, bounds: Bounds) -> str:
    """Solve a row by a search without the store."""
    truth = Bounds()
    for _, truth in narrowing(solver, {position: Bounds()}, Meter(LIMIT)):
        if truth.lower >= bounds.lower and truth.upper <= bounds.upper:
            return "right"
        if truth.lower > bounds.upper or truth.upper < bounds.lower or truth.closed:
            return "wrong"
    return "open"


def test_killed_proofs_leave_no_false_row(tmp_path: Path) -> None:
    kills, done = asyncio.run(kill_many(tmp_path))
    solvers = {board: Solver(parse_rules(board)) for board in BOARDS}
    verdicts: Counter[str] = Counter()
    wrong = []
    for board, x, o, lower, upper in rows(tmp_path / "proofs.sqlite"):
        position = Position(parse_rules(board), x % (1 << 64), o % (1 << 64))
        found = verdict(solvers[board], position, Bounds(lower, upper))
        verdicts[found] += 1
        if found == "wrong":
            wrong.append((position, lower, upper))
    print(f"\n{kills} commands killed, {done} done before: rows {dict(verdicts)}")
    assert kills >= KILLS
    assert not list(tmp_path.glob("*.old")), "a store was put aside as damaged"
    assert not wrong
    assert verdicts["right"] > verdicts["open"]
