"""The pages for everyone: accessibility rules, small screens, dark mode, and colours."""

import re
from itertools import combinations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, assert_accessible
from tests.browser.playing import GAMES, PHONE
from tests.marked import slow

OTHERS = [
    "/",
    "/play/3x3x3?moves=a1b2c3a3c1b1c2&o=friend",
    "/play/3x3x3?moves=a1b2c3a3c1b1c2&o=friend&at=3&review=1&tried=c1",
    "/play/3x3x3?moves=a1b2c3&o=friend&show=coach&tried=a3",
    "/play/3x3x3?from=X.O/.X./..O&o=friend&line=a2",
    "/play/3x3x3?from=X.O/.X./..O&hint=1&score=1-2-3",
    "/play/3x3x3?x=easy&o=hard&pause=1&show=colours",
    "/play/8x8x5?show=off",
    "/play/8x8x5",
    "/no/such/page",
    "/play/3x3x3?moves=a1b2c3a3&o=friend&review=1",
    "/play/3x3x3?moves=a1b2c3a3c1b1c2&o=friend&at=3&review=1",
    "/play/3x3x3?moves=a1b2c3a3c1b1c2&o=friend&at=3&review=1&hint=1",
    "/play/3x3x3?moves=b2b3a1c3c1b1a3&at=6&review=1",
    "/play/3x3x3?from=X.O/.X./..O&o=friend&line=a2&step=1",
]


@pytest.mark.parametrize("path", ["/play/3x3x3?moves=b2a2&o=friend", "/play/3x3x3?moves=b2b2", *slow(*OTHERS)])
@pytest.mark.parametrize("scheme", ["light", *slow("dark")])
def test_no_page_breaks_an_accessibility_rule(visit: Visit, path: str, scheme: str) -> None:
    page = visit(path, color_scheme=scheme)
    page.locator("#keys summary").click()
    assert_accessible(page)


@pytest.mark.slow
@pytest.mark.parametrize(("pop", "rows"), [("setup", "X.O/.X./..O"), ("sharing", "XXX/OO./...")])
def test_the_panels_over_the_page_break_no_accessibility_rule(visit: Visit, pop: str, rows: str, scheme: str) -> None:
    page = visit(f"/play/3x3x3?from={rows}&o=friend", color_scheme=scheme)
    page.locator(f"#{pop} > summary").click()
    expect(page.locator(f"#{pop} input[type=number], #{pop} .share").first).to_be_visible()
    assert_accessible(page)


@pytest.mark.slow
@pytest.mark.logs_errors
def test_trouble_with_the_server_breaks_no_accessibility_rule(visit: Visit, scheme: str) -> None:
    page = visit("/play/3x3x3?moves=b2a1&o=friend", color_scheme=scheme)
    page.route(GAMES, lambda route: route.abort())
    page.locator("#sq-c3").click()
    expect(page.locator("#trouble")).to_be_visible()
    assert_accessible(page)


def test_marks_and_choices_are_visible_in_forced_colours(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a3a2b3b2c3&o=friend", forced_colors="active")
    for square, mark in (("a3", "X"), ("a2", "O")):
        seen = page.locator(f"#sq-{square} .mark")
        assert seen.inner_text() == mark
        size, colour = seen.evaluate(
            "mark => [parseFloat(getComputedStyle(mark).fontSize), getComputedStyle(mark).color]"
        )
        assert size > 40
        assert colour != style(page, f"#sq-{square}", "backgroundColor")
    expect(page.locator("#mode-analyse + span")).not_to_have_css(
        "border-color", style(page, "#mode-play + span", "borderColor")
    )


@pytest.mark.slow
def test_x_and_o_have_colours_of_their_own(visit: Visit) -> None:
    for scheme in ("light", "dark"):
        page = visit("/", color_scheme=scheme)
        names = ("--x", "--o", "--win", "--draw", "--loss")
        colours = page.locator("html").evaluate(
            "(html, names) => names.map(name => getComputedStyle(html).getPropertyValue(name))", names
        )
        assert len(set(colours)) == len(names)


@pytest.mark.parametrize("size", [(360, 640), *slow((320, 568), (640, 400), (844, 390))])
def test_all_that_is_touched_is_large_enough_on_the_largest_board(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/play/8x8x5?prove=0", **PHONE | {"viewport": {"width": size[0], "height": size[1]}})
    for target in page.locator("#game :is(.sq, .button, select:not(#line-choice), summary, .grip, .seg label)").all():
        if (box := target.bounding_box()) and target.is_visible():
            assert min(box["width"], box["height"]) >= 24, target


def style(page: Page, selector: str, name: str) -> str:
    """Return an element's computed style, such as its backgroundColor."""
    return str(page.locator(selector).evaluate("(element, name) => getComputedStyle(element)[name]", name))


def test_the_colours_are_those_of_the_palette(visit: Visit) -> None:
    page = visit("/")
    assert style(page, "#legend .win", "borderTopColor") == "rgb(0, 114, 178)"
    assert style(page, "#legend .loss", "borderTopColor") == "rgb(213, 94, 0)"


@pytest.mark.slow
def test_the_page_is_dark_when_the_system_is(visit: Visit) -> None:
    light, dark = (style(visit("/", color_scheme=scheme), "body", "backgroundColor") for scheme in ("light", "dark"))
    assert light != dark
    assert max(int(channel) for channel in re.findall(r"\d+", dark)) < 64


@pytest.mark.parametrize("outcome", ["win", "draw", "loss"])
def test_outcomes_have_a_word_each_and_in_forced_colours_a_border(visit: Visit, outcome: str) -> None:
    page = visit(f"/play/3x3x3?from={EXAMPLES[outcome]}&o=friend", forced_colors="active")
    square = page.locator(f"#board .{outcome}").first
    said = square.locator(".future").evaluate("future => getComputedStyle(future, '::after').content")
    assert said.startswith({"win": '"win in ', "draw": '"draw"', "loss": '"lose in '}[outcome])
    expect(square).to_have_css("border-style", {"win": "solid", "draw": "dotted", "loss": "double"}[outcome])


EXAMPLES = {"win": "XX./OO./...", "draw": ".../.X./O..", "loss": "X.O/.X./..O"}

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009,
# severity 1.0, for linear RGB.
VISION = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    """Return CIE L*a*b* (D65) of a CSS rgb() colour as people with that vision see it."""
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (int(number) / 255 for number in re.findall(r"\d+", colour)[:3])
    ]
    red, green, blue = (
        min(max(sum(weight * channel for weight, channel in zip(row, linear, strict=True)), 0), 1)
        for row in VISION[vision]
    )
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("vision", VISION)
def test_the_colours_of_outcomes_differ_for_the_colour_blind(visit: Visit, vision: str) -> None:
    page = visit("/")
    seen = [lab(style(page, f"#legend .{outcome}", "borderTopColor"), vision) for outcome in ("win", "draw", "loss")]
    for one, other in combinations(seen, 2):
        difference = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        assert difference > 20, "CIE76 differences below about 2 are invisible, above 20 obvious"


def test_nothing_is_requested_from_elsewhere_and_no_cookie_is_set(visit: Visit, server: str) -> None:
    page = visit("/healthz")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto("/")
    page.locator("#sq-b2").click()
    expect(page.locator("#sq-b2")).to_have_text("X")
    assert requested
    assert all(url.startswith(server) for url in requested)
    assert page.context.cookies() == []


def test_moves_and_results_are_announced(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=a3a2b3b2&o=friend")
    page.locator("#sq-c3").click()
    expect(page.get_by_role("status")).to_contain_text("O played b2. X played c3. X wins along a3-b3-c3.")
    hinted = visit("/")
    hinted.get_by_role("link", name="Hint").click()
    expect(hinted.get_by_role("status")).to_contain_text("Every square draws")


def test_squares_keep_their_names_for_a_screen_reader(visit: Visit) -> None:
    page = visit("/")
    assert page.get_by_role("button", name="b3, top middle, empty, X would draw").count() == 1
    assert page.get_by_role("grid", name="Board").get_by_role("gridcell").count() == 9


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (360, 640)], ids=str)
def test_the_heads_of_all_pages_stand_at_one_height_and_pages_have_one_width(
    visit: Visit, size: tuple[int, int]
) -> None:
    """The play page begins with who plays whom, and a unit with its way, in the place of a heading."""
    page = visit("/", viewport={"width": size[0], "height": size[1]})
    linked = page.locator(".top nav a, .foot a").evaluate_all("links => links.map(link => link.pathname)")
    others = ["/play/3x3x3/settings", "/share/3x3x3", "/practise/set", "/learn/forks", "/nowhere"]
    heads = {}
    for path in dict.fromkeys((*linked, *others)):
        page.goto(path)
        heads[path] = page.evaluate(
            """() => [".home", ".top nav", "main", "main :is(.deal, .unit-way, h1)"].map(name => {
            const { x, y, width } = document.querySelector(name).getBoundingClientRect();
            return name.includes("h1") ? [y] : [x, y, width];
        })"""
        )
    assert len(heads) >= 12
    assert set(map(str, heads.values())) == {str(heads["/games"])}
