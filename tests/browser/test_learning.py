"""The lessons in a real browser: accessible, no wider than a phone, without JavaScript, and known once answered."""

import re

import pytest
from playwright.sync_api import Dialog, Route, expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.marked import exhaustive, slow
from webapp.pages.learn.article import ARTICLE_PAGES
from webapp.pages.learn.course import PAGES, UNITS
from webapp.pages.learn.unit import Skill, Unit

OTHERS = sorted(PAGES.keys() - {"forks"})
PATHS = [
    *("/learn/", *(f"/learn/{name}" for name in (*OTHERS, *ARTICLE_PAGES)), "/learn/boards?board=8x8x8"),
    *("/learn/clojure?part=2", "/learn/erlang?moves=a1b2c3", "/learn/scala?pair=program-program"),
    *("/learn/explorer?moves=b2a3&open=a3", "/learn/pictures?open=a3&find=a3b2"),
    *("/lab?moves=b2b3a3c1", "/lab?board=5x4x4&depth=2"),
]
SAMPLED = [*slow(*PATHS[::4]), *exhaustive(*(path for path in PATHS if path not in PATHS[::4]))]
"""Every fourth page is slow, and the others are exhaustive."""


@pytest.mark.parametrize("path", ["/learn/forks", *slow(*PATHS)])
def test_no_lesson_is_wider_than_its_screen_or_breaks_an_accessibility_rule(visit: Visit, path: str) -> None:
    page = visit(path)
    for width in (320, 1280):
        assert_fits(page, width)
    assert_accessible(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", ARTICLE_PAGES)
def test_an_article_is_accessible_with_all_its_parts_unfolded(visit: Visit, name: str) -> None:
    page = visit(f"/learn/{name}")
    page.evaluate("document.querySelectorAll('details').forEach(each => Object.assign(each, { name: '', open: true }))")
    assert_fits(page, 320)
    assert_accessible(page)


@pytest.mark.parametrize("path", SAMPLED)
def test_the_words_of_a_lesson_are_legible_in_the_dark(visit: Visit, path: str) -> None:
    page = visit(path, color_scheme="dark")
    assert_accessible(page)


@pytest.mark.parametrize("path", ["/learn/forks", *SAMPLED])
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


@pytest.mark.parametrize("path", [*SAMPLED, "/play/3x3x3?moves=b2a1c3", "/play/3x3x3?moves=a1b2c3a3c1&review=1"])
def test_a_printed_page_is_dark_on_light_and_has_no_controls(visit: Visit, path: str) -> None:
    page = visit(path, color_scheme="dark")
    page.emulate_media(media="print")
    for found in page.locator("header.top, footer.foot, nav.lessons, .bar, main form:not(#board-form, #deal)").all():
        expect(found).to_be_hidden()
    expect(page.locator("body")).to_have_css("color", "rgb(27, 28, 30)")
    expect(page.locator("body")).to_have_css("print-color-adjust", "exact")


@pytest.mark.slow
def test_the_maps_are_loaded(visit: Visit) -> None:
    page = visit("/learn/poster")
    for picture in page.locator("main img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).not_to_have_js_property("naturalWidth", 0)
        expect(picture).to_have_js_property("complete", True)


THREE = "/learn/three?did=on.c3.on.c1.on.on.c3.on.b1.on.skip"
"""The end of a unit after which two of its three skills are known."""


def test_what_one_knows_is_on_the_path_until_that_is_forgotten(visit: Visit) -> None:
    page = visit("/learn/")
    onward = page.locator("#continue")
    expect(onward).to_have_text(re.compile(r"Start:\s+Three in a row"))
    page.goto(page.url.replace("/learn/", THREE))
    expect(page.get_by_role("heading", level=1)).to_have_text("Three in a row")
    page.goto(page.url.partition("three")[0])
    expect(page.locator("[data-unit=three] .done")).to_have_text("2 of 3 known")
    expect(page.locator("#known")).to_contain_text(f"0 of {len(UNITS)} known")
    expect(onward).to_have_text("Continue: 1 Three in a row")
    onward.click()  # leads past what is known
    expect(page.locator("[data-item]")).to_have_attribute("data-item", "three/first-1")
    page.goto(f"{page.url}.c3.on.b3.on")
    expect(page.locator(".skills .known")).to_have_count(3)
    expect(page.get_by_text("You know this.")).to_be_visible()
    page.goto(page.url.partition("three")[0])
    page.get_by_role("button", name="Forget").click()
    expect(onward).to_have_text(re.compile("Start:"))


def test_a_link_carries_what_one_knows_to_another_device_which_asks_first(visit: Visit) -> None:
    page = visit(THREE)
    page.goto(page.url.partition("three")[0])
    assert page.locator("#reading a").evaluate("link => link.hash") == "#known=three.win,three.block"
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    page.goto(f"{page.url}#known=forks.find,forks.stop,forks.threat")
    expect(page.locator("[data-unit=three] .done")).to_have_text("2 of 3 known")
    assert len(asked) == 1
    page.get_by_role("button", name="Forget").click()
    page.goto(f"{page.url}#known=forks.find,forks.stop,forks.threat")
    expect(page.locator("[data-unit=forks] .done")).to_have_text("✓ known")
    assert len(asked) == 1  # nothing was known here


@pytest.mark.parametrize("scripted", [True, *slow(False)])
def test_a_unit_is_answered_by_keyboard(visit: Visit, scripted: bool) -> None:
    page = visit("/learn/forks?did=on.skip.on", java_script_enabled=scripted)
    page.locator("#u-a2").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Yes! a2 threatens c2 and a1")
    onward = page.locator("#u-on")
    if scripted:
        expect(onward).to_be_focused()
    onward.press("Enter")
    expect(page.locator("[data-item]")).to_have_attribute("data-item", "forks/find-3")
    page.reload()
    expect(page.locator("[data-item]")).to_have_attribute("data-item", "forks/find-3")
    page.go_back()
    expect(page.locator("[data-item]")).to_have_attribute("data-item", "forks/find-1")


PARTS = """() => [...document.querySelectorAll(".unit-board, .said, .unit-go")]
  .map((each) => each.getBoundingClientRect().toJSON())"""

GAP = """() => {
  const [board, answer] = [".unit-board", ".unit-answer"]
    .map((name) => document.querySelector(name)?.getBoundingClientRect());
  return !board || board.right <= answer.left ? 0 : answer.top - board.bottom;
}"""
"""The pixels between the board and what is below it."""


@pytest.mark.parametrize("size", [(360, 640), *slow((390, 844), (1280, 720))])
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_screen_fits_and_stands_still_while_it_is_answered(visit: Visit, unit: Unit, size: tuple[int, int]) -> None:
    page, did = visit(f"/learn/{unit.name}", viewport={"width": size[0], "height": size[1]}), list[str]()
    for screen in unit.screens:
        addresses = [f"/learn/{unit.name}?did={'.'.join(did)}"]
        did.append("skip" if isinstance(screen, Skill) else "on")
        if isinstance(screen, Skill):
            longest = max(range(len(screen.items)), key=lambda item: len(screen.items[item]().shown.words))
            addresses.append(f"/learn/{unit.name}?ask={screen.name}-{longest + 1}&did=")
        for address in addresses:
            page.goto(address)
            before = page.evaluate(PARTS)
            assert max(part["bottom"] for part in before) <= size[1], address
            assert page.evaluate(GAP) >= 0, address
            if isinstance(screen, Skill):
                page.goto(f"{address}.show")
                assert page.evaluate(PARTS) == before, address


LARGE = """() => [document.documentElement.scrollHeight <= innerHeight, ...[".question", ".said"].map((part) =>
  parseFloat(getComputedStyle(document.querySelector(part)).fontSize) / innerHeight)]"""


@pytest.mark.parametrize("size", [(1280, 720), *slow((1920, 1080))])
def test_on_the_wall_a_question_and_its_answer_are_large_and_fit(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/learn/forks?view=wall&did=on.b1", viewport={"width": size[0], "height": size[1]})
    fits, asked, said = page.evaluate(LARGE)
    assert fits
    assert asked >= 1 / 18  # a letter of 5 cm on a screen of 1 m
    assert said >= 1 / 28
    expect(page.get_by_role("navigation", name="Site")).to_be_hidden()


def test_squares_of_a_shape_that_are_pressed_before_an_answer_are_all_drawn(visit: Visit) -> None:
    page = visit("/learn/shapes")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/learn/shapes?**", hold, times=1)
    for name in ("pb5", "pa4", "pa2", "pa2"):
        page.locator(f"#{name}").click()
    expect(page.locator("#pa4")).to_have_attribute("aria-pressed", "true")  # before any answer
    held[0].continue_()
    expect(page).to_have_url(re.compile(r"shape=b5a4b4b3c3c2#draw$"))
    expect(page.locator("#shapes .awaited")).to_have_count(0)
    expect(page.locator("#shapes .spot[aria-pressed=true]")).to_have_count(6)


@pytest.mark.logs_errors
def test_a_square_of_a_shape_whose_answer_does_not_come_is_as_before(visit: Visit) -> None:
    page = visit("/learn/shapes")
    page.route("**/learn/shapes?**", lambda route: route.abort())
    page.locator("#pb5").click()
    page.locator("#pa4").click()
    expect(page.locator("#shapes .spot[aria-pressed=true]")).to_have_count(4)
