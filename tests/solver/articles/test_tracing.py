"""Looking ahead, and searches step by step, held against the searches of the project in the same order of moves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.listing import LINES, code_of, line_of
from solver.articles.lookahead import (
    MAX_LOOKED_AT,
    ahead,
    draw_tree,
    estimate,
    feasible_depth,
    lazy_visits,
    move_values,
    settled_at,
    static_value,
    textbook_visits,
    tree_report,
    visits,
)
from solver.articles.telling import ask_before
from solver.articles.tracing import (
    MAX_LEAVES,
    NO_ALPHA,
    NO_BETA,
    MoveOrder,
    Reach,
    Search,
    StepKind,
    Trace,
    leaves,
    order_of,
    small_tree,
    trace,
)
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import WIN, Score, sign
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.cli import main
from solver.errors import BadOption
from solver.proofs.predict import predict
from solver.search.minimax import alphabeta, minimax
from tests.marked import exhaustive, slow
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, positions

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


late = positions(st.sampled_from([*SMALL_BOARDS, Rules(4, 3, 3)]), max_empty=4).filter(
    lambda position: position.result is None
)


def traces(*searches: Search) -> st.SearchStrategy[Trace]:
    """Draw one of the searches, or of all if none is named, of a small tree in any order of moves."""
    return st.builds(trace, late, st.sampled_from(searches or Search), st.none(), st.sampled_from(MoveOrder))


def for_x(position: Position, score: Score) -> Score:
    return score if position.mover is Mark.X else -score


@examples(80)
@given(traces(Search.ALPHABETA))
def test_alpha_beta_is_the_project_s_node_for_node_in_every_order(found: Trace) -> None:
    position, depth, last = found.tree.root.position, found.tree.depth, found.frames[-1]
    searched = alphabeta(position, depth, order=order_of(position, depth, found.tried))
    assert (last.step.best, last.visited) == (for_x(position, searched.score), searched.nodes)
    assert last.passed == len(found.tree.nodes)


@examples(80)
@given(traces(Search.MINIMAX))
def test_minimax_is_the_project_s(found: Trace) -> None:
    position, depth = found.tree.root.position, found.tree.depth
    assert found.visited == ahead(position, depth).size(depth) == len(found.tree.nodes)
    if depth == position.plies_left:
        searched = minimax(position)
        assert (found.frames[-1].step.best, found.visited) == (for_x(position, searched.score), searched.nodes)


@examples(80)
@given(late)
def test_lazy_lists_ask_for_the_nodes_that_the_project_s_do(position: Position) -> None:
    found = trace(position, Search.LAZY)
    assert found.visited == lazy_visits(position, found.tree.depth)
    assert found.value == ahead(position, found.tree.depth).value(found.tree.depth)
    assert found.frames[-1].passed == len(found.tree.nodes)


@examples(80)
@given(traces())
def test_what_is_said_of_a_node_is_true_of_it_at_every_step(found: Trace) -> None:
    for frame in found.frames:
        for node, known in zip(found.tree.nodes, frame.nodes, strict=True):
            worth = node.worth if found.search is not Search.LAZY else sign(node.worth)
            assert known.low <= worth <= known.high


@examples(80)
@given(traces(Search.ALPHABETA))
def test_a_node_is_exact_if_its_value_lies_within_its_window(found: Trace) -> None:
    for frame in found.frames:
        if frame.step.child is not None:
            value, child = found.tree.nodes[frame.step.child].worth, frame.nodes[frame.step.child]
            assert child.window is not None
            assert child.exact or not child.window[0] < value < child.window[1]


@examples(80)
@given(traces(Search.ALPHABETA, Search.MINIMAX))
def test_a_cut_comes_exactly_where_the_window_is_closed_and_moves_are_left(found: Trace) -> None:
    for frame in found.frames:
        if frame.step.kind is StepKind.CUT:
            assert found.search is Search.ALPHABETA
            assert frame.step.window is not None
            alpha, beta = frame.step.window
            assert NO_ALPHA <= beta <= alpha <= NO_BETA
            assert all(frame.nodes[each].reach is Reach.CUT for each in frame.step.left_out)
        assert frame.nodes[frame.step.node].reach is not Reach.UNSEEN


@examples(20)
@given(positions())
def test_a_tree_is_drawn_as_deep_as_it_is_narrow_enough_or_refused(position: Position) -> None:
    if position.result is not None or position.plies_left > MAX_LEAVES:
        with pytest.raises(BadOption, match="The game is over" if position.result else "more than 24 ends"):
            small_tree(position)
    else:
        tree = small_tree(position)
        ends = sum(not node.children for node in tree.nodes)
        assert ends == leaves(position, tree.depth) <= MAX_LEAVES


def test_a_value_is_ten_less_the_plies_to_the_line() -> None:
    found = trace(parse_position("XX./OO./..."), depth=1)
    assert found.value == 9
    assert trace(parse_position("XX./OO./...", TIC_TAC_TOE), Search.LAZY, 1).value == 1
    assert found.shown(2 - WIN) == -8


SMALL = parse_position("O.X/.O./XOX")
"""b3 blocks and draws, a2 loses to b3, c2 wins at once."""


def test_what_a_node_will_be_worth_is_asked_before_it_is_shown_and_judged() -> None:
    found = trace(SMALL, Search.ALPHABETA)
    asked = {number: question for number in range(len(found.frames)) if (question := ask_before(found, number))}
    assert {number: (each.text, each.right) for number, each in asked.items()} == {
        1: ("Which move is best for X?", "c2"),
        9: ("What will the node after b3 be worth?", "0"),
        13: ("b3 has −8. Are O's other moves here worth a look?", "No"),
        17: ("What will the top be worth?", "+9"),
    }
    assert asked[9].answers["+7"] == "No, 0: Min takes the smallest of +7, 0."
    assert asked[17].answers["+9"] == "Right: Max takes the largest of 0, ≤ −8, +9."


@examples(80)
@given(traces())
def test_one_answer_is_right_and_nothing_is_asked_that_the_picture_shows_already(found: Trace) -> None:
    for number, frame in enumerate(found.frames):
        question = ask_before(found, number)
        if question is not None:
            assert [each.startswith("Right") for each in question.answers.values()].count(True) == 1
            assert question.answers[question.right].startswith("Right")
            assert len(question.answers) > 1
            if number > 1:
                assert frame.step.child is not None
                assert found.frames[number - 1].nodes[frame.step.child].reach is Reach.OPEN


@examples(80)
@given(traces())
def test_each_step_has_its_line_of_the_code_as_it_is_now(found: Trace) -> None:
    for frame in found.frames:
        number = line_of(found, frame)
        at = found.tree.nodes[frame.step.node].position
        beyond_minimax = found.search is Search.MINIMAX and frame.step.kind is StepKind.LEAF and at.result is None
        assert (number is None) is beyond_minimax


@pytest.mark.parametrize("search", Search)
def test_each_line_that_a_step_can_have_is_one_line_of_the_code(search: Search) -> None:
    lines = [line.strip() for line in code_of(search).lines]
    for begins in filter(None, (row[list(Search).index(search)] for row in LINES.values())):
        assert sum(line.startswith(begins) for line in lines) == 1, begins
    assert not any('"""' in line for line in lines)


def test_the_command_prints_the_steps_and_all_visits_in_each_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "O.X.O.XOX", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["value"], printed["nodes"], len(printed["tree"])) == (9, 9, 11)
    counts = {(each["search"], each["order"]): each["nodes"] for each in printed["counts"]}
    assert counts["alphabeta", "best"] < counts["alphabeta", "found"] < counts["alphabeta", "worst"]
