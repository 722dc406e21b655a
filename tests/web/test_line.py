"""The pool as page processes see it: the gate's decisions, its tasks, and the line to it; the tests are the gate."""

import asyncio
import pickle
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.proofs.prediction import ProofState, ProofStatus
from tests.in_thread import run_apart
from tests.web.desk import LIMITS, Desk, played, scenes
from webapp.config import AppConfig
from webapp.processes.prover import TaskRunner, _Cancelling, _work
from webapp.serving.http.errors import Busy, ClientDisconnected
from webapp.serving.pool.asking import Line, TaskFailed, answer_question, make_page
from webapp.serving.pool.messages import Done, Failed, GateAnswer, Refused, Status, Task, Wire


@pytest.mark.parametrize("scene", scenes(), ids=lambda scene: scene.partition("\n")[0])
def test_the_gate_decides_as_it_did(scene: str) -> None:
    assert played(scene) == scene


def test_results_are_kept_up_to_their_bytes() -> None:
    desk = Desk(replace(LIMITS, results=100_000))
    for number in range(20):
        desk.ask("a", "long", str(number))
        desk.take(1)
        desk.gate.finished(1, Done(bytes(10_000)), lasting=True)
    kept = [number for number in range(20) if " done " in desk.ask(str(number), "long", str(number))]
    assert kept == list(range(20 - len(kept), 20))
    assert 8 <= len(kept) <= 10


@pytest.fixture(scope="module")
def tasks() -> TaskRunner:
    return TaskRunner(AppConfig(allowed_hosts=("play.example",)))


def test_a_page_is_made_whatever_hosts_are_answered_for(tasks: TaskRunner) -> None:
    (_, status, _), lasting = tasks.run(Task.of(make_page, "/learn/forks", ""))
    assert (status, lasting) == (200, True)


@pytest.mark.usefixtures("without_books")
@pytest.mark.slow
def test_a_page_that_will_change_is_not_lasting(tasks: TaskRunner) -> None:
    (_, status, _), lasting = tasks.run(Task.of(make_page, "/learn/explorer", "board=8x8x5"))
    assert (status, lasting) == (200, False)


def test_a_refused_page_is_not_lasting(tasks: TaskRunner) -> None:
    (_, status, _), lasting = tasks.run(Task.of(make_page, "/learn/erlang", "board=8x8x5"))
    assert (status, lasting) == (400, False)


def test_a_task_that_fails_says_so_and_the_process_lives(tasks: TaskRunner) -> None:
    said = _work(0.0, Task.of(answer_question, "nobody"), tasks.run, _Cancelling())
    assert said[0] == "failed"


TASK = Task.of(answer_question, "nobody")
APP = Flask(__name__)
POSITION = Position(parse_rules("8x8x5"))

Asked = asyncio.Task[Any]


def talk(scenario: Callable[[Line, Wire], Coroutine[Any, Any, None]], folder: Path) -> None:
    """Play a scenario with a line and the gate's end of its wire."""

    async def play() -> None:
        came: asyncio.Queue[Wire] = asyncio.Queue()
        wires = []

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            wires.append(Wire(reader, writer))
            await came.put(wires[-1])

        async with await asyncio.start_unix_server(connected, folder / "gate"):
            line = Line(folder / "gate", 7, search_nodes=0)
            listening = asyncio.create_task(line.listen())
            gate = await came.get()
            assert await gate.receive() == ("page", 7)
            await asyncio.wait_for(scenario(line, gate), 20)
            listening.cancel()
            await asyncio.wait([listening])
            for wire in wires:
                wire.close()

    run_apart(play())


def asking(question: Callable[[], Any], gone: Callable[[], bool] = bool) -> Asked:
    """Ask in a thread of its own, on behalf of a visitor who may be gone."""

    def ask() -> Any:
        with APP.test_request_context(environ_base={"REMOTE_ADDR": "192.0.2.1", "noughts.gone": gone}):
            return question()

    return asyncio.create_task(asyncio.to_thread(ask))


def test_a_task_goes_to_the_gate_and_its_result_comes_back(tmp_path: Path) -> None:
    async def scenario(line: Line, gate: Wire) -> None:
        asked = asking(lambda: line.run(TASK))
        kind, number, client, length, content = await gate.receive()
        assert (kind, client, length, pickle.loads(content)) == ("ask", "192.0.2.1", "short", TASK)  # noqa: S301
        gate.send(number, Done(pickle.dumps("made")))
        assert await asked == "made"

    talk(scenario, tmp_path)


@pytest.mark.parametrize(
    ("answer", "error"),
    [(Refused(9, "full"), Busy(9)), (Failed("broken"), TaskFailed("broken")), (None, Busy(5))],
)
def test_a_task_not_done_raises_why(tmp_path: Path, answer: GateAnswer | None, error: Exception) -> None:
    async def scenario(line: Line, gate: Wire) -> None:
        asked = asking(lambda: line.run(TASK))
        _, number, *_ = await gate.receive()
        if answer is None:
            gate.close()
        else:
            gate.send(number, answer)
        with pytest.raises(type(error)) as raised:
            await asked
        assert vars(raised.value) == vars(error)

    talk(scenario, tmp_path)


def test_a_task_whose_visitor_has_gone_is_dropped(tmp_path: Path) -> None:
    async def scenario(line: Line, gate: Wire) -> None:
        asked = asking(lambda: line.run(TASK), lambda: True)
        _, number, *_ = await gate.receive()
        assert await gate.receive() == ("drop", number)
        with pytest.raises(ClientDisconnected):
            await asked

    talk(scenario, tmp_path)


def test_the_state_of_a_proof_comes_with_what_is_proved(tmp_path: Path) -> None:
    async def scenario(line: Line, gate: Wire) -> None:
        watching = asking(lambda: line.watch(POSITION, True))
        _, number, client, content, in_view = await gate.receive()
        assert (client, pickle.loads(content), in_view) == ("192.0.2.1", POSITION, True)  # noqa: S301 - our own
        gate.send(number, Status("proving", 2, pickle.dumps(((0, 1, 2),))))
        assert await watching == ProofStatus(ProofState.PROVING, 2, ((0, 1, 2),))

    talk(scenario, tmp_path)
