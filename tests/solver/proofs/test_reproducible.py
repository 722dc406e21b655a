"""With a seed, replies depend on the position alone: not on the machine, its load, or earlier proofs."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given

from solver.board.game import Game
from solver.board.notation import parse_rules
from solver.board.outcome import WIN, Bounds
from solver.board.position import Position
from solver.players import STRATEGIES
from solver.players.match import play_game
from solver.players.searching import impossible_reproducibly
from solver.proofs.predict import predict, predict_reproducibly
from solver.proofs.store import Store
from solver.proofs.study import search_reproducibly, study_of
from solver.report import move_report
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver, shared_solver
from tests.benchmarks.proving import interpreted
from tests.solver.stored_proofs import LARGE, START, opened
from tests.strategies import TIC_TAC_TOE, boards, examples, positions, reachable

IMPOSSIBLE = replace(STRATEGIES["impossible"], reproducible=impossible_reproducibly)
"""The perfect opponent without a memory of decisions, so that it has to decide again."""
OPEN = START.play(27).play(36).play(28)
"""A position of which a search proves almost nothing."""
NODES = 400
"""Nodes of a prediction here, where the interpreted kernel makes many."""


@pytest.fixture(autouse=True)
def _few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proofs.study.REPRODUCIBLE_NODES", NODES)


@contextmanager
def knowing(position: Position, path: Path) -> Iterator[None]:
    """Have a store and this process know that one square wins and all others lose."""
    first, *others = opened(position)
    told = dict.fromkeys(others, Bounds(WIN - 3, WIN - 3)) | {first: Bounds(2 - WIN, 2 - WIN)}
    study_of.cache_clear()
    with Store(path) as store, pytest.MonkeyPatch.context() as patch:
        store.keep(told)
        patch.setattr("solver.proofs.study.default_store", lambda: store)
        study_of(position).learn(told)
        yield
    study_of.cache_clear()


def test_what_is_known_by_now_changes_no_reply_with_a_seed(path: Path) -> None:
    before = impossible_reproducibly(OPEN)
    with knowing(OPEN, path):
        assert IMPOSSIBLE.decide(OPEN).choices != before.choices
        assert impossible_reproducibly(OPEN) == before


def test_a_prediction_for_a_seed_is_neither_learnt_nor_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def untouched() -> Store:
        raise AssertionError

    monkeypatch.setattr("solver.proofs.study.default_store", untouched)
    studies, solvers = study_of.cache_info().currsize, shared_solver.cache_info().currsize
    search_reproducibly(OPEN.play(29))
    assert (study_of.cache_info().currsize, shared_solver.cache_info().currsize) == (studies, solvers)


def test_other_searches_change_no_prediction_for_a_seed() -> None:
    before = search_reproducibly(OPEN)
    assert before.nodes == NODES
    predict(OPEN, Budget(seconds=0.2))
    list(narrowing(shared_solver(LARGE), opened(OPEN), Meter(Budget(nodes=NODES))))
    assert search_reproducibly(OPEN) == before


def test_a_busy_machine_changes_no_prediction_for_a_seed() -> None:
    alone, over = search_reproducibly(OPEN), threading.Event()

    def keep_busy() -> None:
        while not over.is_set():
            list(narrowing(Solver(LARGE), opened(START), Meter(Budget(nodes=50))))

    with ThreadPoolExecutor(6) as executor:
        busy = [executor.submit(keep_busy) for _ in range(3)]
        try:
            assert list(executor.map(search_reproducibly, [OPEN] * 3)) == [alone] * 3
        finally:
            over.set()
    for each in busy:
        each.result()


@examples(15)
@example(position=OPEN)
@given(position=positions(boards()))
def test_both_kernels_predict_the_same_for_a_seed(position: Position) -> None:
    chosen = search_reproducibly(position)
    with interpreted():
        assert search_reproducibly(position) == chosen


def test_the_books_are_read_for_a_seed() -> None:
    prediction = predict_reproducibly(Position(parse_rules("6x6x4")))
    assert (prediction.complete, prediction.nodes) == (True, 0)


def test_what_is_predicted_for_a_seed_is_what_is_looked_up_on_small_boards() -> None:
    assert all(predict_reproducibly(position) == predict(position) for position in reachable(TIC_TAC_TOE))


def test_every_opponent_has_a_decision_that_stays() -> None:
    assert all(strategy.settled or strategy.reproducible is not None for strategy in STRATEGIES.values())


def test_a_finished_game_has_no_decision_with_a_seed_either() -> None:
    finished = Position(parse_rules("4x3x1"), 1)
    with pytest.raises(ValueError, match="finished game"):
        IMPOSSIBLE.decider("1")(finished)


def test_a_game_with_a_seed_is_the_same_whatever_is_known(path: Path) -> None:
    rules, easy = parse_rules("6x5x5"), STRATEGIES["easy"]
    game = play_game(rules, IMPOSSIBLE, easy, "7")
    with knowing(game.positions[2], path):
        assert play_game(rules, IMPOSSIBLE, easy, "7") == game


def test_a_report_with_a_seed_says_why_the_reproducible_decision_was_taken(path: Path) -> None:
    game = Game.starting(OPEN)
    with knowing(OPEN, path):
        reproducible, other = (move_report(game, IMPOSSIBLE, seed, 0) for seed in ("1", None))
    expected = impossible_reproducibly(OPEN)
    assert reproducible["reason"] == expected.explanation
    assert len(reproducible["choices"]) == len(expected.choices)
    assert reproducible["reason"] != other["reason"]
