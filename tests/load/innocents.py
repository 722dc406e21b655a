"""Visitors who only want to play: a page, a move and the health check, ten times a second each, timed.

They run in a process of their own. Each request is a task of its own, so that a slow answer delays no other.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain, count, cycle
from statistics import median
from typing import Final

from tests.benchmarks.serving import get, openings, post_move
from tests.load import ROOT
from tests.load.links import moves, open_square
from tests.load.wire import Connection, exchange

TIMEOUT: Final = 2.0
P99: Final = 0.25
KINDS: Final = ("page", "move", "health")

PATIENCE: Final = 15.0
"""Seconds after which a visitor who needs the pool gives up."""

REST: Final = 1.0
"""Seconds between an answer and the same visitor's next request, if it needs the pool."""

FAILING: Final = 0.05
"""The largest share of the requests for the pool that may get no answer."""

TURNED_AWAY: Final = b"The server is busy with other positions"
"""The text of a page whose position is not proved."""


def _why() -> str:
    played = moves("8x8x5")
    return f"/why/8x8x5?moves={played}&line={open_square('8x8x5', played)}&review=1"


NEEDS: Final[dict[str, Callable[[], str]]] = {
    "board": lambda: f"/play/8x8x5?moves={moves('8x8x5')}",
    "decision": lambda: f"/api/v1/move?board=8x8x5&player=alphabeta-4&moves={moves('8x8x5')}",
    "picture": lambda: f"/learn/pictures/tree.svg?board=4x4x4&depth=2&moves={moves('4x4x4', 4)}",
    "why": _why,
}
"""The addresses that visitors who need the pool ask for, another one each time."""


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


@dataclass(frozen=True, slots=True)
class Crowd:
    """The port that innocents come to, the seconds for which they stay, and their requests a second of each kind.

    Half of their connections are `kept`. They come from 127.0.0.1, or from a number of other addresses. If there are
    `needy` ones, some more need the pool.
    """

    port: int
    seconds: float
    rate: float = 10
    kept: bool = True
    addresses: int = 0
    needy: bool = False


class Innocents:
    """A process full of innocents, whose first requests are answered. `wait` for their records."""

    def __init__(self, crowd: Crowd) -> None:
        command = [sys.executable, "-m", __spec__.name, json.dumps(asdict(crowd))]
        self._seconds = crowd.seconds
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


def figures(records: list[Record]) -> str:
    """Return requests, failures, p50, p99 and the worst of each kind, in milliseconds."""
    parts = []
    for kind in (*KINDS, *NEEDS):
        if of_kind := [record for record in records if record.kind == kind]:
            failed = sum(bool(record.failure) for record in of_kind)
            seconds = [record.seconds for record in of_kind]
            times = (median(seconds), p99(seconds), max(seconds))
            parts.append(f"{kind} {len(of_kind)} ({failed} failed) " + "/".join(f"{1000 * each:.0f}" for each in times))
    return ", ".join(parts) + " ms"


def check(records: list[Record]) -> None:
    """Assert that none failed, but for a few who need the pool, and that 99 % of each kind were answered in time."""
    for needy, allowed in ((False, 0.0), (True, FAILING)):
        asked = [record for record in records if (record.kind in NEEDS) is needy]
        failed = [(record.kind, record.failure) for record in asked if record.failure]
        assert len(failed) <= allowed * len(asked), f"{len(failed)} of {len(asked)} failed, e.g. {failed[:5]}"
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


async def _need(port: int, kind: str, source: str, seconds: float) -> list[Record]:
    """Ask for what the pool makes again and again, one request at a time."""
    records: list[Record] = []
    over = time.monotonic() + seconds
    await asyncio.sleep(random.uniform(0, REST))
    while time.monotonic() < over:
        began, failure = time.monotonic(), ""
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await exchange(port, get(NEEDS[kind]()), source)
            if TURNED_AWAY in answer.body:
                failure = "turned away"
            elif answer.status not in (200, 303):
                failure = str(answer.status)
        except (OSError, EOFError, ValueError) as error:  # a TimeoutError is an OSError too
            failure = f"{type(error).__name__}: {error}"
        records.append(Record(kind, began, time.monotonic() - began, failure))
        await asyncio.sleep(REST)
    return records


async def _visit(crowd: Crowd) -> list[Record]:
    sources = cycle([f"127.0.3.{number}" for number in range(1, crowd.addresses + 1)] or ["127.0.0.1"])
    visitors = [_Visitor(crowd.port, kind, _requests(kind), sources) for kind in KINDS]
    began = time.monotonic()
    needing = [
        asyncio.create_task(_need(crowd.port, kind, f"127.0.4.{number}", crowd.seconds))
        for number, kind in enumerate(NEEDS if crowd.needy else (), 1)
    ]
    tasks: list[asyncio.Task[Record]] = []
    for number in range(round(crowd.seconds * crowd.rate)):
        await asyncio.sleep(began + number / crowd.rate - time.monotonic())
        # By fours, since every other page is the first one: each is asked for on both kinds of connections.
        tasks += [asyncio.create_task(visitor.ask(crowd.kept and number % 4 < 2)) for visitor in visitors]
        if number == 0:
            await asyncio.wait(tasks)
            print("begun", flush=True)
    needed = await asyncio.gather(*needing)
    return [*await asyncio.gather(*tasks), *chain.from_iterable(needed)]


def main() -> None:
    """Visit, and print the records as JSON."""
    with suppress(KeyboardInterrupt):
        records = asyncio.run(_visit(Crowd(**json.loads(sys.argv[1]))))
        print(json.dumps([asdict(record) for record in records]))


if __name__ == "__main__":
    main()
