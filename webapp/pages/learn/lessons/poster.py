"""The lesson with the poster: the map of optimal moves on one page, for X and for O."""

from collections.abc import Mapping
from dataclasses import replace

from solver import predict
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.pictures.gallery import Picture, picture_named
from solver.pictures.poster import best_reply, tally
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.pages.learn.facts.forks import name_of
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query
from webapp.ui.board import mini


def view(_: Query) -> Mapping[Mark, Picture]:
    """Show the maps for X and for O."""
    return {owner: picture_named(f"poster-{owner.lower()}") for owner in Mark}


def judge_best_moves(position: Position) -> Facts:
    """Judge the squares by whether they are best. The map's square comes first."""
    prediction, mapped = predict(position), best_reply(position)

    def judge(cell: Cell) -> Remark:
        outcome = prediction.squares[cell]
        worth = " is a draw" if outcome.value is Value.DRAW else f": {outcome.words(position.mover)}"
        says = ("mapped" if cell == mapped else "as-good") if cell in prediction.best else "worse"
        return Remark.of(says, mini(position.after(cell), classes={cell: "new"}), name=name_of(cell), worth=worth)

    facts = judge_squares(position, judge, mover=position.mover, mapped=name_of(mapped))
    first = sorted(facts.answers.items(), key=lambda answer: answer[0] != name_of(mapped))
    return replace(facts, answers=dict(first))


LESSON = Lesson.of(
    "poster",
    code=(best_reply, tally),
    view=view,
    facts={"best": judge_best_moves},
)
