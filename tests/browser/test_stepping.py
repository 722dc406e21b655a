"""Lessons in steps: the same with and without JavaScript, by keyboard, and with questions before answers."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.marked import slow

LESSON = "/learn/stepper"


def picture(page: Page) -> list[str]:
    """Return the stage's contents: tree, bars, board, code, sentence and question."""
    return [
        *page.locator("#stage svg").evaluate_all("all => all.map(each => each.outerHTML)"),
        *page.locator("#telling, #asked, #count, .line.on").all_text_contents(),
    ]


@pytest.mark.parametrize("query", ["", *slow("?search=lazy&from=XO./.../XOX")])
def test_stepping_shows_the_same_picture_as_the_steps_link_without_javascript(visit: Visit, query: str) -> None:
    page, plain = visit(LESSON + query), visit(LESSON + query, java_script_enabled=False)
    last = int(page.locator("#scrub").get_attribute("max") or 0)
    assert picture(page) == picture(plain)
    page.keyboard.press("ArrowRight")
    plain.get_by_role("link", name="A step on").click()
    for each in (page, plain):
        expect(each.locator("#count")).to_have_text(f"2 of {last}")
    assert picture(page) == picture(plain)
    page.keyboard.press("End")
    page.get_by_role("link", name="A step back").click()
    plain.goto(page.url)
    expect(plain.locator("#count")).to_have_text(f"{last - 1} of {last}")
    assert picture(page) == picture(plain)
    page.locator("#scrub").fill("3")
    plain.locator("#scrub").fill("3")
    plain.get_by_role("button", name="Go").click()
    for each in (page, plain):
        expect(each.locator("#count")).to_have_text(f"3 of {last}")
    assert picture(page) == picture(plain)


def test_playing_stops_at_a_question_whose_answer_is_judged_at_once(visit: Visit) -> None:
    page = visit(f"{LESSON}?step=8", viewport={"width": 390, "height": 844})
    page.keyboard.press("Space")
    expect(page.locator("#asked")).to_have_text("What will the node after b3 be worth?")
    expect(page.locator("#ask .answers")).to_be_in_viewport(ratio=0.99)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("link", name="+7").click()
    expect(page.locator("#verdict")).to_have_text("No, 0: Min takes the smallest of +7, 0.")
    expect(page.locator("#count")).to_have_text("10 of 19")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#verdict")).to_be_empty()


def test_a_step_onward_leaves_the_answer_behind(visit: Visit) -> None:
    page = visit(f"{LESSON}?step=14&guess=0")
    expect(page.locator("#verdict")).to_contain_text("Not quite")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#verdict")).to_be_empty()
    expect(page).to_have_url(re.compile(r"step=15(?!.*guess)"))


def test_a_term_is_explained_on_the_spot_by_keyboard_and_without_javascript(visit: Visit) -> None:
    page = visit(LESSON, java_script_enabled=False)
    expect(page.locator("#term-alpha")).to_be_hidden()
    page.get_by_role("button", name="α", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#term-alpha")).to_contain_text("another move already gives X")
    page.keyboard.press("Escape")
    expect(page.locator("#term-alpha")).to_be_hidden()


@pytest.mark.slow
def test_no_step_breaks_an_accessibility_rule(visit: Visit, scheme: str) -> None:
    page = visit(f"{LESSON}?step=15", color_scheme=scheme)
    page.get_by_role("button", name="β", exact=True).click()
    assert_accessible(page)


def test_a_wide_tree_scrolls_by_itself_and_keeps_the_step_in_view_on_a_phone(visit: Visit) -> None:
    page = visit(f"{LESSON}?from=..X/OX./O..&plies=2")
    assert_fits(page, 360)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.locator("#run").scroll_into_view_if_needed()
    expect(page.locator(".node.now rect.box")).to_be_in_viewport(ratio=0.9)
