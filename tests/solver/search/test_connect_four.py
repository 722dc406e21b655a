"""Scores of Connect Four alone, and the classes of positions for which the benchmark counts their nodes."""

from functools import partial
from itertools import islice

import pytest

from solver.board.outcome import DRAWN, Outcome
from solver.proofs.prediction import score_of
from solver.proofs.study import Study
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import narrowing, narrowing_score, prove_score
from solver.search.solver import Solver
from tests.benchmarks.connect_four import CLASSES, RULES, Difficulty, positions
from tests.marked import slow

BOUNDS = {
    "End-Easy": (29, 41, 0, 13),
    "Middle-Easy": (15, 28, 0, 13),
    "Middle-Medium": (15, 28, 14, 27),
    "Begin-Easy": (0, 14, 0, 13),
    "Begin-Medium": (0, 14, 14, 27),
    "Begin-Hard": (0, 14, 28, 42),
}
"""The published bounds of each class: the fewest and the most stones, then plies to the end."""


def test_the_classes_have_the_published_bounds() -> None:
    bounds = {each.name: (each.stones[0], each.stones[-1], each.plies[0], each.plies[-1]) for each in CLASSES}
    assert bounds == BOUNDS


@pytest.mark.parametrize("wanted", CLASSES, ids=lambda wanted: wanted.name)
def test_positions_end_when_their_class_says_and_no_win_is_within_two_plies(wanted: Difficulty) -> None:
    fewest, most, soonest, latest = BOUNDS[wanted.name]
    for position in islice(positions(wanted), 2):
        score = prove_score(position).score
        assert score is not None
        plies = Outcome.of_score(score, position.plies_left).plies
        assert plies is not None
        assert soonest <= plies <= latest
        assert plies > 2 or score == DRAWN
        assert fewest <= RULES.size - position.plies_left <= most


def test_each_class_has_the_same_positions_every_time() -> None:
    end_easy = CLASSES[0]
    assert [*islice(positions(end_easy), 3)] == [*islice(positions(end_easy), 3)]


@pytest.mark.parametrize("wanted", [*CLASSES[:-2], *slow(CLASSES[-2])], ids=lambda wanted: wanted.name)
def test_the_score_among_moves_takes_at_most_twice_the_nodes_of_the_score(wanted: Difficulty) -> None:
    nodes = most = 0
    for position in islice(positions(wanted), 4):
        found, study, solver, meter = prove_score(position), Study(position), Solver(RULES), Meter(UNLIMITED)
        for after, bounds in narrowing_score(partial(narrowing, solver), solver, position, study.bounds, meter):
            study.learn({after: bounds})
        assert found.score is not None
        assert study.prediction().score == score_of(Outcome.of_score(found.score, position.plies_left), position)
        nodes, most = nodes + meter.nodes, most + 2 * found.nodes
    assert nodes <= most
