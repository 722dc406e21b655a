"""The command `menace`."""

import json
from fractions import Fraction

import pytest

from solver.board.notation import format_cell, format_position
from solver.board.rules import TIC_TAC_TOE
from solver.players import STRATEGIES
from solver.players.learning.boxes import boxes
from tests.solver.conftest import Run


def test_menace_prints_an_object_for_each_game_and_one_for_the_exam(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.cli.learn.playing_on", lambda _: (STRATEGIES["easy"], STRATEGIES["seven-rules"]))
    code, out, err = run("menace", "--opponent", "seven-rules", "--games", "2", "--seed", "1", "--json")
    start, first, second, last = map(json.loads, out.splitlines())
    assert (code, err) == (0, "")
    assert {each["board"] + each["from"] for each in (start, first, second, last)} == {"3x3x3.../.../..."}
    assert [start["games"], first["games"], second["games"], last["games"]] == [0, 1, 2, 2]
    assert start["chances"]["draw"] == pytest.approx(float(Fraction(31, 120)))
    box = first["boxes"][0]
    assert box == {
        "box": 1,
        "position": ".../.../...",
        "square": "b3",
        "played": "b3",
        "before": {"a3": 4, "b3": 4, "b2": 4},
        "after": {"a3": 4, "b3": 5, "b2": 4},
    }
    opened = second["boxes"][1]
    own = boxes()[opened["box"] - 1]
    assert opened["position"] == format_position(own.position)
    assert list(opened["before"]) == [format_cell(cell, TIC_TAC_TOE) for cell in own.squares]
    assert opened["square"] in opened["before"]
    assert opened["played"] == second["moves"][4:6]
    assert (first["moves"], first["result"], first["resigned"]) == ("b3b2a1b1c2c3c1a2a3", "draw", False)
    assert list(last["exam"]) == ["easy", "seven-rules"]
    assert all(sum(map(Fraction, odds.values())) == 1 for odds in last["exam"].values())


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
