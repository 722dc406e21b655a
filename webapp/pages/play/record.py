"""The game so far as a page shows it: its moves with their grades, the graph, and its turning point."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from solver import oracle
from solver.analysis.review import GraphPoint, Review, Turn, chances_in_percent, graph, story
from solver.board.notation import format_cell
from solver.board.outcome import Grade
from solver.board.position import Mark
from solver.reasons import Reason
from webapp.pages.play import players, words
from webapp.pages.play.game import Snapshot, back_to
from webapp.pages.play.link import Link
from webapp.serving.pool.asking import pool
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
class Mistake:
    """A mistake: the mover's outcome in words before and after the move, and the link to go back there.

    `missed` is true if the opponent's move before it was a mistake too. `chances` are the mover's chances of winning
    before and after the move. They are None if they are unknown or equal.
    """

    name: str
    before: str
    after: str
    missed: bool
    chances: tuple[str, str] | None
    again: Choice


@dataclass(frozen=True, slots=True)
class Record:
    """The game so far: its moves and, if it is reviewed, their graph and the turning point.

    `story` and `mistakes` are empty in a lesson on a mistake. `again` is the link to play on from before the visitor's
    last mistake, or to see what a computer missed where the visitor made none. `learn` is the address of the lesson on
    the visitor's first mistake.
    """

    start: Choice
    first_mover: str
    moves: tuple[Played, ...]
    graph: tuple[tuple[Dot, ...], ...]
    story: str
    mistakes: tuple[Mistake, ...]
    again: Choice | None
    learn: str | None


def record(shown: Snapshot, urls: tuple[str, ...]) -> Record:
    """Return the record of a game. `urls` are the addresses of its positions, from the first."""
    link, found = shown.link, shown.review
    start = "Given position" if link.game.positions[0].is_begun else "Empty board"
    told = found if not link.learn and (link.review or link.game.last.result is not None) else None
    own = own_mistakes(link, told) if told is not None else ()
    turned = told.turning_point if told is not None else None
    names = {mark: words.name(link, mark) for mark in Mark}
    judged = found if link.review else None
    return Record(
        start=Choice(start, urls[0] if link.game.moves else None, link.at == 0, "move-0"),
        first_mover=str(link.game.positions[0].mover),
        moves=tuple(_played(link, ply, urls[ply], judged) for ply in range(1, len(link.game.moves) + 1)),
        graph=_segments(_dots(link, urls, found)) if found is not None else (),
        story=story(told, names, _reason_of) if told is not None else "",
        mistakes=tuple(_mistake(link, turn, own) for turn in told.mistakes) if told is not None and link.review else (),
        again=_again(link, own[-1] if own else turned, own, turned) if turned is not None else None,
        learn=link.showing(own[0].ply - 1).having(review=False, learn=True).url() if own else None,
    )


def _reason_of(turn: Turn) -> Reason:
    return oracle.reason_of(turn.prediction, turn.cell, pool())


def own_mistakes(link: Link, found: Review) -> tuple[Turn, ...]:
    """Return the mistakes of the people at this screen: of both sides if two people play, none between computers."""
    own = players.own(link.x, link.o)
    if players.opponent(link.x, link.o) == "friend":
        return found.mistakes
    return () if own == players.WATCH else found.mistakes_of(Mark(own))


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


def _mistake(link: Link, turn: Turn, own: tuple[Turn, ...]) -> Mistake:
    return Mistake(
        f"{turn.mover} {format_cell(turn.cell, link.rules)}",
        words.had(turn.before),
        words.had(turn.after),
        turn.missed,
        chances_in_percent(turn),
        _again(link, turn, own, turn),
    )


def _again(link: Link, turn: Turn, own: tuple[Turn, ...], there: Turn) -> Choice:
    """Return the link to before a mistake: to play on if it is an `own` one, else to see the best squares.

    `there` is the mistake that the words around the link tell of.
    """
    before = back_to(link, turn.ply - 1).having(review=False)
    if turn not in own:
        return Choice(f"See what {words.name(link, turn.mover)} missed", before.having(hint=True).url(), id="again")
    place = "from there" if turn is there else f"before {format_cell(turn.cell, link.rules)}"
    return Choice(f"Try again {place}", before.url(), id="again")
