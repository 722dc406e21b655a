"""The lesson on equal boards: the same board by another order of moves, or turned or mirrored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import factorial
from typing import Final

from solver.articles.census import SYMMETRY_NAMES, Stage, census, orders
from solver.board.notation import format_moves, format_position, parse_position
from solver.board.outcome import counted
from solver.board.pasted import read_pasted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.board.symmetries import Permutation
from solver.errors import BadOption
from solver.players.handbook import corners, edges
from webapp.pages.learn.content import Facts, Remark, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

SHOWN = "XO./..X/..."
"""The position shown by default, which has two orders of moves and eight images."""


KINDS: Final = {"corner": corners(TIC_TAC_TOE), "edge": edges(TIC_TAC_TOE)}
"""The squares of each kind."""


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
    series = orders(position)
    return SameView(
        position=position,
        text=format_position(position),
        ways={format_moves(moves, position.rules): _boards(moves) for moves in (series[0], *series[1:][-1:])},
        orders=len(series),
        images=tuple(_images(position)),
        distinct=position.images(),
        nodes={
            words: census(TIC_TAC_TOE, Stage(stage)).nodes for stage, words in read_content("same")["stages"].items()
        },
    )


def judge_pairs(pair: str) -> Facts:
    """Judge whether two boards are the same when one is turned or mirrored."""
    one, other = map(parse_position, pair.split(" "))
    name = turning(one, other)
    if name is None:
        hint, reason = _unlike(one, other)
        answers = {"same": Remark.of("unlike", hint=hint), "not": Remark.of("differ", reason=reason)}
    else:
        kind = "mirror" if name.startswith("mirrored") else "turn"
        answers = {
            "same": Remark.of("turned", mini(other), way=name.capitalize()),
            "not": Remark.of("alike", kind=kind),
        }
    return Facts.of(answers, mini(one), beside=mini(other))


def judge_images(position: Position) -> Facts:
    """Judge the number of different boards that turning and mirroring makes of one."""
    ways, images = len(SYMMETRY_NAMES), position.images()
    kept = [name for symmetry, name in SYMMETRY_NAMES.items() if position.transformed(symmetry) == position]
    return _judge_numbers(
        position,
        images,
        reason="All eight differ."
        if images == ways
        else f"Every board comes up {ways // images} times in the eight ways.",
        many="There are only eight ways." if images == ways else f"{kept[-1].capitalize()}, it's the same board.",
    )


def judge_orders(position: Position) -> Facts:
    """Judge the number of orders of moves that lead to a board."""
    x, o = (position.stones(mark).bit_count() for mark in Mark)
    ways = factorial(x), factorial(o)
    return _judge_numbers(
        position,
        len(orders(position)),
        x=counted(x, "mark", "marks"),
        o=counted(o, "mark", "marks"),
        x_orders=counted(ways[0], "order", "orders"),
        ways=ways,
    )


def _judge_numbers(position: Position, right: int, **values: object) -> Facts:
    """Judge the numbers to choose from: all others are too few or too many."""
    answers = {
        str(number): Remark.of("yes" if number == right else "few" if number < right else "many", number=number)
        for number in (1, 2, 4, 8, 12)
    }
    return Facts(answers, mini(position), titles={number: number for number in answers}, values=values)


def turning(one: Position, other: Position) -> str | None:
    """Return the name of a symmetry that turns one position into the other, or None if there is none."""
    fits = (name for symmetry, name in SYMMETRY_NAMES.items() if one.transformed(symmetry) == other)
    return next(fits, None)


def _unlike(one: Position, other: Position) -> tuple[str, str]:
    """Return a hint why no symmetry makes two positions equal, and the reason."""
    for mark in Mark:
        for name, cells in KINDS.items():
            left, right = (sum(each.mark_at(cell) is mark for cell in cells) for each in (one, other))
            if left != right:
                said = f"{mark} has {counted(left, name, name + 's')} on the left and {right} on the right."
                return f"Count {mark}'s {name}s.", said
    return "Which marks stand side by side?", "None of the eight ways to turn and mirror the left board fits."


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


LESSON = Lesson.of(
    "same",
    code=(Position.canonical, orders),
    parts=("from",),
    view=view,
    facts={"pairs": judge_pairs, "images": judge_images, "orders": judge_orders},
)
