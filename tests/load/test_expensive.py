"""Expensive requests are refused soon or answered by the pool, so that players notice nothing."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.benchmarks.serving import get
from tests.load import SECONDS
from tests.load.attack import under_attack
from tests.load.attackers import ALLOWED
from tests.load.expensive import DISTINCT, ROUTES, refused_tree
from tests.load.processes import MEMORY, Server, running, wait_until
from tests.load.wire import Answer, exchange

CLIENTS = 32
REFUSAL = 0.05
"""The most CPU seconds of all processes for a refusal."""

LONGER = 6
"""The factor by which it takes longer to ask for all empty boards than other attacks last: two minutes by default."""

CLAIMS = "/learn/claims?preparing=1"
"""A page that reports the progress of its figures: its status is 202 until they are complete."""


async def fetch(port: int, path: str, source: str = "127.0.0.1") -> Answer:
    """Return one answer, without a deadline."""
    return await exchange(port, get(path), source)


async def fetch_patiently(port: int, path: str, source: str = "127.0.0.1") -> None:
    """Ask again and again, like a page, until the server has the answer. Raises TimeoutError."""
    async with asyncio.timeout(120):
        while (answer := await fetch(port, path, source)).status != 303:
            assert answer.status in (202, 429, 503)
            await asyncio.sleep(float(answer.headers.get("retry-after", "0.25")))
        assert (await fetch(port, answer.headers["location"], source)).status == 200


def test_pictures_that_are_too_large_harm_nobody(server: Server) -> None:
    report = under_attack(server, "expensive.refused_trees", "many addresses", 16)
    report.check(ALLOWED - {"200"})


def test_a_refusal_costs_next_to_nothing(server: Server) -> None:
    before, refusals, over = server.cpu_seconds_at_rest(), 0, time.monotonic() + SECONDS
    while refusals < 20 and time.monotonic() < over:
        answer = asyncio.run(fetch(server.port, refused_tree()))
        assert answer.status in (400, 413, 429, 503)
        refusals += 1
    each = (server.cpu_seconds_at_rest() - before) / refusals
    print(f"\n{refusals} refusals: {1000 * each:.0f} ms of CPU each")
    assert each < REFUSAL


def test_large_answers_are_not_kept(server: Server) -> None:
    report = under_attack(server, "expensive.gzipped_trees", "many addresses", DISTINCT)
    report.check()
    assert report.watch.peak < MEMORY


@pytest.mark.parametrize("route", ROUTES)
def test_a_dear_route_harms_nobody(server: Server, route: str) -> None:
    under_attack(server, f"expensive.route:{route}", "many addresses", CLIENTS).check()


@pytest.mark.parametrize("source", ["same address", "one address", "many addresses"])
def test_all_dear_routes_at_once_harm_nobody(server: Server, source: str) -> None:
    report = under_attack(server, "expensive.all_routes", source, CLIENTS)
    report.check()
    assert report.watch.peak < MEMORY


def test_seven_hundred_empty_boards_harm_nobody(server: Server) -> None:
    under_attack(server, "expensive.empty_boards", "one address", 1, LONGER * SECONDS).check()


def test_who_ask_for_the_same_at_once_cost_little_more_than_one(tmp_path: Path) -> None:
    async def ask(port: int, times: int) -> None:
        await asyncio.gather(*(fetch_patiently(port, CLAIMS, f"127.0.2.{number + 1}") for number in range(times)))

    spent = {}
    for times in (1, 8):
        with running(tmp_path / str(times)) as server:
            wait_until(server.ready, 30, "the server is not ready")
            before = server.cpu_seconds_at_rest()
            asyncio.run(ask(server.port, times))
            spent[times] = server.cpu_seconds_at_rest() - before
    print(f"\n{CLAIMS}: {spent[1]:.1f} s of CPU for one, {spent[8]:.1f} s for eight at once")
    assert spent[8] <= 2 * spent[1]
