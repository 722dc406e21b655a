"""Attackers in a process of their own, which gives way to all others, and the answers that they got.

    python -m tests.load.attackers hold:bodies PORT SECONDS SOURCE CLIENTS

runs one by hand against a server that is already there.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Final, TypeAlias

from tests.load import ROOT
from tests.load.wire import Connection, exchange

ALLOWED: Final = {"200", "303", "304", "400", "403", "404", "408", "411", "413", "414", "429", "431", "503"}
"""The statuses that an attacker may get."""

CLOSED, LEFT, OPEN = "closed", "left", "open"
"""Other ends of a request: closed by the server, left by the client, unanswered when the attack was over."""

SOURCES: Final = {
    "same address": ("127.0.0.1",),
    "one address": ("127.0.0.2",),
    "4 addresses": tuple(f"127.0.5.{number}" for number in range(1, 5)),
    "8 addresses": tuple(f"127.0.5.{number}" for number in range(1, 9)),
    "32 addresses": tuple(f"127.0.5.{number}" for number in range(1, 33)),
    "40 addresses": tuple(f"127.0.5.{number}" for number in range(1, 41)),
    "many addresses": tuple(f"127.0.1.{number}" for number in range(1, 251)),
}
"""Addresses of attackers. The same address as the innocents' stands for visitors behind one router."""

PAUSE = 0.2
"""Seconds between two requests of a client, so that the kind of request does the harm and not its number."""


@dataclass
class Target:
    """The server as an attacker knows it, and the counted ends of the requests."""

    port: int
    sources: Sequence[str] = SOURCES["one address"]
    got: Counter[str] = field(default_factory=Counter)

    async def connect(self, receive_buffer: int | None = None) -> Connection:
        """Connect from one of the attackers' addresses. Raises OSError."""
        return await Connection.to(self.port, random.choice(self.sources), receive_buffer)


Attack: TypeAlias = Callable[[Target, int], Awaitable[None]]
"""A function that attacks with a number of clients until it is cancelled."""


class Attackers:
    """A process that attacks for some seconds.

    `name` is a function of `attacks`. A text after a colon is its first argument, as in "hold:bodies".
    """

    def __init__(self, name: str, port: int, seconds: float, source: str = "one address", clients: int = 1) -> None:
        command = [sys.executable, "-m", __spec__.name, name, str(port), str(seconds), source, str(clients)]
        self._seconds = seconds
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def wait(self) -> Counter[str]:
        """Wait for the end; return the counted ends of the requests."""
        output, _ = self._process.communicate(timeout=self._seconds + 60)
        return Counter(json.loads(output))


async def each_again(clients: int, act: Callable[[int], Awaitable[None]], pause: float = PAUSE) -> None:
    """Have clients act again and again, each with its number and with a pause after every time."""

    async def client(number: int) -> None:
        while True:
            with suppress(TimeoutError):
                await act(number)
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))

    async with asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(client(number))


async def held(target: Target, connection: Connection, every: float = 0, trickle: bytes = b"") -> None:
    """Hold a connection until the server ends it, send something now and then if asked to, and count the answer."""
    status = OPEN

    async def listen() -> None:
        nonlocal status
        try:
            status = str((await connection.answer()).status)
        except (OSError, EOFError, ValueError):
            status = CLOSED

    listening = asyncio.create_task(listen())
    try:
        while not listening.done():
            await asyncio.wait({listening}, timeout=every or None)
            if trickle and not listening.done():
                with suppress(OSError):
                    await connection.send(trickle)
    finally:
        listening.cancel()
        target.got[status] += 1
        connection.close()


async def asked(target: Target, request: bytes, patience: float | None = None) -> None:
    """Ask once on a fresh connection and count the end; leave when patience ends."""
    came = OPEN
    try:
        async with asyncio.timeout(patience):
            came = str((await exchange(target.port, request, random.choice(target.sources))).status)
    except TimeoutError:
        came = LEFT
    except (OSError, EOFError, ValueError):
        came = CLOSED
    finally:
        target.got[came] += 1


async def _run(attack: Attack, target: Target, seconds: float, clients: int) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await attack(target, clients)


def main() -> None:
    """Attack, and print the counted ends as JSON."""
    name, port, seconds, source, clients = sys.argv[1:]
    os.nice(10)
    function, _, argument = name.partition(":")
    found = getattr(import_module("tests.load.attacks"), function)
    attack: Attack = partial(found, argument) if argument else found
    target = Target(int(port), SOURCES[source])
    asyncio.run(_run(attack, target, float(seconds), int(clients)))
    print(json.dumps(target.got))


if __name__ == "__main__":
    main()
