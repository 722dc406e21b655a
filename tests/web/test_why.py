"""The reason of a square, on the page and in the fragment that is loaded when a person points at the square."""

import random
import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver import oracle
from solver.board.notation import format_cell, format_position, parse_rules
from solver.board.position import Position
from solver.proofs.predict import predict
from solver.search.budget import Budget
from solver.search.tablebase import unfinished
from tests.benchmarks.proving import random_position
from tests.marked import exhaustive
from tests.solver.reasons.sayings import agrees
from tests.strategies import TIC_TAC_TOE, examples, positions
from tests.web.test_pages import page
from webapp.pages.play.game import Snapshot, snapshot
from webapp.pages.play.link import Link, read_link
from webapp.pages.play.view import why
from webapp.ui.board import LineView

FORK = "from=X.O/.X./..O"
"""X to move: c2 draws, every other square loses."""


def linked(board: str, query: str) -> Link:
    read = read_link(board, query)
    assert not read.problems
    return read.link


def explained(shown: Snapshot) -> LineView:
    found = why(shown)
    assert found is not None
    return found.line


def reason(text: str) -> str:
    found = re.search(r'<p id="reason">(.*?)</p>', unescape(text))
    assert found is not None
    return found[1]


@pytest.mark.parametrize("address", ["/why/3x3x3", "/play/3x3x3"])
def test_the_words_of_a_line_stand_in_the_one_place_that_is_read_out(client: FlaskClient, address: str) -> None:
    elements = page(client, f"{address}?{FORK}&line=a2").elements
    assert [name for name, each in elements.items() if each.get("role") == "status"] == ["why-words"]


@examples(40)
@given(position=positions(st.just(TIC_TAC_TOE)), data=st.data())
def test_the_reason_is_the_one_that_programs_get_verified(app: Flask, position: Position, data: st.DataObject) -> None:
    client = app.test_client()
    if position.result is not None:
        return
    name = format_cell(data.draw(st.sampled_from(position.legal_moves)), TIC_TAC_TOE)
    query = f"from={format_position(position)}&line={name}"
    answer = client.get(f"/api/v1/explain?from={format_position(position)}&square={name}").json
    assert answer is not None
    told = answer["squares"][name]
    assert told["verified"]
    assert reason(client.get(f"/why/3x3x3?{query}").text).lower().endswith(told["reason"].lower())


def some_positions(board: str, every: int) -> Iterator[Position]:
    """Yield positions of a board: of 3×3 all or every ninth one, of larger boards as many at random."""
    rules, rng = parse_rules(board), random.Random(board)
    if rules == TIC_TAC_TOE:
        yield from unfinished(rules)[::every]
    else:
        for _ in range(180 // every):
            yield random_position(rules, rng.randrange(rules.size // 2, rules.size), rng)


@pytest.mark.parametrize("board", ["3x3x3", "4x4x4", "5x4x4", "6x6x5"])
@pytest.mark.parametrize("every", [9, *exhaustive(1)])
def test_the_line_does_move_by_move_what_the_reason_tells(board: str, every: int) -> None:
    for position in some_positions(board, every):
        prediction = predict(position, Budget(nodes=2000))
        for cell, outcome in prediction.squares.items():
            if outcome.plies is not None:
                reason = oracle.explain(prediction, (cell,), line=cell)[cell]
                line = reason.refutation
                assert 1 + len(line) == outcome.plies or board != "3x3x3"
                assert agrees(position, cell, reason.clause, line), (position, cell, reason.text, line)


def test_the_line_of_a_refutation_is_drawn_in_the_opponents_colour() -> None:
    found = explained(snapshot(linked("3x3x3", f"{FORK}&line=a2")))
    (stroke,) = found.strokes
    assert stroke.mark == "O"
    assert (stroke.strike.x1, stroke.strike.y1, stroke.strike.x2, stroke.strike.y2) == (2.5, 0.5, 2.5, 2.5)


def test_a_pairing_is_drawn_as_pairs_of_open_squares() -> None:
    link = linked("4x4x4", "moves=b2c3b3c2d4a1&o=friend&line=a4")
    found = explained(snapshot(link))
    for stroke in found.strokes:
        assert stroke.mark in ("X", "O", "")
        ends = ((stroke.strike.x1, stroke.strike.y1), (stroke.strike.x2, stroke.strike.y2))
        assert all(0 < x < 4 and 0 < y < 4 for x, y in ends)


def test_the_moves_are_drawn_where_they_are_played_with_their_numbers() -> None:
    found = explained(snapshot(linked("3x3x3", f"{FORK}&line=a2")))
    assert {format_cell(cell, found.rules): stone for cell, stone in found.stones.items()} == {
        "a2": ("X", 1),
        "c2": ("O", 2),
    }


def test_a_step_beyond_the_line_is_its_end() -> None:
    found = explained(snapshot(linked("3x3x3", f"{FORK}&line=a2&step=50")))
    assert len(found.stones) == 2


@pytest.mark.usefixtures("without_books")
def test_of_a_square_that_is_not_proved_there_is_neither_reason_nor_line(client: FlaskClient) -> None:
    text = client.get("/why/8x8x5?line=a1").text
    assert reason(text).startswith("Not proved, but nobody wins within ")
    assert 'class="chip"' not in text
