"""Levels: their strengths, decisions and exact chances, by exact play with errors in the games of the shelf."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.analysis.chances import chances
from solver.analysis.levels import BANDS, CLEARLY, best_chance, measure, score_of, without_forced_win
from solver.board.names import parse_rules
from solver.board.notation import format_cell, parse_cell, parse_position
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.board.shelf import SHELF
from solver.errors import BadOption
from solver.players import STRATEGIES
from solver.players.levels import (
    DATA,
    EASY,
    HARD,
    LEVELS,
    MEDIUM,
    format_measured,
    measured_games,
    parse_measured,
    rates_of,
)
from solver.players.match import match_results
from solver.proofs.predict import predict
from solver.search.tablebase import unfinished
from tests.marked import exhaustive
from tests.solver.conftest import Run
from tests.strategies import met

EMPTY = Position(TIC_TAC_TOE)
ON_3X3 = {"easy": (0.8, 1.0), "medium": (0.45, 0.75), "hard": (0.1, 0.3), "impossible": (0.0, 0.0)}
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
    least, most = ON_3X3[level]
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
def test_each_level_beats_the_one_below_by_two_standard_errors(board: str, games: int, lower: str, upper: str) -> None:
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


SMALL = [game.board for game in SHELF if parse_rules(game.board).squares <= 16]
LARGE = [game.board for game in SHELF if game.board not in SMALL]
ERRING = [board for board in SMALL if not parse_rules(board).stones_never_harm]
SLOW = ("3x3x3-wild", "3x3x3-vanishing", "3x3x3-misere")


def test_every_game_of_the_shelf_is_measured_and_nothing_else() -> None:
    assert measured_games().keys() == {game.board for game in SHELF}
    lines = DATA.read_text(encoding="ascii").splitlines()
    assert [format_measured(each) for each in parse_measured(lines).values()] == lines


@pytest.mark.parametrize("board", SMALL)
def test_the_greatest_chance_of_beating_a_level_lies_in_its_band_unless_a_win_is_forced(board: str) -> None:
    rules = parse_rules(board)
    beaten = measured_games()[board].beaten
    for mark in without_forced_win(rules):
        for level, (least, most) in BANDS.items():
            assert least <= Fraction(beaten[level][mark]) <= most
        assert Fraction(beaten["impossible"][mark]) == 0
        chain = [Fraction(beaten[level][mark]) for level in LEVELS if level in beaten]
        assert chain == sorted(chain, reverse=True)


@pytest.mark.parametrize(
    "board", [pytest.param(each, marks=pytest.mark.slow) if each in SLOW else each for each in SMALL]
)
def test_the_shipped_chances_are_the_exact_ones(board: str) -> None:
    rules = parse_rules(board)
    for level, shipped in measured_games()[board].beaten.items():
        for mark in without_forced_win(rules):
            assert best_chance(rules, STRATEGIES[level], mark) == Fraction(shipped[mark])


@pytest.mark.parametrize(
    "board", ["3x3x3-notakto", "3x3x3-torus", *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW)]
)
def test_a_measure_made_anew_is_the_shipped_one(board: str) -> None:
    assert format_measured(measure(parse_rules(board))) == format_measured(measured_games()[board])


@pytest.mark.parametrize("board", LARGE)
def test_on_larger_boards_each_level_has_won_its_matches_with_the_weaker_ones(board: str) -> None:
    scores = measured_games()[board].scores
    assert scores.keys() == {f"{stronger} {weaker}" for weaker, stronger in combinations(LEVELS, 2)}
    assert all(score.share >= CLEARLY for score in scores.values())


@pytest.mark.slow
@pytest.mark.parametrize(("board", "pair"), [("7x6x4-gravity", "hard easy"), ("5x5-elly", "hard medium")])
def test_a_match_played_again_has_the_same_score(board: str, pair: str) -> None:
    stronger, weaker = (STRATEGIES[level] for level in pair.split())
    assert score_of(parse_rules(board), stronger, weaker) == measured_games()[board].scores[pair]


@pytest.mark.parametrize("whole", [False, *exhaustive(True)], ids=["some", "all"])
@pytest.mark.parametrize("level", ["medium", "hard"])
@pytest.mark.parametrize("board", ERRING)
def test_an_error_is_a_square_of_less_value_and_its_chance_is_the_rate(board: str, level: str, whole: bool) -> None:
    rules = parse_rules(board)
    rates = rates_of(level, rules)
    assert rates is not None
    for position in unfinished(rules)[:: 97 if rules.vanishes else 7] if whole else met(rules, 50):
        prediction = predict(position)
        decision = STRATEGIES[level].decide(position)
        best = {cell: chance for cell, chance in decision.choices.items() if cell in prediction.best}
        value = prediction.squares[prediction.best[0]].value
        worse = {cell for cell, outcome in prediction.squares.items() if outcome.value is not value}
        erring = len(position.ages) < 2 * rules.k and worse
        assert sum(decision.choices.values()) == 1
        assert set(decision.choices) - set(best) == (worse if erring else set())
        assert sum(best.values()) == 1 - (rates.of(position.mover) if erring else 0)


@settings(max_examples=20)
@given(st.sampled_from(["4x4x3-wild", "4x3x3-misere", "5x4x4-gravity", "4x4x3-vanishing", "3x3x3x3-misere"]), st.data())
def test_every_level_decides_alike_each_time_in_any_game(board: str, data: st.DataObject) -> None:
    position = Position(parse_rules(board))
    for _ in range(data.draw(st.integers(0, 7))):
        if position.result is None:
            position = position.after(data.draw(st.sampled_from(position.legal_moves)))
    if position.result is None:
        for level in ("easy", "medium", "hard"):
            first = STRATEGIES[level].decide(position)
            assert set(first.choices) <= set(position.legal_moves)
            assert sum(first.choices.values()) == 1
            assert STRATEGIES[level].decide(position) == first


def test_levels_measures_the_games_that_a_file_lacks(run: Run, tmp_path: Path) -> None:
    made, shipped = tmp_path / "levels.jsonl", DATA.read_text(encoding="ascii").splitlines()
    made.write_text(f"{shipped[0]}\n", encoding="ascii")
    code, out, _ = run("levels", "tic-tac-toe", "torus", "--make", str(made))
    assert (code, out) == (0, f"{made}: 1 more game measured.\n")
    assert made.read_text(encoding="ascii").splitlines() == [
        shipped[0],
        format_measured(measured_games()["3x3x3-torus"]),
    ]
    made.write_text("[1]\n", encoding="ascii")
    assert run("levels", "torus", "--make", str(made))[0] == 2


def test_chances_are_refused_where_an_opponent_may_err_for_ever() -> None:
    start = Position("3x3x3-vanishing").play("b2")
    with pytest.raises(BadOption, match="may err for ever"):
        chances(start, "easy")
    assert max(chances(start, "hard").values()) < Fraction(1, 3)
    assert start.rules.is_small


def test_the_idea_of_a_level_is_told_for_the_game() -> None:
    medium = STRATEGIES["medium"]
    assert medium.description(parse_rules("misère")) == (
        "Plays as well as it can, but slips 1 time in 5 as X, and 1 time in 4 as O."
    )
    assert medium.description(parse_rules("torus")) == medium.idea
