"""Browser pages that tests use in turn, since a new one takes longer than most tests.

Each test gets pages that are as good as new, except for cached files: no history, routes, storage or permissions, and
no pointer on them. The pages of a test that changed what cannot be undone are closed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

PATIENCE = 90_000
"""Milliseconds until a wait fails: long enough for a busy machine."""

PERMANENT = {
    Page: (
        *("add_init_script", "add_locator_handler", "clock", "expose_binding", "expose_function"),
        "set_extra_http_headers",
    ),
    BrowserContext: (
        *("add_init_script", "clock", "expose_binding", "expose_function", "new_cdp_session", "new_page"),
        *("set_extra_http_headers", "set_geolocation", "set_offline", "set_storage_state"),
    ),
}
"""Methods that change a page or its session for good."""

VIEWPORT = {"width": 1280, "height": 720}
MEDIA = {"color_scheme": "light", "contrast": "null", "forced_colors": "none", "reduced_motion": "no-preference"}
"""Playwright's defaults of a session."""

IDLE = 6
"""The most pages that are kept for later tests; each has a process."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A page alone in a session of its own, with the settings that cannot be changed afterwards."""

    page: Page
    devtools: CDPSession
    settings: str


class Pages:
    """The idle pages of one browser, the latest used at the end."""

    def __init__(self, browser: Browser, server: str) -> None:
        self._browser, self._server = browser, server
        self._idle: list[Opened] = []
        self._permanent_changes = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count the calls of methods in `PERMANENT` within the block."""

        def counted(use: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(use)
            def call(*arguments: Any, **named: Any) -> Any:
                self._permanent_changes += 1
                return use(*arguments, **named)

            return call

        with pytest.MonkeyPatch.context() as patch:
            for kind, names in PERMANENT.items():
                for name in names:
                    use = getattr(kind, name)
                    patch.setattr(kind, name, property(counted(use.fget)) if name == "clock" else counted(use))
            yield

    def take(self, settings: dict[str, Any]) -> Opened:
        """Return an empty page of a session with these settings."""
        settings = dict(settings)
        viewport = settings.pop("viewport", VIEWPORT)
        media = MEDIA | {name: settings.pop(name) for name in MEDIA if name in settings}
        name = repr(sorted(settings.items()))
        opened = next((each for each in reversed(self._idle) if each.settings == name), None)
        if opened is None:
            before = self._permanent_changes
            context = self._browser.new_context(base_url=self._server, viewport=viewport, **settings)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            opened = Opened(page, context.new_cdp_session(page), name)
            self._permanent_changes = before
        else:
            self._idle.remove(opened)
        opened.page.set_viewport_size(viewport)
        opened.page.emulate_media(media="null", **media)
        return opened

    def put_back(self, used: list[Opened]) -> None:
        """Keep the pages of a test that has ended, or close them."""
        unchanged, self._permanent_changes = not self._permanent_changes, 0
        for opened in used:
            if unchanged and self._cleared(opened):
                self._idle.append(opened)
            else:
                opened.page.context.close()
        while len(self._idle) > IDLE:
            self._idle.pop(0).page.context.close()

    def _cleared(self, opened: Opened) -> bool:
        page, context = opened.page, opened.page.context
        if context.pages != [page]:
            return False
        try:
            page.unroute_all(behavior="ignoreErrors")
            context.unroute_all(behavior="ignoreErrors")
            page.mouse.move(-1, -1)
            if page.url.startswith(self._server):
                page.session_storage.clear()
            page.goto("/healthz")  # of the same site, for which Chromium starts no other process
            opened.devtools.send("Storage.clearDataForOrigin", {"origin": self._server, "storageTypes": "all"})
            context.clear_permissions()
        except Error:
            return False
        return True
