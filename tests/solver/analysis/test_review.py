"""Reviews of games: moves compared with plain minimax, mistakes, missed chances, and the turning point."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.review import PredictionOf, Review, Turn, graph, height, review, story
from solver.articles.claims.scala import PUBLISHED
from solver.board.game import Game, parse_game
from solver.board.notation import parse_cell, parse_position
from solver.board.outcome import DRAWN, LOST, Bounds, Grade, Outcome, Value, to_parent
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.report import review_report
from solver.search.minimax import minimax
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, UNKNOWN, examples

BLUNDERS = "a1c3b1b3"
"""A game in which O gives a draw away, then X a win, and then O a win."""


@st.composite
def games(draw: st.DrawFn, rules: tuple[Rules, ...] = (TIC_TAC_TOE,)) -> Game:
    """Draw a random game, from the empty board or a later position, finished or not."""
    game = Game.starting(Position(draw(st.sampled_from(rules))))
    start, end = draw(st.integers(0, 4)), draw(st.integers(0, 9))
    for ply in range(end):
        if not game.last.legal_moves:
            break
        game = game.play(draw(st.sampled_from(game.last.legal_moves)))
        if ply + 1 == start:
            game = Game.starting(game.last)
    return game


def reviewed(moves: str, start: str | None = None, board: str = "3x3x3") -> Review:
    return review(parse_game(board, start, moves))


@cache
def by_minimax(position: Position) -> Mapping[Cell, Outcome]:
    return {
        cell: Outcome.of_score(to_parent(minimax(position.after(cell)).score), position.plies_left)
        for cell in position.legal_moves
    }


@examples(40)
@given(games())
def test_outcomes_best_squares_and_marks_are_those_of_plain_minimax(game: Game) -> None:
    turns = review(game).turns
    assert [turn.cell for turn in turns] == list(game.moves)
    for turn, position in zip(turns, game.positions, strict=False):
        squares = by_minimax(position)
        top = max(squares.values(), key=lambda outcome: outcome.rank)
        assert (turn.before, turn.after) == (top, squares[turn.cell])
        assert turn.best == tuple(cell for cell in squares if squares[cell] == top)
        if turn.after == turn.before:
            assert turn.grade is Grade.BEST
        elif turn.after.value is turn.before.value:
            assert turn.grade is (Grade.SLOWER if turn.after.value is Value.WIN else Grade.SOONER)
        else:
            assert turn.grade == f"{turn.before.value}-to-{turn.after.value}"


@given(games(SMALL_BOARDS))
def test_the_outcome_after_a_move_is_the_next_movers_seen_from_the_other_side(game: Game) -> None:
    found = review(game)
    following = [*(turn.before for turn in found.turns), found.end][1:]
    for turn, after in zip(found.turns, following, strict=True):
        seen = after.seen_by_the_other()
        assert turn.after.value is seen.value
        assert turn.after.plies is not None
        assert seen.plies == turn.after.plies - 1


@given(games())
def test_plies_and_movers_go_on_from_the_start_of_the_game(game: Game) -> None:
    turns = review(game).turns
    assert [turn.ply for turn in turns] == list(range(1, len(game.moves) + 1))
    for turn in turns:
        assert game.upto(turn.ply - 1).last == turn.position
        assert turn.mover is turn.position.mover


@given(games())
def test_the_mistakes_are_where_the_value_of_the_game_changes(game: Game) -> None:
    values = [point.outcome.value for point in graph(review(game))]
    changed = [ply for ply in range(1, len(values)) if values[ply] is not values[ply - 1]]
    assert [turn.ply for turn in review(game).mistakes] == changed


@given(games())
def test_after_the_turning_point_the_value_stays_the_final_one(game: Game) -> None:
    found = review(game)
    values = {point.outcome.value for point in graph(found)[found.turning_point.ply if found.turning_point else 0 :]}
    assert len(values) == 1
    if game.last.result is not None:
        won = {"X": Value.WIN, "O": Value.LOSS, "draw": Value.DRAW}[game.last.result]
        assert values == {won}


@given(games())
def test_a_missed_chance_is_a_mistake_right_after_the_opponents(game: Game) -> None:
    turns = review(game).turns
    for number, turn in enumerate(turns):
        follows = number > 0 and turns[number - 1].grade.is_mistake
        assert turn.missed == (turn.grade.is_mistake and follows)


def only_its_value(position: Position) -> Prediction:
    """Predict a position so that its value is proved, but of its squares only one that keeps it."""
    best, *_ = predict(position).best
    outcome = predict(position).squares[best]
    most = Outcome.of_bounds(Bounds(LOST, outcome.rank), position.plies_left)
    return Prediction(position, {**dict.fromkeys(position.legal_moves, most), best: outcome}, 0)


def proved_but(hidden: range) -> PredictionOf:
    """Return predictions that know nothing after these numbers of plies, and just before them only the value."""

    def known(position: Position) -> Prediction:
        ply = position.rules.size - position.plies_left
        if ply in hidden:
            return nothing_known(position)
        return only_its_value(position) if ply + 1 in hidden else predict(position)

    return known


@pytest.mark.parametrize(
    ("moves", "hidden", "told", "between"),
    [
        ("c3b2c2a3b1a1c1", range(2, 6), "O lost the draw between moves 2 and 6. Too little is proved", [2, 6]),
        ("a3b1a1c3c2b3c1a2", range(4, 7), "X lost the win between moves 5 and 7. a2 was O's mistake:", [5, 7]),
        ("c2a2b3a3c1a1", range(4, 6), "X lost at least a draw with move 5.", [5, 5]),
        ("a3c1c3c2b3", range(0), "c1 was O's mistake:", None),
    ],
)
def test_a_mistake_that_is_proved_only_to_lie_between_two_moves_is_told(
    moves: str, hidden: range, told: str, between: list[int] | None
) -> None:
    found = review(moves, proved_but(hidden))
    assert story(found).startswith(told)
    assert review_report(found).get("between") == between


@given(games(), st.integers(1, 4), st.integers(2, 4))
def test_between_two_moves_that_hide_a_mistake_their_side_made_one(game: Game, first: int, length: int) -> None:
    if hidden := review(game, proved_but(range(first, first + length))).hidden:
        plies = range(hidden.first.ply, hidden.last.ply + 1)
        assert any(turn.ply in plies for turn in review(game).mistakes_of(hidden.first.mover))


def test_squares_that_keep_the_value_are_more_than_the_best_ones() -> None:
    turn = reviewed(PUBLISHED).turns[5]
    assert len(turn.best) == 1
    assert set(turn.best) < set(turn.keeping)
    assert {turn.prediction.squares[cell].value for cell in turn.keeping} == {Value.WIN}


@pytest.mark.usefixtures("without_books")
def test_where_nothing_is_proved_moves_are_graded_unknown_and_listed() -> None:
    found = reviewed("a1", board="8x8x5")
    assert [turn.grade for turn in found.turns] == [Grade.UNKNOWN]
    assert found.unproved == found.turns
    assert (found.mistakes, found.turns[0].best) == ((), ())


def nothing_known(position: Position) -> Prediction:
    return Prediction(position, MappingProxyType(dict.fromkeys(position.legal_moves, UNKNOWN)), 0)


def test_the_caller_may_supply_the_predictions() -> None:
    asked: list[Position] = []

    def known(position: Position) -> Prediction:
        asked.append(position)
        return predict(position) if position.plies_left < 5 else nothing_known(position)

    game = parse_game("3x3x3", None, PUBLISHED)
    grades = [turn.grade for turn in review(game, known).turns]
    assert sorted(asked, key=lambda position: -position.plies_left) == list(game.positions)
    assert grades[:4] == [Grade.UNKNOWN] * 4
    assert grades[5:] == [turn.grade for turn in review(game).turns][5:]


def known_from_the_second_ply(position: Position) -> Prediction:
    return predict(position) if position.plies_left < 8 else nothing_known(position)


def test_a_proof_of_a_position_also_proves_the_move_that_led_to_it() -> None:
    found = review(parse_game("3x3x3", None, "a1c3"), known_from_the_second_ply)
    assert found.turns[1].after == predict(Game.starting(found.turns[1].position).last).squares[found.turns[1].cell]
    assert found.turns[1].grade is Grade.UNKNOWN


def test_symmetric_squares_are_proved_together() -> None:
    turn = review(parse_game("3x3x3", None, "b2b3"), known_from_the_second_ply).turns[1]
    alike = {turn.prediction.squares[parse_cell(name, TIC_TAC_TOE)].value for name in ("a2", "b1", "b3", "c2")}
    assert alike == {Value.LOSS}
    assert turn.prediction.squares[parse_cell("a1", TIC_TAC_TOE)] == UNKNOWN


def test_a_won_line_is_proved_on_the_largest_board() -> None:
    found = reviewed("d1", "/".join(["........"] * 6 + ["OOO.....", "XXX....."]), "8x8x4")
    assert (found.turns[-1].grade, found.turns[-1].after) == (Grade.BEST, Outcome(Value.WIN, 1))
    assert found.end == Outcome(Value.LOSS, 0)


@given(games(SMALL_BOARDS))
def test_the_graph_has_a_point_for_each_position_as_x_sees_it(game: Game) -> None:
    points = graph(review(game))
    assert [point.ply for point in points] == list(range(len(game.positions)))
    for point, position in zip(points, game.positions, strict=True):
        outcome = predict(position).outcome
        assert point.outcome == (outcome if position.mover is Mark.X else outcome.seen_by_the_other())
        assert point.height == height(point.outcome, position.rules.size)


def test_a_quicker_win_is_drawn_farther_out_and_a_finished_one_at_the_edge() -> None:
    wins = [height(Outcome(Value.WIN, plies), 9) for plies in range(10)]
    losses = [height(Outcome(Value.LOSS, plies), 9) for plies in range(10)]
    assert wins[0] == 1.0
    assert wins == sorted(wins, key=lambda place: -(place or 0.0))
    assert len(set(wins)) == len(wins)
    assert all(place is not None and 0.5 <= place <= 1 for place in wins)
    assert losses == [None if place is None else -place for place in wins]
    assert height(Outcome(Value.DRAW, 4), 9) == 0.0
    assert height(UNKNOWN, 9) is None


def test_a_win_whose_distance_is_not_proved_is_drawn_as_slow_as_it_can_be() -> None:
    proved = predict(parse_position("XX./OO./...", TIC_TAC_TOE)).outcome
    within = Outcome.of_bounds(proved.ranks.narrowed(proved.ranks), 9)
    assert height(within, 9) == height(Outcome(Value.WIN, 1), 9)


def test_a_reply_that_keeps_a_proved_draw_is_graded_though_its_other_squares_are_not_proved() -> None:
    game = parse_game("4x4x4", None, "a1b2")
    known = {game.positions[0]: predict(game.positions[0])}

    def prediction_of(position: Position) -> Prediction:
        return known.get(position, nothing_known(position))

    drawn = Outcome(Value.DRAW, 15)
    replied = game.positions[1]
    known[replied] = Prediction(replied, {**nothing_known(replied).squares, game.moves[1]: drawn}, 0)
    first, second = review(game, prediction_of).turns
    assert first.grade is Grade.BEST
    assert second.before == drawn
    assert second.grade is Grade.BEST


def test_no_square_is_called_better_than_one_that_may_be_as_good() -> None:
    position = Position("4x3x3")
    squares = {cell: Outcome(Value.DRAW, 12) for cell in position.legal_moves}
    tie = Outcome(Value.UNKNOWN, None, Bounds(LOST, DRAWN))
    known = Prediction(position, squares | {0: tie}, 0)
    assert (known.complete, 0 in known.best) == (False, False)
    assert str(Turn(1, known, 0, {})) == "1. X a3: unknown"
