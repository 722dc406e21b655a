"""Steps that many tests of the play page share, and the conditions that they wait for."""

import re

from playwright.sync_api import FloatRect, Locator, Page, Route, expect

SIZES = [(1280, 720), (390, 844), (360, 640)]
"""A laptop's screen, and those of two phones."""

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}

GAMES = re.compile(r"/play(\?|/)")
"""The addresses that a move or a choice requests."""


def box_of(element: Locator) -> FloatRect:
    """Return the place and size of an element that is drawn."""
    box = element.bounding_box()
    assert box is not None
    return box


def ready(page: Page) -> None:
    """Wait until the last answer has been shown and the board takes a move."""
    expect(page.locator("#board[aria-busy]")).to_have_count(0)


def expect_marks(page: Page, number: int) -> None:
    """Wait until the board has this many marks and takes a move."""
    expect(page.locator("#board .mark")).to_have_count(number)
    ready(page)


def play(page: Page, *squares: str) -> None:
    """Press squares in turn; wait for the answer to each."""
    for square in squares:
        page.locator(f"[id='sq-{square}']").click()
        expect(page.locator(f"[id='sq-{square}'] .mark")).to_be_visible()
        ready(page)


def show(page: Page, mode: str) -> None:
    """Choose a way to play: "play", "coach" or "analyse"."""
    if not page.locator(f"#mode-{mode}").is_checked():  # a second press on the last mode leads back
        page.locator(f"label:has(#mode-{mode})").click()
    expect(page.locator(f"#mode-{mode}")).to_be_checked()


def chosen(page: Page) -> list[str]:
    """Return the values of the play page's selects: opponent, mark and board."""
    return [page.locator(f"#{name}-choice").input_value() for name in ("opponent", "mark", "board")]


class Held:
    """Requests that are held back until a test lets them go, as on a slow connection."""

    def __init__(self, page: Page, addresses: re.Pattern[str] = GAMES) -> None:
        self.page, self.addresses, self.routes = page, addresses, list[Route]()
        page.route(addresses, self.hold)

    def hold(self, route: Route) -> None:
        """Hold back one more request."""
        self.routes.append(route)

    def next(self) -> Route:
        """Wait for one request and return it."""
        while not self.routes:
            self.page.evaluate("new Promise(requestAnimationFrame)")
        return self.routes.pop(0)

    def let_go(self, times: int = 1) -> None:
        """Wait for requests, one after another, and let each through."""
        for _ in range(times):
            self.next().continue_()

    def stop(self) -> None:
        """Let all requests through from now on."""
        self.page.unroute(self.addresses)
        for route in self.routes:
            route.continue_()
