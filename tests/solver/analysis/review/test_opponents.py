"""What a person's moves gave up against a computer: exact chances where they are known."""

import pytest

from solver.analysis.chances import chances, chances_between
from solver.analysis.review import Review, review, story
from solver.board.game import Game, parse_game
from solver.board.position import Mark
from solver.players import STRATEGIES, Strategy
from solver.proofs.prediction import predict
from solver.report import review_report

EASY, PERFECT = STRATEGIES["easy"], STRATEGIES["impossible"]
GAME = parse_game("3x3x3", None, "b2b3b1a1")
"""O gives a draw away, and X the win that this was."""


def against_easy(game: Game = GAME) -> Review:
    return review(game, predict, chances_between(None, EASY))


def test_a_persons_moves_have_the_chances_of_their_positions() -> None:
    turns = [turn for turn in against_easy().turns if turn.mover is Mark.X]
    for turn in turns:
        known = chances(turn.position, EASY)
        assert (turn.chance_before, turn.chance_after) == (max(known.values()), known[turn.cell])
    assert [turn.chance_before for turn in turns][1] == 1


@pytest.mark.parametrize(("x", "o"), [(None, None), (EASY, PERFECT), (PERFECT, EASY)])
def test_people_among_themselves_and_computers_have_none(x: Strategy | None, o: Strategy | None) -> None:
    turns = review(GAME, predict, chances_between(x, o)).turns
    assert [(turn.chance_before, turn.chance_after) for turn in turns] == [(None, None)] * 4


def test_the_computers_own_moves_have_none() -> None:
    assert [bool(turn.chances) for turn in against_easy().turns] == [True, False, True, False]
    as_o = review(GAME, predict, chances_between(EASY, None))
    assert [bool(turn.chances) for turn in as_o.turns] == [False, True, False, True]


def test_where_there_is_too_much_to_go_through_chances_are_left_out() -> None:
    assert against_easy(parse_game("4x4x4", None, "b2")).turns[0].chances == {}


def test_chances_are_reported_where_they_are_known() -> None:
    first, second, third, _ = review_report(against_easy())["moves"]
    assert (third["chance_before"], third["chance_after"]) == ("1", "11/12")
    assert first.keys() == third.keys() == second.keys() | {"chance_before", "chance_after"}


def test_what_the_turning_point_cost_is_told() -> None:
    names = {Mark.X: "You", Mark.O: "Easy"}
    assert story(against_easy(), names).endswith("Against Easy the chance of winning fell from 100 % to 92 %.")
    assert "chance of winning" not in story(review(GAME), names)
