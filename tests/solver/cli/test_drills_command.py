"""`noughts drills`: drills on the command line."""

import json
from collections.abc import Callable

import pytest

from solver.analysis.drills import DrillKind, drills
from tests.solver.conftest import Run
from tests.strategies import TIC_TAC_TOE


def test_drills_are_printed_as_boards_with_their_tasks(run: Run) -> None:
    code, out, err = run("drills", "--kind", "only-move", "--seed", "1", "--count", "2")
    assert (code, err) == (0, "")
    assert out == (
        "3x3x3-.OX_X.._...-only-move  (51 of 100)\n"
        ".OX\nX..\n...\nO to move: find the one square that keeps the draw.\n\n"
        "3x3x3-..X_X.._..O-only-move  (65 of 100)\n"
        "..X\nX..\n..O\nO to move: find the one square that keeps the draw.\n"
    )


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("3x3x3-X.O_.X._..O-block", "Answer: c2."),
        ("3x3x3-.X._..._O..-evaluate", "Answer: X wins in 3 moves (5 plies)."),
    ],
)
def test_an_id_shows_one_drill_and_answers_come_if_they_are_asked_for(run: Run, id: str, answer: str) -> None:  # noqa: A002
    assert "Answer" not in run("drills", id)[1]
    assert run("drills", id, "--answers")[1].splitlines()[-1] == answer
    (told,) = json.loads(run("drills", id, "--json")[1])["drills"]
    assert told["id"] == id


def test_json_has_every_drill_of_a_kind_with_its_answers(run: Run) -> None:
    report = json.loads(run("drills", "3x3x3", "--kind", "only-move", "--json")[1])
    assert (report["board"], len(report["drills"])) == ("3x3x3", len(drills(TIC_TAC_TOE, DrillKind.ONLY_MOVE)))
    assert report["drills"][0] == {
        "id": "3x3x3-OXO_X.._...-only-move",
        "kind": "only-move",
        "position": "OXO/X../...",
        "to_move": "X",
        "answers": ["b2"],
        "outcome": "win",
        "plies": 3,
        "difficulty": 45,
    }


def test_the_same_seed_sets_the_same_drills(run: Run) -> None:
    first, second, other = (run("drills", "--seed", seed, "--count", "9", "--json")[1] for seed in ("a", "a", "b"))
    assert first == second != other


@pytest.mark.parametrize(
    "arguments",
    [
        ("7x7x5",),
        ("3x3x3", "--board", "4x4x4"),
        ("--kind", "zugzwang"),
        ("--count", "0"),
        ("--count", "few"),
        ("3x3x3-X.O_.X._..O-fork",),
        ("3x3x3-X.O_.X._..O-block", "--seed", "1"),
        ("X.O/.X./..O",),
    ],
)
def test_what_makes_no_sense_is_refused(refuse: Callable[..., None], arguments: tuple[str, ...]) -> None:
    refuse("drills", *arguments)
