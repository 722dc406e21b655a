"""The lesson with the poster: the map of optimal moves on one page, for X and for O."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from solver import predict
from solver.analysis.drills import DrillKind
from solver.board.notation import format_cell, parse_position
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.pictures.gallery import Picture, picture_named
from solver.pictures.poster import best_reply, tally
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.quiz import Feedback, Question, Quiz
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini


def view(_: Query) -> Mapping[Mark, Picture]:
    """Show the maps for X and for O."""
    return {owner: picture_named(f"poster-{owner.lower()}") for owner in Mark}


ASKED: Final = ("X../.../...", ".../.X./...", "X../.O./..X", "X.O/.../...", ".X./.O./X..")
"""The positions of the quiz, in which most squares spoil the game."""


@cache
def best_moves() -> Quiz:
    """Return the quiz that asks for best moves of the map."""
    return Quiz(
        title="Do you know the map?",
        questions=tuple(_best_move(parse_position(text, TIC_TAC_TOE)) for text in ASKED),
        closing="The maps hold the answer to every other position.",
    )


def _best_move(position: Position) -> Question:
    prediction, shown = predict(position), format_cell(best_reply(position), TIC_TAC_TOE)

    def answer(cell: Cell) -> Feedback:
        name, outcome = format_cell(cell, TIC_TAC_TOE), prediction.squares[cell]
        draws = outcome.value is Value.DRAW
        said = f"{name} is a draw." if draws else f"{name}: {outcome.words(position.mover)}."
        board = mini(position.after(cell), classes={cell: "new"})
        if cell not in prediction.best:
            return Feedback(False, f"{said} Another square is better.", board)
        return Feedback(
            True, f"Yes! {said}" + ("" if name == shown else f" The map shows {shown}, as good a move."), board
        )

    cells = sorted(position.legal_moves, key=lambda cell: format_cell(cell, TIC_TAC_TOE) != shown)  # the map's first
    return Question(
        words=f"{position.mover} to move. What does the map for {position.mover} say?",
        answers={format_cell(cell, TIC_TAC_TOE): answer(cell) for cell in cells},
        board=mini(position),
    )


def _picture() -> Mini:
    """Draw the map's answer to a first move in a corner."""
    corner = Position(TIC_TAC_TOE, x=0b1)
    reply = best_reply(corner)
    return mini(corner.after(reply), classes={reply: "new"})


LESSON = Lesson(
    name="poster",
    title="The map of optimal moves",
    summary="Print it and hang it up: what to play in every game, on one page for X and one for O.",
    level=Level.FIRST,
    minutes=3,
    after=("clojure",),
    code=(best_reply, tally),
    picture=_picture,
    view=settled(view),
    quizzes={"best": best_moves},
    drills=(DrillKind.ONLY_MOVE,),
)
