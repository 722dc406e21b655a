"""The lesson on other lines: shapes that somebody draws, edges that meet, and who wins on which board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from solver.atlas.games import game_named
from solver.board.families import ANIMALS, Shape, Surface, lines_of, shape_of
from solver.board.names import as_cell, format_cell
from solver.board.notation import split_moves
from solver.board.outcome import Value, counted
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules, rules_of
from solver.errors import BadRules
from webapp.pages.learn.lesson import Lesson, Level, Predictions, lesson_url
from webapp.pages.learn.quiz import Asking, Feedback, Question, Quiz
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini, of_outcomes
from webapp.ui.choices import Choice
from webapp.ui.filters import board_title

PAPER: Final = rules_of(5, 5, 5)
"""The board on which shapes are drawn."""

SIDES: Final = range(3, 7)
"""The sides of the square boards on which a drawn shape is tried."""

DRAWN: Final = "b4b3c3c2"
"""The squares drawn at first: Tippy."""

ASKED: Final = ("3x3x3-torus", "4x4-fatty", "4x4x4-klein", "3x3-tippy", "5x5x5-torus", "6x6-elly")
"""The games of the quiz."""


@dataclass(frozen=True, slots=True)
class TriedBoard:
    """A board for the shape. `board` shows where each first move leads; without one, `words` say why."""

    title: str
    words: str
    board: Mini | None


@dataclass(frozen=True, slots=True)
class ShapesView:
    """A drawn shape, the links that change it, and the boards on which it is tried.

    `pressed` has the address that each square of the paper leads to.
    """

    paper: Mini
    pressed: tuple[tuple[str, str], ...]
    shape: Shape | None
    surfaces: tuple[Choice, ...]
    sentence: str
    animals: tuple[Choice, ...]
    tried: tuple[TriedBoard, ...]


def view(query: Query, known: Predictions) -> ShapesView:
    """Show the shape and the surface asked for, on each board. Raises NoughtsError."""
    cells, surface = _drawn(query), _surface(query)
    shape = _shape(cells)

    def url(drawn: frozenset[Cell], on: Surface = surface) -> str:
        parts = {"shape": "".join(format_cell(cell, PAPER) for cell in sorted(drawn)) or "none"}
        return lesson_url("shapes", parts | ({} if on is Surface.FLAT else {"surface": str(on)}), "draw")

    return ShapesView(
        paper=mini(Position(PAPER), classes=dict.fromkeys(cells, "new")),
        pressed=tuple((format_cell(cell, PAPER), url(cells ^ {cell})) for cell in range(PAPER.size)),
        shape=shape,
        surfaces=tuple(Choice(each.words.capitalize(), url(cells, each), each is surface) for each in Surface),
        sentence=surface.sentence,
        animals=tuple(Choice(each.words, url(_placed(each)), each == shape) for each in ANIMALS.values()),
        tried=tuple(_tried(side, rules, known) for side, rules in _boards(query)),
    )


def shown(query: Query) -> Iterator[Position]:
    """Yield the empty boards on which the shape is tried. Raises NoughtsError."""
    return (Position(rules) for _, rules in _boards(query) if isinstance(rules, Rules))


def _boards(query: Query) -> Iterator[tuple[int, Rules | str]]:
    """Yield each side with the rules of its board, or with the reason why there are none."""
    shape, surface = _shape(_drawn(query)), _surface(query)
    if shape is None:
        return
    for side in SIDES:
        try:
            yield side, rules_of(side, side, shape.squares, surface, shape)
        except BadRules:
            fits = bool(lines_of(side, side, surface, shape.figures))
            yield side, "too many ways to lie" if fits else "it doesn't fit"


def _tried(side: int, rules: Rules | str, known: Predictions) -> TriedBoard:
    title = f"{side}×{side}"
    if isinstance(rules, str):
        return TriedBoard(title, rules, None)
    position = Position(rules)
    prediction = known[position]
    return TriedBoard(title, prediction.outcome.words(Mark.X), of_outcomes(position, prediction.squares))


def _drawn(query: Query) -> frozenset[Cell]:
    text = query.get("shape") or DRAWN
    if text == "none":
        return frozenset()
    return frozenset(as_cell(name, PAPER) for name in split_moves(text, PAPER))


def _surface(query: Query) -> Surface:
    return Surface(one_of(query, "surface", [*map(str, Surface)], Surface.FLAT))


def _shape(cells: frozenset[Cell]) -> Shape | None:
    return shape_of(map(PAPER.column_row, cells)) if cells else None


def _placed(shape: Shape) -> frozenset[Cell]:
    """Return the squares of a shape drawn on the paper, near its middle."""
    rows = shape.drawn.split("/")
    left, top = (PAPER.columns - len(rows[0])) // 2, (PAPER.rows - len(rows)) // 2
    return frozenset(
        PAPER.cell(left + column, top + row)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
        if mark == "X"
    )


@cache
def winners() -> Quiz:
    """Return the quiz that asks who wins on some boards."""
    return Quiz(
        title="Who wins here?",
        questions=tuple(map(_who_wins, ASKED)),
        closing="Lines alone decide. Draw some of your own below.",
    )


def _who_wins(name: str) -> Asking:
    game = game_named(name)
    rules, known = game.rules, "x" if game.outcome.value is Value.WIN else "draw"
    how = "Pairs of squares prove it" if not game.nodes else f"{counted(game.nodes, 'position', 'positions')} prove it"
    end = f"Yes! {game.words[0].upper()}{game.words[1:]}. {how}."
    never = "O never wins: an extra stone never hurts, so X could use O's plan itself, one move ahead."
    answers = {
        "x": ("X", "No: O can always hold a draw."),
        "draw": ("Nobody: a draw", "No: with best play X wins."),
        "o": ("O", never),
    }
    wins = f"{rules.shape.words} wins: {rules.shape.drawn}, turned or flipped" if rules.shape else "A full line wins"
    return Question(
        words=" ".join(filter(None, (f"{board_title(rules)}. {wins}.", rules.surface.sentence, "Who wins?"))),
        titles={value: title for value, (title, _) in answers.items()},
        answers={value: Feedback(value == known, end if value == known else no) for value, (_, no) in answers.items()},
        board=mini(Position(rules)),
    )


def _picture() -> Mini:
    """Draw Tippy."""
    return mini(Position(PAPER), classes=dict.fromkeys(_placed(ANIMALS["tippy"]), "new"))


LESSON = Lesson(
    name="shapes",
    title="Draw your own winning shape",
    summary="Change what wins: draw a shape, or let the edges of the board meet.",
    level=Level.FURTHER,
    minutes=5,
    after=("gardner",),
    code=(shape_of, lines_of),
    picture=_picture,
    parts=("shape", "surface"),
    view=view,
    shows=shown,
    quizzes={"who": winners},
)
