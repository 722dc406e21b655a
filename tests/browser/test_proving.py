"""Boards that take time to prove, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

SLOW = "/play/7x6x4?moves=a1g6&o=human"
NEWS = "**/play/8x8x5*"
"""The requests that the page repeats."""

PROVED = "document.getElementById('proved')?.value ?? Infinity"
"""The number of proved squares; its element is gone once all are."""


def test_squares_fill_in_and_the_focus_stays(visit: Visit) -> None:
    page = visit(SLOW)
    page.locator("#sq-c3").focus()
    page.wait_for_function(f"before => ({PROVED}) > before", arg=page.evaluate(PROVED))
    expect(page.locator("#sq-c3")).to_be_focused()
    expect(page).to_have_url(SLOW)


@pytest.mark.slow
def test_proving_stops_and_goes_on(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h5&o=friend")
    page.click("text=Stop")
    expect(page.locator("#proving")).to_contain_text("Proving is stopped.")
    page.click("text=Go on proving")
    expect(page.locator("#proving")).to_contain_text("still proving")


@pytest.mark.slow
def test_a_move_is_played_while_proofs_come_in(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h4&o=impossible")
    with page.expect_response(NEWS):
        pass
    page.click("#sq-d4")
    expect(page.locator("#sq-d4")).to_have_class(re.compile(r"\bx\b"))
    expect(page.locator(".sq.o")).to_have_count(2)


@pytest.mark.slow
def test_without_javascript_the_refresh_link_shows_progress(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h3&o=friend", java_script_enabled=False)
    page.click("#refresh")
    expect(page.locator("#proved")).to_be_visible()


@pytest.mark.slow
def test_typed_text_stays_while_proofs_come_in(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h8&o=friend")
    page.click("#setup > summary")
    rows = page.locator("#size-form [name=rows]")
    rows.fill("5")
    for _ in range(2):
        page.locator("#proving").evaluate("proof => proof.dataset.old = 'yes'")
        expect(page.locator("#proving:not([data-old])")).to_be_attached()
    expect(rows).to_be_focused()
    expect(rows).to_have_value("5")


@pytest.mark.slow
@pytest.mark.logs_errors
def test_the_page_goes_on_asking_after_a_failure(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h7&o=friend")
    page.route(NEWS, lambda route: route.fulfill(status=502, body="<p>Bad gateway</p>"))
    with page.expect_response(lambda answer: answer.status == 502):
        pass
    expect(page.locator("#board")).to_be_visible()
    page.unroute(NEWS)
    page.route(NEWS, lambda route: route.abort())
    with page.expect_event("requestfailed"):
        pass
    expect(page.locator("#trouble")).to_be_hidden()
    page.unroute(NEWS)
    with page.expect_response(NEWS):
        pass


def test_another_size_is_typed_in(visit: Visit) -> None:
    page = visit("/")
    page.click("#setup > summary")
    for part, number in (("columns", "5"), ("rows", "4"), ("k", "3")):
        page.fill(f"#size-form [name={part}]", number)
    page.click("#size-form button")
    expect(page).to_have_url("/play/5x4x3")
    expect(page.locator("h1")).to_have_text("Three in a row wins")


def test_the_moves_of_a_game_are_judged_one_after_the_other(visit: Visit) -> None:
    page = visit("/play/4x4x3-misere?moves=a1a2b1d4c1&o=friend&show=off&review=1")
    expect(page.locator("#judging")).to_have_count(0, timeout=60_000)
    expect(page.locator("#moves")).not_to_contain_text("not proved")
    expect(page.locator("#told")).to_contain_text("O was winning from the start and never gave the win away.")
