"""The coach asks before a mistake, and the graph leads through the game."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.playing import expect_marks, ready

LOSING = "/play/3x3x3?moves=a1b2c3&o=friend"
"""O draws on an edge and loses in a corner."""

LOST = "/play/3x3x3?moves=a1b2c3a3c1b1c2&o=friend"
"""O's a3 was the mistake: X wins."""


def test_the_coach_asks_before_a_losing_move_and_takes_it_back_or_plays_it(visit: Visit) -> None:
    page = visit(f"{LOSING}&show=coach")
    expect(page.locator("#board .future")).to_have_count(0)
    page.locator("#sq-a3").click()
    expect(page.locator("#said")).to_contain_text("Loses")
    expect(page.locator("#sq-a3 .mark")).to_have_count(0)
    expect(page.locator("#sq-c1.shown")).to_contain_text("X 1")
    expect(page.locator("#ghosts line.x")).not_to_have_count(0)
    ready(page)
    page.get_by_role("link", name="Choose again").click()
    expect(page.locator("#sure")).to_have_count(0)
    expect(page.locator("#board .shown")).to_have_count(0)
    ready(page)
    page.locator("#sq-a3").click()
    page.get_by_role("button", name="Play a3 anyway").click()
    expect(page.locator("#sq-a3 .mark")).to_have_text("O")
    expect(page.locator("#sure")).to_have_count(0)


def test_escape_takes_the_coachs_question_back(visit: Visit) -> None:
    page = visit(f"{LOSING}&show=coach&tried=a3")
    expect(page.locator("#sure")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#sure")).to_have_count(0)


@pytest.mark.slow
def test_the_points_of_the_graph_lead_through_the_game_without_a_new_page(visit: Visit) -> None:
    page = visit(LOST)
    page.evaluate("() => { window.stays = true; }")
    points = page.locator("#graph a")
    expect(points).to_have_count(8)
    for ply in (0, 3, 7):
        points.nth(ply).click()
        expect_marks(page, ply)
    assert page.evaluate("window.stays")


@pytest.mark.slow
def test_without_javascript_the_coach_asks(visit: Visit) -> None:
    page = visit(f"{LOSING}&show=coach", java_script_enabled=False)
    page.locator("#sq-a3").click()
    page.get_by_role("button", name="Play a3 anyway").click()
    expect(page.locator("#sq-a3")).to_have_text("O")
