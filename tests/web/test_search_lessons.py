"""The lessons on looking ahead and on generic games: what they show of a position and a game."""

import re

import pytest
from flask.testing import FlaskClient

from tests.solver.reasons.sayings import reason_of
from webapp.pages.learn.search.generic import LESSON, GenericView
from webapp.pages.learn.search.search import log_chart
from webapp.pages.learn.search.search import view as search_view
from webapp.ui.address import Query


@pytest.mark.slow
def test_looking_ahead_shows_every_depth_to_nine_on_the_empty_board() -> None:
    view = search_view({"board": "3x3x3"})
    assert [board.caption for board in view.boards] == ["1 ply", *(f"{plies} plies" for plies in range(2, 10))]
    assert (view.visits[-1].depth, view.visits[-1].plain) == (9, 549_946)


def generic_view(query: Query) -> GenericView:
    view = LESSON.view(query, LESSON.known(query))
    assert isinstance(view, GenericView)
    return view


def rows(client: FlaskClient, query: str) -> dict[str, list[tuple[str, str]]]:
    """The table of values: by move, the style and the text of each cell of the row."""
    text = client.get(f"/learn/search?{query}").text.partition("Two in a row counted")[0]
    found = re.findall(r'<tr><th scope="row">(\w\d)</th>(.*?)</tr>', text, re.DOTALL)
    return {name: re.findall(r'<td class="(?:number value )?(\w*)">(.*?)</td>', cells) for name, cells in found}


def test_a_value_is_shown_from_where_it_is_certain(client: FlaskClient) -> None:
    found = {name: [text for _, text in cells] for name, cells in rows(client, "from=X../.../O..").items()}
    assert found["b3"] == ["0", "0", "0", "0", "+1", "+1", "+1", "5"]
    assert found["a2"][-3:-1] == ["−1", "−1"]
    assert found["b2"][-1] == "7 (the full board)"


def test_only_at_the_full_board_is_a_nought_a_draw(client: FlaskClient) -> None:
    short, whole = (rows(client, f"moves=a3a1&depth={depth}") for depth in (6, 7))
    assert short["b2"][-2] == ("", "0")
    assert whole["b2"][-2] == ("draw", "0")
    assert "not within 6" in {cells[-1][1] for cells in short.values()}


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
    assert search_view({"from": "XX./.../..O", "tree": "0"}).tree == "XX./.../..O  0"
    assert search_view({"from": "XX./.../..O", "tree": "2"}).tree.count("XX") > 6


@pytest.mark.parametrize("query", [{"depth": "0"}, {"depth": "10"}, {"tree": "4"}, {"tree": "-1"}, {"moves": "z9"}])
def test_a_part_out_of_range_is_refused(client: FlaskClient, query: dict[str, str]) -> None:
    assert client.get("/learn/search", query_string=query).status_code == 400


def test_the_published_game_shows_the_error_and_the_late_win(client: FlaskClient) -> None:
    # the game of "Minimax-based AI for the Tic-Tac-Toe game in Scala"
    text = client.get("/learn/generic").text
    table = re.findall(r'<tr><th scope="row" class="number">\d</th>(.*?)</tr>', text, re.DOTALL)
    turns = [[re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<td.*?</td>", row)] for row in table]
    assert turns[4][3] == "error"
    assert turns[5][1:] == [
        "W1, O wins in 1 move (1 ply)",
        "W3, O wins in 2 moves (3 plies)",
        "wins, but later than need be",
        "b3",
    ]
    late = "At ply 6 O could win in 1 and takes a win in 3: without distance both count 1."
    assert re.findall(r"At ply .*? count 1\.", " ".join(text.split())) == [late]
    told = f"b3 would have held the draw. a3 lost because {reason_of('.../.O./XOX', 'a3').discreet.clause}"
    assert f"<p>X was drawing until a3. {told}</p>" in text
    assert len(generic_view({}).boards) == 9


def test_any_game_can_be_replayed(client: FlaskClient) -> None:
    text = client.get("/learn/generic?board=4x3x3&moves=b2c2").text
    assert "O wins" in text or "X wins" in text
    assert "At ply 6" not in text
    assert re.search(r'name="moves" value="b2c2"', text)


@pytest.mark.parametrize(
    ("board", "nodes", "value"),
    [
        ("3x3x3", "549,946", "draw"),
        pytest.param("4x3x3", "276,911,233", "X wins", marks=pytest.mark.slow),
        ("1x1x1", "2", "X wins"),
    ],
)
def test_the_whole_tree_of_a_small_board_is_counted(client: FlaskClient, board: str, nodes: str, value: str) -> None:
    text = " ".join(client.get(f"/learn/generic?minimax={board}").text.split())
    assert f"<b>{nodes}</b> nodes before its first move and finds: <b>{value}</b>" in text


def test_the_first_moves_trees_and_the_root_are_the_whole_tree() -> None:
    rows = generic_view({"minimax": "3x3x3"}).first_moves
    nodes = sum(len(row.cells) * row.minimax.nodes for row in rows)
    assert nodes + 1 == 549_946  # "Tic-Tac-Toe Analysis using Clojure", first part


def test_a_board_too_large_to_count_is_refused(client: FlaskClient) -> None:
    answer = client.get("/learn/generic?minimax=4x4x4")
    assert answer.status_code == 400
    assert "at most 12 squares" in answer.text


def test_ten_times_as_many_nodes_are_always_as_far_up() -> None:
    chart = log_chart({"a": [1, 10, 100], "b": [1000, None, 10]})
    heights = {point.count: point.y for line in chart.lines for point in line.points}
    assert heights == dict(chart.powers)
    steps = [round(heights[10**power] - heights[10 ** (power + 1)], 1) for power in range(3)]
    assert max(steps) - min(steps) < 0.2
    assert [len(line.points) for line in chart.lines] == [3, 2]
