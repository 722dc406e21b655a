"""The explorer: each square and each branch is a link whose outcome agrees with minimax."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient

from solver.board.notation import format_cell, parse_position
from solver.board.outcome import to_parent
from solver.board.position import Position
from solver.proofs.predict import predict
from solver.search.minimax import minimax
from tests.strategies import TIC_TAC_TOE
from webapp.pages.learn.content import Shown
from webapp.pages.learn.lessons import explorer
from webapp.pages.learn.lessons.explorer import OPENED_LARGE, TreeMove
from webapp.pages.learn.trees import OPENED
from webapp.ui.address import Query


def seen(query: Query) -> Shown:
    return explorer.view(query, explorer.LESSON.known(query))


def walked(branches: tuple[TreeMove, ...]) -> Iterator[TreeMove]:
    for each in branches:
        yield each
        yield from walked(each.children)


def moves(branches: tuple[TreeMove, ...]) -> list[str]:
    return [format_cell(each.game.moves[-1], TIC_TAC_TOE) for each in branches]


def test_every_open_square_leads_one_move_on_and_says_its_outcome_by_minimax(client: FlaskClient) -> None:
    position = parse_position("X../.O./...", TIC_TAC_TOE)
    text = client.get("/learn/explorer?from=X../.O./...").text
    squares = re.findall(r'<a class="spot (\w+)" id="s(..)" href="([^"]*)">', text)
    assert [name for _, name, _ in squares] == [format_cell(cell, TIC_TAC_TOE) for cell in position.legal_moves]
    for (outcome, name, url), cell in zip(squares, position.legal_moves, strict=True):
        assert unescape(url) == f"/learn/explorer?from=X../.O./...&moves={name}"
        score = to_parent(minimax(position.play(cell)).score)
        assert outcome == ("win" if score > 0 else "loss" if score < 0 else "draw")


def test_the_tree_shows_the_way_with_all_that_was_not_played_and_what_follows() -> None:
    tree = seen({"moves": "b2a3"})["tree"]
    assert moves(tree) == ["a3", "b3", "b2"]  # the openings
    replies = tree[2].children
    assert moves(replies) == ["a3", "b3"]
    assert [each.here for each in replies] == [True, False]
    assert moves(replies[0].children) == ["b3", "c3", "c2", "c1"]
    assert not any(each.open for each in (tree[0], tree[1], *replies[0].children))


def test_a_move_that_was_made_stands_for_those_like_it() -> None:
    assert moves(seen({"moves": "c1"})["tree"]) == ["b3", "b2", "c1"]
    every = [f"{column}{row}" for row in "321" for column in "abc"]
    assert moves(seen({"moves": "c1", "children": "all"})["tree"]) == every


def test_a_branch_is_opened_and_closed_without_going_there() -> None:
    view = seen({"moves": "b2"})
    (corner, *_) = view["tree"]
    assert corner.toggled == ("a3",)
    opened = seen({"moves": "b2", "open": "a3.a3b2"})
    assert moves(opened["tree"][0].children) == ["b3", "c3", "b2", "c2", "c1"]
    assert opened["tree"][0].children[2].children
    assert opened["tree"][0].toggled == ()  # with it closes what is open in it
    assert opened["game"] == view["game"]


def test_every_branch_is_worth_what_the_prediction_says() -> None:
    for each in walked(seen({"moves": "a3b3", "open": "b2.b2a3"})["tree"]):
        assert each.outcome == predict(each.game.positions[-2]).squares[each.game.moves[-1]]


def test_keys_lead_back_on_and_to_what_stands_beside() -> None:
    steps = seen({"moves": "b2b3"})["steps"]
    assert {key: [format_cell(cell, TIC_TAC_TOE) for cell in game.moves] for key, (_, game) in steps.items()} == {
        "ArrowLeft": ["b2"],
        "ArrowUp": ["b2", "a3"],
        "ArrowRight": ["b2", "b3", "a3"],
    }
    assert set(seen({})["steps"]) == {"ArrowRight"}


def test_on_a_larger_board_only_what_is_looked_at_is_searched() -> None:
    query = {"board": "4x4x4", "moves": "b2c3", "open": "b2c3a1"}
    asked: list[Position] = list(explorer._list_shown(query))
    assert [each.plies_left for each in asked] == [14, 13]
    (way,) = seen({"board": "4x4x4", "moves": "b2c3"})["tree"]
    assert [len(each.children) for each in (way, *way.children)] == [1, 14 - 6]  # b2 and c3 lie on a mirror's line


@pytest.mark.parametrize(
    ("board", "squares", "most"), [("3x3x3", [*"abc"], OPENED), ("4x4x4", [*"abcd"], OPENED_LARGE)]
)
def test_too_many_open_branches_are_refused(client: FlaskClient, board: str, squares: list[str], most: int) -> None:
    names = [f"{column}{row}{other}" for column in squares for row in (1, 2, 3) for other in ("a1", "a2", "b1", "b3")]
    legal = [name for name in names if name[:2] != name[2:]][: most + 1]
    answer = client.get(f"/learn/explorer?board={board}&open={'.'.join(legal)}")
    assert answer.status_code == 400
    assert f"up to {most} branches" in answer.text


def test_it_says_what_is_not_proved(client: FlaskClient) -> None:
    assert "<b>?</b> isn't proved" in client.get("/learn/explorer?board=8x8x5").text
