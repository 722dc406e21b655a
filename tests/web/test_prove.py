"""The page that proves a bot: links that hold a whole player, tables of moves, games against them, and badges."""

import json
from html import unescape
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.trial import MOST_ENTRIES, BotProof, BotVerdict, prove, trial
from solver.board.notation import format_cell, format_position
from solver.board.position import Mark
from solver.players import STRATEGIES
from solver.search.budget import Budget
from tests.strategies import TIC_TAC_TOE, examples, reachable
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.prove.routes import EXAMPLES
from webapp.pages.prove.view import ProofView, code_of, proof_of, tabled, view
from webapp.serving.http.security import PROVER
from webapp.serving.pool.asking import MAX_QUERY, make_page
from webapp.serving.pool.messages import Length

FIRST = "/prove?x=0&o=0"
"""The link of the player that takes the first open square."""


def proof_by(name: str, mark: Mark) -> BotProof:
    """Prove the first choices of an opponent."""
    return prove(lambda at: format_cell(min(STRATEGIES[name].decide(at).choices), TIC_TAC_TOE), mark, TIC_TAC_TOE)


def table_by(name: str, mark: Mark) -> dict[str, str]:
    answers = proof_by(name, mark).answers.items()
    return {format_position(at): format_cell(next(iter(each.choices)), TIC_TAC_TOE) for at, each in answers}


def link_of(name: str, *marks: Mark) -> str:
    return "/prove?" + "&".join(f"{mark.lower()}={code_of(proof_by(name, mark))}" for mark in marks)


def pressed(shown: ProofView, name: str) -> ProofView:
    """Return the view at the address of a square."""
    url = next(url for each, _, _, url in shown.squares if each == name)
    assert url is not None
    return view(dict(parse_qsl(urlsplit(url).query, keep_blank_values=True)))


# Links


@pytest.mark.parametrize("mark", Mark)
@examples(20)
@given(seed=st.randoms(use_true_random=False))
def test_a_code_holds_the_whole_player_and_fits_into_an_address(mark: Mark, seed: Random) -> None:
    budget = Budget(nodes=20_000)  # and no seconds, which a busy machine exceeds
    made = prove(lambda at: format_cell(seed.choice(at.legal_moves), TIC_TAC_TOE), mark, TIC_TAC_TOE, budget=budget)
    code = code_of(made)
    assert proof_of(code, mark).answers == made.answers
    assert len(code) < MAX_QUERY / 5


@pytest.mark.parametrize("name", ["minimax", "seven-rules", "easy"])
@pytest.mark.parametrize("mark", Mark)
def test_a_link_has_the_verdict_of_the_players_trial(client: FlaskClient, name: str, mark: Mark) -> None:
    page = unescape(client.get(link_of(name, mark)).text)
    proof = proof_by(name, mark)
    assert proof.counts == trial(proof.strategy, mark, TIC_TAC_TOE).counts
    beaten = proof.verdict is BotVerdict.BEATEN
    assert (f"Not yet: it can be beaten as {mark}." in page, f"Nobody can beat it as {mark}." in page) == (
        beaten,
        not beaten,
    )
    assert all(f"{number:,}</td>" in page for number in (proof.counts.games, *proof.counts))


def test_unknown_parts_of_a_link_are_ignored(client: FlaskClient) -> None:
    assert client.get(f"{FIRST}&utm_source=mail").text == client.get(FIRST).text


# Games


def test_the_bot_answers_each_square_and_can_be_beaten(app: Flask) -> None:
    with app.test_request_context():
        shown = view({"o": "0", "moves": ""})
        for name in ("a3", "a2", "a1"):
            assert shown.status == "You're X. Press a square."
            shown = pressed(shown, name)
        assert shown.status == "The bot is beaten!"


@pytest.mark.parametrize("mark", Mark)
def test_no_game_against_an_unbeatable_player_is_lost_by_it(app: Flask, mark: Mark) -> None:
    with app.test_request_context():
        codes = {mark.lower(): code_of(proof_by("minimax", mark))}
        waiting, ends = [view(codes)], list[str]()
        while waiting and len(ends) < 100:
            shown = waiting.pop()
            following = [pressed(shown, name) for name, _, _, url in shown.squares if url]
            waiting += following
            ends += [shown.status] if not following else []
    assert set(ends) <= {"Your bot wins.", "A draw."}


# Tables


@pytest.mark.parametrize("written", ["json", "call", "csv", "plain"])
def test_a_table_leads_to_the_link_that_holds_it(client: FlaskClient, written: str) -> None:
    moves = table_by("seven-rules", Mark.O) | table_by("seven-rules", Mark.X)
    lines = [f"{position},{square}" for position, square in moves.items()]
    text = {
        "json": json.dumps(moves),
        "call": json.dumps({"moves": moves}),
        "csv": "\r\n".join(["position,square", *lines]),
        "plain": "\n".join(lines).replace("/", "").lower(),
    }[written]
    answer = client.post("/prove", data={"bot": text})
    assert (answer.status_code, answer.location) == (303, link_of("seven-rules", Mark.X, Mark.O))


def test_a_table_that_nests_too_deep_is_no_json(client: FlaskClient) -> None:
    assert "isn't JSON" in unescape(client.post("/prove", data={"bot": "{}" + "[" * 3000}).text)


def test_a_table_has_no_more_entries_than_3x3_has_positions(client: FlaskClient) -> None:
    lines = [f"{number:09d},a1" for number in range(MOST_ENTRIES + 1)]
    assert "at most 5,478" in client.post("/prove", data={"bot": "\n".join(lines)}).text


def test_a_table_of_every_position_fits_into_the_form(client: FlaskClient) -> None:
    unfinished = [each for each in reachable(TIC_TAC_TOE) if each.result is None]
    text = json.dumps({format_position(each): format_cell(each.legal_moves[0], TIC_TAC_TOE) for each in unfinished})
    answer = client.post("/prove", data={"bot": text}, content_type="multipart/form-data")
    assert (answer.status_code, answer.location) == (303, FIRST)
    assert client.post("/prove", data={"bot": " " * (1 << 17)}).status_code == 413


def test_the_pool_proves_links_badges_and_tables() -> None:
    gate = Gate()
    gated = create_app(gate, AppConfig()).test_client()
    page = gated.get(FIRST)
    gated.get("/prove/badge.svg?x=0")
    gated.post("/prove", data={"bot": ".../.../...,a3"})
    assert [(task.length, task.function) for task in gate.tasks] == [
        (Length.LONG, make_page),
        (Length.LONG, make_page),
        (Length.SHORT, tabled),
    ]
    assert "](http://localhost/prove?x=0&amp;o=0)" in page.text


# The form, examples, the badge and the worker


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_has_a_button_that_fills_the_box(client: FlaskClient, name: str) -> None:
    assert f'href="/prove?example={name}"' in client.get("/prove").text
    page = unescape(client.get(f"/prove?example={name}").text)
    assert ("return" in page or "=>" in page, 'role="alert"' in page) == (True, False)


def test_an_unknown_example_leaves_the_box_empty(client: FlaskClient) -> None:
    assert client.get("/prove?example=../app").text == client.get("/prove").text


@pytest.mark.parametrize(
    ("name", "marks", "words"),
    [
        ("minimax", (Mark.X, Mark.O), "proved unbeatable as X and O"),
        ("seven-rules", (Mark.X, Mark.O), "can be beaten as O"),
        ("easy", (Mark.X,), "can be beaten as X"),
    ],
)
def test_a_badge_says_what_is_proved_and_any_site_may_show_it(
    client: FlaskClient, name: str, marks: tuple[Mark, ...], words: str
) -> None:
    link = link_of(name, *marks)
    badge = client.get(link.replace("?", "/badge.svg?"))
    assert (badge.mimetype, f">{words}</text>" in badge.text) == ("image/svg+xml", True)
    assert badge.headers.getlist("Cross-Origin-Resource-Policy") == ["cross-origin"]
    site = "http://localhost"
    markdown = f"[![{words}]({site}{link.replace('?', '/badge.svg?')})]({site}{link})"
    assert markdown in unescape(client.get(link).text)


def test_only_the_worker_may_evaluate_code_and_it_reaches_no_network(client: FlaskClient) -> None:
    policy = client.get(PROVER).headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; script-src 'unsafe-eval'; connect-src 'none'; frame-ancestors 'none'"
    for url in ("/prove", FIRST, "/static/prover.js", "/static/prove.js", "/prove/badge.svg?x=0", f"{PROVER}/"):
        with client.get(url) as answer:
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
