"""The cost of refusals, of equal requests, of answers that nobody reads, and of a class behind one address."""

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Final

from tests.benchmarks import serving
from tests.benchmarks.serving import get
from tests.load import SECONDS
from tests.load.attack import Attack, suffer
from tests.load.attacks import refused_tree
from tests.load.processes import MEGABYTE, Server, running, sampled, wait_until
from tests.load.wire import Answer, Connection, exchange
from tests.server import made_game
from webapp.config import FrontLimits

REFUSAL: Final = 0.05
"""The most CPU seconds of all processes for a refusal."""

OWN_LIST: Final = "/learn/workshop?rules=win,block,fork,centre,edge"
"""A page that counts the games of a list of rules."""

BROWSERS: Final = 60
"""A class behind one address."""

LESSON: Final = 10.0
"""Seconds for which they ask as often as one address may."""


async def fetch(port: int, path: str, source: str = "127.0.0.1") -> Answer:
    """Return one answer, without a deadline."""
    return await exchange(port, get(path), source)


async def fetch_patiently(port: int, path: str, source: str = "127.0.0.1") -> None:
    """Ask again and again, like a page, until the server has the answer. Raises TimeoutError."""
    async with asyncio.timeout(120):
        while (answer := await fetch(port, path, source)).status != 200:
            assert answer.status in (429, 503)
            await asyncio.sleep(float(answer.headers.get("retry-after", "0.25")))


def test_a_refusal_costs_next_to_nothing(server: Server) -> None:
    before, refusals, over = server.cpu_seconds_at_rest(), 0, time.monotonic() + SECONDS
    while refusals < 20 and time.monotonic() < over:
        answer = asyncio.run(fetch(server.port, refused_tree()))
        assert answer.status in (400, 413, 429, 503)
        refusals += 1
    cost = (server.cpu_seconds_at_rest() - before) / refusals
    print(f"\n{refusals} refusals: {1000 * cost:.0f} ms of CPU each")
    assert cost < REFUSAL


def test_who_ask_for_the_same_at_once_cost_little_more_than_one(tmp_path: Path) -> None:
    async def ask(port: int, times: int) -> None:
        await asyncio.gather(*(fetch_patiently(port, OWN_LIST, f"127.0.2.{number + 1}") for number in range(times)))

    spent = {}
    for times in (1, 8):
        with running(tmp_path / str(times)) as server:
            wait_until(server.ready, 30, "the server is not ready")
            before = server.cpu_seconds_at_rest()
            asyncio.run(ask(server.port, times))
            spent[times] = server.cpu_seconds_at_rest() - before
    print(f"\n{OWN_LIST}: {spent[1]:.1f} s of CPU for one, {spent[8]:.1f} s for eight at once")
    assert spent[8] <= 2 * spent[1]


def test_the_system_holds_little_for_those_who_never_read(server: Server) -> None:
    """Look at the server's sockets every quarter of a second while the attack lasts."""
    attack = Attack(f"unread_news:{made_game(server.address)}", "many addresses", 300, 1.5 * SECONDS)
    held = [0]
    with sampled(lambda: held.append(unsent(server.port))):
        suffer(server, attack)
    print(f"the system held {max(held) / MEGABYTE:.0f} MB for the server's connections at most")
    assert max(held) < 300 * 2 * FrontLimits().send_buffer


def unsent(port: int) -> int:
    """Return the bytes that the system holds in the send buffers of connections at this port of this machine."""
    total = 0
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        if int(fields[1].partition(":")[2], 16) == port:
            total += int(fields[4].partition(":")[0], 16)
    return total


def test_a_class_behind_one_address_is_not_refused(server: Server) -> None:
    got = asyncio.run(_taught(server.port))
    print(f"\n{BROWSERS} browsers behind one address: {dict(got)}")
    assert set(got) == {200}


async def _taught(port: int) -> Counter[int]:
    """Ask in a burst, as when a class opens a page at once, and then at the sustained rate."""
    limits, got = FrontLimits(), Counter[int]()

    async def browse() -> None:
        connection = await Connection.to(port, "127.0.6.1")

        async def ask() -> None:
            await connection.send(get("/play/3x3x3?moves=b2a1"))
            got[(await connection.answer()).status] += 1

        for _ in range(limits.burst // BROWSERS):
            await ask()
        began, pause = time.monotonic(), 1.05 * BROWSERS / limits.rate
        for number in range(round(LESSON / pause)):
            await asyncio.sleep(max(0.0, began + (number + 1) * pause - time.monotonic()))
            await ask()
        connection.close()

    await asyncio.gather(*(browse() for _ in range(BROWSERS)))
    return got


def test_the_price_of_pages_and_moves_is_told() -> None:
    print()
    for line in serving.figures():
        print(line, flush=True)
