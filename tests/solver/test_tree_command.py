"""`noughts tree`: the pruned tree on the command line."""

import json

import pytest

from solver.cli import main

Captured = pytest.CaptureFixture[str]


def test_a_position_its_board_and_moves_can_be_given(capsys: Captured) -> None:
    assert main(["tree", "--board", "2x2x2", "--moves", "a1", "--depth", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[:5] == [
        "../X.",
        "|",
        "+- O./X.",
        "|  |",
        "|  +- OX/X.  X wins",
    ]


@pytest.mark.parametrize("given", [["XX./.../..O"], ["--from", "XX./.../..O"]])
def test_the_position_is_an_argument_or_an_option(capsys: Captured, given: list[str]) -> None:
    assert main(["tree", *given]) == 0
    assert capsys.readouterr().out.startswith("XX./.../..O\n|\n+- XXO/.../..O\n")


def test_json_nests_each_position_s_replies(capsys: Captured) -> None:
    assert main(["tree", "XX./OO./...", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["board"], printed["to_move"], printed["nodes"]) == ("3x3x3", "X", 6)
    replies = printed["tree"]["children"]
    assert [(reply["move"], reply["result"]) for reply in replies][:2] == [("c3", "X"), ("c2", None)]


@pytest.mark.parametrize(
    "options", [["--depth", "9"], ["--depth", "-1"], ["XX", "--depth", "1"], ["XX./.../..O", "--from", "XX./.../..O"]]
)
def test_bad_input_is_one_line_and_exit_code_2(capsys: Captured, options: list[str]) -> None:
    assert main(["tree", *options]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
