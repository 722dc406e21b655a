"""From the first page to any named game in two presses, on every screen."""

import pytest
from playwright.sync_api import Page, expect

from solver.board.shelf import SHELF, NamedGame
from tests.browser.conftest import Visit, assert_accessible, assert_fits
from tests.browser.playing import ready


def open_games(page: Page) -> None:
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Games", exact=True).click()
    expect(page).to_have_url("/games")


@pytest.mark.parametrize("game", [SHELF[0], *(pytest.param(game, marks=pytest.mark.slow) for game in SHELF[1:])])
def test_any_named_game_is_two_presses_away(visit: Visit, game: NamedGame) -> None:
    page = visit("/")
    open_games(page)
    page.locator(f'[data-game="{game.board}"]').click()
    expect(page).to_have_url(f"/play/{game.board}")
    ready(page)


def test_the_dropdown_leads_to_the_games_and_the_opponent_goes_along(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=easy")
    page.locator("#board-choice").select_option("games")
    expect(page).to_have_url("/games?x=human&o=easy")
    page.get_by_role("link", name="Torus", exact=True).click()
    expect(page.locator("#opponent-choice")).to_have_value("easy")
    expect(page.locator("#board-choice option:checked")).to_have_text("Torus")
    page.go_back()
    page.go_back()
    expect(page.locator("#board-choice")).to_have_value("3x3x3")


@pytest.mark.parametrize("java_script_enabled", [True, False])
def test_a_game_is_found_by_its_name_with_the_keyboard(visit: Visit, java_script_enabled: bool) -> None:
    page = visit("/games", java_script_enabled=java_script_enabled)
    page.get_by_label("Find a game").fill("connect four")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/games?q=connect+four")
    expect(page.locator("[data-game]")).to_have_count(1)
    page.get_by_role("link", name="Connect Four").press("Enter")
    expect(page).to_have_url("/play/7x6x4-gravity")


@pytest.mark.parametrize("path", ["/games", "/games?q=qubik"])
def test_the_page_fits_every_screen_and_is_accessible(visit: Visit, scheme: str, path: str) -> None:
    page = visit(path, color_scheme=scheme)
    assert_accessible(page)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for width in (320, 360, 390, 720, 1280):
        assert_fits(page, width)
        assert page.locator(".top nav").evaluate("nav => nav.offsetHeight") < 40  # one row
