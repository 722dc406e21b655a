"""Games by other rules in a real browser: in space, with wild marks, with stones that vanish, where edges meet."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.playing import Held, box_of, expect_marks, play, ready
from tests.marked import slow

OFF_THE_LINE = """() => {
  const stroke = document.querySelector(".strikes line");
  const { x1, y1, x2, y2 } = stroke;
  const [from, to] = [[x1, y1], [x2, y2]].map(([x, y]) => new DOMPoint(x.baseVal.value, y.baseVal.value)
    .matrixTransform(stroke.getScreenCTM()));
  return [...document.querySelectorAll("#board .won")].map((square) => {
    const { left, right, top, bottom } = square.getBoundingClientRect();
    const [x, y] = [(left + right) / 2 - from.x, (top + bottom) / 2 - from.y];
    return Math.abs(x * (to.y - from.y) - y * (to.x - from.x)) / Math.hypot(to.x - from.x, to.y - from.y);
  });
}"""
"""A script that returns how many pixels the middle of each winning square is off the stroke through the line."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 640), *slow((1280, 720), (390, 844), (740, 360))])
def test_a_line_through_three_layers_wins_and_is_drawn_straight_through_them(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = visit("/play/3x3x3x3?o=friend&show=off", viewport={"width": size[0], "height": size[1]})
    play(page, "b2.2", "a1.1", "a3.3", "c1.2", "b3.2", "b1.2", "c1.1")
    expect(page.locator("#status strong")).to_have_text("X wins")
    assert page.locator(".strikes line").count() == 1
    off = page.evaluate(OFF_THE_LINE)
    assert len(off) == 3
    assert max(off) < 2, off


def test_a_board_by_other_rules_is_seen_once_its_style_is_there(visit: Visit) -> None:
    page = visit("/play/3x3x3?o=friend")
    style = Held(page, re.compile("kinds.css"))
    page.evaluate("htmx.ajax('GET', '/play/3x3x3-torus?o=friend', {target: '#game', swap: 'outerMorph'})")
    expect(page.locator("#board.joined")).to_be_hidden()
    style.let_go()
    expect(page.locator("#board.joined")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
@pytest.mark.parametrize(("board", "least"), [("3x3x3x3", 28), ("4x4x4x4", 24)])
def test_layers_are_large_enough_for_a_finger_and_stand_one_above_the_other(
    visit: Visit, board: str, least: int, size: tuple[int, int]
) -> None:
    page = visit(f"/play/{board}?o=friend&show=off", viewport={"width": size[0], "height": size[1]})
    low, high = (box_of(page.locator(f"[id='sq-b2.{layer}']")) for layer in (1, 2))
    assert round(low["x"]) == round(high["x"])
    assert min(low["width"] / 2, low["height"]) >= least
    assert box_of(page.locator("[id='sq-a1.2']"))["y"] < box_of(page.locator("[id='sq-a3.1']"))["y"]


@pytest.mark.parametrize("way", ["hover", "focus"])
def test_pointing_at_a_square_marks_its_column_in_the_other_layers(visit: Visit, way: str) -> None:
    page = visit("/play/3x3x3x3?o=friend&show=off")
    square, above = page.locator("[id='sq-b2.2']"), page.locator("[id='sq-b2.3']")
    expect(square).to_have_css("box-shadow", "none")
    if way == "hover":
        square.hover()
    else:
        page.locator("[id='sq-b3.2']").focus()
        page.keyboard.press("ArrowDown")
    expect(square).not_to_have_css("box-shadow", "none")
    shadows = re.findall(
        r"(-?[\d.]+)px (-?[\d.]+)px 0px 0px", str(square.evaluate("e => getComputedStyle(e).boxShadow"))
    )
    apart = box_of(square)["y"] - box_of(above)["y"]
    assert {round(float(y) / apart) for _, y in shadows} >= {-1, 1}
    assert min(abs(abs(float(y)) - apart) for _, y in shadows) < 1.5


def test_a_press_draws_the_chosen_mark_at_once_and_plays_it(visit: Visit) -> None:
    page = visit("/play/3x3x3-wild?o=friend&show=off")
    page.locator("#place-o").click()
    expect(page.locator("#place-o")).to_have_attribute("aria-current", "true")
    play(page, "b2")
    expect(page).to_have_url(re.compile("moves=Ob2"))
    expect(page.locator("#sq-b2 .mark")).to_have_text("O")
    play(page, "a1", "c3")
    expect(page.locator("#status strong")).to_have_text("X wins")


def test_the_oldest_stone_fades_and_leaves(visit: Visit) -> None:
    page = visit("/play/3x3x3-vanishing?o=friend&show=off&moves=b2a1a3c1b1")
    play(page, "b3")
    expect(page.locator("#sq-b2")).to_have_class(re.compile("leaves"))
    play(page, "c3")
    expect(page.locator("#sq-b2 .mark")).to_have_count(0)


def test_keys_walk_from_layer_to_layer(visit: Visit) -> None:
    page = visit("/play/3x3x3x3?o=friend&show=off")
    page.locator("[id='sq-c3.1']").focus()
    for key, square in (("ArrowUp", "c1.2"), ("PageUp", "c1.3"), ("PageUp", "c1.3"), ("PageDown", "c1.2")):
        page.keyboard.press(key)
        expect(page.locator(f"[id='sq-{square}']")).to_be_focused()


@pytest.mark.parametrize("board", ["3x3x3x3", "4x4x4x4", "3x3x3-torus", "3x3x3-vanishing-strict", "3x3x3-misere-wild"])
@pytest.mark.parametrize("size", [(360, 640), *slow((1280, 720), (390, 844))])
def test_the_board_fits_the_screen(visit: Visit, board: str, size: tuple[int, int]) -> None:
    page = visit(f"/play/{board}?o=friend&show=off")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    square = box_of(page.locator("#board .sq").first)
    assert square["width"] >= 24
    players, drawn, ribbon, rule = (box_of(page.locator(part)) for part in ("#deal", "#board", "#why", ".strip h1"))
    assert players["y"] + players["height"] <= drawn["y"] + 1
    assert drawn["y"] + drawn["height"] <= ribbon["y"] + 1 or ribbon["x"] > drawn["x"] + drawn["width"]
    assert rule["height"] > 0


FALLING = "/play/7x6x4-gravity?o=friend"


def press(page: Page, square: str) -> None:
    """Press the place of a square, whatever lies there."""
    box = box_of(page.locator(f"#sq-{square}"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.slow
@pytest.mark.parametrize("java_script_enabled", [True, False])
def test_pressing_anywhere_in_a_column_drops_a_stone_on_its_heap(visit: Visit, java_script_enabled: bool) -> None:
    page = visit(f"{FALLING}&show=off", java_script_enabled=java_script_enabled)
    board = box_of(page.locator("#board"))
    for number, (pressed, taken) in enumerate((("d6", "d1"), ("d1", "d2"), ("d3", "d3"), ("d2", "d4"), ("a1", "a1"))):
        press(page, pressed)
        if java_script_enabled:
            expect_marks(page, number + 1)
        expect(page.locator(f"#sq-{taken} .mark")).to_be_visible()
        assert box_of(page.locator("#board")) == board


def test_a_column_shows_where_its_stone_would_land_and_its_outcome_stands_above_it(visit: Visit) -> None:
    page = visit("/play/4x4x3-gravity?o=friend&moves=b1b2c1")
    heads = [box_of(page.locator(f"#sq-{square} .future")) for square in ("a1", "b3", "c2", "d1")]
    assert len({round(head["y"]) for head in heads}) == 1
    assert heads[0]["y"] + heads[0]["height"] <= box_of(page.locator("#sq-a4"))["y"]
    for pointed in ("b4", "b3", "b1"):
        box = box_of(page.locator(f"#sq-{pointed}"))
        page.mouse.move(box["x"] + 9, box["y"] + 9)
        expect(page.locator("#sq-b3")).to_have_css("background-image", re.compile("gradient"))
        expect(page.locator("#sq-b4")).to_have_css("background-image", "none")
        expect(page.locator("#sq-b3")).to_have_class(re.compile("chosen"))  # it is asked about
        page.mouse.move(0, 0)


def test_arrow_keys_choose_a_column_and_look_through_its_heap(visit: Visit) -> None:
    page = visit(f"{FALLING}&show=off&moves=d1d2")
    page.locator("#sq-a1").focus()
    for key, square in (("ArrowRight", "b1"), ("End", "g1"), ("ArrowUp", "g1"), ("ArrowLeft", "f1"), ("Home", "a1")):
        page.keyboard.press(key)
        expect(page.locator(f"#sq-{square}")).to_be_focused()
    for key, square in (*[("ArrowRight", "")] * 3, ("ArrowDown", "d2"), ("ArrowDown", "d1")):
        page.keyboard.press(key)
        expect(page.locator(f"#sq-{square or page.evaluate('document.activeElement.value')}")).to_be_focused()
    assert page.locator("#sq-d1").get_attribute("aria-label") == "d1, X"
    assert page.locator("#sq-d3").get_attribute("aria-label") == "column d, lands on d3"
    page.keyboard.press("Enter")
    expect(page.locator("#sq-d3 .mark")).to_be_visible()


@pytest.mark.parametrize(("motion", "falls"), [("no-preference", "fall"), ("reduce", "none")])
def test_a_stone_falls_unless_less_motion_is_asked_for(visit: Visit, motion: str, falls: str) -> None:
    page = visit(f"{FALLING}&show=off", reduced_motion=motion)
    expect(page.locator("#sq-d1.lands")).to_be_visible()
    page.locator("#sq-d5").click()
    mark = page.locator("#sq-d1 .mark")
    expect(mark).to_have_css("animation-name", falls)
    ready(page)
    expect(mark).to_have_css("transform", "none")


def test_a_live_game_and_a_frame_have_columns_too(visit: Visit) -> None:
    page = visit("/embed/7x6x4-gravity?o=friend&show=off")
    press(page, "c4")
    expect(page.locator("#sq-c1 .mark")).to_be_visible()
    page = visit("/live?board=7x6x4-gravity")
    page.get_by_role("button", name="Invite a friend").click()
    press(page, "c4")
    expect(page.locator("#sq-c1 .mark")).to_be_visible()
