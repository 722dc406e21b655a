"""The commands that teach: reasons, reviews of games, and drills."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from solver.analysis.drills import DrillKind, drills
from tests.marked import slow
from tests.solver.conftest import Run
from tests.solver.reasons.sayings import reason_of
from tests.strategies import TIC_TAC_TOE

GAME = "c1b2a1b1a3a2c3b3"
"""The published game of "Minimax-based AI for the Tic-Tac-Toe game in Scala"."""


def test_review_prints_a_row_for_each_move_and_where_the_game_turned(run: Run) -> None:
    code, out, err = run("review", GAME)
    titles, *rows, empty, told = out.splitlines()
    assert (code, err, empty) == (0, "", "")
    assert titles.split() == ["ply", "move", "mark", "left", "could", "have", "best"]
    assert len(rows) == 8
    assert rows[4].split("  ")[1:4] == ["5", "X a3", "draw-to-loss"]
    assert rows[5].endswith("O wins in 2 moves (3 plies)  O wins in 1 move (1 ply)    b3")
    why = reason_of(".../.O./XOX", "a3").discreet.clause
    assert told == f"a3 was X's mistake: b3 would have held the draw. It lost because {why}"


def test_a_missed_chance_is_marked(run: Run) -> None:
    assert "win-to-loss, missed" in run("review", "a1c3b1b3")[1]


def test_against_a_computer_the_chances_of_a_person_are_shown(run: Run) -> None:
    titles, *rows = run("review", "b2b3b1a1", "--o", "easy")[1].splitlines()
    assert titles.endswith("best                                chance  could be")
    assert [row.split()[-2:] for row in rows[:4]] == [["95/96", "191/192"], ["-", "-"], ["11/12", "1"], ["-", "-"]]
    moves = json.loads(run("review", "b2b3b1a1", "--o", "easy", "--json")[1])["moves"]
    assert ["chance_after" in move for move in moves] == [True, False, True, False]


def test_a_game_may_begin_with_a_position_of_any_board(run: Run) -> None:
    report = json.loads(run("review", "c2", "--from", "..../.X../....", "--board", "4x3x3", "--json")[1])
    assert (report["board"], report["from"]) == ("4x3x3", "..../.X../....")
    assert [(move["ply"], move["mover"], move["move"]) for move in report["moves"]] == [(1, "O", "c2")]


def test_a_game_without_a_move_is_reviewed_too(run: Run) -> None:
    assert run("review", "") == (0, "No move was played.\n", "")


def test_replay_names_the_error_and_the_win_taken_late(run: Run) -> None:
    lines = run("replay", GAME)[1].splitlines()
    assert [re.split("  +", lines[number].strip()) for number in (0, 5, 6)] == [
        ["ply", "move", "grade", "left", "could have", "better"],
        ["5", "X a3", "mistake", "O wins in 1 move (2 plies)", "draw in 5 plies", "b3"],
        ["6", "O a2", "slower", "O wins in 2 moves (3 plies)", "O wins in 1 move (1 ply)", "b3"],
    ]


def test_replay_prints_the_same_as_json(reported: Callable[..., Any]) -> None:
    printed = reported("replay", GAME)
    assert (printed["board"], printed["from"], printed["result"]) == ("3x3x3", ".../.../...", "O")
    assert printed["moves"][5] == {
        "player": "O",
        "move": "a2",
        "before": {"outcome": "win", "plies": 1},
        "after": {"outcome": "win", "plies": 3},
        "grade": "slower",
        "best": ["b3"],
        "complete": True,
    }


def test_drills_are_printed_as_boards_with_their_tasks(run: Run) -> None:
    code, out, err = run("drills", "--kind", "only-move", "--seed", "1", "--count", "2")
    assert (code, err) == (0, "")
    assert out == (
        "3x3x3-.OX_X.._...-only-move  (51 of 100)\n"
        ".OX\nX..\n...\nYou're O: find the only move that keeps the draw.\n\n"
        "3x3x3-..X_X.._..O-only-move  (65 of 100)\n"
        "..X\nX..\n..O\nYou're O: find the only move that keeps the draw.\n"
    )


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("3x3x3-X.O_.X._..O-block", "Answer: c2."),
        ("3x3x3-.X._..._O..-evaluate", "Answer: X wins in 3 moves (5 plies)."),
    ],
)
def test_an_id_shows_one_drill_with_its_answer_only_on_request(run: Run, id: str, answer: str) -> None:  # noqa: A002
    assert "Answer" not in run("drills", id)[1]
    assert run("drills", id, "--answers")[1].splitlines()[-1] == answer
    (told,) = json.loads(run("drills", id, "--json")[1])["drills"]
    assert told["id"] == id


@pytest.mark.parametrize("board", ["3x3x3-holesb2", *slow("3x3x3-torus", "2x2x2x2", "3x3x3-linesa1b1c1a1b2c3")])
def test_small_boards_by_other_rules_have_drills_that_their_ids_show_again(run: Run, board: str) -> None:
    code, out, err = run("drills", board, "--seed", "1", "--count", "1")
    assert (code, err) == (0, "")
    named = out.split()[0]
    assert run("drills", named) == (0, out, "")


def test_the_layers_of_a_drill_in_space_are_printed_one_below_the_other(run: Run) -> None:
    printed = run("drills", "3x3x3x3-..._OXX_...~.XO_X.._...~.O._..._...-fork")[1].splitlines()
    assert printed[1:-1] == ["...", "OXX", "...", "", ".XO", "X..", "...", "", ".O.", "...", "..."]


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
