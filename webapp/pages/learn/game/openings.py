"""The lesson on the first two moves: what they are worth, rules of thumb, and every way to punish a bad reply."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from solver.articles.claims.claim import ARTICLES
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
)
from solver.board.notation import format_cell, format_moves
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.proofs.prediction import predict
from webapp.pages.learn.charts.drawn import linked
from webapp.pages.learn.charts.jungle import Jungle, jungle
from webapp.pages.learn.lesson import About, Lesson, Level, Query, Track
from webapp.ui.filters import worth
from webapp.ui.minis import Mini, mini, of_outcomes

KINDS = {1: "win", 0: "draw", -1: "loss"}
"""The style of a board by what it is worth to X."""

_WHERE = {"corner": "in a corner", "edge": "on an edge", "centre": "in the centre"}


@dataclass(frozen=True, slots=True)
class Opened:
    """An opening, its board, and the boards of its distinct replies, each with its worth."""

    opening: Opening
    board: Mini
    replies: tuple[Mini, ...]


@dataclass(frozen=True, slots=True)
class Punishment:
    """All ways, up to symmetry, to punish one losing reply; `whole` counts mirrored and turned ones too.

    `ways` are the moves of each with the boards after them, the last one with the fork.
    """

    title: str
    anchor: str
    board: Mini
    ways: Mapping[str, tuple[Mini, ...]]
    whole: int


@dataclass(frozen=True, slots=True)
class OpeningsView:
    """The whole lesson."""

    openings: tuple[Opened, ...]
    thumbs: tuple[Thumb, ...]
    jungle: Jungle
    punishments: tuple[Punishment, ...]

    def diagram(self, opening: Opening) -> Markup:
        """The forced wins after an opening as a drawing whose boards are links."""
        return linked(f"wins-{opening.name}")


def view(_: Query) -> OpeningsView:
    """The lesson; it takes no parts."""
    openings = tuple(tic_tac_toe_openings().values())
    punishments = tuple(_punishment(opening, reply) for opening in openings for reply in opening.losing)
    return OpeningsView(tuple(map(_opened, openings)), thumbs(), jungle(), punishments)


def _opened(opening: Opening) -> Opened:
    value = opening.move.worth
    board = mini(opening.position, f"{opening.name}: {worth(value)}", KINDS[value])
    return Opened(opening, board, tuple(_reply(opening, reply) for reply in opening.replies))


def _reply(opening: Opening, reply: Move) -> Mini:
    where = place_name(reply.cell, opening.move.cell)
    squares = counted(len(reply.cells), "square", "squares")
    return mini(
        reply.position,
        f"{worth(reply.worth)}: {where}, {squares}",
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


_SHOWN = Position(TIC_TAC_TOE, x=0b10)
"""The board in the contents: X on an edge."""

LESSON = Lesson.settled(
    "openings",
    "Openings",
    "The three first moves, the twelve replies, and how to punish the ones that lose.",
    view,
    about=About(
        Track.PLAYERS,
        Level.FIRST,
        minutes=7,
        picture=lambda: of_outcomes(_SHOWN, predict(_SHOWN).squares),
        articles=(ARTICLES["clojure"],),
        code=(
            distinct_moves,
            forced_wins,
        ),
    ),
)
