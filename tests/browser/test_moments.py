"""Moments and what they leave on the device: the end of a game, the ladder, days in a row, and the first drill."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from solver.analysis.drills import DrillKind, drills
from solver.board.notation import format_cell
from tests.browser.conftest import Visit, assert_accessible
from tests.browser.playing import PHONE, ready
from tests.marked import slow
from tests.strategies import TIC_TAC_TOE

START = "/play/3x3x3?o=easy&show=off"
NEARLY_WON = f"{START}&moves=b2b1a1c3a3c1"
NEARLY_HELD = "/play/3x3x3?o=impossible&moves=b2a1c1a3a2c2b3b1"
BLOCK = drills(TIC_TAC_TOE, DrillKind.BLOCK)


def won(page: Page, *before: str) -> None:
    """Open pages of a game in turn, and then complete the line."""
    for path in (*before, NEARLY_WON):
        page.goto(path)
    page.locator("#sq-a2").click()
    expect(page.locator("#ended")).to_have_text("You win!")
    ready(page)


def kept(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.getItem('ladder'))")


@pytest.mark.parametrize(("motion", "seconds"), [("no-preference", "0.4s"), ("reduce", "0.001s")])
def test_the_winning_line_is_drawn_by_a_stroke_and_at_once_where_motion_is_reduced(
    visit: Visit, motion: str, seconds: str
) -> None:
    page = visit(NEARLY_WON, reduced_motion=motion)
    page.locator("#sq-a2").click()
    line = page.locator(".strikes line")
    expect(line).to_have_css("animation-duration", seconds)
    expect(line).to_have_css("animation-name", "pen")
    ready(page)
    expect(line).to_have_css("stroke-dashoffset", "0px")
    win = page.evaluate("getComputedStyle(document.querySelector('.pen')).stroke")
    expect(line).to_have_css("stroke", win)


@pytest.mark.parametrize("size", [(390, 664), *slow((1280, 720), (390, 844), (360, 560), (320, 568), (700, 360))])
def test_what_was_achieved_and_the_next_step_are_in_view_at_the_end(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(NEARLY_HELD, viewport={"width": size[0], "height": size[1]})
    page.locator("#sq-c3").click()
    expect(page.locator("#ended")).to_have_text("You held Perfect.")
    expect(page.locator("#said")).to_have_text("Nobody alive can do better.")
    for part in ("#board", "#ended", "#said", "#onward", "#review-game", "#new"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Now without help").click()
    expect(page.locator("#mode-play")).to_be_checked()


@pytest.mark.slow
def test_the_end_of_a_game_breaks_no_accessibility_rule_and_goes_on_without_javascript(
    visit: Visit, scheme: str
) -> None:
    page = visit(NEARLY_HELD, color_scheme=scheme)
    page.locator("#sq-c3").click()
    expect(page.locator("#ladder li")).to_have_count(4)
    assert_accessible(page)
    plain = visit(NEARLY_WON, java_script_enabled=False)
    plain.locator("#sq-a2").click()
    expect(plain.locator("#ladder")).to_be_hidden()
    plain.get_by_role("link", name="Next: beat Medium").click()
    expect(plain.locator("#opponent-choice")).to_have_value("medium")


@pytest.mark.slow
def test_a_game_without_help_counts_once_on_the_ladder_until_it_is_forgotten(visit: Visit) -> None:
    page = visit(START)
    won(page, START)
    expect(page.locator("#ladder-says")).to_have_text("1 of 4 on your ladder.")
    expect(page.locator(".ladder .reached")).to_have_text("Easy")
    page.reload()
    expect(page.locator(".ladder .reached")).to_have_text("Easy")
    won(page, START)
    assert kept(page) == {"3x3x3": ["easy"]}
    page.goto("/practise")
    expect(page.locator("#ladders .reached")).to_have_text("Easy")
    expect(page.locator("#ladders a")).to_have_text("Tic-tac-toe")
    expect(page.locator("#ladders a")).to_have_attribute("href", "/play/3x3x3?o=medium&show=off")
    page.locator("#forget-ladder").click()
    expect(page.locator("#ladders")).to_be_hidden()
    assert kept(page) is None


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="no empty board", marks=pytest.mark.slow),
        pytest.param([START, f"{NEARLY_WON}&hint=1"], id="a hint"),
        pytest.param([START, NEARLY_WON.replace("off", "coach")], id="the coach", marks=pytest.mark.slow),
        pytest.param([START, f"{NEARLY_WON}a2", f"{NEARLY_WON}&at=4"], id="undo", marks=pytest.mark.slow),
    ],
)
def test_a_game_with_help_does_not_count(visit: Visit, before: list[str]) -> None:
    page = visit("/healthz")
    won(page, *before)
    expect(page.locator("#ladder-says")).to_have_text("Play in No help, without Undo, to climb.")
    expect(page.locator(".ladder .reached")).to_have_count(0)
    assert kept(page) is None


def test_a_lost_game_asks_for_the_better_move_and_does_not_show_it(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2c2c1&o=impossible")
    page.locator("#sq-b1").click()
    expect(page.locator("#ended")).to_have_text("Perfect wins")
    expect(page.locator("#said")).to_have_text("You had the draw in hand.")
    expect(page.locator("#onward")).to_have_text("Find better")
    expect(page.locator("#story")).to_have_count(0)


@pytest.mark.parametrize(
    ("last", "words"), [("2026-03-01", "4 days in a row"), ("2026-03-02", "✓ 4 days in a row"), ("2026-02-27", "")]
)
def test_the_front_page_tells_the_days_in_a_row_once_there_are_some(visit: Visit, last: str, words: str) -> None:
    page = visit("/", **PHONE)
    expect(page.locator("#kept-days")).to_be_empty()
    page.clock.set_fixed_time("2026-03-02T12:00:00Z")
    progress = {"tried": ["x"], "right": 1, "days": {"last": last, "row": 4}}
    page.evaluate("progress => localStorage.setItem('practise', JSON.stringify(progress))", progress)
    page.reload()
    expect(page.locator("#kept-days")).to_have_text(words)
    page.get_by_role("link", name="Today's drill").click()
    expect(page).to_have_url("/practise/daily")


def test_the_first_drill_without_help_is_a_moment_and_the_second_is_none(visit: Visit) -> None:
    page = visit(f"/practise/{BLOCK[0].id}")
    for drill in BLOCK[:2]:
        page.goto(f"/practise/{drill.id}")
        page.locator(f"#sq-{format_cell(drill.answers[0], TIC_TAC_TOE)}").click()
        expect(page.locator("#game[data-verdict=right]")).to_be_visible()
        expect(page.get_by_text("Your first one, all on your own.")).to_be_visible(visible=drill == BLOCK[0])


def test_the_result_of_the_daily_drill_is_copied_without_its_answer(visit: Visit) -> None:
    page = visit("/practise/daily?day=2026-11-22")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#answer").click()
    square = page.locator(".sq.best").first.get_attribute("id")
    page.goto("/practise/daily?day=2026-11-22")
    page.locator(f"[id='{square}']").click()
    expect(page.locator("#result")).to_have_value(
        re.compile(r"^Noughts 326 · [^·]+ · first try ●\nhttp://[^/]+/practise/daily\?day=2026-11-22$")
    )
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#result").input_value()
