"""The view without scrolling, on every screen: the whole board, its buttons, and little else."""

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Visit, slow
from tests.browser.playing import SIZES

SCREENS = [*SIZES, (1920, 1080)]
IN_VIEW = ("#status", "#board", "#new", "#hint", "#sharing summary")


@pytest.mark.parametrize("board", ["3x3x3", "8x8x5", "1x8x3", *slow("8x1x3", "5x4x4", "4x8x4")])
def test_status_board_and_buttons_are_in_view_on_every_screen(visit: Visit, board: str) -> None:
    page = visit(f"/play/{board}?prove=0")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for selector in IN_VIEW:
            expect(page.locator(selector), f"{selector} at {width} x {height}").to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollX + scrollY") == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", ["8x8x5?moves=a1h8", "3x3x3?moves=b2a1", "1x8x3?moves=a1a2", "8x1x3?moves=a1b1"])
def test_all_buttons_are_in_view_once_a_game_has_begun(visit: Visit, game: str) -> None:
    page = visit(f"/play/{game}&o=friend&prove=0", viewport={"width": 360, "height": 640})
    for name in ("new", "undo", "redo", "hint", "review", "sharing summary"):
        expect(page.locator(f"#{name}")).to_be_in_viewport(ratio=1)


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
        "/play/3x3x3?moves=a3a1b2&o=friend&at=1&learn=1&tried=b3",
        "/play/3x3x3?moves=a3&o=friend&show=coach&tried=b3",
        "/play/3x3x3?moves=a3&o=friend&line=b3&step=2",
    ],
)
def test_nothing_scrolls_sideways_on_the_smallest_phone(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 320, "height": 568})
    for pop in ("#setup", "#sharing"):
        page.locator(f"{pop} > summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, pop
        page.keyboard.press("Escape")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_the_first_words_are_in_view(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/", viewport={"width": size[0], "height": size[1]})
    said = page.locator("#say")
    assert said.evaluate("element => element.scrollHeight <= element.clientHeight")
    expect(page.locator("#said")).to_contain_text("You are X: press a square.")
    expect(page.locator("#said")).to_contain_text("if both play perfectly")


COUNT = """() => {
  const seen = (control) =>
    control.checkVisibility({ visibilityProperty: true }) && control.getBoundingClientRect().width > 1;
  const controls = [...document.querySelectorAll("#game :is(a, button, select, input, summary)")]
    .filter((control) => !control.closest("#board") && control.type !== "radio" && seen(control));
  const radios = [...document.querySelectorAll("#game input[type=radio]")];
  return controls.length + new Set(radios.map((radio) => radio.name)).size;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/play/8x8x5", "/play/3x3x3?x=hard&o=impossible&pause=1"])
def test_at_most_twelve_controls_are_beside_the_board_at_first(visit: Visit, path: str) -> None:
    page = visit(path)
    assert page.locator("#game").evaluate(COUNT) <= 12


def test_the_first_load_is_under_30_kilobytes(visit: Visit) -> None:
    page = visit("/healthz")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    sizes: list[int] = []

    def add(request: Request) -> None:
        sizes.append(request.sizes()["responseBodySize"])

    page.on("requestfinished", add)
    page.goto("/", wait_until="networkidle")
    assert len(sizes) >= 4, "the page, its style and its scripts"
    assert 0 < min(sizes) <= sum(sizes) < 30_000
