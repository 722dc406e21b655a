"""The reasons of squares: by pointing, by focus, by long presses, in steps, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.playing import PHONE, Held, box_of, expect_marks, ready
from tests.marked import slow
from tests.solver.reasons.sayings import reason_of

FORKED = "/play/3x3x3?from=X.O/.X./..O&o=friend"
PLAYED = "/play/3x3x3?moves=a3c3b2c1&o=friend"
"""The same position, as the end of a game."""

LOSES = reason_of("X.O/.X./..O", "a2").text
WHY = re.compile("/why/")
NEWS = re.compile("/play/8x8x5")


def told(page: Page) -> None:
    """Wait for the sentence in the card, and for the outline of the square; nothing else changes on the board."""
    expect(page.locator("#reason")).to_have_text(LOSES)
    expect(page.locator("#board .chosen")).to_have_attribute("id", "sq-a2")
    expect(page.locator("#ghosts svg")).to_have_count(0)


def test_pointing_at_a_square_says_why_and_outlines_it_until_the_pointer_leaves(visit: Visit) -> None:
    page = visit(FORKED)
    page.locator("#sq-a2").hover()
    told(page)
    page.locator("#deal").hover()
    expect(page.locator("#board .chosen")).to_have_count(0)
    expect(page).to_have_url(FORKED)
    page.locator("#sq-c2").hover()
    expect(page.locator("#reason")).not_to_have_text(LOSES)
    expect(page.locator("#sq-c2.chosen")).to_be_visible()
    page.locator("#sq-b2").hover()  # is taken
    expect(page.locator("#board .chosen")).to_have_count(0)


def test_moving_to_a_square_by_keys_says_why(visit: Visit) -> None:
    page = visit(FORKED)
    page.locator("#sq-a3").focus()
    page.keyboard.press("ArrowDown")
    told(page)
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#board .chosen")).to_have_count(0)


@pytest.mark.slow
def test_the_outline_of_a_square_goes_when_it_is_played(visit: Visit) -> None:
    page = visit(FORKED)
    page.locator("#sq-a2").hover()
    told(page)
    page.locator("#sq-a2").click()
    expect(page.locator("#board .chosen")).to_have_count(0)
    expect(page.locator("#sq-a2")).to_have_class("sq x last")


def test_a_late_reason_is_not_shown_for_another_position(visit: Visit) -> None:
    page = visit(PLAYED)
    held = Held(page, WHY)
    page.locator("#sq-a2").hover()
    late = held.next()
    page.keyboard.press("u")
    expect_marks(page, 3)
    with page.expect_response(WHY) as answer:
        late.continue_()
    answer.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#reason, #board .chosen")).to_have_count(0)
    held.let_go()
    expect(page.locator("#reason")).not_to_have_text(LOSES)  # but its outcome in this position


@pytest.mark.slow
def test_a_square_pointed_at_while_a_move_is_pending_is_explained_afterwards(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a3c3b2&o=friend")
    held = Held(page)
    page.locator("#sq-c1").click()
    page.locator("#sq-a2").hover()
    held.let_go()
    told(page)


@pytest.mark.slow
def test_a_reason_is_renewed_at_any_news_of_a_proof(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h6&o=friend")
    page.locator("#sq-d4").hover()
    expect(page.locator("#reason")).to_contain_text("Not proved")
    page.locator("#why").evaluate(
        """why => {
          window.gone = false;
          const look = () => { window.gone ||= !document.getElementById("reason"); };
          new MutationObserver(look).observe(why, { childList: true, subtree: true });
        }"""
    )
    for asked in (NEWS, WHY, NEWS, WHY):
        with page.expect_response(asked):
            pass
    assert not page.evaluate("window.gone"), "the reason was gone meanwhile"


def test_a_reason_is_announced_to_screen_readers(visit: Visit) -> None:
    page = visit(FORKED)
    region = page.locator("#why [role=status]").element_handle()
    for square in ("a2", "c2"):
        page.locator(f"#sq-{square}").hover()
        expect(page.locator("#line-words")).to_contain_text(square)
        assert region.inner_text() == page.locator("#reason").inner_text(), "a screen reader may ignore a new element"


@pytest.mark.slow
def test_the_moves_of_a_reason_step_through_its_line_on_the_same_page(visit: Visit) -> None:
    page = visit(FORKED)
    page.evaluate("() => { window.stays = true; }")
    page.locator("#sq-a2").hover()
    page.locator("#line-1").click()
    expect(page.locator("#board .shown")).to_have_text(["X 1"])
    assert page.evaluate("window.stays")


def test_the_line_of_a_square_is_played_out_only_when_asked_for(visit: Visit) -> None:
    page = visit(FORKED)
    page.locator("#sq-a2").hover()
    page.get_by_role("link", name="Play it out").click()
    expect(page.locator("#board .shown")).to_have_count(0)
    ready(page)
    page.locator("#line-forward").click()
    expect(page.locator("#board .shown")).to_have_text(["X 1"])


@pytest.mark.slow
def test_a_shift_click_plays_a_squares_line_out_and_buttons_step_through_it(visit: Visit) -> None:
    page = visit(FORKED)
    page.locator("#sq-a2").click(modifiers=["Shift"])
    expect(page).to_have_url(re.compile("line=a2"))
    shown = page.locator("#board .shown")
    expect(shown).to_have_text(["X 1", "O 2"])
    expect(page.locator("#reason")).to_have_text(LOSES)
    expect(page.locator("#moves li")).to_have_count(0)  # nothing is played
    page.locator("#line-back").click()
    expect(shown).to_have_text(["X 1"])
    ready(page)
    page.locator("#line-forward").click()
    expect(shown).to_have_count(2)
    ready(page)
    page.locator("#line-1").click()
    expect(shown).to_have_count(1)
    ready(page)
    page.locator("#line-close").click()
    expect(shown).to_have_count(0)
    expect(page.locator("#board .future")).to_have_count(5)


class Finger:
    """A finger that rests on a square until it is lifted."""

    def __init__(self, page: Page, square: str) -> None:
        box = box_of(page.locator(f"#sq-{square}"))
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.touch = page.context.new_cdp_session(page)
        self.touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})

    def lift(self) -> None:
        """End the press."""
        self.touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.slow
def test_a_long_press_plays_a_squares_line_out_and_the_next_tap_plays(visit: Visit) -> None:
    page = visit(FORKED, **PHONE)
    finger = Finger(page, "a2")
    expect(page.locator("#board .shown")).to_have_count(2)
    finger.lift()
    expect(page).to_have_url(re.compile("line=a2"))
    ready(page)
    page.locator("#line-close").tap()
    expect(page.locator("#board .shown")).to_have_count(0)
    ready(page)
    page.locator("#sq-b3").tap()
    expect(page.locator("#sq-b3 .mark")).to_have_text("X")


@pytest.mark.parametrize("mode", ["off", *slow("coach")])
def test_a_long_press_plays_where_there_is_nothing_to_tell(visit: Visit, mode: str) -> None:
    page = visit(f"{FORKED}&show={mode}", **PHONE)
    page.evaluate(
        """() => {
          const wait = window.setTimeout;
          window.setTimeout = (then, after) => wait(() => { then(); window.long ||= after === 500; }, after);
        }"""
    )
    finger = Finger(page, "c2")
    page.wait_for_function("() => window.long")
    finger.lift()
    expect(page.locator("#sq-c2 .mark")).to_have_text("X")
    expect(page.locator("#board .mark")).to_have_count(5)


@pytest.mark.slow
def test_a_long_press_plays_where_the_browser_sends_no_click_after_it(visit: Visit) -> None:
    page = visit(f"{FORKED}&show=off")
    page.evaluate(
        "() => { const wait = setTimeout; window.setTimeout = (then, after) => wait(then, after === 500 ? 0 : after); }"
    )
    square = page.locator("#sq-c2")
    square.dispatch_event("pointerdown", {"pointerType": "touch"})
    page.evaluate("new Promise(then => setTimeout(then))")
    square.dispatch_event("pointerup", {"pointerType": "touch"})
    expect(square.locator(".mark")).to_have_text("X")


@pytest.mark.slow
def test_a_long_press_on_a_square_that_is_not_proved_says_so_and_plays_nothing(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h6&o=friend", **PHONE)
    finger = Finger(page, "d4")
    expect(page.locator("#reason")).to_contain_text("Not proved")
    expect(page.locator("#reason")).to_be_in_viewport()
    finger.lift()
    ready(page)
    expect(page.locator("#board .mark")).to_have_count(2)


@pytest.mark.slow
def test_without_javascript_a_square_is_chosen_for_explanation(visit: Visit) -> None:
    page = visit(FORKED, java_script_enabled=False)
    page.locator("#line-choice").select_option("a2")
    page.locator("#line-form").get_by_role("button", name="Show").click()
    expect(page.locator("#reason")).to_have_text(LOSES)
    expect(page.locator("#board .shown")).to_have_count(2)
    page.locator("#line-back").click()
    expect(page.locator("#board .shown")).to_have_count(1)
    page.locator("#line-close").click()
    expect(page.locator("#board .shown")).to_have_count(0)
