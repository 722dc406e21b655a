"""Another try at a move: held against the best one and against the one that was played."""

import pytest
from hypothesis import given

from solver.analysis.review import Against, Judgement, judge
from solver.board.game import Game
from solver.board.notation import parse_cell, parse_position
from solver.board.outcome import Grade
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import IllegalMove
from tests.solver.analysis.review.test_review import by_minimax, games, nothing_known
from tests.solver.reasons.sayings import reason_of
from tests.strategies import TIC_TAC_TOE

BEFORE_THE_MISTAKE = parse_position(".../.O./XOX", TIC_TAC_TOE)
"""X to move; a3 was played in the published game, and only b3 holds."""


def cell(name: str) -> Cell:
    return parse_cell(name, TIC_TAC_TOE)


def tried(name: str, played: str = "a3", position: Position = BEFORE_THE_MISTAKE) -> Judgement:
    return judge(position, cell(name), cell(played))


@pytest.mark.slow
@given(games())
def test_squares_are_compared_as_minimax_orders_them(game: Game) -> None:
    for position, played in zip(game.positions, game.moves, strict=False):
        squares = by_minimax(position)
        for other, outcome in squares.items():
            difference = outcome.rank - squares[played].rank
            against = judge(position, other, played).against
            assert (against is Against.BETTER) == (difference > 0)
            assert (against is Against.AS_GOOD) == (difference == 0)
            assert (against is Against.WORSE) == (difference < 0)


def test_the_only_move_that_holds_is_better_and_keeps_the_draw() -> None:
    judgement = tried("b3")
    assert (judgement.against, judgement.grade, judgement.keeps) == (Against.BETTER, Grade.BEST, True)


def test_the_reason_of_the_square_that_was_tried_comes_with_the_judgement() -> None:
    assert tried("c3").reason == reason_of(".../.O./XOX", "c3")
    assert not judge(BEFORE_THE_MISTAKE, cell("b3"), cell("a3"), nothing_known).reason.verified


def test_another_mistake_is_no_better() -> None:
    judgement = tried("c3")
    assert (judgement.against, judgement.grade, judgement.keeps) == (Against.AS_GOOD, Grade.DRAW_TO_LOSS, False)


def test_a_slower_win_keeps_the_win_that_was_given_away() -> None:
    judgement = tried("a2", played="c3", position=BEFORE_THE_MISTAKE.play(cell("a3")))
    assert (judgement.against, judgement.grade, judgement.keeps) == (Against.BETTER, Grade.SLOWER, True)


def test_what_is_not_proved_cannot_be_compared() -> None:
    judgement = judge(BEFORE_THE_MISTAKE, cell("b3"), cell("a3"), nothing_known)
    assert (judgement.against, judgement.grade, judgement.keeps) == (Against.UNKNOWN, Grade.UNKNOWN, False)


@pytest.mark.parametrize(("name", "played"), [("b2", "a3"), ("a3", "b2")])
def test_a_taken_square_cannot_be_tried(name: str, played: str) -> None:
    with pytest.raises(IllegalMove):
        tried(name, played)
