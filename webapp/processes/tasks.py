"""The tasks of the pool. Each function returns its result, and whether a later call would return the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from flask import g

from solver.pictures.mosaic import Mosaic
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.learn.figures import keeper
from webapp.pages.learn.lessons import LESSONS
from webapp.serving.pool.analyses import analysed
from webapp.serving.pool.messages import Progress, Task

WORK: Final = 0.5
"""Seconds of work on figures before a page reports their progress."""


@dataclass(frozen=True, slots=True)
class Page:
    """A response as it goes over the wire."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class TaskRunner:
    """The tasks of a process of the pool, and the application that renders pages for `page`."""

    def __init__(self, config: AppConfig) -> None:
        self._app = create_app(config=replace(config, allowed_hosts=()))  # the process that asks has checked the host

    def run(self, task: Task) -> tuple[object, bool]:
        """Run a task. Raises KeyError for an unknown name, and the errors of the task."""
        function: Callable[..., tuple[object, bool]] = self.page if task.name == "page" else TASKS[task.name]
        return function(*task.arguments)

    def page(self, path: str, query: str) -> tuple[Page, bool]:
        """Return the response to a GET. A view sets `g.open_to_more` if its page will change as more is proved.

        `g.for_others` tells a view that another process has the request, and with it the host.
        """
        with self._app.test_request_context(path, query_string=query):
            g.for_others = True
            answer = self._app.full_dispatch_request()
            kept = ("Content-Type", "Content-Disposition", "Cache-Control")
            headers = tuple((name, value) for name, value in answer.headers.items() if name in kept)
            lasting = answer.status_code == 200 and not g.get("open_to_more", False)
            return Page(answer.status_code, headers, answer.get_data()), lasting


def prepare(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> tuple[Progress, bool]:
    """Return the progress of the figures of a lesson's page, after a moment's work on them if `working`.

    Without a place to keep figures, the process that renders the page computes them.
    """
    figures = LESSONS[name].needs(dict(asked)).each if keeper().writes else ()
    progress = keeper().work(figures, WORK if working else 0)
    return progress, progress.complete


def rastered(mosaic: Mosaic) -> tuple[bytes, bool]:
    """Return a picture as PNG. The asking process keeps it, by the picture's digest."""
    return mosaic.png(), False


TASKS: Final[Mapping[str, Callable[..., tuple[object, bool]]]] = MappingProxyType(
    {each.__name__: each for each in (prepare, analysed, rastered)}
)
"""Every task but `page` by its name."""
