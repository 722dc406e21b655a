"""The viewer of pictures in a real browser: moving, zooming and searching by pointer, touch and keys."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.playing import box_of


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
