"""The graph of a learner's chances: wins, draws and losses as areas that lie on each other, game by game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from solver.players.learning.exam import Odds

WIDTH, HEIGHT, POINTS = 300, 100, 150
"""Of a graph: its size in units of its drawing, and about how many games it shows."""


@dataclass(frozen=True, slots=True)
class Areas:
    """Chances by games, as areas that lie on each other: `letters` stand in them, `at` is where the games shown end."""

    areas: Mapping[str, str]
    letters: tuple[tuple[str, float, float], ...]
    at: float
    shown: bool


def areas_of(odds: Sequence[Odds[float]], last: int, at: int) -> Areas:
    """The chances after up to `last` games: losses above, draws below them, wins at the foot."""
    games = len(odds) - 1
    places = sorted({*range(0, last + 1, max(1, games // POINTS)), last, at})
    lines = {
        "foot": [0.0 for _ in places],
        "win": [odds[place].win for place in places],
        "draw": [odds[place].win + odds[place].draw for place in places],
        "loss": [1.0 for _ in places],
    }
    points = {
        name: [
            (round(place / games * WIDTH, 1), round((1 - share) * HEIGHT, 1))
            for place, share in zip(places, shares, strict=True)
        ]
        for name, shares in lines.items()
    }
    areas = {
        upper: "M" + "L".join(f"{x:g} {y:g}" for x, y in (*points[upper], *reversed(points[lower]))) + "Z"
        for lower, upper in pairwise(points)
    }
    return Areas(areas, tuple(_letters(points)), round(at / games * WIDTH, 1), last > 0)


def _letters(points: Mapping[str, list[tuple[float, float]]]) -> Iterator[tuple[str, float, float]]:
    """A letter in each area that has room for it, where it is thickest of the places away from the edges."""
    for lower, upper in pairwise(points):
        room = [
            (below - above, x, (above + below) / 2)
            for (x, above), (_, below) in zip(points[upper], points[lower], strict=True)
            if 8 <= x <= max(8.0, points["foot"][-1][0] - 8)
        ]
        if room and max(room)[0] >= 14:
            _, x, y = max(room)
            yield {"win": "W", "draw": "D", "loss": "L"}[upper], x, round(y + 4, 1)
