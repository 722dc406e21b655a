"""What somebody meets who opens the page: few controls, answers at once, and taps that ask instead of playing."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import PHONE, Held, expect_marks, ready


def test_who_thinks_is_said_at_once_and_the_old_letters_fade(visit: Visit) -> None:
    page = visit("/play/3x3x3")
    held = Held(page)
    page.locator("#sq-b2").click()
    expect(page.locator("#status strong")).to_have_text("Hard is thinking …")
    expect(page.locator("#board.asked")).to_be_visible()
    held.let_go()
    expect_marks(page, 2)
    expect(page.locator("#status strong")).to_have_text("Your turn")
    expect(page.locator("#board.asked")).to_have_count(0)


@pytest.mark.logs_errors
def test_a_press_that_the_server_does_not_answer_leaves_the_status_as_it_was(visit: Visit) -> None:
    page = visit("/play/3x3x3")
    page.route("**/play/3x3x3*", lambda route: route.fulfill(status=503, body=""))
    page.locator("#sq-b2").click()
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#status strong")).to_have_text("Your turn")


def test_a_tap_asks_about_a_square_while_the_question_mark_is_on(visit: Visit) -> None:
    page = visit("/play/3x3x3?from=X.O/.X./..O&o=friend", **PHONE)
    page.locator("#ask").tap()
    expect(page.locator("#ask")).to_have_attribute("aria-pressed", "true")
    page.locator("#sq-a2").tap()
    expect(page.locator("#line-words")).to_contain_text("a2")
    expect(page.locator("#board .mark")).to_have_count(4)
    page.locator("#ask").tap()
    page.locator("#sq-c2").tap()
    expect(page.locator("#sq-c2 .mark")).to_have_text("X")


def test_computers_do_not_play_on_behind_the_open_settings(visit: Visit) -> None:
    page = visit("/play/3x3x3?x=easy&o=easy&speed=slow")
    page.locator("#setup > summary").click()
    expect(page.locator("#opponents-form")).to_be_visible()
    ready(page)
    marks = page.locator("#board .mark").count()
    page.clock.install()
    page.clock.run_for(5_000)
    expect(page.locator("#board .mark")).to_have_count(marks)
    page.keyboard.press("Escape")
    expect(page.locator("#board .mark")).not_to_have_count(marks)


@pytest.mark.parametrize("setting", [{}, PHONE], ids=["desktop", "phone"])
def test_there_are_at_most_twelve_controls_at_rest(visit: Visit, setting: dict[str, Any]) -> None:
    page = visit("/", **setting)
    visible = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a, button, select, input, summary):not(.sq)")]
          .filter((control) => control.checkVisibility({ visibilityProperty: true }))
          .filter((control) => !control.closest("#line-form"))  // a pixel wide until it has the focus
          .map((control) => control.id || control.textContent)"""
    )
    assert len(visible) <= 12, " ".join(visible)


def test_the_page_has_at_most_forty_five_controls_in_all(visit: Visit) -> None:
    assert visit("/").locator("a, button, select, input:not([type=hidden]), summary").count() <= 45


def test_the_rule_and_the_turn_stand_above_the_board_in_words(visit: Visit) -> None:
    page = visit("/play/6x5x4")
    board = page.locator("#board").bounding_box()
    for words in (page.get_by_role("heading", name="Four in a row wins"), page.locator("#status")):
        expect(words).to_be_visible()
        box = words.bounding_box()
        assert box is not None
        assert board is not None
        assert box["y"] + box["height"] <= board["y"]


def test_the_sheet_on_a_phone_opens_and_closes_by_a_press_on_its_grip(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2b1c3a1c2a3c1&o=friend", **PHONE)
    grip, again = page.locator("#grip"), page.locator("#again")
    grip.tap()
    expect(grip).to_have_attribute("aria-expanded", "true")
    expect(again).to_be_in_viewport()
    grip.tap()
    expect(grip).to_have_attribute("aria-expanded", "false")


def test_sounds_are_off_until_somebody_switches_them_on_and_the_device_remembers(visit: Visit) -> None:
    page = visit("/")
    sound = page.locator("#sound")
    expect(sound).to_have_text("♪ off")
    sound.click()
    page.reload()
    expect(sound).to_have_text("♪ on")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("show", ["off", "distance"])
def test_marks_keep_their_round_ends(visit: Visit, show: str) -> None:
    page = visit(f"/play/3x3x3?moves=b2a1c3a3&o=friend&show={show}")
    radii = page.locator("#board .x .mark").evaluate_all(
        "marks => marks.map((mark) => parseFloat(getComputedStyle(mark, '::before').borderTopLeftRadius))"
    )
    assert len(radii) == 2
    assert min(radii) > 4
