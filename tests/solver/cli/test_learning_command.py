"""The command `menace`."""

import pytest

from tests.solver.conftest import Run


@pytest.mark.slow
def test_menace_draws_a_graph_of_its_chances(run: Run) -> None:
    code, out, _ = run("menace", "--opponent", "impossible", "--games", "40", "--seed", "1")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "MENACE learns as X against Perfect, seed 1: 40 games.")
    assert lines[2].split() == ["0", "0.0%", "23.6%", "76.4%", "-" * 9 + "L" * 31]
    assert lines[22].split() == ["40", "0.0%", "0.0%", "100.0%", "L" * 40]
    assert "It resigned 24 of them, since the box to open was empty." in lines
    out = run("menace", "--opponent", "impossible", "--games", "40", "--seed", "1", "--learner", "q")[1]
    assert "After 31 games, and from then on, it loses less than 10% of its games.\n" in out
