"""The wall clock is believed about the age of games only after it has kept step with a clock that nobody sets."""

import pytest

from webapp.live.clocks import AGREEMENT, JUMP, ClockWatch


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_clock_is_trusted_after_it_has_kept_step_for_an_hour() -> None:
    wall, steady = Clock(), Clock()
    watch = ClockWatch(wall, steady)
    assert not watch.is_trusted()
    wall.now += AGREEMENT + JUMP
    steady.now += AGREEMENT
    assert watch.is_trusted()


@pytest.mark.parametrize("jump", [JUMP + 1, -JUMP - 1])
def test_a_jump_is_logged_once_and_begins_the_hour_anew(jump: float, caplog: pytest.LogCaptureFixture) -> None:
    wall, steady = Clock(), Clock()
    watch = ClockWatch(wall, steady)
    for clock in (wall, steady):
        clock.now += AGREEMENT
    wall.now += jump
    assert not watch.is_trusted()
    for clock in (wall, steady):
        clock.now += AGREEMENT
    assert watch.is_trusted()
    assert caplog.text.count("has jumped") == 1
