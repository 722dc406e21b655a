"""Looking ahead: values and counts against explicit walks of the trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.lookahead import (
    MAX_LOOKED_AT,
    ahead,
    draw_tree,
    estimate,
    feasible_depth,
    move_values,
    settled_at,
    static_value,
    textbook_visits,
    tree_report,
    visits,
)
from solver.board.notation import parse_rules
from solver.board.outcome import WIN
from solver.board.position import Mark, Position
from solver.proofs.predict import predict
from tests.marked import exhaustive, slow
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, positions

EMPTY = Position(TIC_TAC_TOE)
small_positions = positions(st.sampled_from(SMALL_BOARDS), max_empty=6)


def walked(position: Position, depth: int) -> tuple[int, int]:
    """Return X's value and the nodes of the pruned tree by walking all of it."""
    below = [walked(position.play(cell), depth - 1) for cell in position.legal_moves] if depth else []
    if not below:
        return static_value(position), 1
    choose = max if position.mover is Mark.X else min
    return choose(value for value, _ in below), 1 + sum(nodes for _, nodes in below)


@given(small_positions, st.integers(0, 7))
def test_values_and_counts_are_those_of_the_tree_that_is_walked(position: Position, depth: int) -> None:
    found = ahead(position, depth)
    assert (found.value(depth), found.size(depth)) == walked(position, depth)


@given(small_positions)
def test_a_move_is_valued_at_each_depth_as_the_tree_below_it(position: Position) -> None:
    for cell, values in move_values(position, position.plies_left).items():
        assert list(values) == [walked(position.play(cell), depth)[0] for depth in range(position.plies_left)]


@given(small_positions)
def test_a_value_is_settled_exactly_when_the_game_s_outcome_is_seen(position: Position) -> None:
    outcomes = predict(position).squares
    for cell, values in move_values(position, position.plies_left).items():
        assert settled_at(values, position.plies_left) == outcomes[cell].plies


def test_a_value_of_nothing_seen_yet_is_not_settled() -> None:
    assert settled_at((0, 0, 0), 9) is None


@given(small_positions, st.integers(1, 6))
def test_each_search_visits_no_more_than_the_one_before(position: Position, depth: int) -> None:
    for row in visits(position, depth):
        assert row.plain == walked(position, row.depth)[1]
        assert row.lazy is not None
        assert row.textbook is not None
        assert row.alphabeta is not None
        assert 1 <= row.textbook <= row.lazy <= row.plain
        assert 1 <= row.alphabeta <= row.plain


def test_alpha_beta_without_distance_visits_what_textbooks_say_of_the_empty_board() -> None:
    assert textbook_visits(EMPTY, 9) == 18_297


@given(small_positions)
def test_an_estimate_is_a_line_or_what_each_side_lacks_one_stone_for(position: Position) -> None:
    open_for = {
        mark: sum(
            bool(missing & position.empty) and missing.bit_count() == 1
            for missing in (line & ~position.stones(mark) for line in position.rules.lines)
        )
        for mark in Mark
    }
    counted = open_for[Mark.X] - open_for[Mark.O]
    assert estimate(position) == (WIN * static_value(position) if position.winning_lines else counted)


@pytest.mark.parametrize("board", ["5x1x3", *slow("4x4x4"), *exhaustive("3x3x3", "8x8x5")])
def test_the_feasible_depth_keeps_within_the_positions_allowed(board: str) -> None:
    start, seen = Position(parse_rules(board)), 0
    layer = {start}
    for _ in range(feasible_depth(start) + 1):
        seen += len(layer)
        layer = {position.after(cell) for position in layer for cell in position.legal_moves}
    assert seen <= MAX_LOOKED_AT


@given(small_positions, st.integers(0, 3))
def test_a_drawn_tree_has_a_line_for_each_position_and_its_data_the_same(position: Position, depth: int) -> None:
    lines, report = draw_tree(position, depth), tree_report(position, depth)
    value, nodes = walked(position, depth)
    assert sum(any(mark in line for mark in "XO.") for line in lines) == nodes == report["nodes"]
    assert report["tree"]["value"] == value
    assert lines[0].split()[1] == (f"{value:+d}" if value else "0")
