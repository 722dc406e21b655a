"""Visitors who only want to play: a page, a move and the health check, ten times a second each, timed.

They run in a process of their own. Each request is a task of its own, so that a slow answer delays no other.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count, cycle
from statistics import median

from tests.benchmarks.serving import get, openings, post_move
from tests.load import ROOT
from tests.load.wire import Connection

TIMEOUT = 2.0
P99 = 0.25
KINDS = ("page", "move", "health")


@dataclass(frozen=True, slots=True)
class Record:
    """A request: its begin on the clock that all processes share, its duration, and its failure."""

    kind: str
    began: float
    seconds: float
    failure: str = ""

    @property
    def ended(self) -> float:
        """The time at which it was answered or given up."""
        return self.began + self.seconds


class Innocents:
    """A process full of innocents. `records` are there once the process has ended."""

    def __init__(self, port: int, seconds: float, rate: float = 10, kept: bool = True, addresses: int = 0) -> None:
        """Start them, and wait until their first requests are answered.

        `rate` is for each kind, half of it on kept connections. They come from 127.0.0.1, or from a number of other
        addresses.
        """
        options = map(str, (port, seconds, rate, int(kept), addresses))
        command = [sys.executable, "-m", __spec__.name, *options]
        self._seconds = seconds
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "begun\n"

    def wait(self) -> list[Record]:
        """Wait for the last request; return the records of all."""
        output, _ = self._process.communicate(timeout=self._seconds + 60)
        return [Record(**each) for each in json.loads(output)]


def p99(seconds: Iterable[float]) -> float:
    """Return the 99th percentile."""
    ordered = sorted(seconds)
    return ordered[(len(ordered) - 1) * 99 // 100] if ordered else 0.0


def figures(records: list[Record], kinds: Iterable[str] = KINDS) -> str:
    """Return requests, failures, p50, p99 and the worst of each kind, in milliseconds."""
    parts = []
    for kind in kinds:
        if of_kind := [record for record in records if record.kind == kind]:
            failed = sum(bool(record.failure) for record in of_kind)
            seconds = [record.seconds for record in of_kind]
            times = (median(seconds), p99(seconds), max(seconds))
            parts.append(f"{kind} {len(of_kind)} ({failed} failed) " + "/".join(f"{1000 * each:.0f}" for each in times))
    return ", ".join(parts) + " ms"


def check(records: list[Record]) -> None:
    """Assert that none failed, and that 99 % of each kind were answered in time."""
    failed = [(record.kind, record.failure) for record in records if record.failure]
    assert not failed, f"{len(failed)} of {len(records)} innocent requests failed, e.g. {failed[:5]}"
    for kind in KINDS:
        slow = p99(record.seconds for record in records if record.kind == kind)
        assert slow <= P99, f"{kind}: p99 {1000 * slow:.0f} ms"


class _Visitor:
    """A visitor who makes requests of one kind, one at a time or many, on fresh or kept connections."""

    def __init__(self, port: int, kind: str, requests: Iterator[bytes], sources: Iterator[str]) -> None:
        self.port, self.kind, self.requests, self.sources = port, kind, requests, sources
        self.idle: list[Connection] = []

    async def ask(self, kept: bool) -> Record:
        """Make a request. Its time includes that of a new connection."""
        began, failure = time.monotonic(), ""
        connection = None
        try:
            async with asyncio.timeout(TIMEOUT):
                while self.idle and kept and connection is None:
                    # As a browser does: a connection that the server has closed meanwhile is no loss.
                    if (connection := self.idle.pop()).ended:
                        connection.close()
                        connection = None
                connection = connection or await Connection.to(self.port, next(self.sources))
                await connection.send(next(self.requests))
                answer = await connection.answer()
                if answer.status != 200:
                    failure = str(answer.status)
                if kept and not answer.closes:
                    self.idle.append(connection)
                    connection = None
        except TimeoutError:
            failure = f"no answer for {TIMEOUT:.0f} s"
        except (OSError, EOFError, ValueError) as error:
            failure = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - began
        if connection is not None:
            connection.close()
        return Record(self.kind, began, seconds, failure)


def _requests(kind: str) -> Iterator[bytes]:
    """Yield requests without end; no page or move is repeated but the first page."""
    links = openings()
    random.shuffle(links)
    name = f"{random.getrandbits(32):x}"
    for number in count():
        link, cell = links[number % len(links)]
        match kind:
            case "page":
                yield get(f"{link}&seed={name}.{number}") if number % 2 else get("/")
            case "move":
                yield post_move(f"{link}&seed={name}.{number}", cell)
            case _:
                yield get("/healthz")


async def _visit(port: int, seconds: float, rate: float, kept: bool, addresses: int) -> list[Record]:
    sources = cycle([f"127.0.3.{number}" for number in range(1, addresses + 1)] or ["127.0.0.1"])
    visitors = [_Visitor(port, kind, _requests(kind), sources) for kind in KINDS]
    began = time.monotonic()
    tasks: list[asyncio.Task[Record]] = []
    for number in range(round(seconds * rate)):
        await asyncio.sleep(began + number / rate - time.monotonic())
        # By fours, since every other page is the first one: each is asked for on both kinds of connections.
        tasks += [asyncio.create_task(visitor.ask(kept and number % 4 < 2)) for visitor in visitors]
        if number == 0:
            await asyncio.wait(tasks)
            print("begun", flush=True)
    return list(await asyncio.gather(*tasks))


def main() -> None:
    """Visit, and print the records as JSON."""
    port, seconds, rate, kept, addresses = sys.argv[1:]
    with suppress(KeyboardInterrupt):
        records = asyncio.run(_visit(int(port), float(seconds), float(rate), kept == "1", int(addresses)))
        print(json.dumps([asdict(record) for record in records]))


if __name__ == "__main__":
    main()
