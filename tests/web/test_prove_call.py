"""The call that proves a table of moves."""

import json
from itertools import islice, product
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.analysis.trial import MOST_ENTRIES, prove
from solver.board.notation import format_cell, format_position
from solver.board.position import Mark, Position
from solver.players import STRATEGIES
from solver.report import prove_report
from tests.marked import slow
from tests.strategies import TIC_TAC_TOE, reachable
from tests.web.test_gating import Gate
from webapp.api.call import MOST_BYTES
from webapp.api.calls import prove_table
from webapp.app import create_app
from webapp.serving.pool.messages import Task


def first_choice(name: str, position: Position) -> str:
    return format_cell(min(STRATEGIES[name].decide(position).choices), TIC_TAC_TOE)


def table_of(name: str) -> dict[str, str]:
    """Return the first choice of an opponent in every position of 3×3."""
    unfinished = [each for each in reachable(TIC_TAC_TOE) if each.result is None]
    return {format_position(each): first_choice(name, each) for each in unfinished}


def sent(client: FlaskClient, **body: Any) -> Any:
    return client.post("/api/v1/prove", json=body)


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize("name", ["impossible", *slow("seven-rules", "easy")])
def test_a_table_gets_the_verdict_on_the_player_that_it_was_made_of(client: FlaskClient, name: str, mark: Mark) -> None:
    proof = prove(lambda position: first_choice(name, position), mark, TIC_TAC_TOE)
    answer = sent(client, board="3x3x3", side=mark, moves=table_of(name))
    assert (answer.status_code, answer.json) == (200, prove_report(proof))
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_board_is_3x3_and_the_side_is_o_unless_named(client: FlaskClient) -> None:
    answer = sent(client, moves=table_of("impossible")).json
    assert (answer["board"], answer["side"], answer["verdict"]) == ("3x3x3", "O", "unbeatable")


def test_a_table_has_room_for_every_position_and_no_more(client: FlaskClient) -> None:
    texts = ("".join(squares) for squares in product("XO.", repeat=9))
    entries = [(f"{text[:3]}/{text[3:6]}/{text[6:]}", "c2") for text in islice(texts, MOST_ENTRIES + 1)]
    assert len(json.dumps({"moves": dict(entries)})) < MOST_BYTES
    assert sent(client, moves=dict(entries[:-1])).json["verdict"] == "broken"
    refused = sent(client, moves=dict(entries))
    assert (refused.status_code, "length <= 5478 - at `$.moves`" in refused.json["error"]["message"]) == (400, True)


def test_the_pool_proves_a_table() -> None:
    gate = Gate()
    create_app(gate).test_client().post("/api/v1/prove", json={"moves": {"X../.../...": "b2"}})
    moves = (("X../.../...", "b2"),)
    assert gate.tasks == [Task.of(prove_table, TIC_TAC_TOE, Mark.O, moves)]
