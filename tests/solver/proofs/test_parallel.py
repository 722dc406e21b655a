"""Proofs by many workers are those of one, whatever happens to the workers."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any, NoReturn

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.cli import main
from solver.errors import BadOption
from solver.kernel.engine import KERNEL
from solver.proofs.study import study_of
from solver.proofs.workers import MAX_DEATHS, Workers, narrowing_by, processes
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver
from tests.cluster import cluster_of_two
from tests.solver import stored_proofs as proofs
from tests.solver.conftest import Run

SECONDS_LONG = "6x5x4" if KERNEL == "compiled" else "5x4x4"
"""A board whose proof takes long enough for something to happen meanwhile."""

Known = dict[Position, Bounds]


def opened(board: str) -> Known:
    """Return the positions after one move on the empty board."""
    return proofs.opened(Position(parse_rules(board)))


def proved_by_one(board: str) -> Known:
    known = opened(board)
    return known | dict(narrowing(Solver(parse_rules(board)), known, Meter(UNLIMITED)))


def proved_by(pool: Workers, board: str, meanwhile: Callable[[], None] = lambda: None) -> Known:
    """Return the bounds that the pool proves; call `meanwhile` after the first answer."""
    known = opened(board)
    answers = narrowing_by(pool, dict(known), Meter(UNLIMITED))
    known |= [next(answers)]
    meanwhile()
    return known | dict(answers)


@contextmanager
def threads(width: int) -> Iterator[Executor]:
    with ThreadPoolExecutor(width) as executor:
        yield executor


@pytest.mark.parametrize("board", ["4x4x3", "5x4x4"])
@pytest.mark.parametrize(
    "pool",
    [Workers(partial(threads, 1), 1), Workers(partial(threads, 3), 3), processes(2)],
    ids=["1", "3", "processes"],
)
def test_any_executor_proves_what_one_process_proves(pool: Workers, board: str) -> None:
    assert proved_by(pool, board) == proved_by_one(board)


def test_what_is_known_is_not_asked_for() -> None:
    known = proved_by_one("4x4x3")
    assert list(narrowing_by(processes(2), known, Meter(UNLIMITED))) == []


def test_false_bounds_that_cross_are_given_up() -> None:
    crossed = {position: Bounds(5, -5) for position in opened("4x4x3")}
    assert list(narrowing_by(Workers(partial(threads, 2), 2), crossed, Meter(UNLIMITED))) == []


def test_all_workers_together_keep_to_the_nodes_of_the_budget() -> None:
    meter = Meter(Budget(nodes=5000))
    list(narrowing_by(Workers(partial(threads, 4), 4), opened("8x8x5"), meter))
    assert 4000 < meter.nodes <= 5000


def test_all_workers_keep_to_the_seconds_of_the_budget() -> None:
    meter = Meter(Budget(seconds=0.2))
    list(narrowing_by(Workers(partial(threads, 2), 2), opened("8x8x5"), meter))
    assert meter.exhausted  # and it ends, where the proof would not
    assert meter.seconds >= 0.2


@pytest.mark.slow
def test_stopping_early_leaves_no_process_behind() -> None:
    before = set(active_children())
    answers = narrowing_by(processes(2), opened("8x8x5"), Meter(UNLIMITED))
    next(answers)
    assert set(active_children()) - before
    answers.close()
    assert not set(active_children()) - before


@pytest.mark.slow
def test_the_task_of_a_worker_that_is_killed_is_done_by_another() -> None:
    before = set(active_children())

    def kill_one() -> None:
        process, *_ = set(active_children()) - before
        process.kill()

    assert proved_by(processes(2), SECONDS_LONG, kill_one) == proved_by_one(SECONDS_LONG)


class Failing(Executor):
    """An executor whose tasks all end with the same error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(self._error)
        return future


def test_workers_that_die_again_and_again_are_given_up() -> None:
    begun: list[Executor] = []

    def start() -> Executor:
        begun.append(Failing(BrokenExecutor()))
        return begun[-1]

    with pytest.raises(ChildProcessError, match="died"):
        list(narrowing_by(Workers(start, 2), opened("4x4x3"), Meter(UNLIMITED)))
    assert len(begun) == MAX_DEATHS + 1


@pytest.mark.usefixtures("without_books")
def test_the_command_says_that_it_gave_up(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def give_up(*_: object) -> NoReturn:
        raise BrokenExecutor

    monkeypatch.setattr("solver.proofs.workers.ProcessPoolExecutor.submit", give_up)
    monkeypatch.setattr("solver.cli._give_up_output", lambda: None)
    assert main(["solve", "4x4x4-vanishing", "--jobs", "2"]) == 1
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("noughts: The workers died")


def test_workers_without_this_program_are_told_apart() -> None:
    pool = Workers(lambda: Failing(ModuleNotFoundError("No module named 'solver'")), 2)
    with pytest.raises(BadOption, match="Install the same version"):
        list(narrowing_by(pool, opened("4x4x3"), Meter(UNLIMITED)))


def test_dask_is_an_extra_that_the_message_names(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed.scheduler", None)
    refusal = "noughts: This needs distributed. Install it with: pip install 'noughts[dask]'\n"
    assert run("solve", "4x4x3", "--dask", "tcp://127.0.0.1:8786") == (2, "", refusal)


@pytest.mark.slow
def test_a_dask_cluster_proves_the_same_though_a_worker_is_killed(run: Run, tmp_path: Path) -> None:
    from solver.proofs.workers import cluster  # noqa: PLC0415 - only here is Dask needed

    with cluster_of_two(tmp_path) as (address, workers):
        assert cluster(address).width == 2
        proved = []
        for options in (["--dask", address], []):
            study_of.cache_clear()
            code, out, _ = run("solve", "4x4x3", *options, "--json")
            assert code == 0
            proved.append(json.loads(out)["squares"])
        assert proved[0] == proved[1]

        def kill_one() -> None:
            workers[0].send_signal(signal.SIGKILL)

        assert proved_by(cluster(address), SECONDS_LONG, kill_one) == proved_by_one(SECONDS_LONG)


@pytest.mark.slow
def test_where_no_scheduler_answers_the_command_says_so(run: Run) -> None:
    code, out, err = run("solve", "4x4x3", "--dask", "tcp://127.0.0.1:9")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "dask scheduler" in err
