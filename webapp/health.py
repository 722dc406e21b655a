"""The state of the server for its monitors: alive or not, ready or not, and in figures for Prometheus."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request

from solver.proofs.store import FULL, default_store
from webapp.pages.live.routes import live_database
from webapp.serving.counts import BUCKETS, ServerState
from webapp.serving.http.errors import Busy, ClientDisconnected
from webapp.serving.pool.asking import ServerPool, TaskFailed, pool
from webapp.serving.pool.messages import Task

health = Blueprint("health", __name__)

CANARY: Final = 2.0
"""Seconds that the pool has to answer."""


@health.get("/healthz")
def healthz() -> Response:
    """Report that the server is alive."""
    return jsonify(status="ok")


@health.get("/readyz")
def readyz() -> tuple[Response, int]:
    """Report the state of each part that pages need. The status is 503 if a part does not work.

    The database of live games does not affect the status: all machines share it, and other pages work without it.
    """
    checks = {"engine": _engine(), "store": _store(), "live": _live()} | _pool_and_gate()
    ready = all(check.ok for name, check in checks.items() if name != "live")
    return jsonify(status="ready" if ready else "not ready", checks=checks), 200 if ready else 503


@health.get("/metrics")
def metrics() -> Response:
    """Report the server's figures in Prometheus's text format."""
    try:
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest  # noqa: PLC0415 - an extra
    except ImportError:
        return Response("Install noughts[metrics] for the figures.\n", 501, mimetype="text/plain")
    asked = pool()
    state = asked.state() if asked else ServerState()
    if state is None:
        return Response("The server's gate does not answer.\n", 503, mimetype="text/plain")
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures(state))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


@dataclass(frozen=True, slots=True)
class Check:
    """The state of a part of the server."""

    ok: bool
    detail: str


def _engine() -> Check:
    try:
        from solver.kernel.engine import KERNEL  # noqa: PLC0415 - the kernel
    except Exception as error:  # whatever keeps it from being loaded
        return Check(False, f"The kernel cannot be loaded: {type(error).__name__}.")
    return Check(True, f"{KERNEL} kernel")


def _store() -> Check:
    trouble = default_store().trouble()
    return Check(not trouble or trouble == FULL, trouble or "reads and writes")


def _live() -> Check:
    trouble = live_database().trouble()
    return Check(not trouble, "; ".join(filter(None, (trouble or "reads and writes", live_database().notice()))))


def _pool_and_gate() -> dict[str, Check]:
    asked = pool()
    if asked is None:
        return {"pool": Check(True, "none: this process does everything"), "gate": Check(True, "none")}
    state = asked.state()
    if state is None:
        missing = Check(False, "The server's gate does not answer.")
        return {"pool": missing, "gate": missing}
    waiting = f"{state.waiting} of at most {state.waiting_most} tasks"
    return {"pool": _sings(asked, state), "gate": Check(True, waiting)}  # a full gate still serves light clients


def canary() -> tuple[str, bool]:
    """Return a word that only a working prover can say: a task of the pool."""
    return "sings", False


def _sings(asked: ServerPool, state: ServerState) -> Check:
    """Return whether a canary comes back from the pool. A pool with too much work to take it on works, too."""
    detail = f"{state.pool} of {state.pool_wanted} processes"
    last = time.monotonic() + CANARY
    if not state.pool:
        return Check(False, detail)
    try:
        asked.run(Task.of(canary), gone=lambda: time.monotonic() > last)
    except Busy:
        pass
    except (ClientDisconnected, TaskFailed):
        return Check(False, f"{detail}, and none answers")
    return Check(True, detail)


class _Figures:
    """A Prometheus collector for the state of the server."""

    def __init__(self, state: ServerState) -> None:
        self._state = state

    def collect(self) -> Iterator[Any]:
        """Yield every figure with its description."""
        from prometheus_client.core import (  # noqa: PLC0415 - an extra
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
        )

        counts = self._state.counts
        answers = CounterMetricFamily("noughts_requests", "Answers.", labels=("route", "method", "status"))
        for (route, method, status), number in counts.answers.items():
            answers.add_metric((route, method, str(status)), number)
        yield answers
        times = HistogramMetricFamily("noughts_request_seconds", "Time of answers.", labels=("route",))
        for route, seconds in counts.seconds.items():
            so_far = accumulate(counts.times[route, end] for end in (*BUCKETS, float("inf")))
            times.add_metric((route,), list(zip((*map(str, BUCKETS), "+Inf"), so_far, strict=True)), seconds)
        yield times
        refusals = CounterMetricFamily("noughts_refusals", "Refused before it was a request.", labels=("reason",))
        for reason, number in counts.refusals.items():
            refusals.add_metric((reason,), number)
        yield refusals
        for name, meaning, key in (
            ("noughts_gate_refused", "Tasks and positions that the gate has refused.", "refused"),
            ("noughts_gate_cancelled", "Tasks that were cancelled.", "cancelled"),
            ("noughts_process_restarts", "Processes that were started again.", "restarts"),
        ):
            yield CounterMetricFamily(name, meaning, value=getattr(self._state, key))
        for name, meaning, key in (
            ("noughts_page_processes", "Processes that answer pages.", "pages"),
            ("noughts_pool_processes", "Processes of the pool.", "pool"),
            ("noughts_pool_busy", "Processes of the pool that are at work.", "pool_busy"),
            ("noughts_gate_tasks", "Tasks that wait or run.", "waiting"),
            ("noughts_proving_positions", "Positions that are proved in turns.", "proving"),
            ("noughts_gate_oldest_seconds", "Age of the oldest waiting task.", "oldest"),
            ("noughts_requests_under_way", "Requests that are not answered yet.", "under_way"),
            ("noughts_live_streams", "Pages that wait for news of live games.", "streams"),
        ):
            yield GaugeMetricFamily(name, meaning, value=getattr(self._state, key))
        memory = GaugeMetricFamily("noughts_memory_bytes", "Memory of each process.", labels=("process",))
        for process, held in self._state.memory.items():
            memory.add_metric((process,), held)
        yield memory
        yield GaugeMetricFamily("noughts_store_bytes", "Size of the store of proofs.", value=default_store().size())


def tell_route(answer: Response) -> Response:
    """Tell the server the URL rule of the request. The response is counted under this rule."""
    if request.url_rule is not None:
        request.environ.get("noughts.told", {})["route"] = request.url_rule.rule
    return answer
