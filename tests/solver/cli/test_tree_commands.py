"""The commands on the articles' trees: text, JSON, and refusals that name the reason."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.solver.conftest import Run

Reported = Callable[..., Any]


def test_a_tree_is_drawn_from_a_position_its_board_and_moves(run: Run) -> None:
    assert run("tree", "--board", "2x2x2", "--moves", "a1", "--depth", "2")[1].splitlines()[:5] == [
        "../X.  +1",
        "|",
        "+- O./X.  +1",
        "|  |",
        "|  +- OX/X.  +1  X wins",
    ]
    assert run("tree", "XX......O")[1].startswith("XX./.../..O  0\n|\n+- XXO/.../..O  0\n")


def test_a_tree_as_json_nests_each_positions_replies(reported: Reported) -> None:
    printed = reported("tree", "XX./OO./...")
    assert (printed["board"], printed["to_move"], printed["nodes"]) == ("3x3x3", "X", 6)
    replies = printed["tree"]["children"]
    assert [(reply["move"], reply["result"], reply["value"]) for reply in replies][:2] == [
        ("c3", "X", 1),
        ("c2", None, 0),
    ]


def test_lookahead_prints_every_moves_values_and_the_nodes(run: Run, reported: Reported) -> None:
    lines = run("lookahead", "X../.../O..")[1].splitlines()
    assert lines[3].split() == ["a2", "0", "0", "0", "0", "0", "-1", "-1", "6"]
    assert lines[-1].split()[:2] == ["7", "7,584"]
    printed = reported("lookahead", "--moves", "a3a1", "--depth", "5")
    assert printed["moves"]["b3"] == {"values": [0, 0, 0, 0, 1], "settled_at": 5, "estimates": [1, -1, 2, -1, 10_000]}
    assert printed["moves"]["b2"].items() >= {"values": [0, 0, 0, 0, 0], "settled_at": None}.items()
    assert [row["minimax"] for row in printed["nodes"]] == [8, 50, 260, 1020, 3072]


def test_openings_lists_replies_with_their_forced_wins(run: Run, reported: Reported) -> None:
    found = reported("openings")
    assert [opening["name"] for opening in found["openings"]] == ["corner", "edge", "centre"]
    replies = [reply for opening in found["openings"] for reply in opening["replies"]]
    assert sum(reply["outcome"] == "X" for reply in replies) == 7
    assert sum(len(reply["ways"]) for reply in replies) == 22
    assert all(bool(reply["ways"]) == (reply["outcome"] == "X") for reply in replies)
    lines = run("openings")[1].splitlines()
    assert lines[0] == "corner: 4 of 5 distinct replies lose"
    assert {"  a3 c1  X wins: c3b3a1", "  a3 b2  draw"} <= {*lines}


def test_reduced_is_a_tree_of_numbered_nodes(reported: Reported) -> None:
    found = reported("reduced", "--moves", "b3")
    assert found["nodes"] == len(found["tree"]) == 95
    assert found["score"] == found["tree"][0]["score"] == "69/140"
    for node in found["tree"]:
        if node["children"]:
            whole = sum(child["moves"] for child in node["children"])
            parts = (
                Fraction(found["tree"][child["node"]]["score"]) * child["moves"] / whole for child in node["children"]
            )
            assert sum(parts) == Fraction(node["score"])
    assert reported("reduced", "--moves", "a3", "--distinct")["score"] == "1013/1200"


def test_reduced_shows_a_position_again_without_what_follows(run: Run) -> None:
    lines = run("reduced")[1].splitlines()
    assert lines[0] == "115 nodes, score 2549/3780 = 0.674 (average over all moves)."
    first = [line.split("  (")[0].strip() for line in lines[1:] if not line.startswith("best") and "above" not in line]
    assert len(set(first)) == 115
    assert any(line.endswith("(as above)") for line in lines)


def test_draws_says_what_can_be_forced_and_what_it_is_worth(run: Run, reported: Reported) -> None:
    found = reported("draws", "--x", "seven-rules", "--o", "seven-rules")
    assert found["boards"] == {"island": 8, "arrow": 4, "scorpion": 4}
    assert found["forced"]["edge"] == {"island": False, "arrow": False, "scorpion": True}
    assert found["best"]["initial"] == {"lead": 1, "points": [[1, 0]]}
    assert (found["fair"], found["fair_without"]) == (False, ["scorpion"])
    assert found["expected"] == {"x": "0", "o": "1"}
    text = run("draws", "--x", "easy")[1]
    assert "Not fair; fair without points for: scorpion" in text
    assert "easy as X expects 2251/1260 (1.79) points, easy as O 43/28 (1.54)" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["openings", "--board", "4x4x4"], "up to 9 squares"),
        (["reduced", "--board", "4x4x4"], "up to 9 squares"),
        (["reduced", "--moves", "a3a3"], "taken"),
        (["draws", "--x", "nobody"], "no player"),
        (["lookahead", "--board", "8x8x5", "--depth", "5"], "at most 2"),
        (["lookahead", "--depth", "0"], "noughts: A look-ahead has at least 1 ply, not 0.\n"),
        (["lookahead", "--depth", "-1"], "noughts: A look-ahead has at least 1 ply, not -1.\n"),
    ],
)
def test_a_refusal_names_the_reason(run: Run, arguments: list[str], said: str) -> None:
    code, _, err = run(*arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err
