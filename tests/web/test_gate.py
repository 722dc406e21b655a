"""The gate: the order of tasks and turns, sharing, refusals and cancellation, with the tests' clock and processes."""

from dataclasses import replace

import pytest

from tests.web.desk import LIMITS, Desk, played, scenes
from webapp.serving.pool.messages import Done


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
