"""The lesson on the first two moves: their outcomes, rules of thumb, and every way to punish a bad reply."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from markupsafe import Markup

from solver.articles.openings import (
    Move,
    Opening,
    Thumb,
    Way,
    distinct_moves,
    distinct_ways,
    forced_wins,
    place_name,
    thumbs,
    tic_tac_toe_openings,
    worth,
)
from solver.board.notation import format_cell, format_moves, parse_position
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.thumbs import predicted_board
from webapp.pages.learn.trees import linked
from webapp.ui import filters
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

KINDS = {1: "win", 0: "draw", -1: "loss"}
"""The style of a board by its value for X."""

SIGNS: Final = {1: "village", 0: "camp", -1: "lion"}
"""The thing that waits at an end of the jungle, by its value for X."""

_WHERE = {"corner": "in a corner", "edge": "on an edge", "centre": "in the centre"}

ENDING: Final = "XOX/OO./.X."
"""The position at the start of the jungle: a draw with three open squares. Its ends are wins, draws and losses of X."""

WIDTH: Final = 800
ROW: Final = 84
"""The distance between two ends, which leaves room for a sign."""

_COLUMNS: Final = (80, 370, 680)
"""The places of the first fork, of the last forks and of the ends, from the left."""

_ENDS: Final = tuple(row * ROW + 0.72 * ROW for row in range(6))
"""The places of the ends, from the top."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A fork or an end of the jungle, with the trail that leads to it.

    Its sign appears at `step`; steps count from the ends back to the first fork. `best` is true on the path of best
    play.
    """

    x: float
    y: float
    mover: Mark
    value: int
    kind: str
    sign: str
    end: bool
    best: bool
    step: int
    move: str = ""
    way: str = ""
    label: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Jungle:
    """The Clojure article's jungle: the last moves of a game as trails, with a sign at each fork and end."""

    width: int
    height: int
    stops: tuple[Stop, ...]
    trees: tuple[tuple[float, float, float], ...]
    text: str


@dataclass(frozen=True, slots=True)
class Opened:
    """An opening, its board, and the boards of its distinct replies, each with its value."""

    opening: Opening
    board: Mini
    replies: tuple[Mini, ...]


@dataclass(frozen=True, slots=True)
class Punishment:
    """The ways to punish one losing reply.

    `ways` maps the moves of each way to the boards after them; the last board has the fork. Of symmetric ways it has
    only one, but `whole` counts all of them.
    """

    title: str
    anchor: str
    board: Mini
    ways: Mapping[str, tuple[Mini, ...]]
    whole: int


@dataclass(frozen=True, slots=True)
class OpeningsView:
    """The openings, rules of thumb, the jungle, and the punishments of bad replies."""

    openings: tuple[Opened, ...]
    thumbs: tuple[Thumb, ...]
    jungle: Jungle
    punishments: tuple[Punishment, ...]

    def diagram(self, opening: Opening) -> Markup:
        """Return the forced wins after an opening as a drawing whose boards are links."""
        return linked(f"wins-{opening.name}")


def view(_: Query) -> OpeningsView:
    """Show the lesson. It reads nothing from the query."""
    openings = tuple(tic_tac_toe_openings().values())
    punishments = tuple(_punishment(opening, reply) for opening in openings for reply in opening.losing)
    return OpeningsView(tuple(map(_opened, openings)), thumbs(), jungle(), punishments)


def _opened(opening: Opening) -> Opened:
    value = opening.move.worth
    board = mini(opening.position, f"{opening.name}: {filters.worth(value)}", KINDS[value])
    return Opened(opening, board, tuple(_reply(opening, reply) for reply in opening.replies))


def _reply(opening: Opening, reply: Move) -> Mini:
    where = place_name(reply.cell, opening.move.cell)
    squares = counted(len(reply.cells), "square", "squares")
    return mini(
        reply.position,
        f"{filters.worth(reply.worth)}: {where}, {squares}",
        KINDS[reply.worth],
        classes={reply.cell: "new"},
    )


def _punishment(opening: Opening, reply: Move) -> Punishment:
    rules = reply.position.rules
    return Punishment(
        title=f"X opened {_WHERE[opening.name]}, O took the {place_name(reply.cell, opening.move.cell)}",
        anchor=f"{opening.name}-{format_cell(reply.cell, rules)}",
        board=mini(reply.position, "X to move", "win"),
        ways={format_moves(way.moves, rules): tuple(_boards(way)) for way in distinct_ways(reply.position)},
        whole=len(forced_wins(reply.position)),
    )


def _boards(way: Way) -> Iterator[Mini]:
    for cell, position in zip(way.moves, way.positions, strict=True):
        classes = dict.fromkeys(position.completing(Mark.X), "threat") | {cell: "new"}
        named = format_cell(cell, way.start.rules)
        if position == way.fork:
            yield mini(position, f"{named}: fork", "fork", classes=classes)
        else:
            said = "threatens" if position.mover is Mark.O else "must block"
            yield mini(position, f"{named} {said}", classes=classes)


@lru_cache(maxsize=1)
def jungle() -> Jungle:
    """Draw the jungle of the last three plies of a game."""
    height = len(_ENDS) * ROW + 10
    across, down = WIDTH - 370, height - 90
    trees = ((170.0 + 173 * each % across, 60.0 + 131 * each % down, 12.0 + each % 3 * 3) for each in range(11))
    return Jungle(WIDTH, height, tuple(_stops(parse_position(ENDING, TIC_TAC_TOE))), tuple(trees), ENDING)


def _stops(position: Position) -> Iterator[Stop]:
    """Yield the first fork. Then yield, for each of its moves, the next fork and its two ends."""
    first = _stop(position, _COLUMNS[0], sum(_ENDS) / len(_ENDS), step=3, best=True)
    yield first
    for number, cell in enumerate(position.legal_moves):
        after, heights = position.after(cell), _ENDS[2 * number : 2 * number + 2]
        best = worth(after) == worth(position)
        fork = _reached(_stop(after, _COLUMNS[1], sum(heights) / 2, step=2, best=best), cell, first)
        yield fork
        for reply, height in zip(after.legal_moves, heights, strict=True):
            end = after.after(reply)
            while end.result is None:
                end = end.after(end.legal_moves[0])
            stop = _stop(end, _COLUMNS[2], height, step=1, best=best and worth(end) == worth(after))
            yield _reached(stop, reply, fork)


def _stop(position: Position, x: float, y: float, step: int, best: bool) -> Stop:
    value, over = worth(position), position.result is not None
    return Stop(x, y, position.mover, value, KINDS[value], SIGNS[value], end=over, best=best, step=step)


def _reached(stop: Stop, move: Cell, before: Stop) -> Stop:
    """Return the stop with the trail that leads to it."""
    bend = (stop.x - before.x) / 2
    return replace(
        stop,
        move=format_cell(move, TIC_TAC_TOE),
        way=f"M{before.x} {before.y}C{before.x + bend} {before.y} {stop.x - bend} {stop.y} {stop.x} {stop.y}",
        label=(stop.x - 0.3 * (stop.x - before.x), stop.y - 0.1 * (stop.y - before.y) - 14),
    )


LESSON = Lesson(
    name="openings",
    title="Openings",
    summary="The three first moves, the twelve replies, and how to punish the ones that lose.",
    level=Level.FIRST,
    minutes=7,
    after=("clojure",),
    code=(distinct_moves, forced_wins),
    picture=lambda: predicted_board(Position(TIC_TAC_TOE, x=0b10)),
    view=settled(view),
)
