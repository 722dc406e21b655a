"""Drills in a real browser: by mouse, keyboard and touch, without JavaScript, with progress kept on the device."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from solver.analysis.drills import LADDER, Drill, DrillKind, drill_of, drills
from solver.board.notation import format_cell
from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.browser.playing import PHONE, ready
from tests.strategies import TIC_TAC_TOE
from webapp.pages.practise.drill import format_answer

RUN = "/practise/run?kind=block&seed=test"
FIRST, SECOND, _, _, FIFTH = drills(TIC_TAC_TOE, DrillKind.BLOCK, seed="test", count=5)
FORK = drills(TIC_TAC_TOE, DrillKind.FORK)[0]
EVALUATED = drills(TIC_TAC_TOE, DrillKind.EVALUATE)[-1]
LARGE = drills(LADDER[-1])[0]


def right(drill: Drill) -> str:
    return format_cell(drill.answers[0], drill.position.rules)


def wrong(drill: Drill) -> str:
    cell = next(cell for cell in drill.position.legal_moves if cell not in drill.answers)
    return format_cell(cell, drill.position.rules)


def judged(page: Page, verdict: str) -> None:
    """Wait until an answer has been judged and shown."""
    expect(page.locator(f"#game[data-verdict={verdict}]")).to_be_visible()
    ready(page)


@pytest.mark.slow
def test_the_progress_of_a_run_by_mouse_stays_on_the_device(visit: Visit) -> None:
    page = visit(RUN)
    page.locator(f"#sq-{wrong(FIRST)}").click()
    judged(page, "wrong")
    expect(page.locator("#said[role=status]")).to_contain_text(f"Not {wrong(FIRST)}.")
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator(".sq.shown")).not_to_have_count(0)
    ready(page)
    page.locator(f"#sq-{right(FIRST)}").click()
    judged(page, "right")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(f"#game[data-item='{SECOND.id}']")).to_be_visible()
    ready(page)
    page.locator(f"#sq-{right(SECOND)}").click()
    judged(page, "right")
    page.reload()  # which counts nothing twice
    expect(page.locator("#progress")).to_have_text("1 right in a row. 4 more to open Fork.")
    keep(page, "mistakes", [{"id": FORK.id, "title": "Fork"}])
    page.goto("/practise")
    page.get_by_text("What you did").click()
    assert page.locator("#done td").all_inner_texts()[1:] == ["Block", "1 of 2", "0"]
    page.get_by_role("button", name="Delete both").click()
    expect(page.locator("#history")).to_be_hidden()
    expect(page.locator("#own a")).to_have_text("Fork")
    assert memory(page)["items"] == {}


def test_today_starts_easy_for_a_newcomer(visit: Visit) -> None:
    page = visit("/practise")
    expect(page.locator("#today li").first).to_contain_text("Win now")
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#course-name")).to_have_text("Step 1 of 7: Win now")


def test_the_first_kind_that_is_not_done_is_the_new_one_of_today(visit: Visit) -> None:
    page = visit(f"{RUN}&at=5&right=4&row=4")
    page.locator(f"#sq-{right(FIFTH)}").click()
    judged(page, "right")
    expect(page.get_by_role("link", name="Next: Fork")).to_be_visible()
    page.goto("/practise")
    expect(page.locator("#fresh b")).to_have_text("Win now")
    page.get_by_text("All drills and boards").click()
    expect(page.locator(".kinds .done a")).to_have_text("Block")
    page.locator("#fresh a").click()
    expect(page.locator("#course-name")).to_have_text("Step 1 of 7: Win now")


def keep(page: Page, name: str, value: object) -> None:
    """Put a value into the browser's storage."""
    page.evaluate("([name, value]) => localStorage.setItem(name, JSON.stringify(value))", [name, value])


def memory(page: Page) -> dict[str, Any]:
    """Return what the browser remembers of drills."""
    return dict(page.evaluate("memory.recall()"))


def answer(page: Page, drill: Drill, square: str) -> None:
    """Answer a drill on a page of its own."""
    page.goto(f"/practise/{drill.id}")
    page.locator(f"#sq-{square}").click()
    expect(page.locator("#game:not([data-verdict=''])")).to_be_visible()


@pytest.mark.slow
def test_what_was_missed_comes_back_after_more_and_more_days_and_goes_once_it_is_known(visit: Visit) -> None:
    page = visit("/practise")
    day = date(2026, 11, 22)
    assert page.evaluate("memory.BOXES") == [1, 3, 7, 14, 30]
    for square, days in ((right(FORK), 0), (wrong(FORK), 1), *((right(FORK), days) for days in (3, 7, 14, 30, 0))):
        page.clock.set_fixed_time(f"{day}T12:00:00Z")
        answer(page, FORK, square)
        item = memory(page)["items"].get(FORK.id)
        assert (item and item["day"]) == (str(day + timedelta(days=days)) if days else None)
        day += timedelta(days=days or 1)
    page.clock.set_fixed_time(f"{day}T12:00:00Z")
    answer(page, FORK, wrong(FORK))
    answer(page, FORK, right(FORK))  # a second answer on the same day changes nothing
    assert memory(page)["items"][FORK.id]["box"] == 0


def test_a_right_answer_before_its_day_leaves_an_item_where_it_is(visit: Visit) -> None:
    page = visit("/practise")
    page.clock.set_fixed_time("2026-11-22T12:00:00Z")
    item = {"box": 2, "day": "2026-11-24", "title": "Fork"}
    keep(page, "practise", {"version": 1, "items": {FORK.id: item}})
    answer(page, FORK, right(FORK))
    assert memory(page)["items"] == {FORK.id: item}


def test_a_question_of_a_unit_that_was_missed_comes_back_and_leads_back(visit: Visit) -> None:
    page = visit("/learn/forks?ask=find-3")
    page.clock.set_fixed_time("2026-11-22T12:00:00Z")
    page.get_by_role("link", name="Show").click()
    expect(page.locator("[data-item='forks/find-3'][data-verdict=wrong]")).to_be_visible()
    page.clock.set_fixed_time("2026-11-23T12:00:00Z")
    page.goto("/practise")
    again = page.locator("#today .again a")
    expect(again).to_contain_text("Threats and forks · Find the fork")
    again.click()
    expect(page).to_have_url(re.compile(r"/learn/forks\?ask=find-3$"))
    page.locator(".leave").click()
    expect(page.locator("#today")).to_be_visible()


def test_the_memory_is_bounded_and_another_version_of_it_is_not_read(visit: Visit) -> None:
    page = visit("/practise")
    items = {f"forks/find-{number}": {"box": 0, "day": "2026-11-22", "title": ""} for number in range(300)}
    history = {str(date(2025, 1, 1) + timedelta(days=number)): {"fork": [1, 1, 0]} for number in range(500)}
    keep(page, "practise", {"version": 1, "items": items, "history": history})
    answer(page, FORK, wrong(FORK))
    kept = memory(page)
    assert (len(kept["items"]), len(kept["history"])) == (200, 366)
    assert FORK.id in kept["items"]
    keep(page, "practise", {"version": 2, "items": "all"})
    assert memory(page)["items"] == {}


def test_today_goes_on_from_one_drill_to_the_next_and_ends(visit: Visit) -> None:
    page = visit("/practise")
    again = {"box": 1, "day": "2026-01-01", "title": "Block · 3×3, three in a row"}
    today = page.locator("#daily").get_attribute("data-item")
    assert today is not None
    items = {each.id: again for each in drills(TIC_TAC_TOE, DrillKind.BLOCK, count=5)}
    keep(page, "practise", {"version": 1, "items": items})
    page.reload()
    assert page.locator("#today li").count() == 1 + 1 + 3  # three drills of a new kind count for one line
    expect(page.locator("#today .again svg")).to_have_count(3)
    page.get_by_role("link", name="Start").click()
    for drill in (*[None] * 3, drill_of(today), *map(drill_of, [*items][:3])):
        expect(page.locator("#game[data-item]")).to_be_visible()
        here = drill or drill_of(str(page.locator("#game").get_attribute("data-item")))
        expect(page.locator(f"#game[data-item='{here.id}']")).to_be_visible()
        ready(page)
        page.locator(f"[id='sq-{right(here)}']").click()
        judged(page, "right")
        page.locator("#new").click()
        expect(page.locator(f"#game[data-item='{here.id}']")).to_have_count(0)
    expect(page.locator("#all-done")).to_be_visible()
    expect(page.locator("#today .done")).to_have_count(2)
    expect(page.get_by_role("link", name="Start")).to_be_hidden()


def test_what_the_device_adds_to_today_breaks_no_accessibility_rule(visit: Visit, scheme: str) -> None:
    page = visit("/practise", color_scheme=scheme)
    item = {"box": 1, "day": "2026-01-01", "title": "Block · 3×3, three in a row"}
    keep(page, "practise", {"items": {FORK.id: item}, "history": {"2026-01-01": {"fork": [3, 2, 1]}}})
    keep(page, "mistakes", [{"id": FORK.id, "title": "Fork"}])
    page.reload()
    page.locator("#history").evaluate("history => { history.open = true; }")
    expect(page.locator("#done td")).to_have_count(4)
    assert_fits(page, 320)
    assert_accessible(page)


def test_a_rush_ends_after_three_minutes_with_the_drill_that_has_begun(visit: Visit) -> None:
    page = visit("/practise")
    page.clock.install()
    page.get_by_role("link", name="Three minutes").click()
    for seconds in (60, 119):
        expect(page.locator("#clock")).to_be_visible()
        page.clock.fast_forward(1000 * seconds)
    expect(page.locator("#seconds")).to_have_text("0:01")
    expect(page.get_by_role("link", name="Skip")).to_be_visible()
    page.clock.fast_forward(2000)
    drill = drill_of(str(page.locator("#game").get_attribute("data-item")))
    if drill.kind is DrillKind.EVALUATE:
        page.locator(f"#says-{format_answer(drill.outcome, drill.position)}").click()
    else:
        page.locator(f"#sq-{right(drill)}").click()
    judged(page, "right")
    page.get_by_role("link", name="Time's up").click()
    expect(page.locator("#rushed")).to_have_text("1 of 1 right at the first try.")


def test_with_reduced_motion_the_clock_is_a_number_and_without_javascript_there_is_none(visit: Visit) -> None:
    page = visit("/practise/run?rush=1&seed=a", reduced_motion="reduce")
    expect(page.locator("#seconds")).to_have_text(re.compile(r"2:5\d|3:00"))
    expect(page.locator("#clock")).to_be_hidden()
    page = visit("/practise", java_script_enabled=False)
    page.get_by_role("link", name="Three minutes").click()
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator("#rush")).to_be_hidden()
    page.get_by_role("link", name="Stop here").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#course-name")).to_have_text("Step 1 of 7: Win now")


def test_an_answer_is_announced_once_and_each_step_after_it_too(visit: Visit) -> None:
    page = visit(f"/practise/{FORK.id}")
    page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver((changes) => {
            for (const { target } of changes) {
              const element = target.nodeType === 1 ? target : target.parentElement;
              const region = element?.closest("[role=status], [role=alert]");
              if (region) window.said.push(region.id);
            }
          }).observe(document.body, { childList: true, characterData: true, subtree: true });
        }"""
    )
    page.locator(f"#sq-{wrong(FORK)}").click()
    judged(page, "wrong")
    assert set(page.evaluate("window.said.splice(0)")) == {"said"}
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator("#line-now")).not_to_be_empty()
    assert set(page.evaluate("window.said")) == {"line-now"}


@pytest.mark.parametrize(("ago", "words"), [(1, "✓ 5 days in a row"), (2, "✓ Solved")])
def test_the_daily_drill_counts_days_in_a_row_anew_after_a_gap(visit: Visit, ago: int, words: str) -> None:
    page = visit("/practise/daily")
    page.locator("#game").evaluate(
        """(game, ago) => {
          const last = new Date(Date.parse(game.dataset.day) - ago * 86400000).toISOString().slice(0, 10);
          const kept = { tried: ["x"], right: 1, days: { last, row: 4 } };
          localStorage.setItem("practise", JSON.stringify(kept));
          game.dataset.verdict = "right";
          document.dispatchEvent(new Event("htmx:after:swap"));
        }""",
        ago,
    )
    page.goto("/practise")
    expect(page.locator("#kept-days")).to_have_text(words)
    assert {"": [1, 1, 0]}.items() <= next(iter(memory(page)["history"].values())).items()  # of old


def test_a_drill_by_keyboard(visit: Visit) -> None:
    page = visit(RUN)
    page.keyboard.press("h")
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?kind=block&seed=test&hints=1")
    ready(page)
    column, row = FIRST.position.rules.column_row(FIRST.answers[0])
    page.locator("#sq-a3").focus()
    for key, times in (("ArrowRight", column), ("ArrowDown", row)):
        for _ in range(times):
            page.keyboard.press(key)
    expect(page.locator(f"#sq-{right(FIRST)}")).to_be_focused()
    page.keyboard.press("Enter")
    judged(page, "right")
    page.keyboard.press("n")
    expect(page.locator(f"#game[data-item='{SECOND.id}']")).to_be_visible()
    ready(page)
    page.keyboard.press(str(SECOND.answers[0] + 1))
    judged(page, "right")


@pytest.mark.slow
def test_drills_without_javascript(visit: Visit) -> None:
    page = visit(f"/practise/{FORK.id}", java_script_enabled=False)
    page.get_by_role("link", name="Hint").click()
    page.locator(f"#sq-{wrong(FORK)}").click()
    expect(page.locator("#said")).to_contain_text(f"Not {wrong(FORK)}.")
    page.get_by_role("link", name="Try again").click()
    page.locator(f"#sq-{right(FORK)}").click()
    expect(page.locator("#said")).to_contain_text(f"Yes, {right(FORK)}!")
    page.goto(f"/practise/{EVALUATED.id}")
    page.locator(f"#says-{format_answer(EVALUATED.outcome, EVALUATED.position)}").click()
    expect(page.locator("#said")).to_contain_text("Yes, ")


@pytest.mark.slow
@pytest.mark.parametrize("drill", [EVALUATED, LARGE], ids=["evaluate", "large"])
def test_task_board_and_buttons_are_in_view_on_a_phone(visit: Visit, drill: Drill) -> None:
    page = visit(f"/practise/{drill.id}", **PHONE)
    for part in ("#task", "#board", "#said", "#hint", "#answer", "#new", "[name=says] >> nth=-1"):
        if page.locator(part).count():
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
    if drill.kind is not DrillKind.EVALUATE:
        page.locator(f"#sq-{right(drill)}").tap()
        judged(page, "right")


@pytest.mark.slow
def test_a_teacher_composes_a_set_and_a_pupil_does_it(visit: Visit) -> None:
    page = visit("/practise/set")
    page.get_by_label("Kind").select_option("Block")
    page.get_by_label("How many").fill("2")
    page.get_by_label("Name of the set").fill("test")
    page.get_by_role("button", name="Make the set").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("test: 2 drills")
    link = page.locator("#link").get_attribute("href")
    assert link == "/practise/set?kind=block&count=2&seed=test"
    pupil = visit(link)
    pupil.get_by_role("link", name="Start here").click()
    for drill in sorted((FIRST, SECOND), key=lambda drill: drill.difficulty):
        expect(pupil.locator(f"#game[data-item='{drill.id}']")).to_be_visible()
        ready(pupil)
        pupil.locator(f"#sq-{right(drill)}").click()
        judged(pupil, "right")
        pupil.get_by_role("link", name="Next").click()
    expect(pupil.locator("#game.set")).to_contain_text("2 of 2 right at the first try.")


PAGES = [
    "/practise",
    f"/practise/{FORK.id}?missed=1&tried={wrong(FORK)}",
    "/practise/set?count=4&seed=a",
    f"/practise/{FORK.id}?missed=1&answers=1",
    f"/practise/{EVALUATED.id}?missed=1&tried=draw",
    f"/practise/{LARGE.id}?hints=2",
    "/practise/run?seed=a&at=3&right=2&row=2",
    "/practise/run?seed=a&at=3&right=1&rush=1&lost=1",
    "/practise?at=4&right=1&lost=2",
    "/practise/sheet?count=4&seed=a&answers=1",
    "/practise/no-such-drill",
]


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_no_page_of_drills_breaks_an_accessibility_rule_or_is_wider_than_a_phone(
    visit: Visit, path: str, scheme: str
) -> None:
    page = visit(path, color_scheme=scheme)
    assert_fits(page, 320)
    assert_accessible(page)
    assert_accessible(page, "label-content-name-mismatch")  # what one sees is part of what one hears


def test_a_printed_sheet_has_its_drills_and_no_controls(visit: Visit) -> None:
    page = visit("/practise/sheet?count=4&seed=a", color_scheme="dark")
    page.emulate_media(media="print")
    for found in page.locator("header.top, footer.foot, main .button, main button").all():
        expect(found).to_be_hidden()
    expect(page.locator(".exercises svg")).to_have_count(4)
    expect(page.locator("body")).to_have_css("color", "rgb(27, 28, 30)")
    expect(page.get_by_text("Name", exact=True)).to_be_visible()
