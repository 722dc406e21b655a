"""The lessons in a real browser: accessible, no wider than a phone, without JavaScript, and known once answered."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.marked import exhaustive, slow
from webapp.pages.learn.lessons import LESSONS, UNITS

OTHERS = sorted(LESSONS.keys() - {"forks"})
PATHS = [
    *("/learn/", *(f"/learn/{name}" for name in OTHERS), "/learn/boards?board=8x8x8"),
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


@pytest.mark.parametrize("scripted", [True, False])
def test_the_images_of_a_board_are_shown_in_turn(visit: Visit, scripted: bool) -> None:
    page = visit("/learn/same?from=XO./..X/...", java_script_enabled=scripted)
    half = page.get_by_text("Turned half round.")
    expect(half).to_be_hidden()
    page.get_by_role("radio", name="turned half round").focus()
    page.keyboard.press("Space")
    expect(half).to_be_visible()
    expect(page.get_by_text("As it is.")).to_be_hidden()


@pytest.mark.slow
def test_what_one_has_answered_is_known_on_the_path_until_that_is_forgotten(visit: Visit) -> None:
    page = visit("/learn/")
    onward = page.locator("#continue")
    expect(onward).to_have_text(re.compile(r"Start:\s+Can you be beaten\?"))
    onward.click()
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.locator("[data-answered=guess]")).to_be_visible()
    page.goto(page.url.partition("beaten")[0])
    expect(page.locator("[data-unit=beaten] .done")).to_have_text("✓ known")
    expect(page.locator("#known")).to_contain_text(f"1 of {len(UNITS)} known")
    expect(onward).to_have_text("Continue: 2 Forks")
    page.get_by_role("button", name="Forget").click()
    expect(onward).to_have_text(re.compile("Start:"))


def test_a_quiz_with_few_right_first_answers_is_not_known(visit: Visit) -> None:
    page = visit("/learn/census?seconds=show.on.show.on")
    expect(page.locator("[data-answered=seconds]")).to_have_attribute("data-right", "0.0")
    page.goto(page.url.partition("census")[0])
    expect(page.locator("[data-unit=census] .done")).to_have_text("0 of 3 known")
    expect(page.locator("#continue")).to_contain_text("Can you be beaten?")


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, False])
def test_trying_to_win_step_by_step_leads_to_the_proof(visit: Visit, script: bool) -> None:
    page = visit("/learn/beaten", java_script_enabled=script)
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.get_by_role("img", name="All 457 games")).to_be_visible()
    page.get_by_role("link", name="X on a3").click()
    expect(page.locator(".try-board .o")).to_have_count(1)
    page.get_by_role("link", name="Undo").click()
    expect(page.locator(".try-board .o")).to_have_count(0)
    if script:
        assert_accessible(page)


@pytest.mark.parametrize("scripted", [True, *slow(False)])
def test_a_quiz_is_answered_by_keyboard(visit: Visit, scripted: bool) -> None:
    page = visit("/learn/forks", java_script_enabled=scripted)
    page.locator("#quiz-find-a2").press("Enter")
    expect(page.locator("#quiz-find").get_by_role("status")).to_contain_text("Yes! a2 threatens c2 and a1")
    onward = page.locator("#quiz-find-on")
    if scripted:
        expect(onward).to_be_focused()
    onward.press("Enter")
    expect(page.locator("#quiz-find .question")).to_contain_text("Question 2 of 10.")
    page.reload()
    expect(page.locator("#quiz-find .question")).to_contain_text("Question 2 of 10.")


def test_squares_of_a_shape_that_are_pressed_before_an_answer_are_all_drawn(visit: Visit) -> None:
    page = visit("/learn/clause")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/learn/clause?**", hold, times=1)
    for name in ("pb5", "pa4", "pa2", "pa2"):
        page.locator(f"#{name}").click()
    expect(page.locator("#pa4")).to_have_attribute("aria-pressed", "true")  # before any answer
    held[0].continue_()
    expect(page).to_have_url(re.compile(r"shape=b5a4b4b3c3c2#draw$"))
    expect(page.locator("#shapes .awaited")).to_have_count(0)
    expect(page.locator("#shapes .spot[aria-pressed=true]")).to_have_count(6)


@pytest.mark.logs_errors
def test_a_square_of_a_shape_whose_answer_does_not_come_is_as_before(visit: Visit) -> None:
    page = visit("/learn/clause")
    page.route("**/learn/clause?**", lambda route: route.abort())
    page.locator("#pb5").click()
    page.locator("#pa4").click()
    expect(page.locator("#shapes .spot[aria-pressed=true]")).to_have_count(4)
