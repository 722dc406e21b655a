"""The turns of a server's prover, which prove a position for some seconds each."""

from pathlib import Path

import pytest

from solver.board.position import Position
from solver.proofs.store import Store
from solver.proofs.study import forget, study_of, take_turn


def test_a_turn_of_a_position_that_is_soon_proved_is_its_last(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Store(tmp_path / "proofs.sqlite") as store:
        monkeypatch.setattr("solver.proofs.study.default_store", lambda: store)
        position = Position("4x4x4")
        proved, is_complete = take_turn(position, 20.0)
        assert is_complete
        assert {move: (lower, upper) for move, lower, upper in proved} == {0: (0, 0), 1: (0, 0), 5: (0, 0)}
        kept = store.bounds_of([position.after(0), position.after(5)])
        assert all(bounds.score is not None for bounds in kept.values())


@pytest.mark.usefixtures("without_books")
def test_each_turn_goes_on_from_the_one_before_until_all_is_forgotten() -> None:
    position = Position("8x8x5").play("e4").play("d5")
    nodes = []
    for _ in range(2):
        assert not take_turn(position, 0.05)[1]
        nodes.append(study_of(position).nodes)
    assert nodes[0] < nodes[1]
    forget()
    assert study_of(position).nodes == 0
