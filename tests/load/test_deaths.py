"""Processes of the server that die or hang are replaced, while the others go on."""

import asyncio
import os
import random
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]

from tests.benchmarks.serving import get
from tests.load import SECONDS, innocents
from tests.load.attackers import Attackers
from tests.load.innocents import Crowd, Innocents, Record
from tests.load.processes import WORKERS, Server, running, still_alive, wait_until
from tests.load.wire import Connection

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
