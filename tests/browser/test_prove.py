"""Proving a pasted bot in a real browser: its worker runs the code, and only the moves leave the page."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from solver.analysis.trial import BotProof, prove
from solver.board.notation import format_cell, format_position
from solver.board.position import Mark
from solver.players import strategy_named
from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.browser.test_standing_still import assert_still, watched
from tests.marked import slow
from tests.strategies import TIC_TAC_TOE
from webapp.pages.prove.view import proof_of

FIRST = "/prove?o=0&x=0"

TWINS = {
    "rules": strategy_named("seven-rules", TIC_TAC_TOE),
    "careful": strategy_named("rules:win,block,centre,corner,edge", TIC_TAC_TOE),
    "forks": strategy_named("rules:win,block,fork,spoil,centre,corner,edge", TIC_TAC_TOE),
    "first": strategy_named("rules:rest", TIC_TAC_TOE),
}
"""Examples as lists of rules, of whose squares they take the first."""


def proved(page: Page) -> dict[Mark, BotProof]:
    """Return the proofs of the player whose link a page shows."""
    codes = parse_qs(urlsplit(page.url).query)
    return {mark: proof_of(codes[mark.lower()][0], mark) for mark in Mark}


def seen(page: Page) -> list[Request]:
    """Return a list that gets every request of a page and its workers."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108 - Playwright takes no built-in
    return requests


def ask(page: Page, code: str) -> None:
    page.locator("#bot").fill(code)
    page.locator("#prove").click()


@pytest.mark.parametrize("name", ["rules", *slow("careful", "forks", "first")])
def test_an_example_is_proved_as_the_player_it_stands_for(visit: Visit, name: str) -> None:
    page = visit("/prove")
    page.locator(f'.examples a[href$="={name}"]').click()
    page.locator("#prove").click()
    expect(page.locator("#proof h1")).to_contain_text("Not yet: it can be beaten as")
    for mark, proof in proved(page).items():
        twin = prove(lambda at: format_cell(min(TWINS[name].decide(at).choices), TIC_TAC_TOE), mark, TIC_TAC_TOE)
        assert (proof.answers, proof.counts) == (twin.answers, twin.counts)


def test_minimax_is_proved_unbeatable_on_both_sides(visit: Visit) -> None:
    page = visit("/prove?example=minimax")
    page.locator("#prove").press("Enter")
    expect(page.locator("#proof h1")).to_have_text("Yes! Nobody can beat it.")
    for proof in proved(page).values():
        assert proof.counts is not None
        assert proof.counts.lost == 0


def test_no_request_holds_the_code_and_coming_back_finds_it(visit: Visit) -> None:
    page = visit("/prove")
    requests = seen(page)
    code = '(board) => { const secretWord = "moonshine"; return board.indexOf(""); }'
    ask(page, code)
    expect(page.locator("#proof")).to_be_visible()
    page.get_by_role("link", name="Change it and try again").click()
    expect(page.locator("#bot")).to_have_value(code)
    assert requests
    for request in requests:
        assert "moonshine" not in json.dumps([request.url, request.headers, request.post_data])


@pytest.mark.logs_errors
@pytest.mark.parametrize(
    "attempt",
    [
        'fetch("/?moonshine")',
        *slow(
            'importScripts("/static/app.js?moonshine")',
            'import("/static/app.js?moonshine")',
            'new WebSocket(location.origin.replace("http", "ws") + "/?moonshine")',
            'new EventSource("/live?moonshine")',
            'new Worker("/prove/worker.js?moonshine")',
        ),
    ],
)
def test_pasted_code_reaches_no_network(visit: Visit, attempt: str) -> None:
    page = visit("/prove")
    requests = seen(page)
    ask(page, f'async (board) => {{ try {{ await {attempt}; }} catch {{}} return board.indexOf(""); }}')
    expect(page).to_have_url(FIRST)
    assert not [each.url for each in requests if "moonshine" in each.url and each.failure is None]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        ("() => { for (;;); }", "At X../.../..., as O, it gave no answer within 5 seconds, so I stopped it."),
        ('() => { throw new Error("<b>no</b>"); }', "At X../.../..., as O, it threw “Error: <b>no</b>”."),
        *slow(
            ('() => "d4"', 'At X../.../..., as O, it answered "d4", which is no square.'),
            ("() => 9", "At X../.../..., as O, it answered 9, which is no square."),
            ("() => {}", "At X../.../..., as O, it answered null, which is no square."),
            ("() => 0", "At X../.../..., as O, it answered a3, but X stands there."),
            ("let x = ;", "I can't run that: it threw “SyntaxError: Unexpected token ';'”."),
            ("42", "I can't run that: it threw “TypeError: that isn't a function”."),
            ('throw "tea"', "I can't run that: it threw “tea”."),
        ),
    ],
)
def test_a_bot_that_breaks_is_told_where_and_nothing_is_lost(visit: Visit, case: tuple[str, str]) -> None:
    code, words = case
    page = visit("/prove")
    ask(page, code)
    expect(page.locator("#said.problem")).to_have_text(words)
    expect(page.locator("#bot")).to_have_value(code)
    expect(page.locator("#prove")).to_be_enabled()


def test_a_bot_for_one_side_can_be_proved_for_that_side(visit: Visit) -> None:
    page = visit("/prove")
    helper = 'function helper(board) { return board.indexOf(""); }'
    ask(page, f'{helper}\nconst bot = (board, mark) => mark === "O" && helper(board);')
    expect(page.locator("#said.problem")).to_contain_text('as X, it answered "false", which is no square')
    page.get_by_role("link", name="See how the moves it chose just now do as O").click()
    expect(page).to_have_url("/prove?o=0")


def test_a_bot_that_draws_by_chance_is_told_what_a_proof_of_it_would_be(visit: Visit) -> None:
    page = visit("/prove")
    ask(page, 'board => board.indexOf("", Math.random() > 2 ? 8 : 0)')
    expect(page.locator("#said.problem")).to_contain_text("may play otherwise next time")
    page.get_by_role("link", name="just now do as O and X").click()
    expect(page).to_have_url(FIRST)


def test_the_keys_step_through_the_lost_game_and_the_visitor_beats_the_bot(visit: Visit) -> None:
    page = visit("/prove?o=0")
    page.evaluate("window.stayed = true")
    expect(page.locator(".said")).to_contain_text("the mistake")
    for _ in range(4):
        steps = page.locator(".strip-of-boards [aria-current]").get_attribute("id")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".strip-of-boards [aria-current]")).not_to_have_id(str(steps))
    expect(page.locator(".said")).to_have_text("The bot is beaten!")
    page.locator("#play").press("Enter")
    for square in ("a3", "a2", "a1"):
        page.locator(f"#place-{square}").press("Enter")
        expect(page.locator(f'.places [aria-label="{square}, X"]')).to_be_visible()
    expect(page.locator(".said")).to_have_text("The bot is beaten!")
    assert page.evaluate("window.stayed && document.activeElement !== document.body")


def test_without_javascript_a_table_is_proved_and_played_against(visit: Visit) -> None:
    page = visit("/prove", java_script_enabled=False)
    expect(page.get_by_text("A function needs JavaScript")).to_be_visible()
    first = proof_of("0", Mark.X).answers
    ask(page, "\n".join(f"{format_position(at)},{format_cell(at.legal_moves[0], TIC_TAC_TOE)}" for at in first))
    expect(page).to_have_url("/prove?x=0")
    page.locator("#play").click()
    page.locator("#place-c1").click()
    expect(page.locator(".strip-of-boards li")).to_have_count(4)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_nothing_moves_while_a_bot_is_asked_or_its_game_is_walked_through(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, "/prove", size)
    ask(page, '() => { throw new Error("no"); }')
    expect(page.locator("#said.problem")).to_be_visible()
    assert_still(page)
    page.goto(FIRST)
    for step in ("back", "on", "on", "on"):
        shown = str(page.locator(".strip-of-boards [aria-current]").get_attribute("id"))
        page.locator(f"#stage-{step}").click()
        expect(page.locator(".strip-of-boards [aria-current]")).not_to_have_id(shown)
    page.locator("#play").click()
    page.locator("#place-c1").click()
    expect(page.locator('.places [aria-label="c1, X"]')).to_be_visible()
    assert_still(page)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/prove", "/prove?example=minimax", FIRST, "/prove?x=0&moves=a3b2"])
def test_the_page_is_accessible_and_no_wider_than_the_screen(visit: Visit, path: str, scheme: str) -> None:
    page = visit(path, color_scheme=scheme)
    for width in (1280, 390, 320):
        assert_fits(page, width)
    assert_accessible(page)
