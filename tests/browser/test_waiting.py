"""A slow or broken connection: each press shows at once, waits for its turn, and is not lost."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from werkzeug.exceptions import HTTPException, TooManyRequests

from tests.browser.conftest import Visit, assert_accessible
from tests.browser.playing import GAMES, PHONE, Held, box_of, chosen, expect_marks, play, ready
from webapp.app import create_app
from webapp.serving.http.errors import Busy


def press(page: Page, square: str) -> None:
    """Press a square and wait until its move is pending."""
    page.locator(f"#sq-{square}").click()
    expect(page.locator(f"#sq-{square}")).to_have_class(re.compile(r"\bpending\b"))


def test_a_pressed_square_shows_its_mark_before_the_server_has_answered(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    held = Held(page)
    press(page, "a1")
    expect(page.locator("#sq-a1 .mark")).to_have_text("X")
    expect(page.locator("#board")).to_have_attribute("aria-busy", "true")
    held.let_go()
    ready(page)
    expect(page.locator("#sq-a1")).to_have_class("sq x last")
    press(page, "b2")
    expect(page.locator("#sq-b2 .mark")).to_have_text("O")
    held.let_go()
    ready(page)


def test_squares_pressed_meanwhile_are_played_in_turn(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    held = Held(page)
    press(page, "a1")
    page.locator("#sq-b2").click()
    page.keyboard.press("9")
    expect(page.locator(".mark")).to_have_count(1)
    held.let_go(3)
    expect_marks(page, 3)
    expect(page).to_have_url(re.compile("moves=a1b2c1"))


@pytest.mark.logs_errors
def test_loading_the_settings_ends_no_pending_move(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    moves, settings = Held(page), Held(page, re.compile("/settings"))
    page.locator("#setup > summary").click()
    page.keyboard.press("1")
    expect(page.locator("#sq-a3.pending")).to_be_visible()
    settings.let_go()
    expect(page.locator("#size-form")).to_be_attached()
    page.keyboard.press("9")
    expect(page.locator(".mark")).to_have_count(1)
    moves.routes.pop().abort()
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator(".mark")).to_have_count(0)


def test_the_board_takes_no_move_before_the_computers_reply_is_shown(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=hard")
    page.locator("#sq-a1").click()
    expect(page.locator("#sq-b2")).to_have_class("sq o last")
    seen = page.locator("#board").evaluate(
        "board => [board.getAttribute('aria-busy'), board.getAnimations({subtree: true}).length > 0]"
    )
    assert seen in (["true", True], [None, False]), "busy for as long as something moves"
    ready(page)
    assert page.locator("#board").evaluate("board => board.getAnimations({subtree: true}).length") == 0


def test_undo_pressed_three_times_at_once_goes_back_three(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2c3a3c1&o=friend")
    held = Held(page)
    for _ in range(3):
        page.locator("#undo").click()
    held.let_go(3)
    expect(page).to_have_url(re.compile("at=2"))
    expect(page.locator("#board .mark")).to_have_count(2)


@pytest.mark.slow
def test_keys_pressed_at_once_each_count_from_the_place_of_the_one_before(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2c3a3c1&o=friend")
    held = Held(page)
    for key in ("ArrowLeft", "ArrowLeft", "u", "ArrowRight"):
        page.keyboard.press(key)
    held.let_go(4)
    expect(page).to_have_url(re.compile("at=3"))
    expect(page.locator("#board .mark")).to_have_count(3)


@pytest.mark.slow
def test_choices_during_a_pending_move_are_made_afterwards(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    held = Held(page)
    press(page, "b2")
    page.locator("#opponent-choice").select_option("easy")
    page.locator("label:has(#mode-play)").click()
    held.let_go(3)
    held.stop()
    expect(page).to_have_url(re.compile(r"moves=b2(..)?&o=easy&show=off"))  # with Easy's reply, once it has come
    expect(page.locator("#opponent-choice")).to_have_value("easy")
    expect(page.locator("#mode-play")).to_be_checked()


@pytest.mark.logs_errors
@pytest.mark.parametrize("how", ["gone", "busy"])
def test_a_failed_move_changes_nothing_and_can_be_tried_again(visit: Visit, how: str) -> None:
    page = visit("/play/3x3x3?moves=b2a1&score=1-2-3")
    ready(page)
    page.locator("#sq-c3").focus()
    expect(page.locator("#sq-c3")).to_have_class(re.compile("chosen"))  # it is explained, which takes a moment
    before = page.locator("#board").evaluate(SQUARES)
    places = page.locator("#game").evaluate(PLACES)

    def fail(route: Route) -> None:
        if how == "gone":
            route.abort()
        else:
            route.fulfill(status=503, body="<p>Busy</p>", content_type="text/html")

    page.route(GAMES, fail)
    page.keyboard.press("Enter")
    said = {"gone": "The server did not answer.", "busy": "The server is busy."}[how]
    expect(page.locator("#trouble")).to_contain_text(f"{said} Your game is kept.")
    expect(page.locator("#sq-c3")).to_be_focused()
    assert page.locator("#board").evaluate(SQUARES) == before
    assert page.locator("#game").evaluate(PLACES) == places, "nothing moved"
    page.unroute(GAMES)
    page.locator("#try-again").press("Enter")
    expect(page.locator("#sq-c3 .mark")).to_have_text("X")
    expect(page.locator("#sq-c3")).to_be_focused()
    expect(page.locator("#trouble")).to_be_hidden()


SQUARES = "board => [...board.querySelectorAll('.sq')].map(square => square.outerHTML)"
PLACES = """game => [...game.querySelectorAll("#status, .sq, #steps a, .panel > *")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height];
})"""


@pytest.mark.slow
@pytest.mark.logs_errors
def test_a_failed_choice_is_taken_back_and_can_be_tried_again(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2a1&o=friend")
    page.route(GAMES, lambda route: route.abort())
    page.locator("#opponent-choice").select_option("easy")
    expect(page.locator("#trouble")).to_be_visible()
    assert chosen(page) == ["friend", "X", "3x3x3"]
    page.locator("label:has(#mode-play)").click()
    expect(page.locator("#mode-analyse")).to_be_checked()
    page.unroute(GAMES)
    page.locator("#try-again").click()
    expect(page.locator("#mode-play")).to_be_checked()
    expect(page.locator("#board .future")).to_have_count(0)
    page.locator("#mark-choice").select_option("O")
    expect(page).to_have_url(re.compile("x=friend&o=human&show=off"))
    assert chosen(page) == ["friend", "O", "3x3x3"]


@pytest.mark.logs_errors
def test_going_back_without_a_server_can_be_tried_again(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    play(page, "b2")
    page.route(GAMES, lambda route: route.abort())
    page.evaluate("history.back()")
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#sq-b2 .mark")).to_have_text("X")
    page.unroute(GAMES)
    page.locator("#try-again").click()
    expect(page.locator("#board .mark")).to_have_count(0)
    expect(page).to_have_url("/play/3x3x3?o=friend")
    play(page, "a1")


@pytest.mark.slow
@pytest.mark.logs_errors
def test_a_page_asks_again_after_the_time_that_the_server_gives_or_ever_later(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h6&o=friend")
    page.evaluate(
        """() => {
          const [wait, waits] = [window.setTimeout, []];
          window.waits = waits;
          window.setTimeout = (then, after) => wait(then, 1000 < after && after < 60000 ? waits.push(after) : after);
        }"""
    )
    told = iter([{}, {"Retry-After": "7"}, {}, {}])

    def fail(route: Route) -> None:
        route.fulfill(status=503, body="<p>Busy</p>", content_type="text/html", headers=next(told, {}))

    page.route(GAMES, fail)
    page.wait_for_function("() => waits.length >= 4")
    assert page.evaluate("waits")[:4] == [2000, 7000, 4000, 8000]


@pytest.mark.slow
def test_a_press_without_a_request_does_not_block_the_board(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2a1&o=friend")
    page.locator("#undo").click(modifiers=["ControlOrMeta"])  # opens it in a tab of its own
    page.locator("#setup > summary").click()
    page.locator("#size-form [name=rows]").fill("99")
    page.locator("#size-form button").click()
    page.keyboard.press("Escape")
    ready(page)
    play(page, "c3")


def on_a_slow_line(visit: Visit, path: str, **settings: Any) -> Page:
    """Open a link, and from then on delay each answer by one and a half seconds."""
    page = visit(path, **settings)
    slow = {"offline": False, "latency": 1500, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    return page


@pytest.mark.slow
def test_no_tap_is_lost_on_a_slow_line(visit: Visit) -> None:
    page = on_a_slow_line(visit, "/play/3x3x3?o=friend", **PHONE)
    for square in ("a3", "a2", "b3", "b2", "c3"):
        page.locator(f"#sq-{square}").tap()
    expect(page).to_have_url(re.compile("moves=a3a2b3b2c3"))
    expect(page.locator("#status strong")).to_have_text("X wins")


def test_a_square_pressed_while_the_computer_thinks_shows_as_a_ghost_and_is_not_played_blind(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=rules:centre")
    held = Held(page)
    press(page, "a1")
    page.locator("#sq-c1").click()
    expect(page.locator("[data-wish=X]")).to_have_id("sq-c1")
    held.let_go()
    expect_marks(page, 2)
    expect(page.locator("[data-wish]")).to_have_count(0)
    assert not held.routes


def test_a_ghost_is_taken_back_by_a_second_press(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    held = Held(page)
    press(page, "a1")
    for square, wished in (("b2", "O"), ("c3", "X")):
        page.locator(f"#sq-{square}").click()
        expect(page.locator(f"#sq-{square}")).to_have_attribute("data-wish", wished)
    page.locator("#sq-b2").click()
    expect(page.locator("[data-wish]")).to_have_id("sq-c3")
    held.let_go(2)
    expect_marks(page, 2)
    expect(page).to_have_url(re.compile("moves=a1c3"))


@pytest.mark.logs_errors
def test_what_was_lost_with_the_network_is_tried_again_when_it_is_back(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend", **PHONE)
    page.route(GAMES, lambda route: route.abort(), times=1)
    page.locator("#sq-b2").tap()
    expect(page.locator("#trouble")).to_be_visible()
    said, ribbon = box_of(page.locator("#trouble")), box_of(page.locator(".ribbon"))
    assert ribbon["y"] <= said["y"] <= said["y"] + said["height"] <= ribbon["y"] + ribbon["height"] + 1
    page.evaluate("() => { dispatchEvent(new Event('online')); }")
    expect_marks(page, 1)
    expect(page.locator("#trouble")).to_be_hidden()


def refused(page: Page, error: HTTPException) -> None:
    """Open a game's page while the server answers with an error."""
    app = create_app()

    @app.before_request
    def refuse() -> None:
        raise error

    answer = app.test_client().get("/play/3x3x3")
    page.route(
        GAMES, lambda route: route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.text)
    )
    page.goto("/play/3x3x3")


@pytest.mark.logs_errors
def test_a_page_that_a_busy_server_refused_comes_later_by_itself(visit: Visit) -> None:
    page = visit("/healthz")
    refused(page, Busy(1))
    expect(page.get_by_role("alert")).to_have_text(re.compile("This page tries again by itself in 1 second"))
    page.unroute(GAMES)
    expect(page.locator("#board")).to_be_visible()


@pytest.mark.slow
@pytest.mark.logs_errors
@pytest.mark.parametrize("error", [Busy(60), TooManyRequests()], ids=["busy", "too much"])
def test_a_refusal_breaks_no_accessibility_rule(visit: Visit, error: HTTPException, scheme: str) -> None:
    page = visit("/healthz", color_scheme=scheme)
    refused(page, error)
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page)
