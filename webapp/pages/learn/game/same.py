"""The lesson on equal boards: the same board by another order of moves, or turned or mirrored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from solver.articles.census import SYMMETRY_NAMES, Stage, census, orders
from solver.board.notation import format_moves, format_position, parse_position
from solver.board.pasted import read_pasted
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Permutation
from solver.errors import BadOption
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

SHOWN = "XO./..X/..."
"""The position shown by default, which has two orders of moves and eight images."""

STAGES = {
    Stage.WON_CUT: "every order of moves",
    Stage.DUPLICATES: "every board once",
    Stage.SYMMETRY: "turned and mirrored ones once",
}


@dataclass(frozen=True, slots=True)
class Image:
    """A symmetric image of a position, and the symmetry.

    `same` is true if an earlier image is the same board, and `chosen` if this image stands for all of them.
    """

    name: str
    symmetry: Permutation
    position: Position
    same: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class SameView:
    """A position, two orders of moves that lead to it with their boards, and the position's images."""

    position: Position
    text: str
    ways: Mapping[str, tuple[Mini, ...]]
    orders: int
    images: tuple[Image, ...]
    distinct: int
    nodes: Mapping[str, int]


def view(query: Query) -> SameView:
    """Show the lesson for the position asked for. Raises NoughtsError, also for a position of more than six marks."""
    position = read_pasted(query.get("from") or SHOWN).last
    if position.rules != TIC_TAC_TOE:
        raise BadOption(f"This lesson needs a position on {TIC_TAC_TOE}, and yours is on {position.rules}.")
    found = orders(position)
    return SameView(
        position=position,
        text=format_position(position),
        ways={format_moves(moves, position.rules): _boards(moves) for moves in (found[0], *found[1:][-1:])},
        orders=len(found),
        images=tuple(_images(position)),
        distinct=position.images(),
        nodes={words: census(TIC_TAC_TOE, stage).nodes for stage, words in STAGES.items()},
    )


def _boards(moves: tuple[int, ...]) -> tuple[Mini, ...]:
    positions = accumulate(moves, Position.after, initial=Position(TIC_TAC_TOE))
    return tuple(
        mini(position, classes={moves[ply - 1]: "new"} if ply else {}) for ply, position in enumerate(positions)
    )


def _images(position: Position) -> Iterator[Image]:
    seen = set[Position]()
    for symmetry in position.rules.symmetries:
        image = position.transformed(symmetry)
        yield Image(SYMMETRY_NAMES[symmetry], symmetry, image, image in seen, image == position.canonical())
        seen.add(image)


LESSON = Lesson(
    name="same",
    title="When two boards are the same",
    summary="See why so many games have so few positions.",
    level=Level.FIRST,
    minutes=3,
    after=("clojure",),
    code=(Position.canonical, orders),
    picture=lambda: mini(parse_position(SHOWN, TIC_TAC_TOE)),
    parts=("from",),
    view=settled(view),
)
