"""`noughts tree`: the pruned tree on the command line."""

import json
import re

import pytest

from solver.cli import main

Captured = pytest.CaptureFixture[str]


def test_a_position_its_board_and_moves_can_be_given(capsys: Captured) -> None:
    assert main(["tree", "--board", "2x2x2", "--moves", "a1", "--depth", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[:5] == [
        "../X.  +1",
        "|",
        "+- O./X.  +1",
        "|  |",
        "|  +- OX/X.  +1  X wins",
    ]


@pytest.mark.parametrize("given", [["XX......O"], ["--from", "XX./.../..O"]])
def test_the_position_is_an_argument_or_an_option(capsys: Captured, given: list[str]) -> None:
    assert main(["tree", *given]) == 0
    assert capsys.readouterr().out.startswith("XX./.../..O  0\n|\n+- XXO/.../..O  0\n")


def test_json_nests_each_position_s_replies(capsys: Captured) -> None:
    assert main(["tree", "XX./OO./...", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["board"], printed["to_move"], printed["nodes"]) == ("3x3x3", "X", 6)
    replies = printed["tree"]["children"]
    assert [(reply["move"], reply["result"], reply["value"]) for reply in replies][:2] == [
        ("c3", "X", 1),
        ("c2", None, 0),
    ]


@pytest.mark.parametrize(
    "options", [["--depth", "9"], ["--depth", "-1"], ["XX", "--depth", "1"], ["XX./.../..O", "--from", "XX./.../..O"]]
)
def test_bad_input_is_one_line_and_exit_code_2(capsys: Captured, options: list[str]) -> None:
    assert main(["tree", *options]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_lookahead_prints_every_move_s_values_and_the_nodes(capsys: Captured) -> None:
    assert main(["lookahead", "X../.../O.."]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split() == ["a2", "0", "0", "0", "0", "0", "-1", "-1", "6"]
    assert lines[-1].split()[:2] == ["7", "7,584"]


def test_lookahead_prints_the_same_as_json(capsys: Captured) -> None:
    assert main(["lookahead", "--moves", "a3a1", "--depth", "5", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["moves"]["b3"] == {
        "values": [0, 0, 0, 0, 1],
        "settled_at": 5,
        "estimates": [1, -1, 2, -1, 10_000],
    }
    assert printed["moves"]["b2"].items() >= {"values": [0, 0, 0, 0, 0], "settled_at": None}.items()
    assert [row["minimax"] for row in printed["nodes"]] == [8, 50, 260, 1020, 3072]


def test_lookahead_beyond_what_is_feasible_is_refused(capsys: Captured) -> None:
    assert main(["lookahead", "--board", "8x8x5", "--depth", "5"]) == 2
    assert "at most 2" in capsys.readouterr().err


def test_replay_names_the_error_and_the_win_taken_late(capsys: Captured) -> None:
    # the published game of "Minimax-based AI for the Tic-Tac-Toe game in Scala"
    assert main(["replay", "c1b2a1b1a3a2c3b3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [re.split("  +", lines[number].strip()) for number in (0, 5, 6)] == [
        ["ply", "move", "grade", "left", "could have", "better"],
        ["5", "X a3", "error", "O wins in 1 move (2 plies)", "draw in 5 plies", "b3"],
        ["6", "O a2", "slow", "O wins in 2 moves (3 plies)", "O wins in 1 move (1 ply)", "b3"],
    ]


def test_replay_prints_the_same_as_json(capsys: Captured) -> None:
    assert main(["replay", "c1b2a1b1a3a2c3b3", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["board"], printed["from"], printed["result"]) == ("3x3x3", ".../.../...", "O")
    assert printed["moves"][5] == {
        "player": "O",
        "move": "a2",
        "before": {"outcome": "win", "plies": 1},
        "after": {"outcome": "win", "plies": 3},
        "grade": "slow",
        "best": ["b3"],
    }


@pytest.mark.parametrize("command", ["tree", "lookahead", "predict"])
def test_a_position_is_an_argument_or_an_option_and_not_both(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "X../.O./..X"]) == 0
    by_argument = capsys.readouterr().out
    assert main([command, "--from", "X../.O./..X"]) == 0
    assert capsys.readouterr().out == by_argument
    assert main([command, "X../.O./..X", "--from", "X../.O./..X"]) == 2


@pytest.mark.parametrize("depth", ["0", "-1"])
def test_looking_no_ply_ahead_is_refused(capsys: Captured, depth: str) -> None:
    assert main(["lookahead", "--depth", depth]) == 2
    assert capsys.readouterr().err == f"noughts: A look-ahead has at least 1 ply, not {depth}.\n"
