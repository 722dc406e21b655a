"""Drawn full boards and their patterns."""

from collections import Counter

import pytest
from hypothesis import given

from solver.articles.patterns import Pattern, distinct_drawn_boards, drawn_boards, pattern_of
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Position, Result
from solver.board.rules import Rules, cells_of, rules_of
from solver.errors import BadOption, TooLarge
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, positions, reachable


def test_the_sixteen_drawn_boards_are_those_that_the_article_prints() -> None:
    """Clojure article, part 1: the list after "(for [a (range 9) …", O's cells."""
    printed = """
        ([0 1 5 6] [0 2 3 7] [0 2 4 7] [0 2 5 7]
         [0 4 5 6] [0 4 5 7] [0 5 6 7] [1 2 3 8]
         [1 3 4 8] [1 3 6 8] [1 4 5 6] [1 4 6 8]
         [1 5 6 8] [2 3 4 7] [2 3 4 8] [2 3 7 8])
    """
    lists = [[int(cell) for cell in part.split()] for part in printed.strip(" \n()").replace("]", "").split("[")[1:]]
    assert [list(cells_of(board.o)) for board in drawn_boards(TIC_TAC_TOE)] == lists


def test_they_are_8_islands_4_arrows_and_4_scorpions() -> None:
    """Clojure article, part 1: "4 x Arrow, 4 x Scorpion, and 8 x Island"."""
    counts = Counter(map(pattern_of, drawn_boards(TIC_TAC_TOE)))
    assert counts == {Pattern.ISLAND: 8, Pattern.ARROW: 4, Pattern.SCORPION: 4}


def test_a_pattern_is_a_drawn_board_up_to_symmetry() -> None:
    for board, count in distinct_drawn_boards(TIC_TAC_TOE).items():
        images = {board.transformed(symmetry) for symmetry in TIC_TAC_TOE.symmetries}
        assert images == {each for each in drawn_boards(TIC_TAC_TOE) if pattern_of(each) is pattern_of(board)}
        assert len(images) == count


@pytest.mark.parametrize("rules", SMALL_BOARDS, ids=str)
def test_drawn_boards_are_the_draws_that_play_reaches(rules: Rules) -> None:
    assert set(drawn_boards(rules)) == {each for each in reachable(rules) if each.result is Result.DRAW}


@given(positions())
def test_only_a_drawn_board_of_tic_tac_toe_has_a_pattern(each: Position) -> None:
    if each.rules == TIC_TAC_TOE and each.result is Result.DRAW:
        assert pattern_of(each) in Pattern
        return
    with pytest.raises(BadOption):
        pattern_of(each)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [("OOX/XXO/OXX", Pattern.ISLAND), ("OXX/XOO/XOX", Pattern.ARROW), ("OXO/XOX/XOX", Pattern.SCORPION)],
)
def test_a_pattern_is_known_by_its_centre_and_corners(text: str, pattern: Pattern) -> None:
    assert pattern_of(parse_position(text, TIC_TAC_TOE)) is pattern


def test_a_board_with_too_many_fillings_is_refused_with_what_is_feasible() -> None:
    assert len(drawn_boards(rules_of(5, 4, 2))) == 0
    with pytest.raises(TooLarge, match="up to 20 squares"):
        drawn_boards(parse_rules("7x3x3"))
