"""Games by other rules in a real browser: in space, with wild marks, with stones that vanish, where edges meet."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import box_of, play
from tests.marked import slow


def test_a_line_through_three_layers_wins(visit: Visit) -> None:
    page = visit("/play/3x3x3x3?o=friend&show=off")
    play(page, "b2.2", "a1.1", "a3.3", "c1.2", "b3.2", "b1.2", "c1.1")
    expect(page.locator("#status strong")).to_have_text("X wins")
    assert page.locator(".strikes line").count() == 2
    assert page.locator("#board .won").count() == 3


def test_a_press_draws_the_chosen_mark_at_once_and_plays_it(visit: Visit) -> None:
    page = visit("/play/3x3x3-wild?o=friend&show=off")
    page.locator("#place-o").click()
    expect(page.locator("#place-o")).to_have_attribute("aria-current", "true")
    play(page, "b2")
    expect(page).to_have_url(re.compile("moves=Ob2"))
    expect(page.locator("#sq-b2 .mark")).to_have_text("O")
    play(page, "a1", "c3")
    expect(page.locator("#status strong")).to_have_text("X wins")


def test_the_oldest_stone_fades_and_leaves(visit: Visit) -> None:
    page = visit("/play/3x3x3-vanishing?o=friend&show=off&moves=b2a1a3c1b1")
    play(page, "b3")
    expect(page.locator("#sq-b2")).to_have_class(re.compile("leaves"))
    play(page, "c3")
    expect(page.locator("#sq-b2 .mark")).to_have_count(0)


def test_arrow_keys_walk_from_layer_to_layer(visit: Visit) -> None:
    page = visit("/play/3x3x3x3?o=friend&show=off")
    page.locator("[id='sq-c2.1']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[id='sq-a2.2']")).to_be_focused()


@pytest.mark.parametrize("board", ["3x3x3x3", "4x4x4x4", "3x3x3-torus", "3x3x3-vanishing-strict", "3x3x3-misere-wild"])
@pytest.mark.parametrize("size", [(360, 640), *slow((1280, 720), (390, 844))])
def test_the_board_fits_the_screen(visit: Visit, board: str, size: tuple[int, int]) -> None:
    page = visit(f"/play/{board}?o=friend&show=off")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    square = box_of(page.locator("#board .sq").first)
    assert square["width"] >= 24
    players, drawn, ribbon, rule = (box_of(page.locator(part)) for part in ("#deal", "#board", "#why", ".strip h1"))
    assert players["y"] + players["height"] <= drawn["y"] + 1
    assert drawn["y"] + drawn["height"] <= ribbon["y"] + 1 or ribbon["x"] > drawn["x"] + drawn["width"]
    assert rule["height"] > 0
