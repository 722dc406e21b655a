"""Drills in a real browser: by mouse, keyboard and touch, without JavaScript, with progress kept on the device."""

import pytest
from playwright.sync_api import Page, expect

from solver.analysis.drills import LADDER, Drill, DrillKind, drills
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
    expect(page.locator(f"#game[data-drill='{SECOND.id}']")).to_be_visible()
    ready(page)
    page.locator(f"#sq-{right(SECOND)}").click()
    judged(page, "right")
    for _ in range(2):
        expect(page.locator("#kept-right")).to_have_text("1 of 2")
        expect(page.locator("#progress")).to_have_text("1 right in a row. 4 more to open Fork.")
        page.reload()
    page.get_by_text("All drills and boards").click()
    page.get_by_role("button", name="Forget my results").click()
    expect(page.locator("#kept")).to_be_hidden()


def test_a_step_that_was_opened_is_where_practise_begins_the_next_time(visit: Visit) -> None:
    page = visit(f"{RUN}&at=5&right=4&row=4")
    page.locator(f"#sq-{right(FIFTH)}").click()
    judged(page, "right")
    expect(page.get_by_role("link", name="Next: Fork")).to_be_visible()
    page.goto("/practise")
    expect(page.locator("#course-name")).to_have_text("Step 3 of 7: Fork")
    page.get_by_text("All drills and boards").click()
    expect(page.locator(".kinds .done")).to_have_text("Block")
    page.get_by_role("link", name="Win now").click()
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
    expect(page.locator(f"#game[data-drill='{SECOND.id}']")).to_be_visible()
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
        expect(pupil.locator(f"#game[data-drill='{drill.id}']")).to_be_visible()
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
