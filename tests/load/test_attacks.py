"""Attacks on `noughts serve`, alone and behind the shipped nginx: innocents notice none of them.

Behind nginx all innocents have homes of their own: it caps the connections and requests of each address, and whoever
shares one with attackers shares the cap.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from tests.load import SECONDS, SOAK
from tests.load.attack import Attack, suffer
from tests.load.attackers import ALLOWED
from tests.load.attacks import DISTINCT, ROUTES
from tests.load.processes import MEGABYTE, WORKERS, Server, behind_nginx, running
from tests.postgres import PROGRAMS, postgresql
from tests.server import made_game

HOMES: Final = 30
"""The number of the innocents' addresses. Each of them asks once a second."""

EVERYWHERE: Final = ("same address", "one address", "many addresses")

READING: Final = max(1.5 * SECONDS, 25.0)
"""Reading is given more time than the other steps of a request."""

ATTACKS: Final = (
    Attack("nothing"),
    *(Attack("hold:HTTP/2", clients=clients, allowed=frozenset({"400"})) for clients in (1, 16)),
    *(Attack("hold:bodies", source, clients) for source, clients in product(EVERYWHERE, (8 * WORKERS, 200))),
    Attack("hold:bodies", "many addresses", 1500),
    Attack("hold:bodies after long headers", "many addresses", 1024),
    Attack("hold:slow bodies", "many addresses", 200),
    Attack("hold:chunked bodies", "many addresses", 200),
    *(Attack(f"hold:{kind}", source, 600) for kind, source in product(("nothing", "slow headers"), EVERYWHERE)),
    Attack("idle_after_a_page", "many addresses", 600),
    *(Attack("unread", source, 200, READING, are_ended=True) for source in EVERYWHERE),
    Attack("refused_trees", "many addresses", 16, allowed=frozenset(ALLOWED - {"200"})),
    Attack("gzipped_trees", "many addresses", DISTINCT),
    *(Attack(f"route:{name}", "many addresses", 32) for name in ROUTES),
    *(Attack("all_routes", source, 32) for source in EVERYWHERE),
    Attack("empty_boards", seconds=6 * SECONDS),  # for all of the 700
    *(
        Attack(kind, source, 300, homes=HOMES)
        for kind, source in product(("pages", "pipelines"), ("one address", "40 addresses"))
    ),
    Attack("tasks", "one address", 32, needy=True),
    *(Attack("tasks", source, 64, needy=True) for source in ("4 addresses", "8 addresses", "32 addresses")),
    Attack("one_task", "4 addresses", 64, needy=True),
)
"""The attacks. Those that keep the pool full have innocents who need it."""

PROXIED: Final = tuple(replace(attack, homes=HOMES) for attack in ATTACKS if attack.source != "same address")


@pytest.fixture
def proxied(tmp_path: Path, idle: Server) -> Iterator[Server]:
    """Start a warm server behind nginx, which must recover."""
    with behind_nginx(tmp_path) as started:
        started.warm_up()
        yield started
        started.recover(idle)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_innocents_notice_nothing(server: Server, attack: Attack) -> None:
    suffer(server, attack)


@pytest.mark.parametrize("attack", PROXIED, ids=str)
def test_innocents_behind_a_proxy_notice_nothing(proxied: Server, attack: Attack) -> None:
    suffer(proxied, attack)


@pytest.mark.skipif(PROGRAMS is None, reason="there is no PostgreSQL of Debian's here")
@pytest.mark.parametrize("hangs", [False, True], ids=["answers", "hangs"])
def test_a_database_harms_nobody_who_plays_without_it(tmp_path: Path, hangs: bool) -> None:
    with postgresql() as database, running(tmp_path, "--database", database.url) as server:
        server.warm_up()
        allowed = frozenset({"503" if hangs else "200"})
        attack = Attack(f"news:{made_game(server.address)}", "many addresses", 200, allowed=allowed)
        if hangs:
            with database.hanging():
                suffer(server, attack)
        else:
            suffer(server, attack)


@pytest.mark.skipif(SOAK <= 0, reason="left out by LOAD_SOAK=0")
def test_memory_is_flat_under_links_that_are_never_repeated(server: Server) -> None:
    report = suffer(server, Attack("links", "many addresses", 4, SOAK))
    thirds = [report.watch.peak_between(number / 3, (number + 1) / 3) for number in range(3)]
    print(f"the largest process by thirds of the time: {', '.join(f'{size / MEGABYTE:.0f} MB' for size in thirds)}")
    assert thirds[2] <= 1.1 * thirds[1]
