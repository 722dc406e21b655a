"""The pictures of MENACE's lesson: boxes with their beads, and the graph of a learner's chances."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from solver.board.notation import format_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players.learning.boxes import Box
from solver.players.learning.exam import Odds
from solver.players.learning.learners import Memory
from webapp.ui.board import spoken, strike


@dataclass(frozen=True, slots=True)
class LidSquare:
    """A square of a lid, `x` from the left and `y` from the top: its mark, or the beads for it in the box.

    `bead` is the number of the bead's colour. `classes` mark the square that was drawn or played last.
    """

    x: int
    y: int
    mark: Mark | None
    bead: int | None
    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class Lid:
    """A small board with beads; `label` describes it to screen readers."""

    spots: tuple[LidSquare, ...]
    strikes: tuple[tuple[float, float, float, float], ...]
    label: str


def lid_of(box: Box, memory: Memory) -> Lid:
    """Draw a box with what the memory has for it."""
    return lid(box.position, dict(zip(box.squares, memory[box.number - 1], strict=True)))


def lid(position: Position, row: Mapping[Cell, float], drawn: Sequence[Cell] = (), new: Sequence[Cell] = ()) -> Lid:
    """Draw a position with a row of beads, or of values, for its squares."""
    held = {cell: amount(number) for cell, number in row.items()}
    spots = (
        LidSquare(
            *TIC_TAC_TOE.column_row(cell),
            mark=position.mark_at(cell),
            bead=cell if cell in held else None,
            text=held.get(cell, ""),
            classes="drawn" if cell in drawn else "new" if cell in new else "",
        )
        for cell in range(TIC_TAC_TOE.size)
    )
    beads = [f"{text} for {format_cell(cell, TIC_TAC_TOE)}" for cell, text in held.items()]
    said = [spoken(position), *([", ".join(beads)] if beads else [])]
    strikes = tuple(strike(line, TIC_TAC_TOE) for line in position.winning_lines)
    return Lid(tuple(spots), strikes, "; ".join(said))


def amount(number: float) -> str:
    """Return a number of beads, or a value to two decimals."""
    return str(number) if isinstance(number, int) else f"{number:.2f}".replace("-", "−")


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
