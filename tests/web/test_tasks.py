"""The tasks of the pool."""

import pytest

from webapp.config import AppConfig
from webapp.processes.prover import TaskRunner, _Cancelling, _work
from webapp.serving.pool.messages import Length, Task


@pytest.fixture(scope="module")
def tasks() -> TaskRunner:
    return TaskRunner(AppConfig(allowed_hosts=("play.example",)))


def test_a_page_is_made_whatever_hosts_are_answered_for(tasks: TaskRunner) -> None:
    (_, status, _), lasting = tasks.page("/learn/forks", "")
    assert (status, lasting) == (200, True)


@pytest.mark.usefixtures("without_books")
@pytest.mark.slow
def test_a_page_that_will_change_is_not_lasting(tasks: TaskRunner) -> None:
    (_, status, _), lasting = tasks.page("/learn/explorer", "board=8x8x5")
    assert (status, lasting) == (200, False)


def test_a_refused_page_is_not_lasting(tasks: TaskRunner) -> None:
    (_, status, _), lasting = tasks.page("/learn/census", "board=8x8x5")
    assert (status, lasting) == (400, False)


def test_a_task_that_fails_says_so_and_the_process_lives(tasks: TaskRunner) -> None:
    said = _work(0.0, Task(Length.SHORT, "answer", ("nobody",)), tasks.run, _Cancelling())
    assert said[0] == "failed"
