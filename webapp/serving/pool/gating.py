"""The path from a request to the gate, and the results that the pool makes: pages, figures of lessons, pictures.

An application that runs by itself, in a test or in a process of the pool, has no gate and computes everything itself.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, Protocol

from flask import Response, abort, current_app, has_app_context, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from solver.board.position import Position
from solver.pictures.mosaic import Mosaic
from webapp.serving.counts import ServerState
from webapp.serving.door import share_of
from webapp.serving.pool.messages import Length, Progress, ProofStatus, Task

P = ParamSpec("P")

MAX_QUERY: Final = 2000
"""Characters of the query of a page that the pool makes."""


class GateLine(Protocol):
    """A connection to the pool; see `webapp.serving.pool.line.Line`."""

    search_nodes: int
    """The most nodes that the process which asks may search to predict a position."""

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any: ...  # noqa: D102
    def watch(self, position: Position, client: str, in_view: bool) -> ProofStatus: ...  # noqa: D102
    def release(self, position: Position) -> None: ...  # noqa: D102
    def state(self) -> ServerState | None: ...  # noqa: D102


def current_gate() -> GateLine | None:
    """Return the gate of the application that answers the request, if it has one."""
    return current_app.extensions.get("gate") if has_app_context() else None


def made_by_the_pool(view: Callable[P, AnyResponse | str]) -> Callable[P, AnyResponse | str]:
    """Make the pool render the page of a slow view. The view sets `g.open_to_more` if the page will change."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> AnyResponse | str:
        if current_gate() is None:
            return view(*args, **kwargs)
        if len(request.query_string) > MAX_QUERY:
            abort(414)
        page = run(Task(Length.LONG, "page", (request.path, request.query_string.decode("ascii", "replace"))))
        return Response(page.body, page.status, page.headers)

    return answer


def prepared(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> Progress | None:
    """Return the pool's progress with the figures of a lesson's page, after a moment's work on them if `working`.

    None if the page can be made at once.
    """
    if current_gate() is None:
        return None
    progress: Progress = run(Task(Length.LONG, "prepare", (name, asked, working)))
    return None if progress.complete else progress


def rastered(mosaic: Mosaic) -> bytes:
    """Return a picture as PNG."""
    if current_gate() is None:
        return mosaic.png()
    png: bytes = run(Task(Length.SHORT, "rastered", (mosaic,)))
    return png


def run(task: Task) -> Any:
    """Return the result of a task of the pool. Raises LookupError where the application has no gate."""
    gate = current_gate()
    if gate is None:
        raise LookupError("There is no pool.")
    return gate.run(
        task, client_of_request(), request.environ.get("noughts.gone", bool) if has_request_context() else bool
    )


def client_of_request() -> str:
    """Return the client whose share of the gate the request takes; empty outside a request."""
    return share_of(request.remote_addr or "") if has_request_context() else ""
