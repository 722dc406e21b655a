"""A real browser on the real server. A console message or a broken policy fails the test that caused it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.browser.chromium import NoBrowser, chromium, options
from tests.browser.pages import PATIENCE, Opened, Pages
from tests.server import running_server

Visit = Callable[..., Page]
expect.set_options(timeout=PATIENCE)

COLOURS = ("color-contrast", "link-in-text-block")
"""Axe's rules about colours."""


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        path = chromium()
    except NoBrowser as error:
        pytest.fail(str(error), pytrace=False)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=options())
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def pages(browser: Browser, server: str) -> Iterator[Pages]:
    kept = Pages(browser, server)
    with kept.watched():
        yield kept


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    """Return the system's colour scheme, each in turn."""
    return str(request.param)


@pytest.fixture
def visit(pages: Pages, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Return a function that opens a link in a new browser session with the settings given."""
    used: list[Opened] = []
    messages: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "status of 4" not in message.text:  # Chromium logs each 4xx answer, also an expected one
            messages.append(message.text)

    def fail(error: Error) -> None:
        messages.append(str(error))

    def open_page(path: str = "/", **settings: Any) -> Page:
        used.append(opened := pages.take(settings))
        opened.page.on("console", note)
        opened.page.on("pageerror", fail)
        while opened.page.request.get(path, max_retries=3).status == 503:
            pass  # the server still computes this page
        opened.page.goto(path)
        opened.devtools.send("Page.resetNavigationHistory")
        return opened.page

    yield open_page
    for opened in used:
        opened.page.remove_listener("console", note)
        opened.page.remove_listener("pageerror", fail)
    pages.put_back(used)
    assert messages == [] or request.node.get_closest_marker("logs_errors")


def assert_accessible(page: Page, *rules: str) -> None:
    """Assert that a page at rest breaks none of axe's rules, or none of those given.

    In the dark only the colours differ, so that only the rules about them are tried.
    """
    page.route("**", lambda _: None)  # no answer changes the page meanwhile
    page.evaluate("Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    in_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    wanted = rules or (COLOURS if in_dark else ())
    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": wanted}} if wanted else {})
    page.evaluate(Axe().axe_script)
    violations = page.evaluate("options => axe.run(options).then(({ violations }) => violations)", options)
    assert not violations, AxeResults({"violations": violations}).generate_report()


def assert_fits(page: Page, width: int) -> None:
    """Assert that a page scrolls only vertically on a screen of this width."""
    page.set_viewport_size({"width": width, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@contextmanager
def site(answer: Callable[[str], Iterable[bytes]]) -> Iterator[str]:
    """Serve another site within the block: `answer` returns a path's body in parts. Yield the site's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", guess_type(urlsplit(self.path).path)[0] or "text/html; charset=utf-8")
            self.end_headers()
            for part in answer(self.path):
                self.wfile.write(part)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
