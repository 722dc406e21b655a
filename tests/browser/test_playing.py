"""Whole games in a real browser: by mouse, by keyboard, on a phone, without JavaScript, between computers."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.playing import GAMES, play, ready


def status(page: Page) -> str:
    return page.locator("#status strong").inner_text()


def play_best_to_the_end(page: Page) -> None:
    """Ask for the best move and play it, until the game is over."""
    while page.locator("#board button[name=cell]").count():
        page.get_by_role("link", name="Hint").click()
        best = page.locator("#board .best").first
        best.wait_for()
        ready(page)
        page.wait_for_load_state()  # without JavaScript each click loads a page
        moves = page.locator("#moves li").count()
        best.click()
        page.locator("#moves li").nth(moves).wait_for(state="attached")
        page.wait_for_load_state()


def test_a_whole_game_by_mouse_is_in_the_address_bar_at_any_time(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    for square in ("a3", "a2", "b3", "b2", "c3"):
        play(page, square)
        expect(page).to_have_url(re.compile(square))
    assert status(page) == "X wins"
    assert page.locator("#board .won").count() == 3
    assert page.locator(".strikes line").count() == 1
    assert page.locator("#score").inner_text().split() == ["You", "(X)", "1", "Friend", "(O)", "0", "Draws", "0"]
    page.get_by_role("link", name="Play again").click()
    expect(page.locator("#status strong")).to_have_text("X to move")
    expect(page).to_have_url("/play/3x3x3?x=friend&o=human&score=0-1-0")


@pytest.mark.slow
def test_a_series_can_count_points(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    page.locator("#setup > summary").click()
    page.locator("#scheme-patterns").click()
    expect(page.locator("#scheme-words")).to_be_visible()
    page.keyboard.press("Escape")
    ready(page)
    play(page, "a3", "a2", "b3", "b2", "c3")
    assert page.locator("#score").inner_text().split() == ["You", "(X)", "3", "Friend", "(O)", "0", "Draws", "0"]
    page.locator("#new").click()
    expect(page.locator("#status strong")).to_have_text("X to move")
    expect(page).to_have_url(re.compile("&score=0-3-0&scheme=patterns$"))


@pytest.mark.slow
def test_a_whole_game_by_keyboard(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    page.locator("#sq-a3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sq-a3")).to_have_text("X")
    expect(page.locator("#sq-a3")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#sq-a2")).to_be_focused()
    ready(page)
    page.keyboard.press("Space")
    expect(page.locator("#sq-a2")).to_have_text("O")
    ready(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#sq-b3")).to_have_text("X")
    ready(page)
    page.keyboard.press("5")
    expect(page.locator("#sq-b2")).to_have_text("O")
    ready(page)
    page.keyboard.press("3")
    expect(page.locator("#status strong")).to_have_text("X wins")
    expect(page.locator("#sq-c3")).to_be_focused()


def test_the_board_is_one_tab_stop_and_arrows_stay_on_it(visit: Visit) -> None:
    page = visit("/play/4x3x3")
    assert page.locator("#board button[tabindex='0']").count() == 1
    page.locator("#sq-a3").focus()
    for key, square in (("ArrowUp", "a3"), ("ArrowLeft", "a3"), ("End", "d3"), ("ArrowRight", "d3"), ("Home", "a3")):
        page.keyboard.press(key)
        expect(page.locator(f"#sq-{square}")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#board :focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#sq-a3")).to_be_focused()


def test_focus_goes_to_the_board_when_the_focused_element_disappears(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend&score=1-2-3")
    page.locator("#setup > summary").click()
    page.locator("#reset-score").press("Enter")
    expect(page.locator("#reset-score")).to_have_count(0)
    expect(page.locator("#sq-a3")).to_be_focused()


def test_the_question_mark_opens_and_closes_the_list_of_keys(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("?")
    expect(page.locator("#keys ul")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#keys ul")).to_be_hidden()


def test_keys_typed_into_a_dropdown_play_nothing(visit: Visit) -> None:
    page = visit("/")
    page.locator("#opponent-choice").focus()
    page.keyboard.press("5")
    assert page.locator(".mark").count() == 0


def test_focus_stays_on_the_board_through_a_move_and_going_back_and_forward(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    play(page, "b2")
    page.locator("#sq-a1").click()
    expect(page.locator("#sq-a1")).to_have_text("O")
    expect(page.locator("#sq-a1")).to_be_focused()
    ready(page)
    page.go_back()
    expect(page.locator("#sq-a1 .mark")).to_have_count(0)
    expect(page).to_have_url("/play/3x3x3?moves=b2&o=friend")
    expect(page.locator("#sq-a1")).to_be_focused()
    page.go_forward()
    expect(page.locator("#sq-a1")).to_have_text("O")
    expect(page).to_have_url("/play/3x3x3?moves=b2a1&o=friend")


def test_a_reload_shows_the_same_game(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    play(page, "b2")
    before = page.locator("#game").aria_snapshot()
    page.reload()
    assert page.locator("#game").aria_snapshot() == before


def animation(page: Page, square: str) -> list[str]:
    """Return the name, delay and duration of the animation of a square's mark."""
    names = ["animationName", "animationDelay", "animationDuration"]
    script = "(mark, names) => names.map(name => getComputedStyle(mark, '::before')[name])"
    return list(page.locator(f"#sq-{square} .mark").evaluate(script, names))


@pytest.mark.slow
def test_the_computers_reply_appears_a_moment_after_the_move(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=seven-rules")
    page.locator("#sq-a1").click()
    expect(page.locator("#sq-b2 .mark")).to_have_text("O")
    name, delay, _ = animation(page, "b2")
    assert delay == "0.35s"
    ready(page)
    page.locator("#sq-a3").click()
    expect(page.locator("#sq-a2 .mark")).to_have_text("O")
    assert animation(page, "a2")[0] != name, "the second reply's animation would not start"


@pytest.mark.slow
def test_under_reduced_motion_nothing_fades_or_slides(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=hard", reduced_motion="reduce")
    page.locator("#sq-a1").click()
    expect(page.locator("#sq-b2 .mark")).to_be_visible()
    _, delay, duration = animation(page, "b2")
    assert delay == "0s"
    assert duration in ("0.001s", "1e-3s", "1ms")


def test_undo_redo_and_the_move_list_step_through_the_game(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2a2a3")
    page.get_by_role("link", name="Undo").click()
    expect(page.locator("#sq-a2 .mark")).to_have_count(0)
    page.get_by_role("link", name="Redo").click()
    expect(page.locator("#sq-a2 .mark")).to_have_text("X")
    page.locator("#move-1").click()
    expect(page.locator("#sq-b2 .mark")).to_have_count(0)
    page.locator("#move-4").click()
    expect(page.locator("#sq-a3 .mark")).to_have_text("O")
    expect(page).to_have_url("/play/3x3x3?moves=a1b2a2a3")


def test_the_dropdowns_change_players_at_once_and_boards_begin_anew(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a1b2")
    page.locator("#opponent-choice").select_option("impossible")
    expect(page).to_have_url(re.compile(r"/play/3x3x3\?moves=a1b2&o=impossible$"))
    page.locator("#board-choice").select_option("4x3x3")
    expect(page.locator("#board")).to_have_attribute("aria-label", "Board, 4×3, three in a row wins")
    expect(page).to_have_url("/play/4x3x3?o=impossible")


@pytest.mark.slow
def test_computers_play_a_whole_game_by_themselves(visit: Visit) -> None:
    page = visit("/play/3x3x3?x=seven-rules&o=impossible&speed=fast")
    expect(page.locator("#status strong")).to_have_text("A draw")
    assert page.locator("#moves li").count() == 9
    assert page.evaluate("history.length") <= 2


def with_clock(visit: Visit, path: str) -> Page:
    """Open a page whose clock a test can turn forward."""
    page = visit("/healthz")
    page.clock.install()
    page.goto(path)
    return page


def press_later(page: Page, name: str) -> None:
    """Press a link after ten seconds; assert that no computer has asked for a move before."""
    link = page.get_by_role("link", name=name, exact=True)
    link.wait_for()
    with page.expect_request(GAMES) as first:
        page.clock.fast_forward(10_000)
        link.click()
    assert first.value.method == "GET", "a move is a POST"


@pytest.mark.slow
def test_computers_can_be_paused_stepped_and_resumed(visit: Visit) -> None:
    page = with_clock(visit, "/play/3x3x3?x=seven-rules&o=impossible&speed=slow")
    page.get_by_role("link", name="Pause").click()
    expect(page.get_by_role("link", name="Go on", exact=True)).to_be_visible()
    moves = page.locator("#moves li").count()
    page.get_by_role("button", name="Next move").click()
    expect(page.locator("#moves li")).to_have_count(moves + 1)
    page.locator("#setup > summary").click()
    press_later(page, "Fast")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Go on", exact=True).click()
    expect(page.locator("#status strong")).to_have_text("A draw")


@pytest.mark.slow
def test_computers_paused_in_an_earlier_position_go_on_from_there(visit: Visit) -> None:
    page = with_clock(visit, "/play/3x3x3?x=seven-rules&o=impossible&speed=fast&moves=b2a1b3b1&pause=1")
    page.locator("#move-1").click()
    expect(page.locator("#sq-a1 .mark")).to_have_count(0)
    press_later(page, "Go on")
    expect(page.locator("#status strong")).to_have_text("A draw")


@pytest.mark.slow
@pytest.mark.logs_errors
def test_computers_go_on_after_the_server_did_not_answer_for_a_moment(visit: Visit) -> None:
    page = visit("/play/3x3x3?x=seven-rules&o=impossible&speed=slow")
    page.route("**/play/**", lambda route: route.abort())
    expect(page.locator("#trouble")).to_be_visible()
    page.unroute("**/play/**")
    page.locator("#moves li").nth(2).wait_for(state="attached")
    expect(page.locator("#trouble")).to_be_hidden()


@pytest.mark.slow
def test_a_switch_turned_while_computers_play_does_not_stop_them(visit: Visit) -> None:
    page = visit("/play/3x3x3?x=seven-rules&o=impossible&speed=fast")
    for mode in ("play", "analyse", "play", "analyse"):
        page.locator(f"label:has(#mode-{mode})").click()
    expect(page.locator("#status strong")).to_have_text("A draw")


@pytest.mark.slow
def test_a_whole_game_without_javascript(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=easy&seed=2", java_script_enabled=False)
    page.locator("#sq-b2").click()
    expect(page.locator("#moves li")).to_have_count(2)
    page.wait_for_load_state()
    play_best_to_the_end(page)
    assert status(page) in ("You win!", "A draw")
    page.get_by_role("link", name="Play again").click()
    expect(page.locator("#moves li")).to_have_count(0)


@pytest.mark.slow
def test_computers_without_javascript_move_by_a_button(visit: Visit) -> None:
    page = visit("/play/3x3x3?x=hard&o=impossible", java_script_enabled=False)
    page.locator("#next").click()
    expect(page.locator("#sq-b2")).to_have_text("X")
