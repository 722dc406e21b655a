"""The census of the game tree, by oracles that walk every path. The claims hold the tables of the Clojure article."""

from collections import Counter
from math import factorial, perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.census import (
    MAX_STONES,
    SYMMETRY_NAMES,
    Stage,
    Tally,
    census,
    distinct_upper_bound,
    duplication,
    orders,
    run_pure,
    run_shared,
)
from solver.articles.graph import Graph, Kind, every_move, forced_moves, graph_of
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.position import Position, Result
from solver.board.rules import Rules
from solver.errors import TooLarge
from solver.search.minimax import minimax
from tests.marked import exhaustive, sampled, slow
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, boards, positions

TINY_BOARDS = [rules for rules in SMALL_BOARDS if rules.size <= 6]
WALKED = [stage for stage in Stage if stage is not Stage.UPPER_BOUND]
KINDS = {Result.X: "x_wins", Result.O: "o_wins", Result.DRAW: "draws", None: "internal"}


def walk(rules: Rules, stage: Stage) -> Counter[tuple[int, str]]:
    """Count by ply and kind as the article's function ttt-walk does, with the sets `dups` and `syms` of a stage."""
    counts: Counter[tuple[int, str]] = Counter()
    dups: set[Position] = set()
    syms: set[Position] = set()

    def visit(position: Position) -> None:
        level = rules.size - position.plies_left
        if position in dups:
            counts[level, "duplicates"] += 1
        elif position in syms:
            counts[level, "symmetric"] += 1
        else:
            if stage is not Stage.WON_CUT:
                dups.add(position)
            if stage in {Stage.SYMMETRY, Stage.FORCED}:
                syms.update({position.transformed(each) for each in rules.symmetries} - {position})
            counts[level, KINDS[position.result]] += 1
            for cell in forced_moves(position) if stage is Stage.FORCED else position.legal_moves:
                visit(position.play(cell))

    visit(Position(rules))
    return counts


def counted(tallies: tuple[Tally, ...]) -> Counter[tuple[int, str]]:
    names = ("internal", "x_wins", "o_wins", "draws", "duplicates", "symmetric")
    return Counter({(each.ply, name): getattr(each, name) for each in tallies for name in names})


def test_plain_minimax_visits_the_tree_that_ends_where_somebody_has_won() -> None:
    small = parse_rules("4x2x3")
    assert census(small, Stage.WON_CUT).nodes == minimax(Position(small)).nodes
    assert census(TIC_TAC_TOE, Stage.WON_CUT).nodes == 549_946


@pytest.mark.parametrize("stage", WALKED)
@pytest.mark.parametrize("rules", sampled(TINY_BOARDS, 4), ids=str)
def test_a_stage_counts_what_the_articles_walk_counts(rules: Rules, stage: Stage) -> None:
    assert counted(census(rules, stage).plies) == walk(rules, stage)


@pytest.mark.parametrize("board", ["3x3x3", "4x2x3", *slow("5x2x3"), *exhaustive("4x3x3")])
@pytest.mark.parametrize("stage", [Stage.SYMMETRY, Stage.FORCED])
def test_the_nodes_and_forks_are_those_of_the_graph(stage: Stage, board: str) -> None:
    rules = parse_rules(board)
    graph: Graph = graph_of(Position(rules), forced_moves if stage is Stage.FORCED else every_move)
    kinds = Counter((rules.size - each.plies_left, kind) for each, kind in graph.nodes.items())
    for each in census(rules, stage).plies:
        assert each.forks == kinds[each.ply, Kind.FORK]
        assert each.internal == each.forks + kinds[each.ply, Kind.INTERNAL]
        assert each.total == sum(kinds[each.ply, kind] for kind in Kind)


@pytest.mark.parametrize("rules", sampled([TIC_TAC_TOE, *TINY_BOARDS], 4), ids=str)
def test_forks_are_counted_with_the_positions_and_the_games_that_lead_to_them(rules: Rules) -> None:
    """A fork's position is open, so that every order of its moves is a game."""
    graph = graph_of(Position(rules), symmetric=False)
    forks = Counter(rules.size - each.plies_left for each, kind in graph.nodes.items() if kind is Kind.FORK)
    for position, path in zip(census(rules, Stage.DUPLICATES).plies, census(rules, Stage.WON_CUT).plies, strict=True):
        assert position.forks == forks[position.ply]
        assert path.forks == position.forks * duplication(position.ply)


@given(boards())
def test_the_upper_bound_is_a_formula_for_every_board(rules: Rules) -> None:
    found = census(rules, Stage.UPPER_BOUND)
    assert found.nodes == sum(perm(rules.size, ply) for ply in range(rules.size + 1))
    for each, distinct in zip(found.plies, distinct_upper_bound(rules), strict=True):
        assert distinct * duplication(each.ply) == each.total


@pytest.mark.parametrize("stage", WALKED)
def test_what_cannot_be_walked_is_refused_with_what_can(stage: Stage) -> None:
    with pytest.raises(TooLarge, match="up to 16 squares"):
        census(parse_rules("6x3x3"), stage)


@given(positions(st.just(TIC_TAC_TOE)).filter(lambda each: each.plies_left >= 9 - MAX_STONES))
def test_every_order_leads_to_the_position_and_none_is_missing(position: Position) -> None:
    found = orders(position)
    assert len(set(found)) == len(found) == factorial(position.x.bit_count()) * factorial(position.o.bit_count())
    for moves in found:
        at = Position(TIC_TAC_TOE)
        for move in moves:
            at = at.play(move)
        assert at == position


def test_an_order_in_which_the_game_ends_before_is_none() -> None:
    rules = parse_rules("5x1x2")
    found = ["".join(format_cell(cell, rules)[0] for cell in moves) for moves in orders(parse_position("XXOXO", rules))]
    assert len(found) == 8
    assert {moves[-1] for moves in found} == {"a", "b"}  # with d last, a and b are a line before the end


def test_orders_of_many_stones_are_refused() -> None:
    with pytest.raises(TooLarge, match="up to 6 stones"):
        orders(parse_position("XOX/XOO/.X.", TIC_TAC_TOE))


@pytest.mark.parametrize(
    ("name", "corner", "edge"),
    [
        ("as it is", "a3", "b3"),
        ("turned a quarter to the right", "c3", "c2"),
        ("turned half round", "c1", "b1"),
        ("turned a quarter to the left", "a1", "a2"),
        ("mirrored left to right", "c3", "b3"),
        ("mirrored top to bottom", "a1", "b1"),
        ("mirrored on the diagonal from the top left", "a3", "a2"),
        ("mirrored on the diagonal from the top right", "c1", "c2"),
    ],
)
def test_a_symmetry_does_what_it_is_called(name: str, corner: str, edge: str) -> None:
    (symmetry,) = (each for each, called in SYMMETRY_NAMES.items() if called == name)
    assert [format_cell(symmetry[cell], TIC_TAC_TOE) for cell in (0, 1)] == [corner, edge]


@pytest.mark.parametrize("text", ["X../.O./...", "XO./.../...", "XOX/OXO/OX.", "XXX/OO./..."])
def test_both_walks_count_every_node(text: str) -> None:
    position = parse_position(text, TIC_TAC_TOE)
    nodes, steps = run_pure(position)
    assert run_shared(position) == (nodes, steps)
    assert nodes.total() == steps


def test_the_pure_walk_may_remember_and_the_other_then_misses_nodes() -> None:
    different = census(TIC_TAC_TOE, Stage.DUPLICATES).nodes
    nodes, steps = run_pure(Position(TIC_TAC_TOE), remember=True)
    assert (nodes.total(), steps) == (census(TIC_TAC_TOE, Stage.WON_CUT).nodes, different)
    nodes, steps = run_shared(Position(TIC_TAC_TOE), remember=True)
    assert (nodes.total(), steps) == (different, different)
