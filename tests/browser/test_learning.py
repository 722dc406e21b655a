"""The lessons in a real browser: accessible, no wider than a phone, and readable without JavaScript."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, assert_accessible
from webapp.pages.learn.lessons import LESSONS

PAGES = [
    "/learn/",
    *(f"/learn/{name}" for name in LESSONS),
    "/learn/boards?board=8x8x8",
    "/lab?moves=b2b3a3c1",
    "/lab?board=5x4x4&depth=2",
]
SOME = ("/learn/forks",)
EACH = [path if path in SOME else pytest.param(path, marks=pytest.mark.slow) for path in PAGES]


@pytest.mark.parametrize("path", EACH)
def test_no_lesson_breaks_an_accessibility_rule(visit: Visit, path: str) -> None:
    assert_accessible(visit(path))


@pytest.mark.slow
@pytest.mark.parametrize("path", EACH)
def test_every_lesson_has_contrast_in_the_dark_too(visit: Visit, path: str) -> None:
    assert_accessible(visit(path, color_scheme="dark"), "color-contrast")


@pytest.mark.parametrize("path", EACH)
def test_no_lesson_is_wider_than_its_screen(visit: Visit, path: str) -> None:
    page = visit(path)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("path", EACH)
def test_every_lesson_reads_without_javascript(visit: Visit, path: str) -> None:
    page = visit(path, java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.slow
def test_the_lab_opens_with_the_position_of_the_game(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2a1c3&o=friend")
    page.locator("#setup > summary").click()
    page.get_by_role("link", name="Compare solvers from here").click()
    expect(page.get_by_label("Moves")).to_have_value("b2a1c3")
    page.get_by_label("Alpha-beta depth").fill("2")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("rowheader", name="Alpha-beta 2")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("path", EACH)
def test_on_paper_a_lesson_is_dark_on_light_without_what_one_cannot_press(visit: Visit, path: str) -> None:
    page = visit(path, color_scheme="dark")
    page.emulate_media(media="print")
    for away in ("header.top", "footer.foot", "nav.lessons", "main form"):
        for found in page.locator(away).all():
            expect(found).to_be_hidden()
    expect(page.locator("body")).to_have_css("color", "rgb(27, 28, 30)")
    expect(page.locator("body")).to_have_css("print-color-adjust", "exact")


@pytest.mark.slow
def test_the_maps_are_seen(visit: Visit) -> None:
    page = visit("/learn/poster")
    for picture in page.locator("main img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).not_to_have_js_property("naturalWidth", 0)
        expect(picture).to_have_js_property("complete", True)
