"""Visitors who ask without a pause get no more than their share of the time, and players notice nothing."""

import asyncio
import time
from collections import Counter

import pytest

from tests.benchmarks.serving import get
from tests.load.attack import under_attack
from tests.load.processes import Server
from tests.load.wire import Connection
from webapp.config import FrontLimits

LIMITS = FrontLimits()
HOMES = 30
"""The number of the innocents' addresses. Each of them asks once a second."""

BROWSERS = 60
"""A class behind one address."""

LESSON = 10.0
"""Seconds for which they ask as often as one address may."""


@pytest.mark.parametrize("kind", ["pages", "pipelines"])
@pytest.mark.parametrize("source", ["one address", "40 addresses"])
def test_a_flood_of_quick_requests_harms_nobody(server: Server, kind: str, source: str) -> None:
    server.homes = HOMES
    under_attack(server, f"flooding.{kind}", source, 300).check()


def test_a_class_behind_one_address_is_not_refused(server: Server) -> None:
    got = asyncio.run(_taught(server.port))
    print(f"\n{BROWSERS} browsers behind one address: {dict(got)}")
    assert set(got) == {200}


async def _taught(port: int) -> Counter[int]:
    """Ask in a burst, as when a class opens a page at once, and then at the sustained rate."""
    got: Counter[int] = Counter()

    async def browse() -> None:
        connection = await Connection.to(port, "127.0.6.1")

        async def ask() -> None:
            await connection.send(get("/play/3x3x3?moves=b2a1"))
            got[(await connection.answer()).status] += 1

        for _ in range(LIMITS.burst // BROWSERS):
            await ask()
        began, each = time.monotonic(), 1.05 * BROWSERS / LIMITS.rate
        for number in range(round(LESSON / each)):
            await asyncio.sleep(max(0.0, began + (number + 1) * each - time.monotonic()))
            await ask()
        connection.close()

    await asyncio.gather(*(browse() for _ in range(BROWSERS)))
    return got
