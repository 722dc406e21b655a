"""The lesson on all boards: a square for each, proved or not, and the first moves of one board."""

import re

import pytest
from flask.testing import FlaskClient

from solver.atlas.entry import atlas, without_search


def test_every_board_on_which_a_line_fits_is_a_link_that_says_what_is_known(client: FlaskClient) -> None:
    text = client.get("/learn/boards").text
    links = dict(re.findall(r'<a href="/play/(\w+)" aria-label="([^"]*)">', text))
    assert set(links) == {str(entry) for entry in atlas().values() if entry.rules}
    assert links["6x5x4"] == "6×5, 4 in a row: X wins in 6 moves (11 plies), proved by search"
    assert links["5x5x5"] == "5×5, 5 in a row: draw in 25 plies, proved by pairing its squares"
    assert links["8x8x5"] == "8×8, 5 in a row: draw in 64 plies, proved by search"
    assert "All these boards are proved here." in text
    assert "not proved here" not in text.casefold()


def test_what_is_not_proved_looks_otherwise_and_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**atlas(), (8, 8, 5): without_search(8, 8, 5)}
    monkeypatch.setattr("webapp.pages.learn.lessons.boards.atlas", lambda: known)
    text = client.get("/learn/boards?board=7x6x3").text  # which nobody else asks for: what was shown is kept
    (square,) = re.findall(r'href="/play/8x8x5".*?</a>', text, re.DOTALL)
    assert "square unproved" in square
    assert ">?</text>" in square
    said = text.partition("Not proved here:")[2].partition("</p>")[0]
    assert "8×8, five in a row" in said
    assert "Hsu et al." in said


def test_the_largest_boards_are_answered_from_their_books(client: FlaskClient) -> None:
    for board, size in (("8x7x5", 56), ("8x8x5", 64)):
        text = client.get(f"/play/{board}?show=distance").text
        assert len(re.findall(rf'aria-label="[a-h]\d, empty, X would draw in {size} plies', text)) == size
