"""The lesson on the first two moves: what they are worth, rules of thumb, and every way to punish a bad reply."""

from dataclasses import dataclass

from solver.board.notation import format_cell, format_moves
from solver.board.outcome import counted
from solver.board.position import Mark
from solver.theory.openings import Move, Opening, Way, distinct_ways, forced_wins, place_name, tic_tac_toe_openings
from solver.theory.thumbs import Thumb, thumbs
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini

KINDS = {1: "win", 0: "draw", -1: "loss"}
"""The style of a board by what it is worth to X."""

WORDS = {1: "X wins", 0: "draw", -1: "O wins"}
"""What a board is worth, in words."""


@dataclass(frozen=True, slots=True)
class OpeningView:
    """An opening, its board, and the boards of its distinct replies, each with its worth."""

    name: str
    board: Mini
    replies: tuple[Mini, ...]
    losing: int
    squares: int


@dataclass(frozen=True, slots=True)
class WayView:
    """A forced win: its moves, and the board after each of them, the last one with the fork."""

    moves: str
    boards: tuple[Mini, ...]


@dataclass(frozen=True, slots=True)
class Punishment:
    """All ways, up to symmetry, to punish one losing reply; `whole` counts mirrored and turned ones too."""

    title: str
    anchor: str
    board: Mini
    ways: tuple[WayView, ...]
    whole: int


@dataclass(frozen=True, slots=True)
class OpeningsView:
    """The whole lesson."""

    openings: tuple[OpeningView, ...]
    replies: int
    losing: int
    thumbs: tuple[Thumb, ...]
    punishments: tuple[Punishment, ...]
    ways: int


def view(_: Query) -> OpeningsView:
    """The lesson; it takes no parts."""
    openings = tuple(tic_tac_toe_openings().values())
    punishments = tuple(_punishment(opening, reply) for opening in openings for reply in opening.losing)
    return OpeningsView(
        tuple(map(_opening, openings)),
        sum(len(opening.replies) for opening in openings),
        sum(len(opening.losing) for opening in openings),
        thumbs(),
        punishments,
        sum(len(punishment.ways) for punishment in punishments),
    )


def _opening(opening: Opening) -> OpeningView:
    return OpeningView(
        opening.name,
        mini(opening.position, f"{opening.name}: {WORDS[opening.move.worth]}", KINDS[opening.move.worth]),
        tuple(_reply(opening, reply) for reply in opening.replies),
        len(opening.losing),
        sum(len(reply.cells) for reply in opening.losing),
    )


def _reply(opening: Opening, reply: Move) -> Mini:
    where = place_name(reply.cell, opening.move.cell)
    squares = counted(len(reply.cells), "square", "squares")
    return mini(
        reply.position,
        f"{WORDS[reply.worth]}: {where}, {squares}",
        KINDS[reply.worth],
        classes={reply.cell: "new"},
    )


def _punishment(opening: Opening, reply: Move) -> Punishment:
    where = place_name(reply.cell, opening.move.cell)
    ways = distinct_ways(reply.position)
    return Punishment(
        f"X opened {_in(opening.name)}, O took the {where}",
        f"{opening.name}-{format_cell(reply.cell, reply.position.rules)}",
        mini(reply.position, "X to move", "win"),
        tuple(map(_way, ways)),
        len(forced_wins(reply.position)),
    )


def _in(name: str) -> str:
    return {"corner": "in a corner", "edge": "on an edge", "centre": "in the centre"}[name]


def _way(way: Way) -> WayView:
    rules = way.start.rules
    boards = []
    for number, (cell, position) in enumerate(zip(way.moves, way.positions, strict=True), 1):
        classes = dict.fromkeys(position.completing(Mark.X), "threat") | {cell: "new"}
        named = format_cell(cell, rules)
        if number == len(way.moves):
            boards.append(mini(position, f"{named}: fork", "fork", classes=classes))
        elif position.mover is Mark.O:
            boards.append(mini(position, f"{named} threatens", classes=classes))
        else:
            boards.append(mini(position, f"{named} must block", classes=classes))
    return WayView(format_moves(way.moves, rules), tuple(boards))


LESSON = Lesson(
    "openings",
    "Openings",
    "The three first moves, the twelve replies, and how to punish the ones that lose.",
    view,
)
