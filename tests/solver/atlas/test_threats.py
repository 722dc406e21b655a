"""Wins by threats, as the check of certificates finds them: compared with minimax and with the search for plans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.atlas.check import ThreatSearch
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.reasons.planning import Effort, OpenLines, sequence
from tests.strategies import SMALL_BOARDS, SMALL_FAMILIES, drawn_games, examples, minimax_score, positions

BOARDS = st.sampled_from([*SMALL_BOARDS, *SMALL_FAMILIES, *map(parse_rules, ("4x4x3", "5x4x4", "4x4x4-torus"))])
GAMES = positions(BOARDS | drawn_games(), max_empty=8).filter(lambda position: position.result is None)
LARGER = positions(st.sampled_from([*map(parse_rules, ("5x5x4", "6x6x4", "5x5x4-torus", "4x4x3"))]))


def wins(position: Position) -> bool:
    return ThreatSearch(position.rules).win(position.own, position.other)


@examples(400)
@given(position=GAMES)
def test_who_wins_by_threats_wins(position: Position) -> None:
    if wins(position):
        assert minimax_score(position) > DRAWN


@examples(400)
@given(position=LARGER.filter(lambda position: position.result is None))
def test_the_search_for_plans_finds_the_same_wins(position: Position) -> None:
    plies = position.plies_left
    lines = OpenLines.of(position.rules, position.own, position.other, plies)
    assert wins(position) == (sequence(lines, plies, Effort(1 << 20)) is not None)


@pytest.mark.parametrize(
    ("board", "text", "found"),
    [
        ("3x3x3", "XX./.../OO.", True),  # a line at once
        ("3x3x3", "X../.O./...", False),
        ("3x3x3", "X.O/.O./..X", True),  # the block threatens two lines
        ("3x3x3", "XO./.O./..X", False),  # every block threatens one line, and is blocked in turn
        ("4x4x3", "..../.X../..../...O", True),
    ],
)
def test_a_win_by_threats_is_found(board: str, text: str, found: bool) -> None:
    assert wins(parse_position(text, parse_rules(board))) == found
