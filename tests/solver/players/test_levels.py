"""The levels of the difficulty dropdown: exact strengths on 3×3, and matches on larger boards."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from statistics import mean, stdev

import pytest

from solver.analysis.chances import chances
from solver.board.notation import format_cell, parse_cell, parse_position, parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES
from solver.players.levels import EASY, HARD, MEDIUM
from solver.players.match import match_results

EMPTY = Position(TIC_TAC_TOE)
LEVELS = ("easy", "medium", "hard", "impossible")
BANDS = {"easy": (0.8, 1.0), "medium": (0.45, 0.75), "hard": (0.1, 0.3), "impossible": (0.0, 0.0)}
"""The greatest chance of beating each level on 3×3, at least and at most."""
OPENINGS = {"corner": "a3", "edge": "b3", "centre": "b2"}


def beaten_as_x(level: str, opening: str) -> Fraction:
    """Return the greatest chance of X to beat a level that plays O, after this first move."""
    return chances(EMPTY, STRATEGIES[level])[parse_cell(OPENINGS[opening], TIC_TAC_TOE)]


def beaten_as_o(level: str) -> Fraction:
    """Return the greatest chance of O to beat a level that plays X."""
    strategy = STRATEGIES[level]
    first = strategy.decide(EMPTY).choices
    return sum(
        (chance * max(chances(EMPTY.after(cell), strategy).values()) for cell, chance in first.items()), Fraction()
    )


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_greatest_chance_of_beating_a_level_lies_in_its_band_after_each_opening(level: str, opening: str) -> None:
    least, most = BANDS[level]
    assert least <= beaten_as_x(level, opening) <= most


@pytest.mark.parametrize("level", LEVELS)
def test_as_o_the_chance_of_beating_a_level_is_at_least_half_of_that_as_x(level: str) -> None:
    assert beaten_as_o(level) >= max(beaten_as_x(level, opening) for opening in OPENINGS) / 2


def test_each_level_is_harder_to_beat_than_the_one_below_from_either_side() -> None:
    for lower, upper in pairwise(LEVELS):
        assert beaten_as_o(upper) < beaten_as_o(lower)
        assert all(beaten_as_x(upper, opening) < beaten_as_x(lower, opening) for opening in OPENINGS)


def points(rules: Rules, level: str, other: str, games: int) -> Iterator[float]:
    """Yield the points of a level in games against another, the first half of them as X: 1 for a win, ½ for a draw."""
    players = STRATEGIES[level], STRATEGIES[other]
    for mark, (x, o) in zip(Mark, (players, players[::-1]), strict=True):
        for result in match_results(rules, x, o, games // 2, seed="levels"):
            yield 0.5 if result is Result.DRAW else float(result == Result(mark))


@pytest.mark.parametrize(
    ("board", "games"),
    [
        ("3x3x3", 300),
        pytest.param("4x4x3", 300, marks=pytest.mark.slow),
        *(pytest.param(board, 60, marks=pytest.mark.exhaustive) for board in ("5x4x4", "6x6x4")),
    ],
)
@pytest.mark.parametrize(("lower", "upper"), [*pairwise(LEVELS)])
def test_each_level_beats_the_one_below_by_more_than_two_standard_errors(
    board: str, games: int, lower: str, upper: str
) -> None:
    won = [*points(parse_rules(board), upper, lower, games)]
    assert mean(won) - 0.5 > 2 * stdev(won) / sqrt(games)


def test_what_a_level_overlooks_is_left_to_the_rules_below() -> None:
    """The block is a2, the guard c1, and b2 lies on the most live lines."""
    choices = STRATEGIES["hard"].decide(parse_position("XOO/..X/X..")).choices
    assert {format_cell(cell, TIC_TAC_TOE): chance for cell, chance in choices.items()} == {
        "a2": Fraction(4, 5),
        "c1": Fraction(1, 5) * Fraction(9, 10),
        "b2": Fraction(1, 5) * Fraction(1, 10),
    }


def test_a_higher_level_sees_each_rule_more_often() -> None:
    assert EASY == ()
    for lower, upper in zip(MEDIUM, HARD, strict=True):
        assert lower.rule is upper.rule
        assert lower.chance < upper.chance
