"""Keys: on the board, through the game, and instead of buttons."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import expect_marks, play, ready, show


def test_arrows_home_and_end_go_through_the_game_off_the_board(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2c3a3&o=friend")
    for key, number in (("Left", 3), ("Left", 2), ("Right", 3), ("Left", 2), ("Left", 1), ("Left", 0), ("Left", 0)):
        page.keyboard.press(f"Arrow{key}")
        expect_marks(page, number)
    page.keyboard.press("End")
    expect_marks(page, 4)
    page.keyboard.press("ArrowRight")
    expect_marks(page, 4)
    page.keyboard.press("Home")
    expect_marks(page, 0)
    expect(page).to_have_url("/play/3x3x3?moves=a1b2c3a3&at=0&o=friend")


def test_letters_do_what_the_buttons_do(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2c3a3&o=friend")
    page.keyboard.press("u")
    expect_marks(page, 3)
    page.keyboard.press("h")
    expect(page.locator("#hint")).to_have_attribute("aria-current", "true")
    ready(page)
    page.keyboard.press("r")
    expect(page.locator("#telling")).to_be_visible()
    page.go_back()
    ready(page)
    page.keyboard.press("n")
    expect_marks(page, 0)
    expect(page).to_have_url("/play/3x3x3?o=friend")
    for key in "uur":  # nothing to take back and nothing to review
        page.keyboard.press(key)
    page.keyboard.press("9")
    expect(page.locator("#sq-c1 .mark")).to_have_text("X")


def test_keys_work_right_after_choosing_a_way_to_play(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    show(page, "play")
    ready(page)
    page.keyboard.press("5")
    expect(page.locator("#sq-b2 .mark")).to_have_text("X")


@pytest.mark.slow
def test_escape_closes_what_is_open(visit: Visit) -> None:
    page = visit("/play/3x3x3?from=X.O/.X./..O&o=friend&line=a2")
    page.locator("#setup > summary").click()
    expect(page.locator("#setup")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#setup")).not_to_have_attribute("open", "")
    expect(page.locator("#setup > summary")).to_be_focused()
    expect(page.locator("#line-words")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#line-words")).to_have_count(0)


def test_escape_closes_the_setup_from_a_field_in_it(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    page.locator("#setup > summary").click()
    for field in ("#surface-choice", "#size-form [name=columns]"):
        page.locator(field).focus()
        page.keyboard.press("Escape")
        expect(page.locator("#setup > summary")).to_be_focused()
        expect(page.locator("#setup")).not_to_have_attribute("open", "")
        page.locator("#setup > summary").click()


@pytest.mark.slow
def test_a_press_beside_the_setup_closes_it(visit: Visit) -> None:
    page = visit("/")
    page.locator("#setup > summary").click()
    page.locator(".strip h1").click()
    expect(page.locator("#setup")).not_to_have_attribute("open", "")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "url"), [("undo", "moves=b2a1&at=0"), ("redo", "moves=b2a1")])
def test_the_focus_stays_on_undo_and_redo_at_the_ends_of_the_game(visit: Visit, name: str, url: str) -> None:
    page = visit(f"/play/3x3x3?moves=b2a1&at={1 if name == 'redo' else 2}&o=friend")
    button = page.locator(f"#{name}")
    button.focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        ready(page)
    expect(page).to_have_url(re.compile(re.escape(f"/play/3x3x3?{url}&o=friend") + "$"))
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_be_focused()


@pytest.mark.slow
def test_arrows_step_through_a_line_from_its_square_and_from_the_select(visit: Visit) -> None:
    page = visit("/play/3x3x3?from=X.O/.X./..O&o=friend")
    shown = page.locator("#board .shown")
    page.locator("#sq-a2").focus()
    page.keyboard.press("Shift+Enter")
    expect(shown).to_have_count(2)
    ready(page)
    for place in ("#sq-a2", "#line-choice"):
        page.locator(place).focus()
        for key, number in (("ArrowLeft", 1), ("ArrowRight", 2)):
            page.keyboard.press(key)
            expect(shown).to_have_count(number)
            ready(page)
        expect(page.locator(place)).to_be_focused()
        expect(page.locator("#why-words #line-now")).to_have_text("Shown: 2 of 2, O c2.")


def test_keys_with_control_or_alt_are_left_to_the_browser(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    play(page, "b2")
    page.keyboard.press("Control+u")
    page.keyboard.press("Alt+h")
    expect(page.locator("#hint[aria-current]")).to_have_count(0)
    expect_marks(page, 1)


def test_arrow_keys_step_over_holes(visit: Visit) -> None:
    page = visit("/play/4x4x3-holesb2c3?o=friend")
    page.locator("#sq-b3").focus()
    for key, reached in (("ArrowDown", "b1"), ("ArrowUp", "b3"), ("ArrowRight", "d3"), ("ArrowLeft", "b3")):
        page.keyboard.press(key)
        expect(page.locator(f"#sq-{reached}")).to_be_focused()
