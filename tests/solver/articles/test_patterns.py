"""Drawn boards, their patterns and points, and the reduced tree, by plain oracles."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from solver.articles.graph import Graph, Kind, forced_moves, graph_of
from solver.articles.openings import openings, worth
from solver.articles.patterns import (
    back_up,
    best_ends,
    difference,
    drawn_boards,
    force_values,
)
from solver.articles.reduced import (
    best_replies,
    fork_ahead,
    holds_by_blocking,
    is_settled,
    reduced_tree,
    scores,
)
from solver.board.game import Pattern, pattern_of, points_of
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules, rules_of
from solver.errors import BadOption, TooLarge
from tests.marked import sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, minimax_score, positions, reachable


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


def test_the_ends_of_best_play_all_have_its_worth() -> None:
    values = back_up(EMPTY, difference)
    assert {difference(end) for end in best_ends(EMPTY, values)} == {values[EMPTY]}


def test_beyond_nine_squares_it_is_said_what_is_feasible() -> None:
    with pytest.raises(TooLarge, match="up to 9 squares"):
        back_up(Position(Rules(4, 3, 3)), lambda _: 0)


CORNER, EDGE, CENTRE = (opening.position for opening in openings(TIC_TAC_TOE))


def leaves(tree: Graph) -> list[Position]:
    return [node for node in tree.nodes if not tree.children(node)]


def test_a_leaf_is_decided_or_can_be_drawn_by_blocking_alone() -> None:
    for leaf in leaves(reduced_tree(EMPTY)):
        assert worth(leaf) or (holds_by_blocking(leaf, Mark.X) and holds_by_blocking(leaf, Mark.O))


def test_an_inner_node_is_a_draw_with_a_fork_in_its_forced_tree() -> None:
    tree = reduced_tree(EMPTY)
    for node in tree.nodes:
        if tree.children(node):
            assert minimax_score(node) == 0
            assert Kind.FORK in graph_of(node, forced_moves).nodes.values()


def test_a_drawn_leaf_ends_in_a_draw_whatever_forced_moves_are_played() -> None:
    for leaf in leaves(reduced_tree(EMPTY)):
        if worth(leaf) == 0:
            results = {end.result for end in graph_of(leaf, forced_moves).nodes}
            assert results <= {None, Result.DRAW}


def plain_score(at: Position, distinct: bool) -> Fraction:
    """Compute the article's average on the tree of all moves, without a cache."""
    score = minimax_score(at)
    if score:
        return Fraction(1 if (score > 0) == (at.mover is Mark.X) else -1)
    if Kind.FORK not in graph_of(at, forced_moves).nodes.values():
        return Fraction(0)
    after = [at.after(cell) for cell in forced_moves(at)]
    if distinct:
        after = list({each.canonical(): each for each in after}.values())
    return sum((plain_score(each, distinct) for each in after), Fraction()) / len(after)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("text", ["X../.O./...", "O../.X./...", "OX./.X./...", ".X./.O./..X"])
def test_scores_are_plain_averages(text: str, distinct: bool) -> None:
    root = parse_position(text)
    assert scores(root, distinct)[root] == plain_score(root, distinct)


@pytest.mark.parametrize("distinct", [False, True])
def test_the_best_score_never_gives_away_what_perfect_play_holds(distinct: bool) -> None:
    tree, values = reduced_tree(EMPTY), scores(EMPTY, distinct)
    for node in tree.nodes:
        assert all(worth(child) == worth(node) for child in best_replies(tree, values, node))


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", sampled([rules for rules in SMALL_BOARDS if rules.k > 1 and rules.size < 9], 5), ids=str
)
def test_on_every_small_board_the_tree_ends_where_nothing_can_go_wrong(rules: Rules) -> None:
    tree = reduced_tree(Position(rules))
    assert all(is_settled(leaf) or leaf.result is not None for leaf in leaves(tree))


def test_blocking_alone_does_not_hold_what_a_fork_has_won() -> None:
    assert not holds_by_blocking(parse_position("X../.O./..X").after(2), Mark.O)


def test_a_fork_ahead_is_a_fork_in_the_forced_tree() -> None:
    for at in reachable(TIC_TAC_TOE)[::7]:
        later = graph_of(at, forced_moves, symmetric=False).nodes
        assert fork_ahead(at) == any(
            node.result is None and len(node.threats(node.mover.other)) > 1 and not node.threats(node.mover)
            for node in later
        )
