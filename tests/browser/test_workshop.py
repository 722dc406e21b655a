"""The workshop in a real browser: its links change the list without leaving the page, and work without JavaScript."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits

BEATEN = "/learn/workshop?rules=win,block,centre,corner"


@pytest.mark.slow
def test_a_control_changes_the_list_in_place_and_keeps_the_focus(visit: Visit) -> None:
    page = visit(BEATEN)
    page.evaluate("window.stayed = true")
    page.locator("#down-centre").press("Enter")
    expect(page).to_have_url("/learn/workshop?rules=win,block,corner,centre")
    expect(page.locator("#down-centre")).to_be_focused()
    page.locator("#remove-centre").press("Enter")
    expect(page).to_have_url("/learn/workshop?rules=win,block,corner")
    expect(page.locator("#add > summary")).to_be_focused()
    page.go_back()
    expect(page.locator("#remove-centre")).to_be_visible()
    assert page.evaluate("window.stayed")


@pytest.mark.slow
def test_the_arrow_keys_step_through_the_game_and_a_square_leaves_it(visit: Visit) -> None:
    page = visit(BEATEN)
    expect(page.locator("#stage .decides")).to_contain_text("corner")
    page.locator("#stage-on").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#stage .decides")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#stage .decides")).to_contain_text("centre")
    page.locator("#stage-back").click()
    expect(page.locator("#still-0[aria-current]")).to_have_count(1)
    page.locator("#place-b2").click()
    expect(page.locator("#stage .decides")).to_contain_text("corner")
    expect(page.locator(".strip-of-boards li")).to_have_count(2)


def test_without_javascript_the_controls_are_links(visit: Visit) -> None:
    page = visit(BEATEN, java_script_enabled=False)
    page.locator("#up-corner").click()
    expect(page).to_have_url("/learn/workshop?rules=win,block,corner,centre")
    page.locator("#stage-back").click()
    expect(page.locator(".strip-of-boards [aria-current]")).to_have_count(1)
    expect(page.locator("#print")).to_be_hidden()


BROKEN_WORDS = """() => [...document.querySelectorAll(".strip-of-boards span, .chance-rows .number")].flatMap((each) =>
  [...each.firstChild.textContent.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(each.firstChild, word.index);
    range.setEnd(each.firstChild, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map((word) => word[0]))"""


@pytest.mark.parametrize("width", [1280, 390, 360])
def test_no_word_and_no_number_breaks_over_two_lines(visit: Visit, width: int) -> None:
    page = visit("/learn/workshop", viewport={"width": width, "height": 720})
    expect(page.locator(".strip-of-boards .erred")).to_contain_text("mistake")
    assert page.evaluate(BROKEN_WORDS) == []


def test_only_the_sheet_is_printed(visit: Visit) -> None:
    page = visit(BEATEN)
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="An intelligent piece of paper")).to_be_visible()
    for hidden in (".bench", ".chances", "h1", ".sources", ".presets"):
        expect(page.locator(hidden)).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("path", [BEATEN, "/learn/workshop?strategy=hard", "/learn/pyfl-program"])
def test_the_workshop_is_accessible_and_no_wider_than_a_phone(visit: Visit, path: str) -> None:
    page = visit(path)
    for folded in page.locator("#add > summary, .language > summary").all():
        folded.click()
    assert_fits(page, 320)
    assert_accessible(page)
