"""The lessons on searching: looking ahead, and searches step by step."""

import re
from html import unescape
from itertools import cycle

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver import predict
from solver.articles.claims import haskell
from solver.articles.lookahead import ahead
from solver.articles.telling import step_in_words
from solver.articles.tracing import MoveOrder, Search
from solver.board.notation import format_cell, format_position, parse_cell, parse_position
from solver.board.outcome import Value
from solver.board.position import Mark
from tests.strategies import TIC_TAC_TOE, examples, positions
from tests.web.conftest import unit_named
from tests.web.test_pages import page
from webapp.pages.learn.content import read_content
from webapp.pages.learn.facts import values
from webapp.pages.learn.lessons import search, stepper


def test_how_far_to_look_is_the_first_depth_at_which_a_value_stays() -> None:
    for item in unit_named("alphabeta").skill("far").items:
        question = item()
        assert question.board
        position = question.board.position
        (cell,) = (cell for cell, square in enumerate(question.board.squares) if square.letter == "?")
        after = position.after(cell)
        seen = [ahead(after, depth).value(depth) for depth in range(position.plies_left)]
        right = [
            depth
            for depth in range(1, len(seen) + 1)
            if (answer := question.answers.get(f"ply{depth}")) and answer.right
        ]
        settled = len(seen) if not seen[-1] else seen.index(seen[-1]) + 1
        assert right == [settled]


def test_one_answer_alone_explains_what_is_printed() -> None:
    items = unit_named("alphabeta").skill("bug").items
    for question, right in zip([item() for item in items], ("a2", "line8", "other", "a3"), strict=True):
        attempts = [*question.squares, *question.titles]
        assert [each for each in attempts if (answer := question.answers.get(each)) and answer.right] == [right]


def test_replies_that_are_left_out_cannot_raise_what_a_move_is_worth() -> None:
    for text in ("O.X/.O./XOX", "XOX/OO./.X.", "XO./.../XOX"):
        position = parse_position(text)
        worth = {cell: outcome.value for cell, outcome in predict(position).squares.items()}
        pairs = ((one, two) for one in worth for two in worth if one != two and not position.after(two).result)
        for tried, move in pairs:
            name, other = (format_cell(cell, TIC_TAC_TOE) for cell in (tried, move))
            for reply in position.after(move).legal_moves:
                facts = values.judge_cut(text, name, other, format_cell(reply, TIC_TAC_TOE))
                if facts.answers["stop"] == "cut" and worth[move] is not Value.LOSS:
                    assert values.RANKS.index(worth[move]) <= values.RANKS.index(worth[tried])


def test_after_six_plies_the_program_sees_a_win_that_is_not_there() -> None:
    assert [haskell.value_of(haskell.CENTRE, 6, plies) for plies in (haskell.FIRST, haskell.RIGHT)] == [1, 0]


def test_on_the_second_board_the_only_move_that_holds_blocks_and_forks() -> None:
    after = haskell.SECOND.after(parse_cell("a3", TIC_TAC_TOE))
    assert len(after.threats(Mark.X)) == 2
    assert not after.threats(Mark.O)


@pytest.mark.slow
def test_looking_ahead_shows_every_depth_to_nine_on_the_empty_board() -> None:
    shown = search.view({"board": "3x3x3"})
    assert len(shown["film"]) == 9
    assert (shown["visits"][-1].depth, shown["visits"][-1].plain) == (9, 549_946)


def test_the_depth_is_as_great_as_is_feasible_on_a_large_board() -> None:
    assert search.view({"board": "8x8x5"})["depth"] == 2


def test_the_tree_is_drawn_to_the_level_asked_for() -> None:
    assert search.view({"from": "XX./.../..O", "tree": "0"})["tree"] == "XX./.../..O  0"
    assert search.view({"from": "XX./.../..O", "tree": "2"})["tree"].count("XX") > 6


def text_of(client: FlaskClient, query: str, name: str, lesson: str = "stepper") -> str:
    """Return the text of the element with this id."""
    found = re.search(rf'id="{name}"[^>]*>([^<]*)<', client.get(f"/learn/{lesson}?{query}").text)
    assert found is not None
    return unescape(found[1]).strip()


@examples(20)
@given(positions(st.just(TIC_TAC_TOE), max_empty=4), st.sampled_from(Search), st.sampled_from(MoveOrder))
def test_what_the_browser_is_given_comes_to_the_look_of_each_step(position, search, tried) -> None:  # type: ignore[no-untyped-def]
    if position.result is not None:
        return
    film = stepper.view({"from": format_position(position), "search": search, "order": tried})["film"]
    look: dict[str, dict[str, str]] = {}
    for change, expected in zip(film.changes, film.looks, strict=True):
        for name, attributes in change.items():
            look.setdefault(name, {}).update(attributes)
        assert look == expected
    assert all(look["asked"]["text"] for look in film.looks)


def test_every_step_has_a_page_of_its_own_that_leads_to_the_next_and_the_last(client: FlaskClient) -> None:
    trace = stepper.view({})["trace"]
    for step in (1, 2, len(trace.frames)):
        assert text_of(client, f"step={step}", "telling") == step_in_words(trace, trace.frames[step - 1])
        found = page(client, f"/learn/stepper?step={step}")
        for name, to in (("back", max(1, step - 1)), ("on", min(step + 1, len(trace.frames)))):
            assert f"step={to}" in (found.elements[name]["href"] or "").split("&")


def test_each_position_on_offer_can_be_watched(client: FlaskClient) -> None:
    for parts, each in zip(read_content("stepper")["presets"].values(), cycle(Search), strict=False):
        answer = client.get("/learn/stepper", query_string={**parts, "search": each})
        assert answer.status_code == 200
        assert "Done." in answer.text


def test_what_nobody_asks_for_stays_a_thunk(client: FlaskClient) -> None:
    text = client.get("/learn/stepper?search=lazy&step=19").text
    assert "<code>solver/articles/lookahead.py</code>" in text
    assert len(re.findall(r'is-cut.*?class="value"[^>]*>…<', text, re.DOTALL)) == 2
