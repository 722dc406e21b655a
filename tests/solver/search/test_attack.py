"""Attacks and wins by threats: compared with minimax and with each other, and their table."""

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.atlas.threats import ThreatSearch
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.board.rules import Rules
from solver.kernel import engine
from tests.strategies import SMALL_BOARDS, SMALL_FAMILIES, drawn_games, examples, minimax_score, positions

BOARDS = st.sampled_from([*SMALL_BOARDS, *SMALL_FAMILIES, *map(parse_rules, ("4x4x3", "5x4x4", "4x4x4-torus"))])
GAMES = positions(BOARDS | drawn_games(), max_empty=8).filter(lambda position: position.result is None)
LARGER = positions(st.sampled_from([*map(parse_rules, ("5x5x4", "6x6x4", "5x5x4-torus", "4x4x3"))]))
KERNELS = [pytest.param(engine.kernel, id="chosen"), pytest.param(engine.interpreted(), id="interpreted")]
UNLIMITED = 1 << 30


def new(kernel: ModuleType, rules: Rules, max_entries: int = 1 << 16) -> Any:
    return kernel.Attacker(rules, max_entries)


@pytest.mark.parametrize("kernel", KERNELS)
@examples(400)
@given(position=GAMES)
def test_an_attack_succeeds_where_minimax_wins_and_by_a_move_that_wins(kernel: ModuleType, position: Position) -> None:
    attack = new(kernel, position.rules)
    assert attack.succeeds(position.own, position.other) == (minimax_score(position) > DRAWN)
    if attack.choice and minimax_score(position) > DRAWN:
        assert minimax_score(position.after(attack.choice.bit_length() - 1)) < DRAWN


@pytest.mark.parametrize("kernel", KERNELS)
@examples(400)
@given(position=GAMES)
def test_who_wins_by_threats_wins(kernel: ModuleType, position: Position) -> None:
    if new(kernel, position.rules).threatens(position.own, position.other, UNLIMITED):
        assert minimax_score(position) > DRAWN


@examples(400)
@given(position=LARGER.filter(lambda position: position.result is None))
def test_both_searches_for_threats_find_the_same_wins(position: Position) -> None:
    found = new(engine.kernel, position.rules).threatens(position.own, position.other, UNLIMITED)
    assert ThreatSearch(position.rules).win(position.own, position.other) == found


@pytest.mark.parametrize("kernel", KERNELS)
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
def test_a_win_by_threats_is_found(kernel: ModuleType, board: str, text: str, found: bool) -> None:
    position = parse_position(text, parse_rules(board))
    assert new(kernel, position.rules).threatens(position.own, position.other, UNLIMITED) == found


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_full_table_changes_no_answer(kernel: ModuleType) -> None:
    rules = parse_rules("4x3x3")
    small, large = new(kernel, rules, 1), new(kernel, rules)
    assert small.succeeds(0, 0)
    assert large.succeeds(0, 0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_an_error_of_the_pause_ends_the_attack_and_what_is_known_stays(kernel: ModuleType) -> None:
    attack = new(kernel, parse_rules("4x4x3"))

    def stop() -> int:
        raise InterruptedError

    attack.on_pause = stop
    with pytest.raises(InterruptedError):
        attack.succeeds(0, 0)
    attack.on_pause = lambda: UNLIMITED
    assert attack.succeeds(0, 0)
