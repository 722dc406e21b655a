"""The explorer in a real browser: by pointer, by keys, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit


def at(page: Page, moves: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]moves={moves}(&|$)"))


@pytest.mark.slow
@pytest.mark.parametrize("scripted", [True, False])
def test_the_board_steps_through_a_game_and_the_tree_beside_it_opens(visit: Visit, scripted: bool) -> None:
    page = visit("/learn/explorer?x=human&o=easy", java_script_enabled=scripted)
    page.locator("#sb2").click()
    at(page, "b2")
    page.get_by_role("link", name="Open a3", exact=True).click()
    expect(page.get_by_role("link", name="Close a3", exact=True)).to_be_visible()
    expect(page.locator("#ma3b2")).to_be_visible()
    at(page, "b2")
    expect(page.get_by_role("link", name="Play from here")).to_have_attribute("href", re.compile("o=easy"))


@pytest.mark.slow
def test_arrow_keys_go_forward_back_and_to_alternative_moves(visit: Visit) -> None:
    page = visit("/learn/explorer")
    page.keyboard.press("ArrowRight")
    at(page, "a3")
    page.locator("#sc1").click()
    at(page, "a3c1")
    page.keyboard.press("ArrowLeft")  # the focused link is gone, and the keys work all the same
    at(page, "a3")
    for key, moves in (("ArrowDown", "b3"), ("ArrowDown", "b2"), ("ArrowUp", "b3"), ("ArrowRight", "b3a3")):
        page.keyboard.press(key)
        at(page, moves)
    page.keyboard.press("ArrowLeft")
    at(page, "b3")


def test_pointing_at_a_square_tells_its_outcome_and_moves_nothing(visit: Visit) -> None:
    page = visit("/learn/explorer?moves=b2b3")
    before = page.locator(".stepping").bounding_box()
    page.locator("#sa3").hover()
    expect(page.locator("#sa3 .says")).to_have_css("opacity", "1")
    expect(page.locator("#sa3 .says")).to_contain_text("X wins")
    assert page.locator(".stepping").bounding_box() == before
