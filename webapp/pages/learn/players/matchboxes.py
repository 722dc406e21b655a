"""The pictures of MENACE's lesson: boxes with their beads, and the graph of a learner's chances."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from solver.board.notation import format_cell
from solver.board.position import Position
from solver.board.rules import Cell
from solver.players.learning.boxes import Box
from solver.players.learning.exam import Odds
from solver.players.learning.learners import Memory
from webapp.ui.board import Mini, mini, spoken

WIDTH, HEIGHT, POINTS = 300, 100, 150
"""The size of a graph in its own units, and about how many games it shows."""


@dataclass(frozen=True, slots=True)
class Areas:
    """Chances by game as SVG paths that lie on each other.

    `letters` stand inside the areas, and `at` is the end of the games shown.
    """

    areas: Mapping[str, str]
    letters: tuple[tuple[str, float, float], ...]
    at: float
    shown: bool


def lid_of(box: Box, memory: Memory) -> Mini:
    """Draw a box with its beads or values in the memory."""
    return lid(box.position, dict(zip(box.squares, memory[box.number - 1], strict=True)))


def lid(position: Position, row: Mapping[Cell, float], drawn: Sequence[Cell] = (), new: Sequence[Cell] = ()) -> Mini:
    """Draw a position with a row of beads, or of values, for its squares."""
    texts = {cell: amount(number) for cell, number in row.items()}
    board = mini(position, texts=texts, classes=dict.fromkeys(new, "new") | dict.fromkeys(drawn, "drawn"))
    beads = ", ".join(f"{text} for {format_cell(cell, position.rules)}" for cell, text in texts.items())
    return replace(board, label="; ".join(filter(None, (spoken(position), beads))))


def amount(number: float) -> str:
    """Return a number of beads, or a value to two decimals."""
    return str(number) if isinstance(number, int) else f"{number:.2f}".replace("-", "−")


def areas_of(odds: Sequence[Odds[float]], last: int, at: int) -> Areas:
    """Draw the chances after up to `last` games: losses at the top, draws below them, wins at the bottom."""
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
    """Yield a letter for each area with room for it, at the area's thickest place away from the edges."""
    for lower, upper in pairwise(points):
        room = [
            (below - above, x, (above + below) / 2)
            for (x, above), (_, below) in zip(points[upper], points[lower], strict=True)
            if 8 <= x <= max(8.0, points["foot"][-1][0] - 8)
        ]
        if room and max(room)[0] >= 14:
            _, x, y = max(room)
            yield {"win": "W", "draw": "D", "loss": "L"}[upper], x, round(y + 4, 1)
