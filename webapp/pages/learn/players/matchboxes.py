"""Small boards of boxes, with the beads or the values that they hold for their squares.

The graph of a learner's chances: wins, draws and losses as areas that lie on each other, game by game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from solver.board.notation import format_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of
from solver.players.learning.boxes import Box
from solver.players.learning.exam import Odds
from solver.players.learning.learners import Memory
from webapp.ui.minis import spoken


@dataclass(frozen=True, slots=True)
class LidSquare:
    """A square of a small board, `x` from the left and `y` from the top: its stone, or what a box holds for it.

    `bead` is the number of the bead's colour. `classes` mark what was drawn or played last.
    """

    x: int
    y: int
    mark: Mark | None
    bead: int | None
    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class Lid:
    """A small board with beads: `label` is read out instead of it."""

    spots: tuple[LidSquare, ...]
    strikes: tuple[tuple[float, float, float, float], ...]
    label: str


def lid_of(box: Box, memory: Memory) -> Lid:
    """A box as it stands."""
    return lid(box.position, dict(zip(box.squares, memory[box.number - 1], strict=True)))


def lid(position: Position, row: Mapping[Cell, float], drawn: Sequence[Cell] = (), new: Sequence[Cell] = ()) -> Lid:
    """A position with what a box holds for its squares."""
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
    strikes = tuple(_strike(tuple(cells_of(line))) for line in position.winning_lines)
    return Lid(tuple(spots), strikes, "; ".join(said))


def _strike(cells: tuple[Cell, ...]) -> tuple[float, float, float, float]:
    """The stroke through a line, from centre to centre."""
    (x1, y1), (x2, y2) = TIC_TAC_TOE.column_row(cells[0]), TIC_TAC_TOE.column_row(cells[-1])
    return x1 + 0.5, y1 + 0.5, x2 + 0.5, y2 + 0.5


def amount(number: float) -> str:
    """Beads, or a value to a hundredth."""
    return str(number) if isinstance(number, int) else f"{number:.2f}".replace("-", "−")


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
