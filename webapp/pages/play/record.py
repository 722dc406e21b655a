"""The game that was played: its moves and their graph, what it came to in a sentence, and the next step.

A review grades the moves. The ladder has a rung for each level of play, the weakest first. A game counts for it if the
visitor had no help. The server sees this of the position in the link. The page adds up the positions, and keeps the
ladder on the visitor's device.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from solver.analysis.review import GraphPoint, Review, Turn, graph
from solver.board.notation import format_cell, format_moves
from solver.board.outcome import Grade, Value, counted
from solver.board.position import Mark
from solver.players.levels import LEVELS
from webapp.pages.play import players, words
from webapp.pages.play.game import Snapshot
from webapp.pages.play.link import NO_SERIES, Link
from webapp.ui.filters import RUNGS, Choice

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


PERFECT: Final = LEVELS[-1]
"""The level that makes no mistake, at the top of the ladder."""

MORE_GAMES: Final = "/games"


class GameEnd(NamedTuple):
    """The end of a game, as the card of its page tells it.

    `words` are one sentence on the result, or "". `step` is the next step; without one the visitor plays again.
    `is_moment` is true where there is something to celebrate, `has_ladder` where the opponent is a level.
    """

    title: str
    words: str
    step: Choice | None = None
    is_moment: bool = False
    has_ladder: bool = False


def ending(shown: Snapshot) -> GameEnd | None:
    """Return the end of the game in view. Return None before it and in a review."""
    link, found = shown.link, shown.review
    if link.position.result is None or found is None or link.review:
        return None
    level, how = _opponent(link), words.ended(link)
    if not level:
        return GameEnd(words.status(link), "")
    mine = found.mistakes_of(Mark(players.own(link.x, link.o)))
    is_kept = not found.mistakes and not found.unproved
    if _has_succeeded(link) and (how == "won" or not mine):
        title = "You held Perfect." if how == "drawn" else words.status(link)
        return GameEnd(title, _praise(link, level, how, is_kept), _onward(link, level), True, level in RUNGS)
    step = _review(link, "Find better") if mine else None
    return GameEnd(words.status(link), _regret(mine, how, is_kept), step, False, level in RUNGS)


def alone(link: Link) -> str:
    """Name the game so far if the page gives no help against a level, from an empty board; otherwise return "".

    The name is the board, the level, the visitor's mark and the moves, such as `3x3x3/hard/X/b2a1`.
    """
    helps = link.show != "off" or link.hint or link.review or link.guest or link.seed is not None
    begun, back = link.game.positions[0].is_begun, link.at < len(link.game.moves)
    if helps or begun or back or (level := _opponent(link)) not in RUNGS:
        return ""
    return f"{link.rules}/{level}/{players.own(link.x, link.o)}/{format_moves(link.game.moves, link.rules)}"


def rung(link: Link) -> str:
    """Return the level that this end of a game counts for, if the visitor had no help; otherwise ""."""
    level = _opponent(link)
    return level if level in RUNGS and _has_succeeded(link) else ""


def _has_succeeded(link: Link) -> bool:
    """Return whether the visitor has beaten the opponent or held the level that makes no mistake."""
    how, level = words.ended(link), _opponent(link)
    return bool(level) and (how == "won" or (how == "drawn" and level == PERFECT))


def _opponent(link: Link) -> str:
    """Return the name of the computer that the visitor plays; "" between people, between computers and for guests."""
    against = players.opponent(link.x, link.o)
    is_alone = players.own(link.x, link.o) != players.WATCH and against not in players.PEOPLE
    return against if is_alone and not link.guest else ""


def _praise(link: Link, level: str, how: str, is_kept: bool) -> str:
    """Say in a sentence what was achieved, as far as it is proved."""
    if how == "drawn":
        return "Nobody alive can do better." if is_kept else ""
    if level == PERFECT and is_kept:
        return "The win was there from the start, and you never let it go."
    if level not in RUNGS:
        return ""
    dared = f" Your friend took {link.dare}." if link.dare else ""
    return f"You beat {players.title(level)} in {counted(_moves(link), 'move', 'moves')}.{dared}"


def _moves(link: Link) -> int:
    """Count the visitor's own moves."""
    own = players.own(link.x, link.o)
    return sum(position.mover == own for position in link.game.positions[:-1])


def challenge(link: Link) -> Link | None:
    """Return a new game that challenges a friend to do as well; None unless the visitor has succeeded."""
    if link.game.positions[0].is_begun or not _has_succeeded(link):
        return None
    done = _moves(link) if words.ended(link) == "won" else 0
    return Link.starting(link.rules).having(x=link.x, o=link.o, show="off", dare=done)


def _regret(mine: tuple[Turn, ...], how: str, is_kept: bool) -> str:
    """Say what was possible, without a word about where and how."""
    if any(turn.before.value is Value.WIN for turn in mine):
        return "You had a win on the way."
    if mine:
        return "You got away with a mistake." if how == "drawn" else "You had the draw in hand."
    if not is_kept:
        return ""
    return "Nobody gave anything away." if how == "drawn" else "It was lost from the start, whatever you played."


def _onward(link: Link, level: str) -> Choice:
    """Return the step after a success: the same without help, the next level, or more games."""
    again = link.restarted()
    if link.show != "off" and level in RUNGS:
        return Choice("Now without help", again.having(show="off").url(), id="onward")
    if level not in RUNGS or level == PERFECT:
        return Choice("More games", MORE_GAMES, id="onward", away=True)
    following = LEVELS[LEVELS.index(level) + 1]
    title = f"Next: {'hold ' if following == PERFECT else 'beat '}{RUNGS[following]}"
    return Choice(title, again.having(x=players.DEFAULT_X, o=following, series=NO_SERIES, dare=None).url(), id="onward")


def _review(link: Link, title: str) -> Choice:
    return Choice(title, link.review_url(), id="onward", away=True)
