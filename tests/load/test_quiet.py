"""Innocents without an attack, to show that the limits measure the server and not the clients."""

from tests.load import SECONDS, innocents
from tests.load.innocents import Innocents, Record
from tests.load.machine import undisturbed
from tests.load.processes import Server


def test_innocents_by_themselves_are_served_at_once(server: Server) -> None:
    def visited() -> list[Record]:
        records = Innocents(server.port, SECONDS).wait()
        print(f"\nnobody attacks: {innocents.figures(records)}")
        return records

    innocents.check(undisturbed(visited, innocents.check))
