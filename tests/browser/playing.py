"""What tests of the play page do again and again, and what they wait for."""

import re

from playwright.sync_api import Page, Route, expect

SIZES = [(1280, 720), (390, 844), (360, 640)]
"""A laptop's screen, and those of two phones."""

GAMES = re.compile(r"/play(\?|/)")
"""The addresses that a move or a choice asks for."""


def ready(page: Page) -> None:
    """Wait until the last move's answer has been seen, so that the board takes the next one."""
    expect(page.locator("#board[aria-busy]")).to_have_count(0)


def play(page: Page, *squares: str) -> None:
    """Presses squares, each once the one before has been answered."""
    for square in squares:
        page.locator(f"#sq-{square}").click()
        expect(page.locator(f"#sq-{square} .mark")).to_be_visible()
        ready(page)


def show(page: Page, mode: str) -> None:
    """Chooses how to play: "play", "coach" or "analyse"."""
    page.locator(f"label:has(#mode-{mode})").click()
    expect(page.locator(f"#mode-{mode}")).to_be_checked()


def chosen(page: Page) -> list[str]:
    """Return what the selects of the play page show: opponent, mark and board."""
    return [page.locator(f"#{name}-choice").input_value() for name in ("opponent", "mark", "board")]


class Held:
    """Requests, for games if nothing else is said, held back until let go: a connection as slow as a test wants it."""

    def __init__(self, page: Page, addresses: re.Pattern[str] = GAMES) -> None:
        self.page, self.addresses, self.routes = page, addresses, list[Route]()
        page.route(addresses, self.hold)

    def hold(self, route: Route) -> None:
        """Hold back one request more."""
        self.routes.append(route)

    def next(self) -> Route:
        """Wait for one request and return it."""
        while not self.routes:
            self.page.evaluate("new Promise(requestAnimationFrame)")
        return self.routes.pop(0)

    def let_go(self) -> None:
        """Wait for one request and let it through."""
        self.next().continue_()

    def stop(self) -> None:
        """Let all requests through from now on."""
        self.page.unroute(self.addresses)
        for route in self.routes:
            route.continue_()
