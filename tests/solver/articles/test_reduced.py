"""The reduced tree: the figures in the Clojure article, and plain oracles."""

from collections import Counter
from fractions import Fraction

import pytest

from solver.articles.graph import Graph, Kind, forced_moves, graph_of
from solver.articles.openings import openings, place_name, square_name, worth
from solver.articles.reduced import (
    TREE_RULES,
    best_path,
    best_replies,
    fork_ahead,
    holds_by_blocking,
    is_settled,
    reduced_tree,
    scores,
    weights_of,
)
from solver.board.notation import format_position, parse_position
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from tests.marked import sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, minimax_score, reachable

EMPTY = Position(TIC_TAC_TOE)
CORNER, EDGE, CENTRE = (opening.position for opening in openings(TIC_TAC_TOE))


def leaves(tree: Graph) -> list[Position]:
    return [node for node in tree.nodes if not tree.children(node)]


def nodes(root: Position, reading: str) -> int:
    return len(reduced_tree(root, TREE_RULES[reading]).nodes)


def test_no_other_reading_has_95_nodes_below_the_edge() -> None:
    """Clojure article, part 2, on the edge opening: "a bit of a monster with 95 nodes"."""
    assert [nodes(EDGE, reading) for reading in TREE_RULES] == [95, 113, 107, 173]


def test_the_whole_tree_has_fewer_than_200_nodes() -> None:
    """Clojure article, part 2, summary."""
    assert [nodes(EMPTY, reading) for reading in TREE_RULES] == [115, 133, 131, 219]


def test_the_default_reading_is_that_of_forced_moves_and_the_other_branches_are_compact() -> None:
    assert [len(reduced_tree(root).nodes) for root in (CORNER, EDGE, CENTRE)] == [28, 95, 16]


def test_a_transposition_between_openings_is_one_node_of_the_whole_tree() -> None:
    branches = [{node.canonical() for node in reduced_tree(root).nodes} for root in (CORNER, EDGE, CENTRE)]
    assert sum(map(len, branches)) == 139
    assert len(set().union(*branches)) + 1 == 115


@pytest.mark.parametrize(
    ("distinct", "expected"), [(False, "501/560 69/140 109/210"), (True, "1013/1200 121/300 67/120")]
)
def test_the_corner_scores_highest(distinct: bool, expected: str) -> None:
    """Clojure article, part 2: "the highest scoring (0.89) first move", which is 501/560."""
    assert " ".join(str(scores(root, distinct)[root]) for root in (CORNER, EDGE, CENTRE)) == expected


def path(distinct: bool) -> list[str]:
    return [format_position(step.best[0]) for step in best_path(EMPTY, distinct)]


def test_the_best_path_leads_into_the_opposite_edge_and_leaves_x_four_moves() -> None:
    """Clojure article, part 2: four moves, and on the fifth "a choice of four" that all draw."""
    assert path(distinct=False)[:4] == ["X../.../...", "X../.O./...", "X../.OX/...", "X../.OX/..O"]
    fifth = best_path(EMPTY)[4]
    assert len(best_path(EMPTY)) == 5
    assert len(fifth.best) == 4
    assert all(worth(each) == 0 and is_settled(each) for each in fifth.best)


def test_with_distinct_moves_only_the_best_path_is_the_opposite_corner() -> None:
    """Clojure article, part 2: "the “best” game now takes a different path"."""
    assert path(distinct=True) == ["X../.../...", "X../.O./...", "X../.O./..X", "XO./.O./..X"]


@pytest.mark.parametrize("distinct", [False, True])
def test_the_best_reply_to_the_edge_is_a_corner_on_the_same_edge(distinct: bool) -> None:
    """Clojure article, part 2: also its three losing options of seven, and X's best answer."""
    tree, values = reduced_tree(EDGE), scores(EDGE, distinct)
    (reply,) = best_replies(tree, values, EDGE)
    assert format_position(reply) == "OX./.../..."
    assert sorted(values[child] == -1 for child in tree.children(reply)) == [False] * 4 + [True] * 3
    (answer,) = best_replies(tree, values, reply)
    assert format_position(answer) == "OX./.../X.."
    (draw,) = best_replies(tree, values, answer)
    assert format_position(draw) == "OX./.O./X.."
    assert worth(draw) == 0
    assert is_settled(draw)


def test_after_corner_and_centre_the_last_two_of_four_moves_set_traps() -> None:
    """Clojure article, part 2, on the corner branch."""
    tree = reduced_tree(CORNER)
    children = tree.children(parse_position("X../.O./..."))
    assert [bool(tree.children(child)) for child in children] == [False, False, True, True]
    assert [format_position(child) for child in children[2:]] == ["X../.OX/...", "X../.O./..X"]


def test_the_opposite_edge_traps_o_twice_at_level_4_and_twice_at_level_6_and_x_once() -> None:
    tree = reduced_tree(parse_position("X../.OX/..."))
    assert Counter((worth(leaf), 9 - leaf.plies_left) for leaf in leaves(tree) if worth(leaf)) == {
        (1, 4): 2,
        (1, 6): 2,
        (-1, 5): 1,
    }


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


def test_weights_count_every_move_or_every_distinct_one() -> None:
    tree = reduced_tree(EMPTY)
    assert list(weights_of(tree, EMPTY).values()) == [4, 4, 1]
    assert list(weights_of(tree, EMPTY, distinct=True).values()) == [1, 1, 1]


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


def test_squares_are_named_by_where_they_lie() -> None:
    row = ["corner", "edge", "corner"]
    assert [square_name(cell) for cell in range(9)] == [*row, "edge", "centre", "edge", *row]
    assert [place_name(cell, 1) for cell in (0, 3, 4, 6, 7)] == [
        "corner on the same edge",
        "neighbouring edge",
        "centre",
        "corner on the opposite edge",
        "opposite edge",
    ]
