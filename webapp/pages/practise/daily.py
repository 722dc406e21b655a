"""The drill of the day: its number and level, its result without a spoiler, and its feed."""

from datetime import date, timedelta
from typing import Final, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from solver.analysis.drills import Drill, daily
from webapp.pages.practise.drill import DrillShown, name_level
from webapp.pages.practise.link import DrillLink

FIRST: Final = date(2026, 1, 1)
"""The day of drill number 1."""

IN_FEED: Final = 14
"""The days whose drills the feed lists."""


class DailyDrill(NamedTuple):
    """The drill of a day."""

    day: date
    drill: Drill

    @property
    def name(self) -> str:
        """The name of the drill, such as "Noughts 214 · Fork"."""
        return f"Noughts {(self.day - FIRST).days + 1} · {self.drill.title}"

    @property
    def level(self) -> str:
        """The level of the drill, e.g. "easy"."""
        return name_level(self.drill)

    @property
    def url(self) -> str:
        """The address of the drill, on this day and later."""
        return DrillLink("daily", day=self.day).url()

    @property
    def id(self) -> UUID:
        """The id of the drill in feeds, which is the same on every server."""
        return uuid5(NAMESPACE_URL, f"noughts/daily/{self.day}")


def daily_drill(day: date) -> DailyDrill:
    """Return the drill of a day."""
    return DailyDrill(day, daily(day))


def latest(today: date) -> tuple[DailyDrill, ...]:
    """Return the drills of the last days, today's first."""
    return tuple(daily_drill(today - timedelta(ago)) for ago in range(IN_FEED))


def result_of(shown: DrillShown) -> str:
    """Tell how a visitor solved the drill of a day, without its answer. Empty before that, and for other drills."""
    link = shown.link
    if link.path != "daily" or shown.verdict != "right":
        return ""
    tries = "found it ○" if link.missed else "with a hint ◐" if link.hints else "first try ●"
    return f"{DailyDrill(link.day or shown.today, shown.drill).name} · {tries}"
