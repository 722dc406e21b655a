"""An attack on a server, with innocents before, during and after it, and its figures."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tests.load import SECONDS, innocents
from tests.load.attackers import ALLOWED, CLOSED, LEFT, OPEN, Attackers
from tests.load.innocents import Crowd, Innocents, Record
from tests.load.machine import undisturbed
from tests.load.processes import MEGABYTE, MEMORY, Server, Watch, watched

AFTERMATH: Final = 3.0
"""Seconds for which the innocents stay after the attackers, to notice lasting harm."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A row of the table: a function of `attacks` with its argument, the clients' addresses and their number.

    `allowed` are the statuses that they may get. With `are_ended`, the server has to end some of their connections.
    The innocents come from `homes` addresses, 0 for one that attackers may share. Some are `needy` of the pool.
    """

    name: str
    source: str = "one address"
    clients: int = 1
    seconds: float = SECONDS
    allowed: frozenset[str] = frozenset(ALLOWED)
    are_ended: bool = False
    homes: int = 0
    needy: bool = False

    def __str__(self) -> str:
        return f"{self.name} by {self.clients} from {self.source}"


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an attack."""

    attack: Attack
    records: list[Record]
    got: Counter[str]
    cpu_seconds: float
    watch: Watch

    def __str__(self) -> str:
        answers = ", ".join(f"{status} x{count}" for status, count in sorted(self.got.items())) or "nothing"
        return (
            f"{self.attack}: {innocents.figures(self.records)}; attackers got {answers};"
            f" {self.cpu_seconds:.1f} s of CPU, {self.watch.peak / MEGABYTE:.0f} MB at most"
        )

    def check(self) -> None:
        """Assert that innocents noticed nothing, attackers got nothing unexpected, and memory stayed small."""
        innocents.check(self.records)
        wrong = set(self.got) - self.attack.allowed - {CLOSED, LEFT, OPEN}
        assert not wrong, f"attackers got {sorted(wrong)}"
        assert self.got[CLOSED] or not self.attack.are_ended, "the server waits for ever"
        assert self.watch.peak < MEMORY


def suffer(server: Server, attack: Attack) -> Report:
    """Attack while the innocents visit; print the figures, check them, and return them."""

    def attacked() -> Report:
        before = server.cpu_seconds()
        with watched(server) as watch:
            seconds = attack.seconds + AFTERMATH
            visitors = Innocents(Crowd(server.front, seconds, addresses=attack.homes, needy=attack.needy))
            attackers = Attackers(attack.name, server.front, attack.seconds, attack.source, attack.clients)
            got, records = attackers.wait(), visitors.wait()
        report = Report(attack, records, got, server.cpu_seconds() - before, watch)
        print(f"\n{report}", flush=True)
        return report

    report = undisturbed(attacked, lambda report: innocents.check(report.records))
    report.check()
    return report
