"""Estimates from open lines agree with the board's symmetries, and mostly with proofs."""

import random

import pytest
from hypothesis import given

from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, Bounds, Value
from solver.board.position import Position
from solver.board.rules import cells_of, union
from solver.kernel.potential import danger, estimate, potential, promising, urgent
from solver.proofs.predict import predict
from solver.proofs.study import Study
from solver.search.exact import prove_moves
from tests.benchmarks.proving import random_position
from tests.strategies import TIC_TAC_TOE, positions


def named(text: str, board: str = "3x3x3") -> dict[str, float]:
    """Return the estimates of a position by the names of squares."""
    rules = parse_rules(board)
    return {format_cell(cell, rules): guess for cell, guess in estimate(parse_position(text, rules)).items()}


def test_potential_prefers_lines_with_stones_of_one_player_only() -> None:
    position = parse_position("X../.../..O", TIC_TAC_TOE)
    assert potential(position, 2) == 4 + 4 + 1
    assert potential(position, 4) == 1 + 1 + 1


def test_lines_are_the_more_dangerous_the_fewer_stones_they_miss() -> None:
    assert danger(parse_position("X../.../..O", TIC_TAC_TOE)) == 2 / 4 + 3 / 8


@given(positions())
def test_the_most_urgent_square_leaves_the_opponent_the_least_danger(position: Position) -> None:
    if position.result is None:
        left = [danger(position.after(cell)) for cell in urgent(position)]
        assert left == sorted(left)


@given(positions())
def test_every_open_square_has_an_estimate_from_0_to_1_and_the_most_promising_has_1(position: Position) -> None:
    estimates = estimate(position)
    assert tuple(estimates) == position.legal_moves
    assert all(0 <= guess <= 1 for guess in estimates.values())
    open_lines = any(not line & position.x or not line & position.o for line in position.rules.lines)
    if estimates:
        assert max(estimates.values()) == (1 if open_lines else 0)


@given(positions())
def test_symmetric_images_have_equal_estimates(position: Position) -> None:
    estimates = estimate(position)
    for symmetry in position.rules.symmetries:
        images = {symmetry[cell]: guess for cell, guess in estimates.items()}
        assert estimate(position.transformed(symmetry)) == images


@given(positions())
def test_a_square_on_no_open_line_has_0_and_any_other_has_more(position: Position) -> None:
    open_lines = union(line for line in position.rules.lines if not line & position.x or not line & position.o)
    for cell, guess in estimate(position).items():
        assert (guess > 0) == bool(open_lines >> cell & 1)


def test_to_complete_a_line_is_more_promising_than_to_block_one_and_that_than_all_else() -> None:
    estimates = named("XX./OO./...")
    assert estimates["c3"] > estimates["c2"] > max(estimates[name] for name in ("a1", "b1", "c1"))


def test_the_middle_is_the_most_promising_of_an_empty_board_and_the_corners_the_least() -> None:
    estimates = named("/".join(["." * 8] * 8), "8x8x5")
    most, least = ({name for name in estimates if estimates[name] == guess} for guess in (1, min(estimates.values())))
    assert (most, least) == ({"d4", "d5", "e4", "e5"}, {"a1", "a8", "h1", "h8"})


@pytest.mark.parametrize("board", ["5x4x4", "5x5x4", "6x5x4", "6x6x5"])
def test_of_two_squares_with_different_outcomes_the_better_is_mostly_the_more_promising(board: str) -> None:
    rules, rng = parse_rules(board), random.Random(board)
    right = wrong = 0
    for stones in range(rules.size // 3, rules.size * 2 // 3):
        position = random_position(rules, stones, rng)
        estimates, scores = estimate(position), prove_moves(position, position.legal_moves).scores
        for better in scores:
            for worse in scores:
                if scores[better] > scores[worse]:
                    right += estimates[better] > estimates[worse]
                    wrong += estimates[better] < estimates[worse]
    assert right > 3 * wrong


def test_a_prediction_estimates_the_squares_that_are_not_proved_and_no_others() -> None:
    study = Study(Position(parse_rules("8x8x5")))
    (after, cells), *_ = study.orbits.items()
    study.learn({after: Bounds(DRAWN, DRAWN)})
    prediction = study.prediction()
    assert not set(cells) & set(prediction.estimates)
    guessed = estimate(prediction.position)
    unknown = [cell for cell, outcome in prediction.squares.items() if outcome.value is Value.UNKNOWN]
    assert prediction.estimates == {cell: guessed[cell] for cell in unknown}
    assert predict(Position(TIC_TAC_TOE)).estimates == {}


@given(positions())
def test_promising_squares_come_in_the_order_of_their_potential(position: Position) -> None:
    squares = list(cells_of(position.empty))
    assert promising(position) == sorted(squares, key=lambda cell: -potential(position, cell))
