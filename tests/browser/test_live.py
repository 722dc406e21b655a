"""Live games in real browsers: two players, a viewer, lost connections, and no JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.browser.playing import SIZES, box_of, ready


def invited(visit: Visit, number: int = 2, board: str = "3x3x3", **settings: object) -> list[Page]:
    """Open a new game in a number of browsers: the host, who has X, the friend who joins, and spectators."""
    host = visit(f"/live?board={board}", **settings)
    host.get_by_role("button", name="Invite a friend").click()
    expect(host.locator("#status")).to_contain_text("Waiting for your friend")
    path = host.evaluate("location.pathname")
    pages = [host, *(visit(path, **settings) for _ in range(number - 1))]
    pages[1].get_by_role("button", name="Join").click()
    expect(pages[1].locator("#said")).to_contain_text("You play O")
    ready(pages[1])
    for page in pages if settings.get("java_script_enabled", True) else ():
        expect(page.locator(".players .here")).to_have_count(min(number, 2))
    return pages


def plays(page: Page, square: str, *others: Page) -> None:
    """Press a square and wait until all pages show its mark."""
    page.locator(f"#sq-{square}").click()
    for each in (page, *others):
        expect(each.locator(f"#sq-{square} .mark")).to_be_visible()
        ready(each)


def test_two_play_to_the_end_while_a_third_watches_until_the_rematch(visit: Visit) -> None:
    x, o, watcher = invited(visit, 3)
    board = box_of(x.locator("#board"))
    for number, square in enumerate(("a1", "b2", "b1", "c3", "c1")):
        plays((x, o)[number % 2], square, x, o, watcher)
        assert box_of(x.locator("#board")) == board
        if number == 0:
            expect(o.locator("#status[role=status]")).to_contain_text("X played a1. Your turn (O)")
            expect(o).to_have_title("Your turn (O) · Live · Noughts")
            assert watcher.locator("#board [name=cell]").count() == x.locator("#board [name=cell]").count() == 0
    for page, words in ((x, "You win!"), (o, "Your friend wins"), (watcher, "X wins")):
        expect(page.locator("#status strong")).to_have_text(words)
    o.get_by_role("button", name="Rematch").click()
    x.locator("#asked").get_by_role("button", name="Rematch").click()
    expect(o.locator("#status strong")).to_have_text("Your turn (X)")
    watcher.get_by_role("link", name="Review the last game").click()
    expect(watcher.locator("h1")).to_have_text("Review: X wins")


@pytest.mark.slow
@pytest.mark.logs_errors
def test_a_player_whose_network_comes_back_sees_the_moves_since_and_plays_on(visit: Visit) -> None:
    x, o = invited(visit)
    o.context.set_offline(True)
    plays(x, "b2")
    expect(o.locator("#connection")).to_be_visible()
    expect(o.locator("#sq-b2 .mark")).to_have_count(0)
    o.context.set_offline(False)
    expect(o.locator("#sq-b2 .mark")).to_be_visible()
    expect(o.locator("#connection")).to_be_hidden()
    plays(o, "a1", x)


@pytest.mark.slow
@pytest.mark.logs_errors
def test_a_move_made_offline_is_sent_when_the_line_is_back(visit: Visit) -> None:
    x, o = invited(visit)
    x.context.set_offline(True)
    x.locator("#sq-b2").click()
    expect(x.locator("#trouble")).to_contain_text("You're offline. I'll send b2 when you're back.")
    expect(o.locator(".players .here")).to_have_count(1, timeout=5000)
    x.context.set_offline(False)
    expect(o.locator("#sq-b2 .mark")).to_be_visible()
    expect(x.locator("#trouble")).to_be_hidden()
    expect(x.locator("#connection")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.logs_errors
def test_a_move_whose_answer_was_lost_is_made_once(visit: Visit) -> None:
    x, o = invited(visit)
    x.route(x.url, lambda route: (route.fetch(), route.abort()) if route.request.method == "POST" else route.fallback())
    x.locator("#sq-b2").click()
    expect(o.locator("#sq-b2 .mark")).to_be_visible()
    expect(x.locator("#sq-b2 .mark")).to_be_visible()
    expect(x.locator("#trouble")).to_be_hidden()
    expect(x.locator("#board .mark")).to_have_count(1)


def test_a_live_game_begins_in_two_presses(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="With a friend").click()
    page.get_by_role("button", name="Invite a friend").click()
    expect(page.locator("#status strong")).to_have_text("Waiting for your friend")
    expect(page.locator("#invitation .qr")).to_be_visible()


@pytest.mark.slow
def test_a_long_name_makes_no_page_wider_than_a_phone(visit: Visit) -> None:
    host = visit("/live")
    host.locator("#host-name").fill(24 * "W")
    host.get_by_role("button", name="Invite a friend").click()
    expect(host.locator("#status")).to_contain_text("Waiting for your friend")
    friend = visit(host.evaluate("location.pathname"))
    assert_fits(friend, 320)
    friend.get_by_role("button", name="Join").click()
    expect(friend.locator("#said")).to_contain_text("WWW")
    assert_fits(friend, 320)


@pytest.mark.slow
def test_the_link_back_stays_until_the_page_is_left_and_opens_the_seat_elsewhere(visit: Visit) -> None:
    x, o = invited(visit)
    plays(x, "b2", o)
    link = o.locator("#way-back-link").input_value()
    assert x.locator("#way-back-link").input_value() != link
    x.context.grant_permissions(["clipboard-read", "clipboard-write"])
    x.get_by_role("button", name="Copy my link").click()
    expect(x.locator("#way-back-link")).to_be_hidden()
    plays(o, "a1", x)
    expect(x.locator("#way-back")).to_have_text(re.compile("^Your way back is copied"))
    expect(x.locator("#way-back-link")).to_be_hidden()
    o.reload()
    expect(o.locator("#way-back")).to_have_count(0)
    elsewhere = visit(link.removeprefix(o.evaluate("location.origin")))
    elsewhere.get_by_role("button", name="Take my seat").click()
    ready(elsewhere)
    plays(x, "a3", elsewhere)


@pytest.mark.slow
def test_who_lost_a_seat_gets_it_back_by_the_friends_word(visit: Visit) -> None:
    x, o = invited(visit)
    o.context.clear_cookies()
    o.reload()
    o.get_by_role("button", name="This was me: O").click()
    expect(o.locator("#said")).to_contain_text("Waiting for your friend to confirm")
    x.get_by_role("button", name="Yes, let them in").click()
    expect(o.locator("#said")).to_have_text("You play O. Your friend is here.")
    plays(x, "b2", o)
    plays(o, "a1", x)
    expect(x.locator(".players .here")).to_have_count(2)


@pytest.mark.slow
def test_a_player_who_closes_the_page_and_opens_another_keeps_the_seat(visit: Visit) -> None:
    x, o = invited(visit)
    plays(x, "b2", o)
    address = o.url
    o.goto("/practise")
    plays_on = o.context.new_page()
    plays_on.goto(address)
    expect(plays_on.locator("#status strong")).to_have_text("Your turn (O)")
    plays(plays_on, "a1", x)


DEAD = """EventSource = class {
    static CLOSED = 2;
    readyState = 1;
    constructor() { setTimeout(() => this.onopen()); }
    close() { this.readyState = 2; }
}"""
"""A stream that stays open without news, as after sleep or a change of networks."""


@pytest.mark.slow
def test_a_silent_stream_is_replaced(visit: Visit) -> None:
    x, o = invited(visit)
    o.clock.install()
    o.add_init_script(DEAD)
    o.reload()
    expect(o.locator("#said")).to_contain_text("Your friend is here")
    plays(x, "b2")
    o.clock.fast_forward(31_000)
    expect(o.locator("#sq-b2 .mark")).to_be_visible()


@pytest.mark.slow
@pytest.mark.logs_errors
def test_a_request_that_is_never_answered_holds_no_news_back(visit: Visit) -> None:
    x, o = invited(visit)
    o.route("**/news?once=1", lambda _: None)
    o.context.set_offline(True)
    plays(x, "b2")
    o.context.set_offline(False)
    expect(o.locator("#sq-b2 .mark")).to_be_visible()


@pytest.mark.slow
@pytest.mark.logs_errors
def test_the_later_of_two_tabs_is_refused_and_shows_the_present_game(visit: Visit) -> None:
    x, o = invited(visit)
    tab = x.context.new_page()
    tab.route("**/news*", lambda route: route.abort())
    tab.goto(x.url)
    plays(x, "b2", o)
    tab.locator("#sq-a1").click()
    expect(tab.locator("#refused")).to_contain_text("The game has gone on")
    expect(tab.locator("#sq-b2 .mark")).to_be_visible()
    expect(tab.locator("#sq-a1 .mark")).to_have_count(0)
    tab.unroute("**/news*")
    plays(o, "c3", tab)
    expect(tab.locator("#refused")).to_be_visible()  # until the next press
    plays(tab, "a1")
    expect(tab.locator("#refused")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.logs_errors
@pytest.mark.parametrize("by", ["a press", "news"])
def test_a_page_of_a_game_that_is_gone_becomes_the_one_that_says_so(visit: Visit, by: str) -> None:
    x, _ = invited(visit)
    ended = "<section id=game><h1>No such game</h1></section>"
    x.route(f"{x.url}**", lambda route: route.fulfill(status=404, content_type="text/html", body=ended))
    if by == "a press":
        x.locator("#sq-b2").click()
    else:
        x.context.set_offline(True)
        x.context.set_offline(False)
    expect(x.locator("h1")).to_have_text("No such game")
    expect(x.locator("#board")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.logs_errors
def test_moves_are_shown_where_no_stream_stays_open(visit: Visit) -> None:
    x, o = invited(visit)
    o.route("**/news", lambda route: route.fulfill(status=503))
    o.reload()
    plays(x, "b2", o)
    plays(o, "a1", x)


@pytest.mark.slow
def test_without_javascript_a_game_is_played_by_forms_and_a_refresh_link(visit: Visit) -> None:
    x, o = invited(visit, java_script_enabled=False)
    x.locator("#sq-b2").click()
    expect(x.locator("#status strong")).to_have_text("Your friend's turn (O)")
    o.get_by_role("link", name="Refresh").click()
    o.locator("#sq-a1").click()
    x.get_by_role("link", name="Refresh").click()
    expect(x.locator("#sq-a1 .mark")).to_be_visible()
    x.get_by_text("Resign", exact=True).click()
    x.get_by_role("button", name="Yes, resign").click()
    expect(x.locator("#said")).to_have_text("You resigned.")
    o.get_by_role("link", name="Refresh").click()
    expect(o.locator("#said")).to_have_text("Your friend resigned.")
    o.get_by_role("button", name="Rematch").click()
    x.get_by_role("link", name="Refresh").click()
    x.locator("#asked").get_by_role("button", name="Rematch").click()
    expect(x.locator("#status strong")).to_have_text("Your friend's turn (X)")


@pytest.mark.slow
def test_a_draw_and_colours_are_asked_for_and_answered(visit: Visit) -> None:
    x, o = invited(visit)
    o.get_by_role("button", name="Ask for them").click()
    x.get_by_role("button", name="Agree").click()
    for page in (x, o):
        expect(page.locator(".future")).to_have_count(9)
    x.get_by_role("link", name="Hint").click()
    expect(x.locator(".best")).not_to_have_count(0)
    ready(x)
    x.get_by_role("button", name="Offer a draw").click()
    o.get_by_role("button", name="Accept").click()
    expect(x.locator("#status strong")).to_have_text("A draw")


@pytest.mark.slow
def test_the_keyboard_plays_and_the_focus_stays_when_the_friend_moves(visit: Visit) -> None:
    x, o = invited(visit)
    x.locator("#sq-b2").focus()
    x.keyboard.press("Enter")
    expect(o.locator("#sq-b2 .mark")).to_be_visible()
    ready(x)
    x.keyboard.press("ArrowLeft")
    expect(x.locator("#sq-a2")).to_be_focused()
    plays(o, "a1", x)
    expect(x.locator("#sq-a2")).to_be_focused()


@pytest.mark.slow
def test_the_pages_of_a_live_game_break_no_accessibility_rule(visit: Visit, scheme: str) -> None:
    assert_accessible(visit("/live", color_scheme=scheme))
    x, o = invited(visit, color_scheme=scheme)
    plays(x, "b2", o)
    o.get_by_role("button", name="Ask for them").click()
    expect(x.locator("#asked")).to_be_visible()
    x.locator("#resigning summary").click()
    assert_accessible(x)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x3x3", "8x8x5"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_board_and_what_belongs_to_it_fit_the_screen(visit: Visit, width: int, height: int, board: str) -> None:
    x, _ = invited(visit, board=board, viewport={"width": width, "height": height})
    assert x.evaluate("document.documentElement.scrollWidth") <= width
    expect(x.locator("#acts")).to_be_in_viewport(ratio=1)
