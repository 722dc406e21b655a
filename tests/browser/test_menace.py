"""The lesson on MENACE in a browser: running games, steps that keep the focus, and everything without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.marked import slow

PAGE = "/learn/menace?opponent=seven-rules&games=30&seed=1"


@pytest.mark.slow
def test_steps_stay_on_the_page_keep_the_focus_and_change_the_address(visit: Visit) -> None:
    page = visit(PAGE)
    heading = page.locator("#played")
    expect(heading).to_have_text("Game 1 of 30: a draw")
    page.evaluate("window.same = true")
    page.locator("#on").press("Enter")
    expect(heading).to_have_text(re.compile("Game 2 of 30"))
    expect(page.locator("#on")).to_be_focused()
    expect(page).to_have_url(f"{PAGE}&at=2")
    page.locator("#at").fill("30")
    expect(heading).to_have_text(re.compile("Game 30 of 30"))
    page.get_by_label("Box 12, ").click()
    expect(page.locator(".open-box h3")).to_have_text("Box 12")
    expect(page.locator("button.tile:focus")).to_have_attribute("value", "12")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".open-box h3")).to_have_text("Box 13")
    page.locator("a.place").first.press("Enter")
    expect(page.locator(".place.o")).to_have_count(1)
    expect(page.locator("#play")).to_be_focused()
    expect(page.locator("#news")).to_contain_text("Your turn.")
    assert page.evaluate("window.same")


@pytest.mark.slow
def test_games_run_until_the_last(visit: Visit) -> None:
    page = visit(f"{PAGE}&at=27")
    run = page.locator("#run")
    run.click()
    expect(run).to_have_text("Pause")
    expect(page.locator("#played")).to_have_text(re.compile("Game 30 of 30"))
    expect(run).to_have_text("Play")


@pytest.mark.slow
def test_without_javascript_steps_questions_boxes_and_moves_are_links_and_forms(visit: Visit) -> None:
    page = visit(PAGE, java_script_enabled=False)
    expect(page.locator("#run")).to_be_hidden()
    page.locator("#on").click()
    expect(page.locator("#played")).to_have_text(re.compile("Game 2 of 30"))
    page.locator("#guess-30").click()
    expect(page.locator("#ask")).to_contain_text("Luck decides")
    page.locator("#box-number").fill("14")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".open-box h3")).to_have_text("Box 14")
    page.locator("a.place").first.click()
    expect(page.locator(".place.o")).to_have_count(1)
    expect(page.locator("#played")).to_have_text(re.compile("Game 2 of 30"))


@pytest.mark.parametrize("parts", ["&at=30", *slow("&at=30&exam=all", "&learner=q&at=3&moves=a1", "&sheet=1")])
def test_the_pages_on_menace_are_accessible_and_fit_a_phone(visit: Visit, parts: str) -> None:
    page = visit(PAGE + parts)
    assert_fits(page, 320)
    assert_accessible(page)
