"""The lessons on looking ahead and on generic games: what they show of a position and a game."""

import re

import pytest
from flask.testing import FlaskClient

from webapp.learn.generic import view as generic_view
from webapp.learn.search import view as search_view


def test_looking_ahead_shows_every_depth_to_nine_on_the_empty_board() -> None:
    view = search_view({"board": "3x3x3"})
    assert [board.caption for board in view.boards] == ["1 ply", *(f"{plies} plies" for plies in range(2, 10))]
    assert (view.counts[-1].depth, view.counts[-1].plain) == (9, "549,946")


def test_a_value_is_shown_from_where_it_is_certain() -> None:
    rows = {row.name: row for row in search_view({"from": "X../.../O.."}).rows}
    assert [text for text, _ in rows["b3"].values] == ["0", "0", "0", "0", "+1", "+1", "+1"]
    assert rows["b3"].settled == "5"
    assert [text for text, _ in rows["a2"].values][-2:] == ["−1", "−1"]
    assert rows["b2"].settled == "7 (the full board)"


def test_only_at_the_full_board_is_a_nought_a_draw() -> None:
    short, whole = (search_view({"moves": "a3a1", "depth": depth}) for depth in ("6", "7"))
    assert {row.name: row.values[-1] for row in short.rows}["b2"] == ("0", "")
    assert {row.name: row.values[-1] for row in whole.rows}["b2"] == ("0", "draw")
    assert "not within 6" in {row.settled for row in short.rows}


def test_the_depth_is_as_great_as_is_feasible_on_a_large_board(client: FlaskClient) -> None:
    assert search_view({"board": "8x8x5"}).depth == 2
    answer = client.get("/learn/search?board=8x8x5&depth=3")
    assert answer.status_code == 400
    assert "Take a look-ahead of at most 2." in answer.text


def test_a_finished_game_has_no_look_ahead(client: FlaskClient) -> None:
    answer = client.get("/learn/search?moves=a3a2b3b2c3")
    assert answer.status_code == 200
    assert "X has won" in answer.text
    assert "What a search visits" not in answer.text


def test_the_tree_is_drawn_to_the_level_asked_for() -> None:
    assert search_view({"from": "XX./.../..O", "tree": "0"}).tree == "XX./.../..O"
    assert search_view({"from": "XX./.../..O", "tree": "2"}).tree.count("XX") > 6


@pytest.mark.parametrize("query", [{"depth": "0"}, {"depth": "10"}, {"tree": "4"}, {"tree": "-1"}, {"moves": "z9"}])
def test_a_part_out_of_range_is_refused(client: FlaskClient, query: dict[str, str]) -> None:
    assert client.get("/learn/search", query_string=query).status_code == 400


def test_the_published_game_shows_the_error_and_the_late_win() -> None:
    # the game of "Minimax-based AI for the Tic-Tac-Toe game in Scala"
    view = generic_view({})
    assert [turn.grade for turn in view.turns][4:6] == ["error", "wins, but later than need be"]
    assert view.turns[5].best == "b3"
    assert (view.turns[5].before, view.turns[5].after) == (
        "W1, O wins in 1 move (1 ply)",
        "W3, O wins in 2 moves (3 plies)",
    )
    assert view.late == ("At ply 6 O could win in 1 and takes a win in 3: without distance both count 1.",)
    assert len(view.boards) == 9


def test_any_game_can_be_replayed(client: FlaskClient) -> None:
    text = client.get("/learn/generic?board=4x3x3&moves=b2c2").text
    assert "O wins" in text or "X wins" in text
    assert "At ply 6" not in text
    assert re.search(r'name="moves" value="b2c2"', text)


@pytest.mark.parametrize(
    ("board", "nodes", "value"),
    [("3x3x3", "549,946", "draw"), ("4x3x3", "276,911,233", "X wins"), ("1x1x1", "2", "X wins")],
)
def test_the_whole_tree_of_a_small_board_is_counted(board: str, nodes: str, value: str) -> None:
    view = generic_view({"minimax": board})
    assert (view.nodes, view.value) == (nodes, value)


def test_the_first_moves_trees_and_the_root_are_the_whole_tree() -> None:
    rows = generic_view({"minimax": "3x3x3"}).first_moves
    nodes = sum(len(row.names.split(", ")) * int(row.nodes.replace(",", "")) for row in rows)
    assert nodes + 1 == 549_946  # "Tic-Tac-Toe Analysis using Clojure", first part


def test_a_board_too_large_to_count_is_refused(client: FlaskClient) -> None:
    answer = client.get("/learn/generic?minimax=4x4x4")
    assert answer.status_code == 400
    assert "at most 12 squares" in answer.text
