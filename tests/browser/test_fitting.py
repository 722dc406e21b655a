"""The view without scrolling, on every screen: the whole board, its buttons, and little else."""

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Visit
from tests.browser.playing import SIZES, box_of, play
from tests.marked import slow

LONG = 32 * "W"
SCREENS = [*SIZES, (1920, 1080)]
IN_VIEW = ("#deal", "h1", "#board", "#undo", "#hint", "#new", "#modes", "#why-name")


@pytest.mark.parametrize("board", ["3x3x3", "8x8x5", "1x8x3", *slow("8x1x3", "5x4x4", "4x8x4")])
def test_status_board_and_buttons_are_in_view_on_every_screen(visit: Visit, board: str) -> None:
    page = visit(f"/play/{board}?prove=0")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for selector in IN_VIEW:
            expect(page.locator(selector), f"{selector} at {width} x {height}").to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollX + scrollY") == 0


LEAST = {(390, 664): 340, (390, 844): 340, (360, 560): 320, (320, 568): 300, (740, 360): 288, (568, 320): 256}
"""The least width of a square board, by the screen: a phone's width, or held sideways four fifths of its height."""


@pytest.mark.parametrize("size", [(390, 664), *slow(*(size for size in LEAST if size != (390, 664)))])
def test_the_board_is_as_large_as_a_phone_and_stays_so_for_a_whole_game(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/play/3x3x3?o=friend", viewport={"width": size[0], "height": size[1]})
    board = box_of(page.locator("#board"))
    assert board["width"] >= LEAST[size]
    assert board["y"] + board["height"] <= size[1]
    for square in ("a1", "b2", "b1", "c3", "c1"):
        play(page, square)
        assert box_of(page.locator("#board")) == board
    page.goto("/play/8x8x5?o=friend&prove=0")
    assert size[0] != 390 or box_of(page.locator("#sq-a1"))["width"] >= 36


@pytest.mark.slow
@pytest.mark.parametrize("size", [(740, 360), *slow((667, 375), (844, 390), (932, 430))])
@pytest.mark.parametrize("board", ["4x4x4x4", *slow("3x3x3x3", "3x3x3x3-misere")])
def test_in_space_all_squares_can_be_pressed_on_a_phone_held_sideways(
    visit: Visit, board: str, size: tuple[int, int]
) -> None:
    page = visit(f"/play/{board}?o=friend&prove=0", viewport={"width": size[0], "height": size[1]})
    box = box_of(page.locator("#board"))
    assert box["height"] >= 0.8 * size[1]
    assert box["y"] + box["height"] <= size[1]
    for square in page.locator(".sq").all():
        assert min(box_of(square)["width"], box_of(square)["height"]) >= 24
        square.click(trial=True)
    for selector in ("#deal", "#steps"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=1)


COLLISIONS = """() => {
  const box = (part) => {
    const text = document.createRange();
    text.selectNodeContents(part);
    return text.getBoundingClientRect();
  };
  return [...document.querySelectorAll("#board [data-file]")].filter((cell) => {
    const { left, bottom } = cell.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(cell, "::after").fontSize);
    const [right, top] = [left + 1.1 * size, bottom - 1.35 * size];
    const drawn = [...cell.querySelectorAll(".future > *")].filter((part) => part.checkVisibility());
    const [letter, number] = drawn.map(box);
    const named = [letter, number].some((box) => box && box.left < right && box.bottom > top);
    return named || (number && letter.right > number.left + 1);
  }).map((cell) => cell.textContent);
}"""
"""A script that returns the texts of the squares whose letter, number or name lie on each other."""


@pytest.mark.parametrize("size", [(320, 568), (568, 320), *slow((640, 400), (390, 844), (1280, 720))])
@pytest.mark.parametrize("board", ["8x8x5", "7x6x4-gravity", *slow("5x5x4", "6x6x4", "4x4x4-misere")])
def test_letters_and_the_names_of_files_never_collide(visit: Visit, board: str, size: tuple[int, int]) -> None:
    page = visit(f"/play/{board}?o=friend", viewport={"width": size[0], "height": size[1]})
    expect(page.locator("#board .future").first).to_be_attached()
    assert page.evaluate(COLLISIONS) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    ["8x8x5?moves=a1h8", "3x3x3?moves=b2a1", "3x3x3?moves=a3a2b3b2c3", "1x8x3?moves=a1a2", "8x1x3?moves=a1b1"],
)
def test_all_buttons_are_in_view_once_a_game_has_begun_and_at_its_end(visit: Visit, game: str) -> None:
    page = visit(f"/play/{game}&o=friend&prove=0", viewport={"width": 360, "height": 640})
    expect(page.locator("#steps > *")).to_have_count(3)
    for button in page.locator("#steps > *").all():
        expect(button).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x3x3", "8x8x5", "4x8x4"])
def test_the_board_grows_with_the_window(visit: Visit, board: str) -> None:
    page = visit(f"/play/{board}?prove=0")
    widths = []
    for width, height in ((360, 640), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        widths.append(page.locator("#board").evaluate("board => board.getBoundingClientRect().width"))
    assert widths == sorted(widths)
    assert widths[-1] > 1.4 * widths[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "/play/3x3x3?moves=a3a2b3b2c3&o=friend&score=12-13-14",
        "/play/8x8x5?prove=0",
        "/play/1x8x3",
        "/play/3x3x3?x=alphabeta-9&o=impossible&pause=1",
        "/play/3x3x3?moves=b2b2",
        "/play/3x3x3?moves=c3b3b2a3b1c1c2a1a2&review=1",
        "/play/3x3x3?moves=a3a1b2&o=friend&at=1&review=1&tried=b3",
        "/play/3x3x3?moves=a3&o=friend&show=coach&tried=b3",
        "/play/3x3x3?moves=a3&o=friend&line=b3&step=2",
        f"/play/3x3x3/settings?show={LONG}",
        f"/practise/set?seed={LONG}",
        f"/practise/run?row={LONG}",
    ],
)
def test_nothing_scrolls_sideways_on_the_smallest_phone(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 320, "height": 568})
    for panel in page.locator(".pop").all():  # the card may lie over its button
        panel.evaluate("panel => { panel.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, panel
        panel.evaluate("panel => { panel.open = false; }")


@pytest.mark.parametrize("size", [(640, 400), *slow((844, 390))])
@pytest.mark.parametrize(
    "drill", ["3x3x3-XX._OXO_..O-evaluate", *slow("3x3x3-X.O_.X._..O-block", "5x4x4-.OX.._..XO._X.O.._.OX..-evaluate")]
)
def test_a_drill_fits_on_a_magnified_screen(visit: Visit, drill: str, size: tuple[int, int]) -> None:
    page = visit(f"/practise/{drill}", viewport={"width": size[0], "height": size[1]})
    for selector in ("#task", "#board", "#said", "#steps"):
        expect(page.locator(selector), selector).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(360, 640), *slow((390, 844))])
@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/play/3x3x3?moves=b2b1&show=coach&tried=b3", "#sure"),
        ("/play/3x3x3?moves=b2b1&line=c2", "#line-close"),
    ],
)
def test_what_the_card_asks_is_in_view_on_a_phone(visit: Visit, path: str, button: str, size: tuple[int, int]) -> None:
    page = visit(path, viewport={"width": size[0], "height": size[1]})
    for selector in ("#board", button):
        expect(page.locator(selector), selector).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", SCREENS)
def test_what_more_opens_is_in_view(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/play/3x3x3?moves=b2b1", viewport={"width": size[0], "height": size[1]})
    page.locator("#setup > summary").click()
    expect(page.locator("#more-opponents")).to_be_in_viewport(ratio=1)


CUT = """() => [...document.querySelectorAll("#game :is(select, h1, h2, p, a, button, summary, span, label)")]
  .filter((each) => !each.closest(".unseen, .scripted, .sq, #line-form") && each.checkVisibility())
  .filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline"
      || left < 0 || right > innerWidth;
  })
  .map((each) => each.id || each.outerHTML.slice(0, 60))"""
"""A script that names the elements whose text is wider than they are, or than the screen."""


@pytest.mark.parametrize("size", [(320, 568), *slow((640, 400), (844, 390))])
@pytest.mark.parametrize(
    "path", ["/", *slow("/play/6x6x4?moves=a1b2&prove=0", "/play/3x3x3?moves=a3a2b3b2c3&o=friend")]
)
def test_no_text_is_cut_on_a_small_or_magnified_screen(visit: Visit, path: str, size: tuple[int, int]) -> None:
    page = visit(path, viewport={"width": size[0], "height": size[1]})
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


VOID = """() => {
  const { scrollHeight } = document.documentElement;
  const drawn = (each) => (each.matches(".card") || !each.firstElementChild) && !each.closest(".unseen");
  const end = (elements) => Math.max(...[...elements]
    .filter((each) => drawn(each) && each.checkVisibility())
    .map((each) => each.getBoundingClientRect().bottom + scrollY));
  const foot = document.querySelector("#keys").getBoundingClientRect().top + scrollY;
  const fills = scrollHeight > innerHeight;  // else the footer is at the bottom of the screen
  return [Math.max(scrollHeight, innerHeight) - end(document.querySelectorAll(".foot *")),
    fills ? foot - end(document.querySelectorAll("main *")) : 0];
}"""
"""A script that returns the pixels without anything below the footer, and between it and what is above it."""


@pytest.mark.parametrize(
    "path",
    [
        "/",
        *slow(
            "/play/3x3x3?moves=b2a1&o=friend",
            "/play/3x3x3?moves=a3a2b3b2c3&o=friend",
            "/play/3x3x3?moves=a1b2c3&o=friend&show=coach&tried=a3",
            "/play/3x3x3?moves=a1b2c3a3c1&o=friend&review=1",
            "/play/8x8x5?prove=0",
            "/play/8x1x3",
            "/live",
            "/practise",
            "/practise/set",
        ),
    ],
)
def test_nothing_is_left_empty_below_the_last_line_on_a_phone(visit: Visit, path: str) -> None:
    page = visit(path)
    for width, height in SIZES[1:]:
        page.set_viewport_size({"width": width, "height": height})
        assert max(page.evaluate(VOID)) <= 48, (width, page.evaluate(VOID))


def test_the_first_load_is_under_48_kilobytes_and_34_without_the_typeface(visit: Visit) -> None:
    page = visit("/healthz")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    sizes: list[int] = []
    typefaces: list[int] = []

    def add(request: Request) -> None:
        (typefaces if request.resource_type == "font" else sizes).append(request.sizes()["responseBodySize"])

    page.on("requestfinished", add)
    page.goto("/", wait_until="networkidle")
    assert len(sizes) >= 4, "the page, its style and its scripts"
    assert 0 < min(sizes) <= sum(sizes) < 34_000
    assert 0 < sum(typefaces) < 48_000 - sum(sizes)


def test_without_javascript_the_card_is_as_wide_as_a_phone_and_nothing_dead_is_offered(visit: Visit) -> None:
    page = visit("/play/3x3x3?moves=b2b1", viewport={"width": 390, "height": 844}, java_script_enabled=False)
    card, board = box_of(page.locator("#why")), box_of(page.locator("#board"))
    assert (card["x"], card["width"]) == (board["x"], board["width"])
    expect(page.locator("#why-words")).to_be_visible()
    for dead in ("#sound", "#ask", "#grip", ".if-mouse", ".if-touch"):
        expect(page.locator(dead)).to_be_hidden()
