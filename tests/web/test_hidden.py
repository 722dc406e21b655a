"""Whole games, ply by ply and in every mode: each page is complete, and hidden outcomes are nowhere in it."""

import re
from html import unescape

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import format_moves
from solver.board.position import Position
from tests.strategies import TIC_TAC_TOE, examples
from tests.web.conftest import HTMX
from tests.web.test_pages import Page
from webapp.pages.play.link import SHOWS

SQUARE = re.compile(r'<button id="sq-(\w\d)" class="([^"]*)" aria-label="([^"]*)"([^>]*)>(.*?)</button>', re.DOTALL)

PLACES = (
    ", centre",
    *(f", {row} {column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")),
)

TOLD = ("will win", "wins in", "loses in", "draws in", " plies", " to win against", "as far as is proved")
"""The words of pages for outcomes. Finished games have others."""


@st.composite
def games(draw: st.DrawFn) -> str:
    """Draw the moves of a whole 3×3 game."""
    position, moves = Position(TIC_TAC_TOE), list[int]()
    while position.result is None:
        moves.append(draw(st.sampled_from(position.legal_moves)))
        position = position.play(moves[-1])
    return format_moves(tuple(moves), TIC_TAC_TOE)


def fragment(app: Flask, url: str) -> str:
    """Return the game without its settings, which describe the opponents."""
    answer = app.test_client().get(url, headers=HTMX)
    assert answer.status_code == 200
    Page(answer.text)  # which holds each id once
    return unescape(answer.text).partition('<form id="board-form"')[2]


def check_hidden(text: str) -> None:
    """Assert that open squares say nothing but their place, and that the rest of the page tells no outcome."""
    squares = SQUARE.findall(text)
    assert len(squares) == 9
    for name, classes, label, attributes, inside in squares:
        assert "title=" not in attributes
        if not {"x", "o"} & set(classes.split()):
            assert classes == "sq"
            assert label in {f"{name}{place}, empty" for place in PLACES}
            assert inside == ""
    assert 'class="key' not in text
    assert not [words for words in TOLD if words in text]


@pytest.mark.slow
@pytest.mark.parametrize("show", [SHOWS[0], *(pytest.param(show, marks=pytest.mark.slow) for show in SHOWS[1:])])
@examples(8)
@given(moves=games(), players=st.sampled_from(["", "&o=friend", "&x=easy&o=human", "&x=easy&o=hard", "&o=impossible"]))
def test_every_ply_of_a_game_has_a_page_that_holds_each_id_once(
    app: Flask, show: str, moves: str, players: str
) -> None:
    for at in range(len(moves) // 2 + 1):
        for more in ("", "&hint=1", "&review=1", "&review=1&hint=1"):
            fragment(app, f"/play/3x3x3?moves={moves}&at={at}{players}&show={show}{more}")


@pytest.mark.parametrize("show", ["off", "coach"])
@examples(40)
@given(moves=games(), players=st.sampled_from(["", "&o=friend", "&x=easy&o=human", "&x=easy&o=hard", "&o=impossible"]))
def test_a_game_that_is_on_shows_no_outcome_where_they_are_hidden(
    app: Flask, show: str, moves: str, players: str
) -> None:
    for plies in range(len(moves) // 2):
        text = fragment(app, f"/play/3x3x3?moves={moves[: 2 * plies]}{players}&show={show}&tell=0")
        check_hidden(text)
        assert 'id="graph"' not in text
