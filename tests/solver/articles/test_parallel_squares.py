"""Parallel evaluation: the outcomes of serial evaluation, and the number of processes of the article's code."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.parallel_squares import (
    COLLIDE,
    Evaluation,
    Mailbox,
    Timing,
    by_comprehension,
    by_map,
    by_nested_comprehension,
    by_scattering,
    by_squares,
    by_tasks,
    compare,
    evaluate,
    processes_below,
)
from solver.board.game import parse_game
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.errors import TooLarge
from solver.proofs.predict import predict
from solver.proofs.workers import Workers
from tests.solver.conftest import Run
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, positions


@contextmanager
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


@examples(30)
@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_all_at_once_or_one_after_another_the_outcomes_are_those_of_the_table(position: Position) -> None:
    if position.result is None:
        serial, parallel = evaluate(position, None), evaluate(position, Workers(threads, 2))
        assert serial.squares == parallel.squares == predict(position).squares
        assert serial.nodes == parallel.nodes


@examples(20)
@given(positions(st.just(TIC_TAC_TOE), max_empty=6))
def test_three_ways_in_order_and_three_with_a_process_for_each_square_give_the_same_list(position: Position) -> None:
    if position.result is None:
        answers = by_map(position)
        assert by_comprehension(position) == by_nested_comprehension(position) == answers
        with ThreadPoolExecutor(TIC_TAC_TOE.size) as executor:
            for way in (by_tasks, by_squares, by_scattering):
                inbox = Mailbox(executor)
                assert way(position, inbox) == answers
                assert len(inbox.came) == TIC_TAC_TOE.size
        assert [cell for cell, answer in enumerate(answers) if answer != COLLIDE] == list(position.legal_moves)


def test_a_larger_board_is_evaluated_by_exact_search_either_way() -> None:
    start = Position(parse_rules("4x3x3"))
    compared = compare(start, 2)
    assert compared.serial.squares == compared.parallel.squares
    assert compared.speedup > compared.speedup_with_start > 0


@pytest.mark.parametrize(("starting", "pays"), [(0.4, True), (0.5, False), (0.6, False)])
def test_processes_pay_if_they_are_faster_with_the_time_to_start_them(starting: float, pays: bool) -> None:
    serial, parallel = Evaluation({}, 100, 1.0), Evaluation({}, 100, 0.5)
    assert Timing(Position(TIC_TAC_TOE), 2, serial, parallel, starting).pays is pays


def test_the_command_reports_both_ways(reported: Callable[..., Any], run: Run) -> None:
    report = reported("parallel", "--moves", "b2a1")
    playing = processes_below(parse_game("3x3x3", None, "b2a1").last).playing
    assert (report["squares"], report["serial"]["nodes"], report["parallel"]["nodes"]) == (7, playing, playing)
    assert report["pays"] == (report["speedup_with_start"] > 1)
    printed = run("parallel", "--moves", "b2a1")[1]
    assert "2 processes: 6,811 nodes" in printed
    assert printed.splitlines()[-1] in ("So it pays here.", "So it does not pay here.")


def spawned(position: Position, size: int) -> tuple[int, int, list[int]]:
    """Count the processes of the article's code below a position: all, those of open squares, and by generation."""
    if position.result is not None:
        return 0, 0, []
    parts = [spawned(position.play(cell), size) for cell in position.legal_moves]
    generations = [size] + [0] * max(len(alive) for *_, alive in parts)
    for *_, alive in parts:
        for later, number in enumerate(alive):
            generations[later + 1] += number + 1
    return (
        size + sum(all_of_it for all_of_it, *_ in parts),
        len(parts) + sum(playing for _, playing, _ in parts),
        generations,
    )


@examples(30)
@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_processes_are_those_that_one_counts_by_walking_the_tree(position: Position) -> None:
    found = processes_below(position)
    if position.result is None:
        assert (found.spawned, found.playing, list(found.at_once)) == spawned(position, position.rules.size)


def test_processes_are_not_counted_on_larger_boards() -> None:
    with pytest.raises(TooLarge, match="nine squares"):
        processes_below(Position(parse_rules("4x3x3")))
