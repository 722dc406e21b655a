"""The tasks of the pool."""

from pathlib import Path

import pytest

from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.proofs.store import Store
from solver.proofs.study import study_of
from webapp.config import AppConfig
from webapp.processes.prover import TaskRunner, _Cancelling, _done, _turn
from webapp.serving.pool.messages import Length, Task


@pytest.fixture(scope="module")
def tasks() -> TaskRunner:
    return TaskRunner(AppConfig(allowed_hosts=("play.example",)))


def test_a_page_is_made_whatever_hosts_are_answered_for(tasks: TaskRunner) -> None:
    page, lasting = tasks.page("/learn/forks", "")
    assert (page.status, lasting) == (200, True)


@pytest.mark.usefixtures("without_books")
@pytest.mark.slow
def test_a_page_that_will_change_is_not_lasting(tasks: TaskRunner) -> None:
    page, lasting = tasks.page("/learn/explorer", "board=8x8x5")
    assert (page.status, lasting) == (200, False)


def test_a_refused_page_is_not_lasting(tasks: TaskRunner) -> None:
    page, lasting = tasks.page("/learn/census", "board=8x8x5")
    assert (page.status, lasting) == (400, False)


def test_a_task_that_fails_says_so_and_the_process_lives(tasks: TaskRunner) -> None:
    said = _done(0.0, Task(Length.SHORT, "answer", ("nobody",)), tasks.run, _Cancelling())
    assert said[0] == "failed"


def test_a_turn_of_a_position_that_is_soon_proved_is_its_last(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Store(tmp_path / "proofs.sqlite") as store:
        monkeypatch.setattr("solver.proofs.store.default_store", lambda: store)
        position = Position(parse_rules("4x4x4"))
        found, complete = _turn(position, 20.0)
        assert complete
        assert {move: (lower, upper) for move, lower, upper in found} == {0: (0, 0), 1: (0, 0), 5: (0, 0)}
        assert all(
            bounds.score is not None for bounds in store.bounds_of([position.after(0), position.after(5)]).values()
        )


@pytest.mark.usefixtures("without_books")
def test_each_turn_goes_on_from_the_one_before() -> None:
    position = Position("8x8x5").play("e4").play("d5")
    nodes = []
    for _ in range(2):
        _, complete = _turn(position, 0.05)
        assert not complete
        nodes.append(study_of(position).nodes)
    assert nodes[0] < nodes[1]
