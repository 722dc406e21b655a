"""The game so far as a page shows it: its moves, with their grades in a review, and the graph."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from solver.analysis.review import GraphPoint, Review, graph
from solver.board.notation import format_cell
from solver.board.outcome import Grade
from solver.board.position import Mark
from webapp.pages.play import words
from webapp.pages.play.link import Link
from webapp.ui.filters import Choice

WIDTH: Final = 320
LEVEL: Final = 42
REACH: Final = 32
"""The graph's width, a draw's height, and a finished win's distance from that height, all in the graph's units."""

_WORTH: Final = {
    Grade.BEST: "best",
    Grade.SLOWER: "slower",
    Grade.SOONER: "lost sooner",
    Grade.WIN_TO_DRAW: "wastes a win",
    Grade.WIN_TO_LOSS: "loses a win",
    Grade.DRAW_TO_LOSS: "loses a draw",
    Grade.UNKNOWN: "not proved",
}
"""The words beside a move, short enough for a column on a phone."""


class Played(NamedTuple):
    """A move of the game: the link to the position after it, and its worth in a word or two."""

    choice: Choice
    worth: str
    mistake: bool


class Dot(NamedTuple):
    """A position in the graph: its coordinates, and the link to it."""

    x: float
    y: float
    choice: Choice
    mistake: bool


@dataclass(frozen=True, slots=True)
class Record:
    """The game so far: its moves and, as far as it is known, their graph. A review grades the moves."""

    start: Choice
    first_mover: str
    moves: tuple[Played, ...]
    graph: tuple[tuple[Dot, ...], ...]


def record(link: Link, review: Review | None, urls: tuple[str, ...], graded: bool = False) -> Record:
    """Return the record of a game. `urls` are the addresses of its positions, from the first."""
    start = "Given position" if link.game.positions[0].is_begun else "Empty board"
    return Record(
        start=Choice(start, urls[0] if link.game.moves else None, link.at == 0, "move-0"),
        first_mover=str(link.game.positions[0].mover),
        moves=tuple(
            _played(link, ply, urls[ply], review if graded else None) for ply in range(1, len(link.game.moves) + 1)
        ),
        graph=_segments(_dots(link, urls, review)) if review is not None else (),
    )


def _played(link: Link, ply: int, url: str, found: Review | None) -> Played:
    choice = Choice(format_cell(link.game.moves[ply - 1], link.rules), url, ply == link.at, f"move-{ply}")
    if found is None:
        return Played(choice, "", False)
    grade = found.turns[ply - 1].grade
    return Played(choice, _WORTH[grade], grade.is_mistake)


def _dots(link: Link, urls: tuple[str, ...], found: Review) -> list[Dot | None]:
    points = graph(found)
    apart = (WIDTH - 60) / max(1, len(points) - 1)
    return [
        None
        if point.height is None
        else Dot(
            round(48 + point.ply * apart, 1),
            round(LEVEL - REACH * point.height, 1),
            Choice(_came_to(link, point), urls[point.ply], point.ply == link.at),
            point.ply > 0 and found.turns[point.ply - 1].grade.is_mistake,
        )
        for point in points
    ]


def _came_to(link: Link, point: GraphPoint) -> str:
    """Say the outcome of a position, or the result if the game ended there."""
    over = link.game.positions[point.ply].result is not None
    return words.status(link.showing(point.ply)) if over else point.outcome.in_moves(Mark.X, link.rules)


def _segments(dots: list[Dot | None]) -> tuple[tuple[Dot, ...], ...]:
    """Return groups of dots, each joined by a line. A position without a proof separates two groups."""
    return tuple(tuple(filter(None, group)) for proved, group in groupby(dots, bool) if proved)
