"""A database that hangs holds up the live games that are in it, and nobody else."""

from pathlib import Path

import pytest

from tests.load.attack import under_attack
from tests.load.processes import running
from tests.load.test_stalling import made_game
from tests.postgres import PROGRAMS, postgresql

POLLERS = 200


@pytest.mark.skipif(PROGRAMS is None, reason="there is no PostgreSQL of Debian's here")
@pytest.mark.parametrize("hangs", [False, True], ids=["answers", "hangs"])
def test_a_database_harms_nobody_who_plays_without_it(tmp_path: Path, hangs: bool) -> None:
    with postgresql() as database, running(tmp_path, "--database", database.url) as server:
        server.warm_up()
        attack = f"polling.news:{made_game(server.port)}"
        if hangs:
            with database.hanging():
                report = under_attack(server, attack, "many addresses", POLLERS)
            report.check({"503"})
        else:
            under_attack(server, attack, "many addresses", POLLERS).check({"200"})
