"""The lesson that one steps through: each step is a link, and what the browser is given shows the same."""

import re
from html import unescape
from itertools import cycle

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.tracing.searches import Search
from solver.articles.tracing.tree import MoveOrder
from solver.articles.tracing.words import said
from solver.board.notation import format_position
from tests.strategies import TIC_TAC_TOE, examples, positions
from tests.web.test_pages import page
from webapp.pages.learn.search.alphabeta import PRESETS, view


def text_of(client: FlaskClient, query: str, name: str, lesson: str = "alphabeta") -> str:
    """What is written in the element of that id."""
    found = re.search(rf'id="{name}"[^>]*>([^<]*)<', client.get(f"/learn/{lesson}?{query}").text)
    assert found is not None
    return unescape(found[1]).strip()


@examples(20)
@given(positions(st.just(TIC_TAC_TOE), max_empty=4), st.sampled_from(Search), st.sampled_from(MoveOrder))
def test_what_the_browser_is_given_comes_to_the_look_of_each_step(position, search, tried) -> None:  # type: ignore[no-untyped-def]
    if position.result is not None:
        return
    shown = view({"from": format_position(position), "search": search, "order": tried})
    look: dict[str, dict[str, str]] = {}
    for change, expected in zip(shown.film.changes, shown.film.looks, strict=True):
        for name, attributes in change.items():
            look.setdefault(name, {}).update(attributes)
        assert look == expected
    assert all(look["asked"]["text"] for look in shown.film.looks)


def test_every_step_has_a_page_of_its_own_that_leads_to_the_next_and_the_last(client: FlaskClient) -> None:
    trace = view({}).trace
    for step in (1, 2, len(trace.frames)):
        assert text_of(client, f"step={step}", "telling") == said(trace, trace.frames[step - 1])
        found = page(client, f"/learn/alphabeta?step={step}")
        for name, to in (("back", max(1, step - 1)), ("on", min(step + 1, len(trace.frames)))):
            assert f"step={to}" in (found.elements[name]["href"] or "").split("&")


def test_a_node_that_is_cut_is_grey_and_the_sentence_says_why(client: FlaskClient) -> None:
    text = client.get("/learn/alphabeta?step=15").text
    assert text_of(client, "step=15", "telling").endswith("So c2 is cut: α = 0 ≥ β = −8.")
    assert len(re.findall(r'class="node \w+ is-cut', text)) == 2
    assert 'class="line on">                break' in text


def test_all_three_searches_are_counted_side_by_side(client: FlaskClient) -> None:
    counts = {search: int(text_of(client, "step=19", f"count-{search}")) for search in Search}
    assert counts == {Search.MINIMAX: 11, Search.LAZY: 9, Search.ALPHABETA: 9}
    assert int(text_of(client, "order=best&step=1", "count-alphabeta")) == 1


def test_an_answer_is_judged_where_something_is_asked(client: FlaskClient) -> None:
    assert text_of(client, "step=13", "asked") == "b3 has −8. Is the rest of O's moves here worth looking at?"
    href = page(client, "/learn/alphabeta?step=13").elements["answer1"]["href"]
    assert href is not None
    assert text_of(client, href.removeprefix("?"), "verdict").startswith("Right: X is sure of something")
    assert text_of(client, "step=14&guess=0", "verdict").startswith("Not so: X is sure of something")
    answer = client.get("/learn/alphabeta?step=3&guess=0")
    assert answer.status_code == 400
    assert "Nothing is asked before step 3." in answer.text


@pytest.mark.parametrize("query", ["board=8x8x5", "from=XXX/OO./...", "from=..X/OX./O.."])
def test_a_tree_that_cannot_be_drawn_is_refused_in_a_sentence(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/learn/alphabeta?{query}&plies=4")
    assert answer.status_code == 400
    assert re.search(r"too wide: it has more than 24 ends|The game is over", answer.text)


def test_each_position_on_offer_can_be_watched(client: FlaskClient) -> None:
    for parts, search in zip(PRESETS.values(), cycle(Search), strict=False):
        answer = client.get("/learn/alphabeta", query_string={**parts, "search": search})
        assert answer.status_code == 200
        assert "Done." in answer.text


def test_what_nobody_asks_for_stays_a_thunk(client: FlaskClient) -> None:
    text = client.get("/learn/alphabeta?search=lazy&step=19").text
    assert "<code>solver/articles/lookahead.py</code>" in text
    assert len(re.findall(r'is-cut.*?class="value"[^>]*>…<', text, re.DOTALL)) == 2


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("step=1", "From b3 to the right: b3, then c3 is X’s."),
        ("step=5", "From b3 down: b3, b2, b1. That is 3 in a row: O has a line."),
        ("board=4x2x2&moves=d1a1&step=2", "From a1 down: a1, then the board ends."),
        ("board=4x2x2&moves=d1a1&step=1", "From a1 to the right: a1, then b1 is empty."),
    ],
)
def test_a_line_is_looked_for_from_each_stone_on_any_board(client: FlaskClient, query: str, told: str) -> None:
    assert text_of(client, query, "telling", "generic") == told


def test_a_board_without_stones_has_nothing_to_walk_from(client: FlaskClient) -> None:
    text = client.get("/learn/generic?board=3x3x2").text
    assert "There is no stone yet to walk from" in text
    assert 'id="film"' not in text


def test_the_game_s_interface_is_the_code_that_is_installed(client: FlaskClient) -> None:
    text = unescape(client.get("/learn/generic").text)
    for line in (
        "def successors(self)",
        "def end_value(position: Position) -> Plain:",
        "def chosen(_: Position,",
        "def fold(",
    ):
        assert line in text
