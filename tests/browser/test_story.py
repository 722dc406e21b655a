"""The review of a game in a real browser: page by page, a question before its answer, and a drill at its end."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.playing import PHONE, SIZES, box_of, expect_marks, ready
from tests.browser.test_standing_still import assert_still, watched
from tests.marked import slow

LOST = "/play/3x3x3?moves=a1b2c3a3c1b1c2&o=friend"
"""O's a3 was the mistake: X wins. Any edge held."""

DRILL = "/practise/3x3x3-..X_.O._X..-keep"


def at(page: Page, ply: int) -> None:
    """Wait until the review shows the position after this many moves."""
    expect(page.locator("#at")).to_have_text(f"{ply} of 7")
    expect(page.locator(f"#move-{ply}")).to_have_attribute("aria-current", "step")
    ready(page)


def swipe(page: Page, across: int, along: int = 0) -> None:
    """Draw a finger over the middle of the board."""
    box = box_of(page.locator("#board"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    devtools = page.context.new_cdp_session(page)
    for part in range(6):
        kind = "touchMove" if part else "touchStart"
        point = {"x": x + across * part / 5, "y": y + along * part / 5}
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_review_opens_before_the_decisive_mistake_and_its_links_and_keys_lead_through_the_game(visit: Visit) -> None:
    page = visit(LOST)
    page.locator("#review-game").click()
    at(page, 3)
    expect(page.locator("#telling h2")).to_have_text("O lost here. Find better.")
    page.evaluate("() => { window.stays = true; }")
    for press, ply in (("back", 2), ("forth", 3), ("forth", 4)):
        page.locator(f"#{press}").click()
        at(page, ply)
    for key, ply in (("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", 7), ("ArrowLeft", 6)):
        page.keyboard.press(key)
        at(page, ply)
    page.locator("#graph a").nth(5).click()
    at(page, 5)
    assert page.evaluate("window.stays")
    page.go_back()
    at(page, 6)
    expect(page).to_have_url(re.compile("at=6"))


def test_swipes_turn_the_pages_and_answer_nothing(visit: Visit) -> None:
    page = visit(f"{LOST}&review=1", **PHONE)
    at(page, 3)
    swipe(page, -140)
    at(page, 4)
    swipe(page, 140)
    at(page, 3)
    swipe(page, -60, 200)  # scrolls
    page.locator("#forth").click()
    at(page, 4)
    assert "tried" not in page.url


def test_it_asks_then_draws_the_refutation_and_ends_with_a_drill_that_joins_practise(visit: Visit) -> None:
    page = visit(f"{LOST}&review=1")
    expect(page.locator("#practise, #board .shown, #board .best, #ghosts line, #moves small")).to_have_count(0)
    page.locator("#sq-c1").click()
    expect(page.locator("#telling h2")).to_have_text("c1 loses too. Try again.")
    expect(page.locator("#sq-c1.wrong")).to_be_visible()
    expect(page.locator("#practise, #board .shown, #board .best, #ghosts line, #moves small")).to_have_count(0)
    ready(page)
    page.locator("#sq-b1").click()
    expect(page.locator("#telling h2")).to_have_text("Yes: b1 holds the draw.")
    expect(page.locator("#board .best")).to_have_count(4)
    for number, (square, mark) in enumerate((("a3", "O"), ("c1", "X")), 1):
        expect(page.locator(f"#sq-{square}.shown")).to_have_text(re.compile(rf"{mark}\s*{number}"))
    expect(page.locator("#ghosts line")).to_have_count(1)
    colour = page.locator("#ghosts line").evaluate("line => getComputedStyle(line).stroke")
    assert colour == "rgb(213, 94, 0)"  # that of losses
    ready(page)
    page.locator("#practise").click()
    expect(page.locator("#task")).to_have_text("You're O: keep the draw.")
    expect(page).to_have_url(re.compile(f"{re.escape(DRILL)}$"))
    page.locator("#sq-b1").click()
    expect(page.locator("#game[data-verdict=right]")).to_be_visible()
    page.goto("/practise")
    own = page.locator("#own")
    expect(own.get_by_role("link")).to_have_text("Keep the draw at move 4 · 3×3, three in a row ✓")
    expect(own.get_by_role("link")).to_have_attribute("href", DRILL)
    own.get_by_role("button", name="Delete Keep the draw").click()
    expect(own).to_be_hidden()
    page.reload()
    expect(own).to_be_hidden()


def test_by_keys_alone_one_answers_and_goes_on(visit: Visit) -> None:
    page = visit(f"{LOST}&review=1")
    page.locator("#sq-b1").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#sq-c1")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#telling h2")).to_have_text("Yes: b1 holds the draw.")
    expect(page.locator("#sq-b1")).to_be_focused()
    ready(page)
    page.keyboard.press("ArrowRight")  # there is nothing to answer on the board
    at(page, 4)


def test_one_region_alone_is_announced_at_each_step(visit: Visit) -> None:
    page = visit(f"{LOST}&review=1")
    expect(page.get_by_role("status")).to_contain_text("3 of 7. O lost here. Find better.")
    assert page.locator("[role=status], [role=alert]:visible, [aria-live]").count() == 1
    page.locator("#forth").click()
    expect(page.get_by_role("status")).to_contain_text("4 of 7. O took a3. It gave the draw away: X wins in 2.")


@pytest.mark.parametrize("size", [(390, 664), (360, 640), *slow(SIZES[0], (320, 568), (844, 390))])
def test_all_of_the_question_is_in_view_and_the_board_stands_still(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, f"{LOST}&review=1", size)
    board = box_of(page.locator("#board"))
    for name in ("#board", "#back", "#forth", "#at", "#telling h2", "#told"):
        box = box_of(page.locator(name))
        assert min(box["x"], box["y"]) >= 0, name
        assert box["x"] + box["width"] <= size[0], name
        assert box["y"] + box["height"] <= size[1], name
    for square in ("c1", "b1"):
        page.locator(f"#sq-{square}").click()
        expect(page.locator(f"#sq-{square}:is(.wrong, .right)")).to_be_visible()
        ready(page)
        assert box_of(page.locator("#board")) == board
    for ply in range(4, 8):
        page.locator("#forth").click()
        at(page, ply)
        assert box_of(page.locator("#board")) == board
    assert_still(page)


@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_the_buttons_stay_in_view_and_in_place_however_long_the_answer(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, "/play/3x3x3?moves=b1a1c1a2c2a3&o=friend&review=1", size)
    asking = box_of(page.locator("#steps"))
    assert asking["y"] + asking["height"] <= size[1]
    page.get_by_role("link", name="Show me").click()
    expect(page.locator("#telling h2")).to_contain_text("would have held the draw")
    ready(page)
    assert box_of(page.locator("#steps")) == asking


@pytest.mark.parametrize("size", [SIZES[2], *slow(SIZES[0])])
def test_on_a_large_board_all_of_it_is_in_view_too(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/play/7x6x4?moves=d4d3c4e4&o=friend&review=1&prove=0")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in ("#board", "#back", "#telling h2", "#told"):
        box = box_of(page.locator(name))
        assert box["y"] + box["height"] <= size[1], name


def test_without_javascript_links_lead_through_the_game_and_the_question_is_a_form(visit: Visit) -> None:
    page = visit(f"{LOST}&review=1", java_script_enabled=False)
    page.locator("#back").click()
    expect(page.locator("#at")).to_have_text("2 of 7")
    page.locator("#forth").click()
    page.locator("#sq-c1").click()
    expect(page.locator("#telling h2")).to_have_text("c1 loses too. Try again.")
    page.locator("#show").click()
    expect(page.locator("#telling h2")).to_have_text("Anything but a3 and c1 would have held the draw.")
    expect(page.locator("#board .shown")).to_have_count(2)
    page.locator("#practise").click()
    expect(page.locator("#task")).to_have_text("You're O: keep the draw.")


@pytest.mark.slow
def test_one_plays_on_from_a_position_and_comes_back(visit: Visit) -> None:
    page = visit(f"{LOST}&review=1")
    page.locator("#leave").click()
    expect_marks(page, 3)
    expect(page.locator("#telling")).to_have_count(0)
    page.locator("#sq-b1").click()
    expect_marks(page, 4)
    expect(page).to_have_url(re.compile("moves=a1b2c3b1&"))
