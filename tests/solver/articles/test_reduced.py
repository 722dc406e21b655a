"""The reduced tree, by plain oracles. The claims hold the figures of the Clojure article."""

from fractions import Fraction

import pytest

from solver.articles.graph import Graph, Kind, forced_moves, graph_of
from solver.articles.openings import openings, worth
from solver.articles.reduced import (
    best_replies,
    fork_ahead,
    holds_by_blocking,
    is_settled,
    reduced_tree,
    scores,
)
from solver.board.notation import parse_position
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from tests.marked import sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, minimax_score, reachable

EMPTY = Position(TIC_TAC_TOE)
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
