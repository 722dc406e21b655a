"""Drawn boards, their patterns and points, by plain minimax. The claims hold the figures of the Clojure article."""

from functools import cache

import pytest
from hypothesis import given

from solver.articles.openings import openings
from solver.articles.patterns import (
    back_up,
    best_ends,
    can_force_outright,
    difference,
    drawn_boards,
    force_values,
)
from solver.board.game import Pattern, pattern_of, points_of
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules, rules_of
from solver.errors import BadOption, TooLarge
from tests.marked import sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, positions, reachable


@pytest.mark.parametrize("rules", sampled(SMALL_BOARDS, 5), ids=str)
def test_drawn_boards_are_the_draws_that_play_reaches(rules: Rules) -> None:
    assert set(drawn_boards(rules)) == {each for each in reachable(rules) if each.result is Result.DRAW}


@given(positions())
def test_only_a_drawn_board_of_tic_tac_toe_has_a_pattern(each: Position) -> None:
    if each.rules == TIC_TAC_TOE and each.result is Result.DRAW:
        assert pattern_of(each) in Pattern
        return
    with pytest.raises(BadOption):
        pattern_of(each)


def test_a_pattern_is_known_by_its_centre_and_corners() -> None:
    assert all(pattern_of(drawn) is _pattern(drawn) for drawn in drawn_boards(TIC_TAC_TOE))
    assert [pattern_of(parse_position(text)) for text in ("OOX/XXO/OXX", "OXX/XOO/XOX", "OXO/XOX/XOX")] == [*Pattern]


def test_a_board_with_too_many_fillings_is_refused_with_what_is_feasible() -> None:
    assert len(drawn_boards(rules_of(5, 4, 2))) == 0
    with pytest.raises(TooLarge, match="up to 20 squares"):
        drawn_boards(parse_rules("7x3x3"))


EMPTY = Position(TIC_TAC_TOE)


@cache
def plainly(position: Position, pattern: Pattern) -> int:
    """Evaluate a position by the article's min-max as printed, with its +10, +1, 0 and -10, but with a cache."""
    if position.result is Result.X:
        return 10
    if position.result is Result.O:
        return -10
    if position.result is Result.DRAW:
        return int(_pattern(position) is pattern)
    scores = [plainly(position.after(cell), pattern) for cell in position.legal_moves]
    return max(scores) if position.mover is Mark.X else min(scores)


def _pattern(position: Position) -> Pattern:
    if position.mark_at(4) is Mark.X:
        return Pattern.ISLAND
    corners = [position.mark_at(cell) for cell in (0, 2, 6, 8)]
    return Pattern.SCORPION if corners.count(Mark.O) == 2 else Pattern.ARROW


def test_an_unfinished_game_gives_no_points() -> None:
    with pytest.raises(BadOption, match="not over"):
        points_of(EMPTY)


def test_a_draw_on_another_board_has_no_pattern_to_pay_for() -> None:
    drawn = drawn_boards(Rules(4, 3, 4))[0]
    with pytest.raises(BadOption, match="pattern"):
        points_of(drawn)


@pytest.mark.parametrize("pattern", Pattern)
def test_forcing_a_pattern_is_what_plain_minimax_finds(pattern: Pattern) -> None:
    values = force_values(EMPTY, pattern)
    for opening in openings(TIC_TAC_TOE):
        for reply in opening.replies:
            for cell in reply.position.legal_moves[:3]:
                after = reply.position.after(cell)
                assert {10: 2, -10: -1}.get(plain := plainly(after, pattern), plain) == values[after]


def test_an_opponent_who_would_as_soon_lose_can_avoid_every_pattern() -> None:
    assert not any(can_force_outright(EMPTY, pattern) for pattern in Pattern)


def test_a_draw_on_the_board_is_forced() -> None:
    for drawn in drawn_boards(TIC_TAC_TOE):
        assert [pattern for pattern in Pattern if can_force_outright(drawn, pattern)] == [pattern_of(drawn)]
        assert force_values(drawn, pattern_of(drawn))[drawn] == 1


def test_the_ends_of_best_play_all_have_its_worth() -> None:
    values = back_up(EMPTY, difference)
    assert {difference(end) for end in best_ends(EMPTY, values)} == {values[EMPTY]}


def test_beyond_nine_squares_it_is_said_what_is_feasible() -> None:
    with pytest.raises(TooLarge, match="up to 9 squares"):
        back_up(Position(Rules(4, 3, 3)), lambda _: 0)
