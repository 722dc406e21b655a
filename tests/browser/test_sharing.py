"""Sharing a game: the panel on the play page, the page for sharing, and the board in another site's page."""

from contextlib import AbstractContextManager
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import Visit, assert_accessible, site
from tests.browser.playing import SIZES, play
from tests.marked import slow

SHOWN = "/play/3x3x3?moves=a3a2b3b2c3&o=friend"


def opened(page: Page) -> Page:
    page.locator("#sharing > summary").click()
    expect(page.locator("#sharing .share")).to_be_visible()
    return page


def test_the_link_and_the_moves_are_copied_from_the_panel(visit: Visit) -> None:
    page = opened(visit(SHOWN))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for button, text in (
        ("Copy link", f"{page.url}&as=guest"),
        ("Copy the moves", "a3 a2 b3 b2 c3"),
        ("Copy the position", "XXX/OO./..."),
    ):
        page.get_by_role("button", name=button).click()
        expect(page.locator("#copied")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == text


@pytest.mark.slow
def test_the_panel_shares_the_position_on_the_board(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a3a2b3b2&o=friend")
    play(page, "c3")
    expect(opened(page).locator("#share-rows")).to_have_value("XXX/OO./...")
    page.go_back()
    expect(page.locator("#sharing")).to_have_count(0)
    play(page, "c1", "c2")
    expect(opened(page).locator("#share-rows")).to_have_value("XX./OOO/..X")


@pytest.mark.slow
def test_a_link_that_cannot_be_copied_is_selected(visit: Visit) -> None:
    page = visit(SHOWN)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    opened(page).get_by_role("button", name="Copy link").click()
    expect(page.locator("#share-link")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == f"{page.url}&as=guest"


def test_without_javascript_everything_is_on_a_page_of_its_own(visit: Visit) -> None:
    page = visit(SHOWN, java_script_enabled=False)
    page.locator("#sharing > summary").click()
    page.locator("#sharing").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Share this game")).to_be_visible()
    expect(page.locator("#share-link")).to_have_value(page.url.replace("/share/", "/play/"))
    expect(page.get_by_role("button", name="Copy link")).to_be_hidden()
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#sq-b2 .mark")).to_be_visible()


@pytest.mark.parametrize("scheme", ["dark", *slow("light")])
def test_the_qr_code_on_the_screen_is_the_link(visit: Visit, scheme: str) -> None:
    page = opened(visit(SHOWN, color_scheme=scheme, viewport={"width": 360, "height": 640}))
    code = page.locator(".qr")
    code.scroll_into_view_if_needed()
    code.evaluate("image => image.decode()")
    seen = Image.open(BytesIO(code.screenshot()))
    assert [each.text for each in zxingcpp.read_barcodes(seen)] == [f"{page.url}&as=guest"]


def framing(code: str) -> AbstractContextManager[str]:
    """Serve another site whose pages hold this code of a frame."""
    return site(lambda _: [f'<!doctype html><html lang="en"><title>Elsewhere</title>{code}'.encode()])


def framed(page: Page) -> Frame:
    frame = page.frames[1]
    expect(frame.locator("#board")).to_be_visible()
    return frame


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, *slow(False)])
def test_a_game_is_played_to_its_end_in_another_sites_page(visit: Visit, server: str, script: bool) -> None:
    page = visit("/share/3x3x3?o=friend&show=off", java_script_enabled=script)
    code = page.locator("#share-code").input_value()
    with framing(code) as elsewhere:
        page.goto(elsewhere)
        entries = page.evaluate("history.length")
        for square in ("a1", "b1", "a2", "b2"):
            framed(page).locator(f"#sq-{square}").click()
            expect(framed(page).locator(f"#sq-{square} .mark")).to_be_visible()
            expect(framed(page).locator("#board[aria-busy]")).to_have_count(0)
        framed(page).locator("#sq-a3").click()
        expect(framed(page).locator("#status")).to_contain_text("X wins")
        assert page.url == f"{elsewhere}/"
        assert framed(page).url.startswith(f"{server}/embed/3x3x3?moves=a1b1a2b2a3")
        if script:
            assert page.evaluate("history.length") == entries
        framed(page).get_by_role("link", name="New game").click()
        expect(framed(page).locator("#board .mark")).to_have_count(0)
        with page.expect_popup() as whole:
            framed(page).get_by_role("link", name="Open in Noughts").click()
        expect(whole.value.locator("#settings")).to_be_attached()


@pytest.mark.slow
@pytest.mark.logs_errors
def test_no_other_page_can_be_framed_by_another_site(visit: Visit, server: str) -> None:
    page = visit("/healthz")
    with framing(f'<iframe src="{server}{SHOWN}"></iframe>') as elsewhere:
        page.goto(elsewhere)
        expect(page.locator("iframe")).to_be_visible()
        assert not page.frames[1].url.startswith(server)
        assert page.frames[1].locator("#board").count() == 0


@pytest.mark.parametrize("size", [(320, 380), *slow(*SIZES)])
@pytest.mark.parametrize("board", ["3x3x3", *slow("8x8x5")])
def test_all_of_a_frame_is_in_view(visit: Visit, board: str, size: tuple[int, int]) -> None:
    page = visit(f"/embed/{board}?o=friend&prove=0", viewport={"width": size[0], "height": size[1]})
    for part in ("#status", "#board", "#said", "#new", "#page"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert (width, height) == size


OTHERS = ["/share/3x3x3?moves=b2b2", "/embed/3x3x3?moves=a1b1&show=coach&x=friend&o=human&tried=c1"]


@pytest.mark.parametrize("path", ["/share/3x3x3?moves=b2a1", "/embed/3x3x3?moves=b2a1", *slow(*OTHERS)])
@pytest.mark.parametrize("scheme", ["light", *slow("dark")])
def test_the_pages_for_sharing_break_no_accessibility_rule(visit: Visit, path: str, scheme: str) -> None:
    assert_accessible(visit(path, color_scheme=scheme))


@pytest.mark.slow
def test_a_game_pasted_into_the_setup_is_opened(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    page.locator("#setup > summary").click()
    page.get_by_label("Game, link, rows or moves").fill("hello")
    page.get_by_label("Game, link, rows or moves").press("Enter")
    expect(page.get_by_role("alert").filter(has_text="rows")).to_be_visible()
    page.locator("#setup > summary").click()
    page.get_by_label("Game, link, rows or moves").fill("1. b2 a1 2. c3")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#sq-c3 .mark")).to_be_visible()
