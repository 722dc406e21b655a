"""The commands on openings, the reduced tree and drawn patterns: text, JSON, and one line for bad input."""

import json
from fractions import Fraction
from typing import Any

import pytest

from solver.cli import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(printed(capsys, *arguments, "--json"))


def test_openings_lists_replies_with_their_forced_wins(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "openings")
    assert [opening["name"] for opening in found["openings"]] == ["corner", "edge", "centre"]
    replies = [reply for opening in found["openings"] for reply in opening["replies"]]
    assert sum(reply["outcome"] == "X" for reply in replies) == 7
    assert sum(len(reply["ways"]) for reply in replies) == 22
    assert all(bool(reply["ways"]) == (reply["outcome"] == "X") for reply in replies)


def test_openings_reads_well(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "openings").splitlines()
    assert lines[0] == "corner: 4 of 5 distinct replies lose"
    assert "  a3 c1  X wins: c3b3a1" in lines
    assert "  a3 b2  draw" in lines


def test_reduced_is_a_tree_of_numbered_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "reduced", "--moves", "b3")
    assert found["nodes"] == len(found["tree"]) == 95
    assert found["score"] == found["tree"][0]["score"] == "69/140"
    for node in found["tree"]:
        if node["children"]:
            whole = sum(child["moves"] for child in node["children"])
            parts = (
                Fraction(found["tree"][child["node"]]["score"]) * child["moves"] / whole for child in node["children"]
            )
            assert sum(parts) == Fraction(node["score"])


def test_reduced_counts_distinct_moves_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(capsys, "reduced", "--moves", "a3", "--distinct")["score"] == "1013/1200"


def test_reduced_shows_a_position_again_without_what_follows(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "reduced").splitlines()
    assert lines[0] == "115 nodes, score 2549/3780 = 0.674 (average over all moves)."
    first = [line.split("  (")[0].strip() for line in lines[1:] if not line.startswith("best") and "above" not in line]
    inner = [line for line in lines if line.endswith("(as above)")]
    assert len(set(first)) == 115
    assert inner


def test_draws_says_what_can_be_forced_and_what_it_is_worth(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, "draws", "--x", "hard", "--o", "hard")
    assert found["boards"] == {"island": 8, "arrow": 4, "scorpion": 4}
    assert found["forced"]["edge"] == {"island": False, "arrow": False, "scorpion": True}
    assert found["best"]["initial"] == {"lead": 1, "points": [[1, 0]]}
    assert (found["fair"], found["fair_without"]) == (False, ["scorpion"])
    assert found["expected"] == {"x": "0", "o": "1"}


def test_draws_reads_well(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "draws", "--x", "easy")
    assert "Not fair; fair without points for: scorpion" in text
    assert "easy as X expects 2251/1260 (1.79) points, easy as O 43/28 (1.54)" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["openings", "--board", "4x4x4"], "up to 9 squares"),
        (["reduced", "--board", "4x4x4"], "up to 9 squares"),
        (["reduced", "--moves", "a3a3"], "taken"),
        (["draws", "--x", "nobody"], "no player"),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1
