"""Counts on a logarithmic scale: lines over plies, on which ten times as much is always the same way up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import Final

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 240, 60, 80, 12, 26
"""In units of the drawing: all of it, and the room beside what is plotted."""

APART: Final = 13
"""How far apart the names at the ends of lines are at least."""


@dataclass(frozen=True, slots=True)
class Point:
    """A count of a line and where it lies."""

    x: float
    y: float
    ply: int
    count: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A line with its name, which stands at the height `named`."""

    name: str
    points: tuple[Point, ...]
    named: float

    @property
    def path(self) -> str:
        """The line as SVG draws it."""
        return "M" + "L".join(f"{point.x} {point.y}" for point in self.points)


@dataclass(frozen=True, slots=True)
class LogChart:
    """The lines, the powers of ten with their heights, and the plies with where they stand."""

    lines: tuple[Curve, ...]
    powers: tuple[tuple[int, float], ...]
    plies: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def log_chart(series: Mapping[str, Sequence[int | None]]) -> LogChart:
    """The chart of counts by ply, from the first ply on; None where there is no count. There has to be one."""
    plies = max(map(len, series.values()))
    top = max(1, ceil(log10(max(count for counts in series.values() for count in counts if count))))

    def x(ply: int) -> float:
        return round(LEFT + 10 + (WIDTH - LEFT - RIGHT - 16) * (ply - 1) / max(1, plies - 1), 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log10(count) / top, 1)

    points = {
        name: tuple(Point(x(ply), y(count), ply, count) for ply, count in enumerate(counts, 1) if count)
        for name, counts in series.items()
    }
    named, lowest = {}, 0.0
    for name in sorted((name for name in points if points[name]), key=lambda name: points[name][-1].y):
        named[name] = lowest = max(points[name][-1].y + 4, lowest + APART)
    return LogChart(
        tuple(Curve(name, points[name], named[name]) for name in series if name in named),
        tuple((10**power, y(10**power)) for power in range(top + 1)),
        tuple((ply, x(ply)) for ply in range(1, plies + 1)),
    )
