"""One attack, with innocents before, during and after it, and its figures."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from tests.load import SECONDS, innocents
from tests.load.attackers import ALLOWED, CLOSED, LEFT, OPEN, Attackers
from tests.load.innocents import Innocents, Record
from tests.load.machine import undisturbed
from tests.load.processes import MEGABYTE, Server, Watch, watched

AFTERMATH = 3.0
"""Seconds for which the innocents stay after the attackers, to notice lasting harm."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an attack."""

    records: list[Record]
    got: Counter[str]
    cpu_seconds: float
    watch: Watch

    def __str__(self) -> str:
        answers = ", ".join(f"{status} x{count}" for status, count in sorted(self.got.items())) or "nothing"
        return (
            f"{innocents.figures(self.records)}; attackers got {answers};"
            f" {self.cpu_seconds:.1f} s of CPU, {self.watch.peak / MEGABYTE:.0f} MB at most"
        )

    def check(self, allowed: Collection[str] = ALLOWED) -> None:
        """Assert that the innocents noticed nothing, and that the attackers got no unexpected answer."""
        innocents.check(self.records)
        wrong = set(self.got) - set(allowed) - {CLOSED, LEFT, OPEN}
        assert not wrong, f"attackers got {sorted(wrong)}"


def under_attack(server: Server, name: str, source: str, clients: int, seconds: float = SECONDS) -> Report:
    """Attack while the innocents visit, print the figures, and return them."""

    def attacked() -> Report:
        return attack(server, name, source, clients, seconds)

    return undisturbed(attacked, lambda report: innocents.check(report.records))


def attack(server: Server, name: str, source: str, clients: int, seconds: float) -> Report:
    """Attack once while the innocents visit; print the figures and return them."""
    before = server.cpu_seconds()
    with watched(server) as watch:
        visitors = Innocents(server.port, seconds + AFTERMATH, addresses=server.homes)
        attackers = Attackers(name, server.port, seconds, source, clients)
        got, records = attackers.wait(), visitors.wait()
    report = Report(records, got, server.cpu_seconds() - before, watch)
    print(f"\n{name} by {clients} from {source}: {report}", flush=True)
    return report
