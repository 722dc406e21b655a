"""Attackers who begin and do not go on hold the server up for nobody."""

import pytest

from tests.load import SECONDS
from tests.load.attack import under_attack
from tests.load.attackers import ALLOWED, CLOSED, OPEN, SOURCES
from tests.load.processes import WORKERS, Server

everywhere = pytest.mark.parametrize("source", SOURCES)


@pytest.mark.parametrize("connections", [1, 16])
def test_stalled_http2_bodies_harm_nobody(server: Server, connections: int) -> None:
    report = under_attack(server, "stalling.http2_bodies", "one address", connections)
    report.check(ALLOWED | {"HTTP/2 400"})
    assert not report.got[OPEN], "the server took streams whose bodies never come"


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
