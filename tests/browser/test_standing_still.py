"""Nothing on the page moves by itself: not while it loads, nor at a move, an error, or the end of a game."""

from collections.abc import Iterator
from threading import Event
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit, site
from tests.browser.playing import GAMES, SIZES, expect_marks, play, ready, show
from tests.marked import exhaustive, slow

SHIFTS = """
new PerformanceObserver(list => {
  for (const { value, sources } of list.getEntries()) {
    window.shifted = (window.shifted || 0) + value;
    const names = sources.map(({ node }) => node?.id || node?.className || node?.nodeName);
    window.movers = [...(window.movers || []), ...names];
  }
}).observe({type: 'layout-shift', buffered: true});
"""
"""A script that adds up all layout shifts, also those within half a second of a press."""

TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

PLACES = ['<option value="watch"', '<option value="alphabeta-9"', 'id="modes"', '<a id="hint"', '<a id="new"']
PLACES += ['<section id="why"', "</main>"]
"""Where a page that comes in two parts may be cut."""

SCREENS = [SIZES[1], *slow(SIZES[0], SIZES[2])]


def watched(visit: Visit, path: str, size: tuple[int, int]) -> Page:
    page = visit("/healthz", viewport={"width": size[0], "height": size[1]})
    page.add_init_script(SHIFTS)
    page.goto(path)
    return page


def assert_still(page: Page) -> None:
    page.evaluate("Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    shifted, movers = page.evaluate("[window.shifted || 0, window.movers]")
    assert shifted < 0.001, movers


@pytest.mark.logs_errors
@pytest.mark.parametrize(
    ("mode", "size"),
    [
        *(pytest.param("analyse", size, marks=pytest.mark.slow) for size in SIZES),
        *(pytest.param(mode, SIZES[1], marks=pytest.mark.slow) for mode in ("coach", "play")),
        *(
            pytest.param(mode, size, marks=pytest.mark.exhaustive)
            for mode in ("coach", "play")
            for size in (SIZES[0], SIZES[2])
        ),
    ],
)
def test_nothing_moves_in_a_whole_game(visit: Visit, mode: str, size: tuple[int, int]) -> None:
    page = watched(visit, "/play/3x3x3?o=friend", size)
    show(page, mode)
    ready(page)
    play(page, "a1", "b2")
    page.locator("#sq-a3").hover()
    assert_still(page)
    page.locator("#undo").click()
    expect_marks(page, 1)
    page.route(GAMES, lambda route: route.abort(), times=1)
    page.locator("#sq-b2").click()
    expect(page.locator("#trouble")).to_be_visible()
    page.locator("#try-again").click()
    expect(page.locator("#sq-b2 .mark")).to_be_visible()
    ready(page)
    assert_still(page)
    play(page, "c3")
    page.locator("#hint").click()
    expect(page.locator("#hint")).to_have_attribute("aria-current", "true")
    ready(page)
    page.locator("#sq-a3").click()
    sure = page.locator("#sure")
    if mode == "coach":
        assert_still(page)
        sure.click()
    expect(page.locator("#sq-a3 .mark")).to_be_visible()
    ready(page)
    play(page, "c1")
    page.locator("#sq-b1").evaluate("square => { square.value = 'a1'; }")
    page.locator("#sq-b1").click()
    expect(page.get_by_role("alert")).to_contain_text(["is taken"])
    ready(page)
    assert_still(page)
    play(page, "b3" if mode == "analyse" else "b1")
    if sure.count():
        sure.click()
    play(page, *(["b1"] if mode == "analyse" else ["c2"]))
    expect(page.locator("#status strong")).to_have_text("X wins")
    assert_still(page)
    page.locator("#new").click()
    expect_marks(page, 0)
    assert_still(page)


@pytest.mark.slow
@pytest.mark.parametrize("size", SCREENS)
def test_nothing_moves_against_a_computer_or_when_players_change(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, "/", size)
    page.locator("#sq-a1").click()
    expect(page.locator("#sq-b2 .mark")).to_be_visible()
    ready(page)
    page.locator("#sq-b1").hover()
    expect(page.locator("#reason")).to_be_visible()
    page.locator("#mark-choice").select_option("O")
    expect(page.locator("#status strong")).to_have_text("Your turn")
    expect(page.locator("#moves li")).to_have_count(3)  # the computer plays on with X
    ready(page)
    page.locator("#setup > summary").click()
    page.keyboard.press("Escape")
    assert_still(page)


@pytest.mark.parametrize("size", [*slow((320, 568), SIZES[0]), *exhaustive(SIZES[1], SIZES[2])])
@pytest.mark.parametrize(
    ("path", "moves"),
    [
        ("/", 0),
        ("/play/3x3x3?x=hard&o=human", 1),
        ("/play/3x3x3?x=minimax&o=alphabeta-9&speed=fast", 9),
        ("/play/6x6x5?x=medium&o=medium&speed=fast&show=off", 7),
    ],
)
def test_nothing_moves_while_a_page_loads_or_computers_play(
    visit: Visit, path: str, moves: int, size: tuple[int, int]
) -> None:
    page = watched(visit, path, size)
    if moves:
        page.locator("#moves li").nth(moves - 1).wait_for(state="attached")
    assert_still(page)


@pytest.mark.parametrize("size", [(320, 568), *slow(SIZES[0])])
@pytest.mark.parametrize("until", [*exhaustive(*PLACES[1:3], *PLACES[4:6]), *PLACES[::3]])
def test_nothing_moves_when_the_page_comes_in_two_parts(
    browser: Browser, server: str, until: str, size: tuple[int, int]
) -> None:
    path = "/play/3x3x3?moves=b2&x=minimax&o=alphabeta-9&speed=fast"
    painted = Event()

    def halting(asked: str) -> Iterator[bytes]:
        """Pass on the server's answer; of the page, the second part once the first is painted."""
        with urlopen(server + asked) as answer:
            first, cut, rest = answer.read().partition(until.encode())
        yield first
        if asked == path:
            painted.wait()
        yield cut + rest

    with site(halting) as address, browser.new_page(viewport={"width": size[0], "height": size[1]}) as page:
        try:
            page.add_init_script(SHIFTS)
            page.goto(f"{address}{path}", wait_until="commit")
            page.locator(".home").wait_for()
            page.evaluate(TWO_FRAMES)
            painted.set()
            page.wait_for_load_state()
            page.evaluate(TWO_FRAMES)
            assert_still(page)
        finally:
            painted.set()


@pytest.mark.slow
@pytest.mark.parametrize("size", [SIZES[2], *slow((390, 664))])
def test_nothing_moves_when_the_ribbon_opens_or_outcomes_appear(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, "/play/3x3x3?o=friend", size)
    page.locator("#grip").click()
    expect(page.locator(".why.open")).to_be_visible()
    assert_still(page)
    page.locator("#grip").click()
    expect(page.locator(".why.open")).to_have_count(0)
    play(page, "a3", "a2", "b3", "b2", "c3")
    expect(page.locator("#status strong")).to_have_text("X wins")
    assert_still(page)


@pytest.mark.slow
@pytest.mark.parametrize("size", [SIZES[2], *slow(SIZES[0], SIZES[1], (740, 360))])
@pytest.mark.parametrize("board", ["3x3x3", *slow("7x6x4-gravity?prove=0&", "5x4x4?prove=0&")])
def test_a_page_scrolled_to_its_end_stays_there_for_a_whole_game(
    visit: Visit, board: str, size: tuple[int, int]
) -> None:
    path, _, settings = board.partition("?")
    page = watched(visit, f"/play/{path}?{settings}o=friend", size)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    for turn in range(7 if path == "3x3x3" else 12):
        page.evaluate("document.querySelector('.sq[name]').click()")
        expect_marks(page, turn + 1)
        assert_still(page)
    page.evaluate("document.querySelector('#undo, #undo-game').click()")
    ready(page)
    assert_still(page)


@pytest.mark.slow
@pytest.mark.parametrize("size", SCREENS)
def test_nothing_moves_while_squares_are_proved(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, f"/play/7x6x4?moves=a1{'gfe'[SIZES.index(size)]}6&o=human", size)
    expect(page.locator("#board .unknown")).to_have_count(0)
    expect(page.locator("#proving")).to_have_count(0)
    assert_still(page)


@pytest.mark.slow
@pytest.mark.parametrize("size", SCREENS)
def test_nothing_moves_when_proving_is_stopped(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, "/play/8x8x5?moves=a1h2&o=human", size)
    page.locator("#prove").click()
    expect(page.locator("#proving")).to_contain_text("Proving is stopped")
    assert_still(page)


@pytest.mark.parametrize("size", [SIZES[2], *slow(SIZES[0], SIZES[1])])
def test_nothing_moves_when_a_drill_is_answered(visit: Visit, size: tuple[int, int]) -> None:
    page = watched(visit, "/practise/run?kind=block&seed=test&rush=1", size)
    page.locator(".sq[name]").first.click()
    expect(page.locator("#game:not([data-verdict=''])")).to_be_visible()
    ready(page)
    assert_still(page)
