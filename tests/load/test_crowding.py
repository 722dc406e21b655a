"""Attackers from a few addresses keep the gate full, and the others still get their answers."""

import pytest

from tests.load import SECONDS, innocents
from tests.load.attack import Report, attack
from tests.load.crowding import WANTED, Visitors
from tests.load.innocents import Record
from tests.load.machine import undisturbed
from tests.load.processes import MEMORY, Server

FAILING = 0.05
"""The largest share of the visitors' requests that may get no answer."""

CLIENTS = {"one address": 32, "4 addresses": 64, "8 addresses": 64, "32 addresses": 64}
"""The number of clients by their addresses. Together they ask for more tasks than the gate takes."""


def crowd(server: Server, name: str, source: str) -> tuple[Report, list[Record]]:
    """Attack while visitors need the gate; print the figures and return the records of both kinds of innocents."""

    def crowded() -> tuple[Report, list[Record]]:
        visitors = Visitors(server.port, SECONDS)
        report = attack(server, name, source, CLIENTS[source], SECONDS)
        records = visitors.wait()
        print(f"visitors who need the gate: {innocents.figures(records, WANTED)}", flush=True)
        return report, records

    return undisturbed(crowded, lambda found: check(*found))


def check(report: Report, records: list[Record]) -> None:
    """Assert that players noticed nothing and that nearly all who need the gate were answered."""
    innocents.check(report.records)
    failed = [(record.kind, record.failure) for record in records if record.failure]
    assert len(failed) <= FAILING * len(records), f"{len(failed)} of {len(records)} failed, e.g. {failed[:5]}"


@pytest.mark.parametrize("source", CLIENTS)
def test_attackers_who_fill_the_gate_leave_room_for_others(server: Server, source: str) -> None:
    report, records = crowd(server, "crowding.tasks", source)
    report.check()
    check(report, records)
    assert report.watch.peak < MEMORY


def test_many_requests_for_one_task_leave_room_for_others(server: Server) -> None:
    check(*crowd(server, "crowding.one_task", "4 addresses"))
