"""What somebody meets who opens the page: few controls, answers at once, and taps that ask instead of playing."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from solver.board.notation import format_cell, parse_rules
from solver.board.position import Position
from tests.browser.conftest import Visit
from tests.browser.playing import PHONE, Held, box_of, expect_marks, ready
from tests.marked import slow


def test_who_thinks_is_said_at_once_and_the_old_letters_fade(visit: Visit) -> None:
    page = visit("/play/3x3x3")
    held = Held(page)
    page.locator("#sq-b2").click()
    expect(page.locator("#status strong")).to_have_text("Hard is thinking …")
    expect(page.locator("#board.asked")).to_be_visible()
    held.let_go()
    expect_marks(page, 2)
    expect(page.locator("#status strong")).to_have_text("Your turn")
    expect(page.locator("#board.asked")).to_have_count(0)


@pytest.mark.logs_errors
def test_a_press_that_the_server_does_not_answer_leaves_the_status_as_it_was(visit: Visit) -> None:
    page = visit("/play/3x3x3")
    page.route("**/play/3x3x3*", lambda route: route.fulfill(status=503, body=""))
    page.locator("#sq-b2").click()
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator("#status strong")).to_have_text("Your turn")


def test_a_tap_asks_about_a_square_while_the_question_mark_is_on(visit: Visit) -> None:
    page = visit("/play/3x3x3?from=X.O/.X./..O&o=friend", **PHONE)
    page.locator("#grip").tap()
    page.locator("#ask").tap()
    expect(page.locator("#ask")).to_have_attribute("aria-pressed", "true")
    page.locator("#sq-a2").tap()
    expect(page.locator("#line-words")).to_contain_text("a2")
    expect(page.locator("#board .mark")).to_have_count(4)
    page.locator("#ask").tap()
    page.locator("#grip").tap()
    page.locator("#sq-c2").tap()
    expect(page.locator("#sq-c2 .mark")).to_have_text("X")


@pytest.mark.slow
def test_computers_do_not_play_on_behind_the_open_settings(visit: Visit) -> None:
    page = visit("/play/3x3x3?x=easy&o=easy&speed=slow")
    page.locator("#setup > summary").click()
    expect(page.locator("#opponents-form")).to_be_visible()
    ready(page)
    marks = page.locator("#board .mark").count()
    page.clock.install()
    page.clock.run_for(5_000)
    expect(page.locator("#board .mark")).to_have_count(marks)
    page.keyboard.press("Escape")
    expect(page.locator("#board .mark")).not_to_have_count(marks)


COMPUTERS = "/play/3x3x3?x=hard&o=impossible&pause=1"


@pytest.mark.parametrize("seen", [("/", {}), ("/", PHONE), *slow(("/play/8x8x5", {}), (COMPUTERS, {}))], ids=str)
def test_there_are_at_most_twelve_controls_at_rest(visit: Visit, seen: tuple[str, dict[str, Any]]) -> None:
    page = visit(seen[0], **seen[1])
    visible = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a, button, select, input, summary):not(.sq)")]
          .filter((control) => control.checkVisibility({ visibilityProperty: true }))
          .filter((control) => !control.closest("#line-form"))  // a pixel wide until it has the focus
          .map((control) => control.id || control.textContent)"""
    )
    assert len(visible) <= 12, " ".join(visible)


def test_the_page_has_at_most_forty_five_controls_in_all(visit: Visit) -> None:
    assert visit("/").locator("a, button, select, input:not([type=hidden]), summary").count() <= 45


def test_who_plays_whom_stands_above_the_board_and_the_rule_beside_it(visit: Visit) -> None:
    page = visit("/play/6x5x4?score=2-1-0")
    board, players = box_of(page.locator("#board")), page.locator("#deal")
    expect(players).to_contain_text(re.compile(r"You\s+2 – 1"))
    expect(players.locator(".seat.x.on")).to_contain_text("You")
    assert box_of(players)["y"] + box_of(players)["height"] <= board["y"]
    rule = page.get_by_role("heading", name="Four in a row wins")
    assert box_of(rule)["x"] >= board["x"] + board["width"]


def test_the_ribbon_on_a_phone_opens_below_the_board_and_closes_by_a_press_beside_it_that_plays_nothing(
    visit: Visit,
) -> None:
    page = visit("/play/6x6x4?moves=c3d4&o=friend&prove=0", **PHONE)
    grip, board = page.locator("#grip"), box_of(page.locator("#board"))
    for close in (grip, page.locator("#sq-a1")):
        grip.tap()
        expect(grip).to_have_text("✕ Close")
        page.evaluate("scrollTo(0, 0)")
        assert box_of(page.locator("#why"))["y"] >= board["y"] + board["height"]
        close.tap()
        expect(grip).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#board .mark")).to_have_count(2)
    page.locator("#sq-a1").tap()
    expect_marks(page, 3)


def test_more_has_a_close_button_and_closes_by_a_press_beside_it_that_plays_nothing(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    panel = page.locator("#setup-card")
    for close in (page.get_by_role("button", name="Close"), page.locator("#sq-a1")):
        page.locator("#setup > summary").click()
        expect(page.locator("#size-form")).to_be_visible()
        close.click()
        expect(panel).to_be_hidden()
    expect(page.locator("#board .mark")).to_have_count(0)


def test_all_outcomes_are_shown_and_hidden_by_one_press_or_one_key(visit: Visit) -> None:
    page = visit("/play/3x3x3?show=off&o=friend")
    futures = page.locator("#board .future")
    for key in ("", "c"):
        for shown in (9, 0):
            if key:
                page.keyboard.press(key)
            else:
                page.locator("label:has(#mode-analyse)").click()
            expect(futures).to_have_count(shown)
            ready(page)
    expect(page.locator("#mode-play")).to_be_checked()


@pytest.mark.slow
def test_the_open_sheet_on_a_phone_stays_open_while_proofs_come_in(visit: Visit) -> None:
    page = visit("/play/8x8x5?moves=a1h6&o=friend", **PHONE)
    page.locator("#grip").tap()
    for _ in range(2):
        page.locator("#why").evaluate("sheet => sheet.dataset.old = 'yes'")
        expect(page.locator("#why:not([data-old])")).to_have_class(re.compile(r"\bopen\b"))
    expect(page.locator("#grip")).to_have_attribute("aria-expanded", "true")


def test_sounds_are_off_until_somebody_switches_them_on_and_the_device_remembers(visit: Visit) -> None:
    page = visit("/")
    sound = page.locator("#sound")
    expect(sound).to_have_text("♪ off")
    sound.click()
    page.reload()
    expect(sound).to_have_text("♪ on")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")


MODES = ("show=off", "show=coach", "show=colours", "show=distance", "at=4&review=1", "at=4", "at=3&line={open}")


def finished(dice: Random, board: str) -> tuple[str, str]:
    """Return the moves of a random game, and the one that came fourth."""
    position, moves = Position(parse_rules(board)), list[str]()
    while position.result is None:
        cell = dice.choice(position.legal_moves)
        moves.append(format_cell(cell, position.rules))
        position = position.play(cell)
    return "".join(moves), moves[3]


DEFORMED = """async (links) => {
  const sides = ["TopLeft", "TopRight", "BottomLeft", "BottomRight"];
  const found = [];
  for (const link of links) {
    const answer = await fetch(link, { headers: { "HX-Request": "true" } });
    const game = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("game");
    document.getElementById("game").replaceWith(game);
    const marks = [...game.querySelectorAll("#board .mark")];
    if (marks.length < 3) found.push(`${link} has ${marks.length} marks`);
    for (const mark of marks) {
      for (const part of mark.closest(".x") ? ["::before", "::after"] : ["::before"]) {
        const style = getComputedStyle(mark, part);
        const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
        const round = sides.every((side) => {
          const radius = style[`border${side}Radius`];
          return radius.endsWith("%") ? parseFloat(radius) >= 50 : parseFloat(radius) >= width / 2;
        });
        const shaped = mark.closest(".x") ? height > 7 * width : Math.abs(height - width) < 0.1;
        if (!round || !shaped || !(width > 0)) found.push(`${link}: ${mark.parentElement.id}${part}`);
      }
    }
  }
  return found;
}"""
"""A script that shows games, and names the strokes without round ends and the rings that are no circles."""


@pytest.mark.parametrize("games", [15, *slow(100)])
def test_every_mark_of_many_games_keeps_its_shape(visit: Visit, games: int) -> None:
    dice, links = Random(29), []
    for number in range(games):
        board = ("3x3x3", "3x3x3", "4x4x4", "5x4x4", "7x5x4")[number % 5]
        moves, fourth = finished(dice, board)
        mode = MODES[number % len(MODES)].format(open=fourth)
        links.append(f"/play/{board}?moves={moves}&o=friend&prove=0&{mode}")
    assert visit("/").evaluate(DEFORMED, links) == []
