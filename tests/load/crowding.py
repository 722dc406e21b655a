"""Attackers who keep the gate full of work, and visitors who need the gate now and then.

The visitors run in a process of their own, each from an address of its own.
"""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from tests.benchmarks.serving import get
from tests.load import ROOT
from tests.load.attackers import Target, asked, each_again
from tests.load.expensive import LARGE, ROUTES
from tests.load.innocents import Record
from tests.load.links import moves, open_square
from tests.load.wire import exchange

EXPENSIVE: Final = (
    *("alpha-beta", "explorer", "lab of a large board", "large board", "line of a large board"),
    *("menace", "predict", "review", "search"),
)
"""The routes of `expensive` that need new work of the gate."""

ANSWERED: Final = (200, 202, 303)
PATIENCE: Final = 15.0
"""Seconds after which a visitor gives up."""

REST: Final = 1.0
"""Seconds between an answer and the same visitor's next request."""

TURNED_AWAY: Final = b"The server is busy with other positions"
"""The text of a page whose position is not proved."""


def _why() -> str:
    played = moves(LARGE)
    return f"/why/{LARGE}?moves={played}&line={open_square(LARGE, played)}&review=1"


WANTED: Final[dict[str, Callable[[], str]]] = {
    "board": lambda: f"/play/{LARGE}?moves={moves(LARGE)}",
    "decision": lambda: f"/api/v1/move?board={LARGE}&player=alphabeta-4&moves={moves(LARGE)}",
    "picture": lambda: f"/learn/pictures/tree.svg?board=4x4x4&depth=2&moves={moves('4x4x4', 4)}",
    "why": _why,
}
"""The addresses that each visitor asks for, another one each time."""


async def tasks(target: Target, clients: int) -> None:
    """Ask for new expensive work again and again."""

    async def ask(_: int) -> None:
        await asked(target, get(ROUTES[random.choice(EXPENSIVE)]()))

    await each_again(clients, ask)


async def one_task(target: Target, clients: int) -> None:
    """Ask for the same work with all clients at once, and then for other work."""
    path = ""

    async def ask(number: int) -> None:
        nonlocal path
        if number == 0 or not path:
            path = ROUTES["alpha-beta"]()
        await asked(target, get(path))

    await each_again(clients, ask)


class Visitors:
    """A process of visitors, one for each kind in `WANTED`."""

    def __init__(self, port: int, seconds: float) -> None:
        command = [sys.executable, "-m", __spec__.name, str(port), str(seconds)]
        self._seconds = seconds
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def wait(self) -> list[Record]:
        """Wait for the last answer and return a record of every request."""
        output, _ = self._process.communicate(timeout=self._seconds + 2 * PATIENCE)
        return [Record(**each) for each in json.loads(output)]


async def _visit(port: int, kind: str, source: str, seconds: float) -> list[Record]:
    records: list[Record] = []
    over = time.monotonic() + seconds
    await asyncio.sleep(random.uniform(0, REST))
    while time.monotonic() < over:
        began = time.monotonic()
        failure = await _failure(port, WANTED[kind](), source)
        records.append(Record(kind, began, time.monotonic() - began, failure))
        await asyncio.sleep(REST)
    return records


async def _failure(port: int, path: str, source: str) -> str:
    """Ask once and return what went wrong, or an empty text."""
    try:
        async with asyncio.timeout(PATIENCE):
            answer = await exchange(port, get(path), source)
    except TimeoutError:
        return f"no answer for {PATIENCE:.0f} s"
    except (OSError, EOFError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    if TURNED_AWAY in answer.body:
        return "turned away"
    return "" if answer.status in ANSWERED else str(answer.status)


async def _visit_all(port: int, seconds: float) -> list[Record]:
    visits = (_visit(port, kind, f"127.0.4.{number}", seconds) for number, kind in enumerate(WANTED, 1))
    return [record for records in await asyncio.gather(*visits) for record in records]


def main() -> None:
    """Visit, and print the records as JSON."""
    port, seconds = sys.argv[1:]
    print(json.dumps([asdict(record) for record in asyncio.run(_visit_all(int(port), float(seconds)))]))


if __name__ == "__main__":
    main()
