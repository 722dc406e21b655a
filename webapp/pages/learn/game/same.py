"""The lesson on equal boards: the same board by another order of moves, or turned or mirrored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
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
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.quiz import Feedback, Question, Quiz
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

SHOWN = "XO./..X/..."
"""The position shown by default, which has two orders of moves and eight images."""

PAIRS: Final = (
    ("X../.O./...", ".../.O./..X"),
    ("X../.O./...", ".X./.O./..."),
    ("XO./..X/...", ".OX/X../..."),
    ("X.O/.../.X.", "X../..X/O.."),
    (".X./O../..X", "..O/X../.X."),
    ("XO./.X./..O", "X.O/.X./O.."),
    ("XO./X../..O", "O../..O/.XX"),
    ("X../OX./..O", "X../.X./.OO"),
)
"""Pairs of boards that are the same, or only look alike."""

TO_TURN: Final = ("X../.../...", ".../.X./...", SHOWN, "X../.O./..X")
"""Boards whose images are to be counted."""

TO_ORDER: Final = (SHOWN, "XO./.XO/...", "XO./OX./.X.")
"""Boards whose orders of moves are to be counted."""

NUMBERS: Final = (1, 2, 4, 8, 12)
"""The numbers to choose from."""

KINDS: Final = {"corner": corners(TIC_TAC_TOE), "edge": edges(TIC_TAC_TOE)}
"""The squares of each kind."""

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


@cache
def comparing() -> Quiz:
    """Return the quiz that asks whether two boards are the same."""
    return Quiz(
        title="Same or not?",
        questions=tuple(_compared(*(parse_position(text, TIC_TAC_TOE) for text in pair)) for pair in PAIRS),
        closing="Now count how many boards one board stands for.",
    )


@cache
def counting() -> Quiz:
    """Return the quiz that asks how many images a board has, and how many orders of moves lead to it."""
    to_turn, to_order = ([parse_position(text, TIC_TAC_TOE) for text in texts] for texts in (TO_TURN, TO_ORDER))
    return Quiz(
        title="How many?",
        questions=(*map(_turned, to_turn), *map(_ordered, to_order)),
        closing="A solver that knows this looks at far fewer boards.",
    )


def turning(one: Position, other: Position) -> str | None:
    """Return the name of a symmetry that turns one position into the other, or None if there is none."""
    fits = (name for symmetry, name in SYMMETRY_NAMES.items() if one.transformed(symmetry) == other)
    return next(fits, None)


def _compared(one: Position, other: Position) -> Question:
    name = turning(one, other)
    if name is None:
        hint, reason = _unlike(one, other)
        same, different = Feedback(False, f"Look again. {hint}"), Feedback(True, f"Yes! They differ. {reason}")
    else:
        kind = "mirror" if name.startswith("mirrored") else "turn"
        same = Feedback(True, f"Yes! {name.capitalize()}, the left board is the right one.", mini(other))
        different = Feedback(False, f"There is a way: {kind} the left board.")
    return Question(
        words="You may turn and mirror. Are these two boards the same?",
        answers={"same": same, "not": different},
        titles={"same": "The same", "not": "Not the same"},
        board=mini(one),
        beside=mini(other),
    )


def _unlike(one: Position, other: Position) -> tuple[str, str]:
    """Return a hint why no symmetry makes two positions equal, and the reason."""
    for mark in Mark:
        for name, cells in KINDS.items():
            left, right = (sum(each.mark_at(cell) is mark for cell in cells) for each in (one, other))
            if left != right:
                said = f"{mark} has {counted(left, name, name + 's')} on the left and {right} on the right."
                return f"Count {mark}'s {name}s.", said
    return "Which marks stand side by side?", "None of the eight ways to turn and mirror the left board fits."


def _turned(position: Position) -> Question:
    ways, images = len(SYMMETRY_NAMES), position.images()
    kept = [name for symmetry, name in SYMMETRY_NAMES.items() if position.transformed(symmetry) == position]
    return _number(
        "Turn and mirror this board. How many different boards do you get?",
        position,
        images,
        "All eight differ." if images == ways else f"Every board comes up {ways // images} times in the eight ways.",
        (
            "Try quarter turns first, then mirrors.",
            "There are only eight ways." if images == ways else f"{kept[-1].capitalize()}, it's the same board.",
        ),
    )


def _ordered(position: Position) -> Question:
    x, o = (position.stones(mark).bit_count() for mark in Mark)
    ways = factorial(x), factorial(o)
    return _number(
        "How many orders of moves lead to this board?",
        position,
        len(orders(position)),
        f"X's {counted(x, 'mark', 'marks')} can come in {counted(ways[0], 'order', 'orders')},"
        f" O's {counted(o, 'mark', 'marks')} in {ways[1]}: that's {ways[0]} × {ways[1]}.",
        (
            "Marks of the same player can change places.",
            "X and O take turns: only marks of the same player can change places.",
        ),
    )


def _number(words: str, position: Position, right: int, reason: str, hints: tuple[str, str]) -> Question:
    """Return a question for a number, with the reason for the right one. The `hints` are said to fewer and to more."""
    few, many = hints

    def answer(number: int) -> Feedback:
        if number == right:
            return Feedback(True, f"Yes! {reason}")
        return Feedback(False, f"{number} is too few. {few}" if number < right else f"{number} is too many. {many}")

    return Question(
        words=words,
        board=mini(position),
        answers={str(number): answer(number) for number in NUMBERS},
        titles={str(number): str(number) for number in NUMBERS},
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
    minutes=4,
    after=("clojure",),
    code=(Position.canonical, orders),
    picture=lambda: mini(parse_position(SHOWN, TIC_TAC_TOE)),
    parts=("from",),
    view=settled(view),
    quizzes={"pairs": comparing, "count": counting},
)
