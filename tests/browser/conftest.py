"""A real browser on the real server. A console message or a broken policy fails the test that caused it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.browser.chromium import NoBrowser, chromium, options
from tests.browser.pages import PATIENCE, Opened, Pages
from tests.server import running_server

Visit = Callable[..., Page]
expect.set_options(timeout=PATIENCE)


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


@pytest.fixture
def visit(pages: Pages, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a link of the server in a browser session of its own with the settings given."""
    used: list[Opened] = []
    messages: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "status of 4" not in message.text:  # Chromium logs every 4xx answer, also those that a test asks for
            messages.append(message.text)

    def fail(error: Error) -> None:
        messages.append(str(error))

    def open_page(path: str = "/", **settings: Any) -> Page:
        used.append(opened := pages.take(settings))
        opened.page.on("console", note)
        opened.page.on("pageerror", fail)
        while opened.page.request.get(path, max_retries=3).status == 503:
            pass  # the server makes this page, and takes as long for that as the machine lets it
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
    """Assert that a page at rest breaks no rule of axe, or none of these."""
    page.route("**", lambda _: None)  # whatever the page asks for now, nothing comes and changes it meanwhile
    page.evaluate("Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **only})  # of the others axe says little, and soon
    assert found.violations_count == 0, found.generate_report()
