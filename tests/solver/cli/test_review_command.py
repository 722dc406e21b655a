"""`noughts review`: a game on the command line."""

import json

from tests.solver.conftest import Run
from tests.solver.reasons.sayings import reason_of

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
    assert told == f"X was drawing until a3. b3 would have held the draw. a3 lost because {why}"


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
