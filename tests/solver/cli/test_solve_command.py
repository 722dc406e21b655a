"""The command `solve`, and the budgets that it shares with `predict`."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_cell, parse_position, parse_rules
from solver.board.outcome import Outcome
from solver.board.position import Position, Result
from solver.cli.command import parse_budget
from solver.errors import BadOption
from solver.kernel.engine import KERNEL
from solver.proofs.study import study_of
from solver.search.exact import prove_score
from solver.search.solver import shared_solver, shared_solvers
from tests.solver.conftest import Run, on_terminal

NOUGHTS = [sys.executable, "-m", "solver"]
LARGE = "8x7x4"
"""A board that no machine proves during a test, and that no other test uses."""


@pytest.fixture
def solved(reported: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs `noughts solve` and returns its object."""
    return partial(reported, "solve")


@pytest.mark.parametrize("board", ["3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "1x1x1", "2x2x2"])
def test_the_outcome_is_that_of_the_solver(solved: Callable[..., Any], board: str) -> None:
    position = Position(parse_rules(board))
    score = prove_score(position).score
    assert score is not None
    outcome = Outcome.of_score(score, position.plies_left)
    report = solved(board)
    assert (report["outcome"], report["plies"]) == (outcome.value, outcome.plies)


@pytest.mark.parametrize("board", ["3x3x3", "4x3x3", "4x4x3-misere", "5x4x4-gravity"])
def test_the_score_alone_is_that_of_all_squares_on_symmetric_boards_too(
    run: Run, solved: Callable[..., Any], board: str
) -> None:
    for remembered in (study_of, shared_solver, shared_solvers):
        remembered.cache_clear()
    alone = run("solve", board, "--score")
    assert not study_of(Position(parse_rules(board))).complete
    assert alone == (0, f"{solved(board, '--score')['score']}\n", "")


def test_a_table_decides_every_square_without_a_search(solved: Callable[..., Any]) -> None:
    found = solved("4x3x3-misere", "--moves", "b2c2", "--table")
    assert (found["nodes"], found["complete"]) == (0, True)


def test_a_table_that_is_too_large_is_refused_before_it_is_begun(run: Run) -> None:
    assert run("solve", "6x4x4", "--table")[2].startswith("noughts: The table of 6x4x4 has 55,062,586,341 bytes")


def test_the_object_has_every_documented_field(solved: Callable[..., Any]) -> None:
    for remembered in (study_of, shared_solver, shared_solvers):  # positions that other tests have proved take no nodes
        remembered.cache_clear()
    report = solved("4x3x3")
    assert report.keys() >= {"board", "position", "outcome", "plies", "line", "nodes", "seconds", "squares"}
    assert (report["board"], report["position"]) == ("4x3x3", "..../..../....")
    assert len(report["squares"]) == 12
    assert report["nodes"] > 0
    assert report["seconds"] >= 0


@pytest.mark.parametrize(("board", "moves"), [("4x3x3", ""), ("4x4x3", "a1"), ("4x4x4", ""), ("3x3x3", "b2b1")])
def test_the_line_is_a_game_that_ends_as_is_reported(solved: Callable[..., Any], board: str, moves: str) -> None:
    report = solved(board, "--moves", moves)
    rules = parse_rules(board)
    position = start = parse_position(report["position"], rules)
    for name in report["line"]:
        position = position.play(parse_cell(name, rules))
    winner = {"win": start.mover, "loss": start.mover.other, "draw": Result.DRAW}[report["outcome"]]
    assert str(position.result) == str(winner)
    assert len(report["line"]) == report["plies"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_spent_budget_says_what_is_not_proved(run: Run, jobs: str) -> None:
    code, out, err = run("solve", LARGE, "--budget", "2000n", "--jobs", jobs)
    assert (code, err) == (0, "")
    assert "Perfect play: not proved" in out
    assert out.count("not proved") == 57


def test_a_budget_of_nodes_is_kept(solved: Callable[..., Any]) -> None:
    assert 0 < solved(LARGE, "--moves", "a1", "--budget", "3000")["nodes"] <= 3000
    assert 0 < solved(LARGE, "--moves", "a2", "--budget", "3000", "--jobs", "2")["nodes"] <= 3000


def test_predict_has_a_budget_too(run: Run) -> None:
    position = "/".join([".....", ".....", "..X..", "O....", "....."])
    assert "not proved" in run("predict", "--board", "5x5x5", position, "--budget", "0n")[1]
    assert "not proved" not in run("predict", "--board", "5x5x5", position.replace("O", "."), "--budget", "60s")[1]


@given(st.text() | st.text("0123456789.,nsmh -"))
def test_any_other_text_is_refused_in_one_line_with_an_example(text: str) -> None:
    message = ""
    try:
        parse_budget(text)
    except BadOption as error:
        message = str(error)
    assert not message or (len(message.splitlines()) == 1 and "60s" in message)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_prints_and_stores_the_proofs_and_leaves_no_process_behind(tmp_path: Path, jobs: str) -> None:
    command = [*NOUGHTS, "solve", LARGE, "--jobs", jobs, "--json"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"NOUGHTS_CACHE": str(tmp_path)},
        start_new_session=True,
    ) as process:
        store = tmp_path / "proofs.sqlite"
        try:
            _wait_until(lambda: _rows(store) > 0, process)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to the workers too
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "")
    report = json.loads(out)
    assert len(report["squares"]) == 56
    assert report["nodes"] > 0
    assert _rows(store) > 0
    _wait_until(lambda: not _members(process.pid))


@pytest.mark.slow
def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*NOUGHTS, "solve", LARGE, "--jobs", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"NOUGHTS_CACHE": str(tmp_path), "NOUGHTS_KERNEL": "interpreted"},
        start_new_session=True,
    ) as process:
        store = tmp_path / "proofs.sqlite"
        _wait_until(lambda: _rows(store) > 0 and len(_members(process.pid)) > 2, process)
        process.kill()
    _wait_until(lambda: not _members(process.pid))


@pytest.mark.skipif(KERNEL == "interpreted", reason="interpreted threads would take turns")
def test_jobs_share_what_they_prove() -> None:
    asked = ["solve", "7x7x5", "--moves", "a1g7b5f2", "--json"]
    environment = os.environ | {"NOUGHTS_CACHE": "off"}

    def nodes(*options: str) -> int:
        done = subprocess.run([*NOUGHTS, *asked, *options], env=environment, capture_output=True, check=True)
        return int(json.loads(done.stdout)["nodes"])

    assert nodes("--jobs", "2") < 2 * nodes("--budget", "1000000n")


def test_progress_is_shown_only_on_a_terminal(run: Run) -> None:
    out, shown = on_terminal("solve", "4x3x3")
    assert run("solve", "4x3x3") == (0, out, "")
    assert "] 0 of 12 squares proved" in shown
    assert "] 12 of 12 squares proved" in shown
    assert shown.endswith(" \r")


def _rows(store: Path) -> int:
    """Return the number of positions proved in part; 0 until there is a table for them."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store)) as connection, suppress(sqlite3.OperationalError):
        return int(connection.execute("SELECT count(*) FROM proof").fetchone()[0])
    return 0


def _members(group: int) -> list[int]:
    """Return the living processes of a process group."""
    lines = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    fields = [line.split() for line in lines.splitlines()]
    return [int(pid) for pid, of, state in fields if int(of) == group and not state.startswith("Z")]


def _wait_until(holds: Callable[[], bool], process: "subprocess.Popen[Any] | None" = None) -> None:
    """Wait for up to two minutes; fail as soon as the process ends."""
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        assert process is None or process.poll() is None
        time.sleep(0.05)
