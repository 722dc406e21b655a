"""The tasks of the pool. Each function gives its result, and whether that will be the same at any time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from flask import Flask, g

from webapp.app import create_app
from webapp.pages.learn.figures import keeper
from webapp.pages.learn.lessons import LESSONS
from webapp.serving.pool import solving
from webapp.serving.pool.work import Progress

WORK: Final = 0.5
"""Seconds of work on figures after which a page says how far they are."""


@dataclass(frozen=True, slots=True)
class Page:
    """An answer as it goes over the wire."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def page(path: str, query: str) -> tuple[Page, bool]:
    """The answer to a GET. A view whose page will change as more is proved says so by `g.open_to_more`.

    By `g.for_others` a view knows that another process has the request, and with it the host.
    """
    app = _app()
    with app.test_request_context(path, query_string=query):
        g.for_others = True
        answer = app.full_dispatch_request()
        kept = ("Content-Type", "Content-Disposition", "Cache-Control")
        headers = tuple((name, value) for name, value in answer.headers.items() if name in kept)
        lasting = answer.status_code == 200 and not g.get("open_to_more", False)
        return Page(answer.status_code, headers, answer.get_data()), lasting


def prepare(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> tuple[Progress, bool]:
    """How far the figures of a lesson's page are computed, after a moment's work on them if one is `working`.

    Where nothing can be kept they are left to the process that makes the page.
    """
    figures = LESSONS[name].needs(dict(asked)).each if keeper().writes else ()
    progress = keeper().work(figures, WORK if working else 0)
    return progress, progress.complete


@cache
def _app() -> Flask:
    return create_app(allowed_hosts=())  # the process that asks has seen to the host


def warm_up() -> None:
    """Makes ready what the first task would have to wait for."""
    _app()


TASKS: Final[Mapping[str, Callable[..., tuple[object, bool]]]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            page,
            prepare,
            solving.decision,
            solving.line,
            solving.predictions,
            solving.reasons,
            solving.judgement,
            solving.chances_of,
            solving.rastered,
        )
    }
)
"""Every task by its name."""
