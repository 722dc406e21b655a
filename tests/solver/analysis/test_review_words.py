"""The story of a reviewed game, and chances against a computer: both agree with the predictions."""

import re
from dataclasses import replace

import pytest
from hypothesis import given

from solver.analysis.chances import chances, chances_between
from solver.analysis.review import Review, Turn, review, story
from solver.articles.claims.scala import PUBLISHED
from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, parse_cell
from solver.board.outcome import Grade, Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.players import STRATEGIES, Strategy
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.reasons import Reason, ReasonKind, explain
from tests.solver.analysis.test_review import BLUNDERS, games, nothing_known, reviewed
from tests.solver.reasons.sayings import reason_of
from tests.strategies import TIC_TAC_TOE, UNKNOWN

YOU_AGAINST_EASY = {Mark.X: "You", Mark.O: "Easy"}


def without_reason(turn: Turn) -> Reason:
    return Reason(ReasonKind.UNEXPLAINED, turn.after)


def squares_named(text: str) -> set[Cell]:
    return {parse_cell(name, TIC_TAC_TOE) for name in re.findall(r"\w\d", text)}


@given(games())
def test_the_story_names_the_outcome_given_away_and_the_squares_that_keep_it(game: Game) -> None:
    found = review(game)
    told = re.fullmatch(
        r"(\w\d) was ([XO])'s mistake: (.*) would have (held the draw|kept the win)\."
        r" It (lost|gave [XO] a draw)\."
        r"(?: (\w\d) had just given \2 the (draw|win)\.)?",
        story(found, why=without_reason),
    )
    turn = found.turning_point
    assert (told is not None) == (turn is not None)
    if told is None or turn is None:
        return
    values = {"held the draw": Value.DRAW, "kept the win": Value.WIN}
    position = game.positions[turn.ply - 1]
    squares = predict(position).squares
    assert told[2] == position.mover
    assert predict(position).outcome.value is values[told[4]]
    assert told[1] == format_cell(game.moves[turn.ply - 1], TIC_TAC_TOE)
    keeping = {cell for cell, each in squares.items() if each.value is values[told[4]]}
    all_but = told[3].startswith("anything but ")
    assert squares_named(told[3].removeprefix("anything but ")) == (squares.keys() - keeping if all_but else keeping)
    assert all_but == (len(squares) < 2 * len(keeping))
    assert squares[turn.cell].value is (Value.LOSS if told[5] == "lost" else Value.DRAW)
    assert (told[6] is not None) == turn.missed
    if turn.missed:
        assert told[6] == format_cell(game.moves[turn.ply - 2], TIC_TAC_TOE)


@given(games())
def test_the_story_gives_the_moves_reason_without_naming_the_better_squares_twice(game: Game) -> None:
    found = review(game)
    turn = found.turning_point
    if turn is None:
        return
    reason, told = explain(turn.position, turn.cell, turn.prediction).discreet, story(found)
    assert reason.verified or turn.grade is Grade.WIN_TO_DRAW
    clause = reason.clause
    if reason.kind is ReasonKind.CANNOT_BLOCK_BOTH:
        clause = clause.replace("threatens", "had threatened").replace("can block", "could block")
    assert told.count(reason.sentence if turn.grade is Grade.WIN_TO_DRAW else f"because {clause}") == 1


@given(games())
def test_the_story_of_a_game_without_a_turning_point_gives_its_value_from_the_start(game: Game) -> None:
    found = review(game)
    if found.turning_point is None and found.turns:
        x_sees = predict(game.positions[0]).outcome
        if game.positions[0].mover is Mark.O:
            x_sees = x_sees.seen_by_the_other()
        begins = {Value.DRAW: "It was a draw from", Value.WIN: "X was winning from", Value.LOSS: "O was winning from"}
        assert story(found).startswith(f"{begins[x_sees.value]} the start")


WHY_A3_LOST = reason_of(".../.O./XOX", "a3").discreet.clause
TURNED = f"mistake: b3 would have held the draw. It lost because {WHY_A3_LOST}"


def test_a_player_may_be_called_you() -> None:
    assert story(reviewed(PUBLISHED), YOU_AGAINST_EASY) == f"a3 was your {TURNED}"
    assert story(reviewed("b2b3b1"), YOU_AGAINST_EASY, without_reason) == (
        "b1 was your mistake: anything but b1 would have kept the win. It gave Easy a draw."
        " b3 had just given you the win."
    )


def test_a_loss_has_no_reason_where_only_the_missed_win_is_known() -> None:
    told = story(reviewed(BLUNDERS), why=lambda turn: Reason(ReasonKind.MISSES_WIN, turn.after, "Loses: it misses c1."))
    assert "would have kept the win. It lost." in told


def test_many_squares_are_counted_instead_of_named() -> None:
    squares = {cell: Outcome(Value.DRAW, 25) if cell < 13 else Outcome(Value.LOSS, 8) for cell in range(25)}
    game = parse_game("5x5x4", None, "a1")
    found = review(game, lambda each: nothing_known(each) if each.plies_left < 25 else Prediction(each, squares, 0))
    assert story(found, why=without_reason) == ("a1 was X's mistake: 13 squares would have held the draw. It lost.")


def test_the_moves_that_cannot_be_judged_are_named() -> None:
    game = parse_game("3x3x3", None, PUBLISHED)
    unknown = {9, 8, 7, 4}
    found = review(game, lambda each: nothing_known(each) if each.plies_left in unknown else predict(each))
    assert story(found).endswith(f"{WHY_A3_LOST} Too little is proved to judge moves 1–3.")
    assert story(review(game.upto(1), nothing_known)) == "No mistake is proved. Too little is proved to judge move 1."


def test_only_squares_that_are_proved_to_lose_are_named_as_those_to_avoid() -> None:
    game, c3 = parse_game("3x3x3", None, "a3b2c1a1"), parse_cell("c3", TIC_TAC_TOE)

    def unsure(position: Position) -> Prediction:
        found = predict(position)
        return replace(found, squares={**found.squares, c3: UNKNOWN}) if position == game.positions[3] else found

    told = [story(review(game, each)).partition(" would")[0] for each in (predict, unsure)]
    assert told == ["a1 was O's mistake: anything but c3 and a1", "a1 was O's mistake: b3, a2, c2 and b1"]


# Chances against a computer.


EASY, PERFECT = STRATEGIES["easy"], STRATEGIES["impossible"]
AGAINST_EASY = parse_game("3x3x3", None, "b2b3b1a1")
"""A game in which O gives a draw away, and then X a win."""


def against_easy(game: Game = AGAINST_EASY) -> Review:
    return review(game, predict, chances_between(None, EASY))


def test_a_persons_moves_have_the_chances_of_their_positions() -> None:
    turns = [turn for turn in against_easy().turns if turn.mover is Mark.X]
    for turn in turns:
        known = chances(turn.position, EASY)
        assert (turn.chance_before, turn.chance_after) == (max(known.values()), known[turn.cell])
    assert [turn.chance_before for turn in turns][1] == 1


@pytest.mark.parametrize(("x", "o"), [(None, None), (EASY, PERFECT), (PERFECT, EASY)])
def test_two_people_have_no_chances_and_neither_have_two_computers(x: Strategy | None, o: Strategy | None) -> None:
    turns = review(AGAINST_EASY, predict, chances_between(x, o)).turns
    assert [(turn.chance_before, turn.chance_after) for turn in turns] == [(None, None)] * 4


def test_the_computers_own_moves_have_no_chances() -> None:
    assert [bool(turn.chances) for turn in against_easy().turns] == [True, False, True, False]
    as_o = review(AGAINST_EASY, predict, chances_between(EASY, None))
    assert [bool(turn.chances) for turn in as_o.turns] == [False, True, False, True]


def test_chances_are_left_out_where_they_are_too_expensive() -> None:
    assert against_easy(parse_game("4x4x4", None, "b2")).turns[0].chances == {}


def test_the_story_tells_the_cost_of_the_turning_point() -> None:
    assert story(against_easy(), YOU_AGAINST_EASY).endswith("Against Easy the chance of winning fell from 100% to 92%.")
    assert "chance of winning" not in story(review(AGAINST_EASY), YOU_AGAINST_EASY)
