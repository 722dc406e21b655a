"""Pages of lessons whose pictures are walked in: the explorer, the viewer and the matchboxes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.browser.playing import box_of
from tests.marked import slow


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


def seen(page: Page) -> list[float]:
    """Return the visible part of the picture: left, top, width, height."""
    text: Any = page.locator(".viewer-frame svg").get_attribute("viewBox")
    return [float(number) for number in text.split()]


def test_buttons_wheel_and_keys_zoom_and_dragging_moves(visit: Visit) -> None:
    page = visit("/learn/pictures?show=reduced-corner")
    frame = page.locator(".viewer-frame.live")
    frame.scroll_into_view_if_needed()
    whole = seen(page)
    page.get_by_role("button", name="Larger").click()
    assert seen(page)[2] < whole[2]
    page.get_by_role("button", name="Whole").click()
    page.locator("#n0").focus()
    page.keyboard.press("+")
    near = seen(page)
    frame.hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function("width => document.querySelector('.live svg').viewBox.baseVal.width < width", arg=near[2])
    near, box = seen(page), box_of(frame)
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 150, steps=4)
    page.mouse.up()
    assert seen(page)[0] > near[0]
    expect(page).to_have_url(re.compile("/learn/pictures"))  # a drag does not follow the link


def test_keys_go_from_board_to_board_and_light_up_the_way_there(visit: Visit) -> None:
    page = visit("/learn/pictures?show=reduced-corner")
    page.locator("#n0").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    chosen = page.locator(".node:focus")
    expect(chosen).to_have_class(re.compile("chosen"))
    assert page.locator(".node.above").count() == 3
    expect(page.locator(".picked")).to_contain_text("Play from here")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/play/3x3x3"))


@pytest.mark.slow
def test_a_board_that_is_searched_for_is_in_the_middle(visit: Visit) -> None:
    page = visit("/learn/pictures?show=forced")
    page.get_by_label("Find a position").fill("a3b2c2")
    page.get_by_role("button", name="Find").click()
    found, frame = (box_of(page.locator(shown)) for shown in (".found .sign", ".viewer-frame.live"))
    assert abs(found["x"] + found["width"] / 2 - frame["x"] - frame["width"] / 2) < frame["width"] / 3
    assert found["width"] > 20  # large enough to be read


@pytest.mark.slow
def test_a_press_opens_a_branch(visit: Visit) -> None:
    for scripted in (True, False):
        page = visit("/learn/pictures", java_script_enabled=scripted)
        page.get_by_role("link", name="X../.../..., draw. Open what follows").click()
        expect(page.get_by_role("link", name="X../.../..., draw. Close what follows")).to_be_visible()
        expect(page.locator(".node")).to_have_count(9)
        expect(page).to_have_url(re.compile("open=a3"))


@pytest.mark.slow
def test_the_first_touch_shows_and_the_second_plays(visit: Visit) -> None:
    page = visit("/learn/pictures?show=reduced-centre", viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator("#n1").tap()
    expect(page.locator("#n1")).to_have_class(re.compile("chosen"))
    expect(page).to_have_url(re.compile("/learn/pictures"))
    page.locator("#n1").tap()
    expect(page).to_have_url(re.compile("/play/3x3x3"))


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
    page.get_by_label("Box 12, ").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".open-box h3")).to_have_text("Box 13")
    page.locator("a.place").first.press("Enter")
    expect(page.locator(".place.o")).to_have_count(1)
    expect(page.locator("#duel-state")).to_contain_text("Your turn.")
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
    page.get_by_role("link", name="Mini-MENACE", exact=True).click()
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
