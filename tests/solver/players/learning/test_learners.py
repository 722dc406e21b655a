"""The learners: Michie's rules for beads, Watkins's for values, and games from a seed."""

from fractions import Fraction
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import format_moves
from solver.board.position import Result
from solver.board.rules import TIC_TAC_TOE
from solver.errors import BadOption
from solver.players import STRATEGIES
from solver.players.learning.boxes import boxes
from solver.players.learning.learners import (
    BEADS,
    EXPLORATION,
    LEARNERS,
    MENACE,
    Q_LEARNING,
    RATE,
    REWARD,
    epsilon_greedy,
    greedy,
    learner_named,
    rewarded,
    updated,
)
from solver.players.learning.training import trained, training_game
from tests.strategies import examples


def test_new_boxes_have_four_three_two_or_one_beads_a_square() -> None:
    for box, row in zip(boxes(), MENACE.start, strict=True):
        assert row == (BEADS[box.turn - 1],) * len(box.squares)
    assert [MENACE.start[number] for number in (0, 1, 303)] == [(4, 4, 4), (3,) * 7, (1, 1, 1)]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result.X, ((4, 7, 4), (3, 3, 6, 3))),
        (Result.DRAW, ((4, 5, 4), (3, 3, 4, 3))),
        (Result.O, ((4, 3, 4), (3, 3, 2, 3))),
    ],
)
def test_a_win_adds_three_beads_a_draw_one_and_a_loss_takes_the_bead(result: Result, expected: object) -> None:
    assert rewarded([(4, 4, 4), (3, 3, 3, 3)], [1, 2], result) == expected


def test_menace_resigns_when_the_box_is_empty_and_pays_for_the_boxes_it_opened() -> None:
    memory = ((0, 0, 1), *((0,) * len(row) for row in MENACE.start[1:]))
    game = training_game(MENACE, memory, STRATEGIES["hard"], "1", 1)
    assert (game.resigned, game.result, len(game.moves)) == (True, Result.O, 2)
    starved = game.taught(memory)
    assert starved[0] == (0, 0, 0)
    game = training_game(MENACE, starved, STRATEGIES["hard"], "1", 2)
    assert (game.resigned, game.result, game.moves, game.draws) == (True, Result.O, (), ())
    assert game.taught(starved) == starved


@examples(60)
@given(st.sampled_from(["easy", "hard", "pyfl-program"]), st.text(max_size=5), st.randoms(use_true_random=False))
def test_beads_come_and_go_by_the_rules_alone(opponent: str, seed: str, chance: Random) -> None:
    memory = tuple(tuple(chance.randrange(4) for _ in row) for row in MENACE.start)
    game = training_game(MENACE, memory, STRATEGIES[opponent], seed, 1)
    taught = game.taught(memory)
    opened = {draw.box.number - 1 for draw in game.draws}
    assert sum(map(sum, taught)) == sum(map(sum, memory)) + REWARD[game.result] * len(game.draws)
    assert all(min(row) >= 0 for row in taught)
    assert all(memory[place] == taught[place] for place in range(len(memory)) if place not in opened)
    assert all(draw.before[draw.drawn] >= 1 for draw in game.draws)


def test_a_value_goes_a_quarter_of_the_way_to_what_comes_next() -> None:
    rows = [(0.0, 1.0), (2.0, -1.0)]
    assert RATE == 0.25
    assert updated(rows, [0, 1], Result.O) == ((0.5, 1.0), (2.0, -1.0))
    assert updated(rows, [1, 0], Result.X) == ((0.0, 1.25), (2.25, -1.0))


def test_q_learning_plays_the_squares_of_the_greatest_value_and_tries_any_one_time_in_ten() -> None:
    row = (0.5, 0.0, 0.5, -1.0)
    assert greedy(row) == (1, 0, 1, 0)
    weights = epsilon_greedy(row)
    any_square, best = Fraction(1, 4 * EXPLORATION), Fraction(EXPLORATION - 1, 2 * EXPLORATION)
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    assert shares == [best + any_square, any_square, best + any_square, any_square]


@pytest.mark.parametrize(
    ("learner", "games"),
    [
        ("menace", ["b3c2c1b1a2b2c3a3a1", "a3b1b2a2c3c1c2a1", "b3c3b1c1c2a3b2"]),
        ("q", ["b3c2c1b1a2b2c3a3a1", "a3b1b2a2c3c1c2a1", "a3c3b1c1a1b3a2"]),
    ],
)
def test_a_seed_fixes_every_game(learner: str, games: list[str]) -> None:
    played = islice(trained(LEARNERS[learner], STRATEGIES["easy"], "1"), len(games))
    assert [format_moves(game.moves, TIC_TAC_TOE) for game in played] == games


def test_an_unknown_learner_is_refused() -> None:
    assert learner_named(" Q ") is Q_LEARNING
    with pytest.raises(BadOption, match="Choose one of: menace, q"):
        learner_named("nobody")
