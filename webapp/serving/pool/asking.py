"""The questions that a request has answered by the pool, if the application has one.

An application without a pool, in a test or in a process of the pool, does everything itself.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, ParamSpec, Protocol

from flask import Response, abort, current_app, has_app_context, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from solver.board.position import Position
from solver.oracle import LongQuestion
from solver.proofs.prediction import ProofStatus
from webapp.serving.counts import ServerState
from webapp.serving.fairness import share_of
from webapp.serving.pool.messages import Length, Task

P = ParamSpec("P")

MAX_QUERY: Final = 2000
"""The most characters in the query of a page that the pool makes."""


class GateLine(Protocol):
    """A connection to the pool; see `webapp.serving.pool.line.Line`."""

    search_nodes: int
    """The most nodes that this process searches to predict a position; the pool proves the rest."""

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any: ...  # noqa: D102
    def watch(self, position: Position, client: str, in_view: bool) -> ProofStatus: ...  # noqa: D102
    def release(self, position: Position) -> None: ...  # noqa: D102
    def state(self) -> ServerState | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class RequestPool:
    """The pool as the oracle asks it: each question is on behalf of the client of the present request."""

    gate: GateLine

    @property
    def search_nodes(self) -> int:
        """The most nodes that this process searches itself to predict a position."""
        return self.gate.search_nodes

    def answer(self, question: LongQuestion, long: bool = False) -> Any:
        """Return the pool's answer to a question of the oracle."""
        return run(Task(Length.LONG if long else Length.SHORT, "answer", (question,)))

    def watch(self, position: Position, in_view: bool) -> ProofStatus:
        """Have a position proved in the background, and return the state of its proof."""
        return self.gate.watch(position, client_of_request(), in_view)

    def release(self, position: Position) -> None:
        """End the proof of a position that the visitor no longer watches."""
        self.gate.release(position)


def current_gate() -> GateLine | None:
    """Return the gate of the application that answers the request, if it has one."""
    return current_app.extensions.get("gate") if has_app_context() else None


def pool() -> RequestPool | None:
    """Return the pool of the application that answers the request, if it has one."""
    gate = current_gate()
    return None if gate is None else RequestPool(gate)


def run(task: Task, gone: Callable[[], bool] | None = None) -> Any:
    """Return the result of a task of the pool, unless the visitor is `gone`. Raises LookupError without a gate."""
    gate = current_gate()
    if gate is None:
        raise LookupError("There is no pool.")
    if gone is None:
        gone = request.environ.get("noughts.gone", bool) if has_request_context() else bool
    return gate.run(task, client_of_request(), gone)


def do(function: Callable[..., tuple[Any, bool]], *arguments: Hashable, long: bool = False) -> Any:
    """Return the result of a function of `webapp.processes.prover.TASKS`: the pool calls it, or else this process."""
    if current_gate() is None:
        return function(*arguments)[0]
    return run(Task(Length.LONG if long else Length.SHORT, function.__name__, arguments))


def client_of_request() -> str:
    """Return the client that the gate charges for the request. Outside a request, it is empty."""
    return share_of(request.remote_addr or "") if has_request_context() else ""


def made_by_the_pool(view: Callable[P, AnyResponse | str]) -> Callable[P, AnyResponse | str]:
    """Make the pool render the page of a slow view. The view sets `g.open_to_more` if the page will change."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> AnyResponse | str:
        if current_gate() is None:
            return view(*args, **kwargs)
        if len(request.query_string) > MAX_QUERY:
            abort(414)
        query = request.query_string.decode("ascii", "replace")
        return Response(*run(Task(Length.LONG, "page", (request.path, query))))

    return answer
