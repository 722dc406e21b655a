"""The addresses for monitors: liveness, readiness and figures."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from solver.proofs.store import Store
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.serving.counts import RequestCounts, ServerState
from webapp.serving.http.errors import ClientDisconnected
from webapp.serving.pool.asking import TaskFailed

STATE = ServerState(
    pages=2,
    pool=2,
    pool_wanted=2,
    pool_busy=1,
    waiting=3,
    waiting_most=32,
    refused=7,
    cancelled=1,
    proving=4,
    restarts=5,
    oldest=6.0,
    under_way=8,
    memory={"page-1": 1000},
)


def client_of(state: ServerState | None) -> FlaskClient:
    return create_app(Gate(state=state)).test_client()


def test_a_server_that_answers_is_alive_whatever_else_is_wrong() -> None:
    assert client_of(None).get("/healthz").json == {"status": "ok"}


def test_a_ready_server_names_each_part() -> None:
    answer = client_of(STATE).get("/readyz")
    assert answer.json is not None
    assert answer.status_code == 200
    assert {name: check["ok"] for name, check in answer.json["checks"].items()} == dict.fromkeys(
        ("engine", "store", "live", "pool", "gate"), True
    )


@pytest.mark.parametrize(
    ("state", "missing"),
    [(replace(STATE, pool=0), {"pool"}), (None, {"pool", "gate"})],
    ids=["no pool", "no gate"],
)
def test_what_is_missing_is_named(state: ServerState | None, missing: set[str]) -> None:
    answer = client_of(state).get("/readyz")
    assert answer.json is not None
    assert answer.status_code == 503
    assert {name for name, check in answer.json["checks"].items() if not check["ok"]} == missing


def test_a_server_whose_gate_is_full_is_ready_since_it_still_serves() -> None:
    answer = client_of(replace(STATE, waiting=32)).get("/readyz")
    assert answer.json is not None
    assert answer.status_code == 200
    assert answer.json["checks"]["gate"] == {"ok": True, "detail": "32 of at most 32 tasks"}


@pytest.mark.parametrize("error", [ClientDisconnected(), TaskFailed("it broke")], ids=["hanging", "broken"])
def test_a_pool_from_which_no_canary_comes_back_makes_the_server_not_ready(error: Exception) -> None:
    gate = Gate(state=STATE)
    gate.fails = error
    answer = create_app(gate).test_client().get("/readyz")
    assert answer.json is not None
    assert answer.json["checks"]["pool"] == {"ok": False, "detail": "2 of 2 processes, and none answers"}


def test_a_store_that_cannot_be_written_makes_the_server_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "trouble", lambda _: "the disk is full")
    answer = client_of(STATE).get("/readyz")
    assert answer.json is not None
    assert answer.json["checks"]["store"] == {"ok": False, "detail": "the disk is full"}


def test_the_figures_are_prometheus_s_and_add_up() -> None:
    counts = RequestCounts()
    for seconds in (0.0005, 0.02, 40.0):
        counts.answered("/play/<board>", "GET", 200, seconds)
    counts.refusals["body"] += 2
    text = client_of(replace(STATE, counts=counts)).get("/metrics").text
    samples = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    route = ("route", "/play/<board>")
    assert samples["noughts_requests_total", (("method", "GET"), route, ("status", "200"))] == 3
    assert samples["noughts_request_seconds_bucket", (("le", "0.001"), route)] == 1
    assert samples["noughts_request_seconds_bucket", (("le", "0.025"), route)] == 2
    assert samples["noughts_request_seconds_bucket", (("le", "+Inf"), route)] == 3
    assert samples["noughts_request_seconds_count", (route,)] == 3
    assert samples["noughts_refusals_total", (("reason", "body"),)] == 2
    assert samples["noughts_process_restarts_total", ()] == 5
    assert samples["noughts_gate_tasks", ()] == 3
    assert samples["noughts_requests_under_way", ()] == 8
    assert samples["noughts_memory_bytes", (("process", "page-1"),)] == 1000


def test_neither_page_is_tagged_or_kept() -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        headers = client_of(STATE).get(path).headers
        assert "ETag" not in headers
        assert headers["Cache-Control"] == "no-cache"
