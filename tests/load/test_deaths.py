"""Processes of the server that die or hang are replaced, while the others go on."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]

from solver.board.notation import parse_rules
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver
from tests.benchmarks.serving import get
from tests.load import KILLS, ROOT, SECONDS, innocents
from tests.load.attackers import Attackers
from tests.load.innocents import Crowd, Innocents, Record
from tests.load.links import moves
from tests.load.processes import COMMAND, WORKERS, Server, running, still_alive, wait_until
from tests.load.wire import Connection
from tests.solver.stored_proofs import rows

GONE_IN = 5.0
REPLACED_IN = 10.0
KILL_EVERY = 5.0
RATE = 50
ADDRESSES = 100
"""Requests a second of each of three kinds while workers are killed, and the addresses that they come from."""

CONNECTIONS = 24
"""Connections that are opened to find the processes that answer."""

AT_THE_MOMENT = 0.1
"""Seconds by which the recorded times of a request and of a death may be wrong."""


def workers(server: Server) -> set[int]:
    """Return the processes that answer requests now, found by many connections at once."""

    async def ask() -> set[int]:
        found: set[int] = set()
        connections: list[Connection] = []
        try:
            with suppress(OSError):
                connections += [await Connection.to(server.port) for _ in range(CONNECTIONS)]
            for connection in connections:
                with suppress(OSError):
                    await connection.send(get("/healthz"))
            for connection in connections:
                with suppress(OSError, EOFError, TimeoutError):
                    async with asyncio.timeout(1):
                        await connection.answer()
                    if (pid := server.serving(connection.local)) is not None:
                        found.add(pid)
            return found
        finally:
            for connection in connections:
                connection.close()

    return asyncio.run(ask())


def all_workers(server: Server) -> set[int]:
    """Return the page processes once all are there."""
    found: set[int] = set()

    def enough() -> bool:
        found.update(workers(server))
        return len(found) >= WORKERS

    wait_until(enough, REPLACED_IN, "not all workers answer")
    return found


def free(port: int) -> bool:
    """Return whether no process listens on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            probe.bind(("127.0.0.1", port))
            probe.listen()
            return True
    return False


def not_in_flight(records: list[Record], deaths: list[tuple[float, float]]) -> list[Record]:
    """Return the failed requests that no death explains. A death lasts from its signal to its end."""
    return [
        record
        for record in records
        if record.failure
        and not any(
            record.began - AT_THE_MOMENT <= end and begin <= record.ended + AT_THE_MOMENT for begin, end in deaths
        )
    ]


def test_a_busy_server_whose_first_process_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.warm_up()
        attackers = Attackers("all_routes", server.port, 2, "many addresses", 8)
        before = server.cpu_seconds()
        wait_until(lambda: server.cpu_seconds() > before + 0.5, 5, "nobody works")
        processes = server.tree()
        server.process.kill()
        server.process.wait()
        left = still_alive(processes, GONE_IN)
        released = free(server.port)
        for process in left:
            process.kill()
        attackers.wait()
        print(f"\nfirst process killed: {len(left)} of {len(processes)} processes left")
        assert not left
        assert released
    with running(tmp_path, port=server.port) as second:
        assert second.port == server.port
        second.warm_up()
    assert not list(second.temporary.glob("noughts*"))


def test_a_worker_that_hangs_is_replaced_and_others_answer_meanwhile(server: Server) -> None:
    before = all_workers(server)
    visitors = Innocents(Crowd(server.port, REPLACED_IN + SECONDS, kept=False))
    stopped = random.choice(sorted(before))
    (process,) = (each for each in server.tree() if each.pid == stopped)
    stopped_at = time.monotonic()
    process.suspend()
    try:
        left = still_alive([process], REPLACED_IN)
        waited = time.monotonic() - stopped_at
        now = workers(server)
    finally:
        with suppress(ProcessLookupError):
            os.kill(stopped, signal.SIGCONT)
    records = visitors.wait()
    print(
        f"\na worker stopped: {'not replaced' if left else f'gone after {waited:.1f} s'}, {len(now)} answer;"
        f" {innocents.figures(records)}"
    )
    late = not_in_flight(records, [(stopped_at, stopped_at)])
    assert not left
    assert not late, f"{len(late)} requests failed that were begun after the worker had stopped, e.g. {late[:3]}"
    assert len(all_workers(server) - {stopped}) >= WORKERS


def test_only_what_is_in_flight_fails_when_workers_are_killed(server: Server) -> None:
    kills: list[tuple[float, float]] = []
    visitors = Innocents(Crowd(server.port, SECONDS, RATE, addresses=ADDRESSES))
    over = time.monotonic() + SECONDS - REPLACED_IN / 2
    while True:
        (victim, *_) = random.sample(sorted(workers(server)), 1)
        process, killed_at = psutil.Process(victim), time.monotonic()
        process.kill()
        # On a busy machine it takes a killed process a moment to be gone, with what it has taken on meanwhile.
        assert not still_alive([process], GONE_IN)
        kills.append((killed_at, time.monotonic()))
        if time.monotonic() + KILL_EVERY > over:
            break
        time.sleep(KILL_EVERY)  # the attack itself: one every so often
    records = visitors.wait()
    failed = [record for record in records if record.failure]
    late = not_in_flight(records, kills)
    slowest = max(end - begin for begin, end in kills)
    print(
        f"\n{len(kills)} workers killed, gone after {slowest:.2f} s at most: {len(failed)} requests failed;"
        f" {innocents.figures(records)}"
    )
    assert not late, f"{len(late)} requests failed that were not in flight at a kill, e.g. {late[:3]}"
    assert len(all_workers(server)) >= WORKERS


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
