"""Attackers who stall hold up nobody else."""

import asyncio
from pathlib import Path

import pytest

from tests.load import SECONDS
from tests.load.attack import under_attack
from tests.load.attackers import CLOSED, OPEN
from tests.load.processes import MEGABYTE, WORKERS, Server, sampled
from tests.load.wire import exchange
from webapp.config import FrontLimits

SOURCES = ("same address", "one address", "many addresses")

everywhere = pytest.mark.parametrize("source", SOURCES)


@pytest.mark.parametrize("connections", [1, 16])
def test_connections_that_begin_http2_harm_nobody(server: Server, connections: int) -> None:
    report = under_attack(server, "stalling.http2", "one address", connections)
    report.check({"400"})
    assert not report.got[OPEN], "the server waits for more of a protocol that it does not speak"


@everywhere
@pytest.mark.parametrize("connections", [8 * WORKERS, 200])
def test_stalled_bodies_harm_nobody(server: Server, connections: int, source: str) -> None:
    under_attack(server, "stalling.bodies", source, connections).check()


@pytest.mark.parametrize("kind", ["chunked_bodies", "slow_bodies"])
def test_bodies_in_parts_harm_nobody(server: Server, kind: str) -> None:
    under_attack(server, f"stalling.{kind}", "many addresses", 200).check()


@everywhere
@pytest.mark.parametrize("kind", ["idle", "slow_headers"])
def test_connections_that_say_nothing_or_hardly_anything_harm_nobody(server: Server, kind: str, source: str) -> None:
    under_attack(server, f"stalling.{kind}", source, 600).check()


def test_connections_that_stay_after_a_page_harm_nobody(server: Server) -> None:
    under_attack(server, "stalling.idle_after_a_page", "many addresses", 600).check()


@everywhere
def test_answers_that_nobody_reads_harm_nobody(server: Server, source: str) -> None:
    report = under_attack(server, "stalling.unread", source, 200, 1.5 * SECONDS)  # reading is given more time
    report.check()
    assert report.got[CLOSED], "the server waits for those who never read"


def test_the_system_holds_little_for_those_who_never_read(server: Server) -> None:
    """Look at the server's sockets every quarter of a second while the attack lasts."""
    game = made_game(server.port)
    held = [0]
    with sampled(lambda: held.append(unsent(server.port))):
        report = under_attack(server, f"stalling.unread_news:{game}", "many addresses", 300, 1.5 * SECONDS)
    print(f"the system held {max(held) / MEGABYTE:.0f} MB for the server's connections at most")
    report.check()
    assert max(held) < 300 * 2 * FrontLimits().send_buffer


def made_game(port: int) -> str:
    """Make a live game and return its address."""
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\nboard=3x3x3"
    answer = asyncio.run(exchange(port, b"POST /live HTTP/1.1\r\nHost: localhost\r\n" + form))
    return answer.headers["location"]


def unsent(port: int) -> int:
    """Return the bytes that the system holds in the send buffers of connections at this port of this machine."""
    total = 0
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        if int(fields[1].partition(":")[2], 16) == port:
            total += int(fields[4].partition(":")[0], 16)
    return total
