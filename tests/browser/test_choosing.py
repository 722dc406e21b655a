"""The selects show the game's settings, on whatever way the page was reached."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.playing import GAMES, PHONE, chosen, play, ready, show


def choose(page: Page, name: str, value: str) -> None:
    with page.expect_response(GAMES):
        page.locator(f"#{name}-choice").select_option(value)
    ready(page)


@pytest.mark.slow
def test_the_selects_show_the_game_after_changing_the_mark_twice_and_going_back_and_forward(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend&moves=b2a1")
    choose(page, "mark", "O")
    assert chosen(page) == ["friend", "O", "3x3x3"]
    choose(page, "mark", "X")
    assert chosen(page) == ["friend", "X", "3x3x3"]
    choose(page, "opponent", "hard")
    expect(page).to_have_url("/play/3x3x3?moves=b2a1")
    page.go_back()
    expect(page.locator("#opponent-choice")).to_have_value("friend")
    page.go_back()
    expect(page.locator("#mark-choice")).to_have_value("O")
    assert chosen(page) == ["friend", "O", "3x3x3"]
    page.go_forward()
    expect(page.locator("#mark-choice")).to_have_value("X")
    choose(page, "board", "4x4x4")
    expect(page).to_have_url("/play/4x4x4?o=friend")


def test_no_square_is_selected_for_explanation_once_its_line_is_closed(visit: Visit) -> None:
    page = visit("/play/3x3x3?from=X.O/.X./..O&o=friend", has_touch=True, is_mobile=True)
    page.locator("#line-choice").select_option("a2")
    expect(page.locator("#line-words")).to_be_visible()
    page.locator("#line-close").click()
    expect(page.locator("#line-words")).to_have_count(0)
    expect(page.locator("#line-choice")).to_have_value("")
    page.go_back()
    expect(page.locator("#line-words")).to_be_visible()
    expect(page.locator("#line-choice")).to_have_value("a2")


@pytest.mark.slow
def test_the_selects_show_the_game_after_coming_back_from_another_page(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    choose(page, "opponent", "easy")
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_back()
    expect(page).to_have_url("/play/3x3x3?o=easy")
    assert chosen(page) == ["easy", "X", "3x3x3"]


def test_a_page_from_the_back_forward_cache_takes_moves_and_shows_its_game(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    page.route(GAMES, lambda _: None)
    page.locator("#sq-b2").click()
    expect(page.locator("#sq-b2 .mark")).to_be_visible()
    page.evaluate("() => { document.querySelector('#opponent-choice').value = 'easy'; }")
    page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }")
    ready(page)
    expect(page.locator("#board .mark")).to_have_count(0)
    assert chosen(page) == ["friend", "X", "3x3x3"]


def test_the_way_to_play_is_remembered_on_the_device_and_not_in_a_cookie(visit: Visit) -> None:
    page = visit("/")
    expect(page.locator("#mode-analyse")).to_be_checked()
    show(page, "coach")
    expect(page).to_have_url("/play/3x3x3?show=coach")
    page.goto("/")
    expect(page).to_have_url("/play/3x3x3?show=coach")
    expect(page.locator("#board .future")).to_have_count(0)
    show(page, "analyse")
    page.goto("/play/3x3x3?show=off")  # the link's own setting counts more
    expect(page.locator("#mode-play")).to_be_checked()
    page.goto("/")
    expect(page.locator("#mode-analyse")).to_be_checked()
    assert page.context.cookies() == []


@pytest.mark.slow
def test_another_opponent_after_a_game_begins_a_new_series(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a3a2b3b2&o=friend")
    play(page, "c3")
    assert page.locator("#score dd").all_inner_texts() == ["1", "0", "0"]
    page.locator("#setup > summary").click()
    page.locator("#more-opponents summary").click()
    page.locator("#play-minimax").click()
    expect(page).to_have_url("/play/3x3x3?o=minimax")
    expect(page.locator("#score")).to_have_count(0)


def test_a_new_game_begins_from_the_given_position_and_x_takes_turns(visit: Visit) -> None:
    page = visit("/play/3x3x3?from=XX./OO./...&o=friend")
    play(page, "c3")
    page.locator("#new").click()
    expect(page).to_have_url(re.compile(r"from=XX./OO./...&x=friend&o=human"))
    expect(page.locator("#board .mark")).to_have_count(4)
    assert chosen(page)[:2] == ["friend", "O"]


def test_a_clause_that_is_turned_colours_every_square_anew(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    page.locator("#setup > summary").click()
    page.locator("#lines-choice").select_option("misere")
    expect(page).to_have_url("/play/3x3x3-misere?o=friend")
    expect(page.locator("#board .loss")).to_have_count(8)
    page.locator("#surface-choice").select_option("torus")
    expect(page).to_have_url("/play/3x3x3-torus-misere?o=friend")
    expect(page.locator("#board .win")).to_have_count(9)
    expect(page.locator("#setup-card")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_the_board_is_seen_beside_the_rules_that_are_turned(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/play/3x3x3?o=friend", viewport={"width": size[0], "height": size[1]})
    page.locator("#setup > summary").click()
    page.locator("#lines-choice").scroll_into_view_if_needed()
    page.locator("#lines-choice").select_option("misere")
    expect(page.locator("#board .loss")).to_have_count(8)
    for square in ("#sq-a3", "#sq-b2"):
        page.locator(square).click(trial=True)  # nothing covers it
    expect(page.locator("#lines-choice")).to_be_in_viewport(ratio=1)


def test_on_a_phone_nothing_of_the_card_lies_over_the_top_while_the_settings_are_open(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2&o=friend", **PHONE)
    page.locator("#setup > summary").click()
    expect(page.locator("#setup-card")).to_be_visible()
    expect(page.locator("#ask")).to_be_attached()
    page.locator("#sound").click(trial=True)  # nothing covers it


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_why_a_clause_is_refused_is_told_over_the_settings_which_show_the_board_again(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = visit("/play/3x3x3-torus?moves=b2a1&o=friend", viewport={"width": size[0], "height": size[1]})
    page.locator("#setup > summary").click()
    page.locator("#drop-choice").select_option("gravity")
    problem = page.locator(".problem").filter(has_text="Leave out gravity or torus.")
    expect(problem).to_be_visible()
    problem.click(trial=True)  # nothing covers it
    expect(page.locator("#drop-choice")).to_have_value("")
    expect(page.locator("#surface-choice")).to_have_value("torus")


def test_numbers_that_make_no_board_stay_to_be_mended(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2a1&o=friend")
    page.locator("#setup > summary").click()
    page.locator("#size-form [name=columns]").fill("4")
    page.locator("#size-form [name=k]").fill("7")
    page.locator("#size-form button").click()
    expect(page.locator(".problem").filter(has_text="can win, not 7")).to_be_visible()
    expect(page.locator("#size-form [name=columns]")).to_have_value("4")
    expect(page.locator("#size-form [name=k]")).to_have_value("7")
