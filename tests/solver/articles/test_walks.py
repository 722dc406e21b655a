"""The two walks of the Clojure article count the same, unless they remember positions."""

import pytest

from solver.articles.census import Stage, census
from solver.articles.walks import run_pure, run_shared
from solver.board.notation import parse_position
from solver.board.position import Position
from tests.strategies import TIC_TAC_TOE


@pytest.mark.parametrize("text", ["X../.O./...", "XO./.../...", "XOX/OXO/OX.", "XXX/OO./..."])
def test_both_walks_count_every_node(text: str) -> None:
    position = parse_position(text, TIC_TAC_TOE)
    nodes, steps = run_pure(position)
    assert run_shared(position) == (nodes, steps)
    assert nodes.total() == steps


@pytest.mark.exhaustive
def test_both_walks_count_the_whole_tree_as_the_census_does() -> None:
    nodes, _ = run_pure(Position(TIC_TAC_TOE))
    assert run_shared(Position(TIC_TAC_TOE))[0] == nodes
    assert nodes.total() == census(TIC_TAC_TOE, Stage.WON_CUT).nodes


def test_the_pure_walk_may_remember_and_the_other_then_misses_nodes() -> None:
    different = census(TIC_TAC_TOE, Stage.DUPLICATES).nodes
    nodes, steps = run_pure(Position(TIC_TAC_TOE), remember=True)
    assert (nodes.total(), steps) == (census(TIC_TAC_TOE, Stage.WON_CUT).nodes, different)
    nodes, steps = run_shared(Position(TIC_TAC_TOE), remember=True)
    assert (nodes.total(), steps) == (different, different)
