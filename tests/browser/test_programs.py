"""The page about the API, and its client in a page of another site."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.browser.conftest import Visit, assert_accessible


class Empty(BaseHTTPRequestHandler):
    """A page without anything."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b'<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">')

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """Serve another site, and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Empty) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_the_page_about_the_api_breaks_no_rule_of_axe_with_everything_open(visit: Visit) -> None:
    page = visit("/api", viewport={"width": 360, "height": 640})
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert_accessible(page)


@pytest.mark.logs_errors  # what the client prints
def test_its_client_finds_the_best_squares_in_a_page_of_another_site_and_so_does_a_batch(
    visit: Visit, server: str, elsewhere: str
) -> None:
    page = visit("/api")
    client = page.get_by_role("region", name="JavaScript").inner_text()
    page.goto(elsewhere)
    found = page.evaluate(f"async () => {{ {client}\nreturn await best({{ from: 'X.O/.X./..O' }}); }}")
    assert found == {"c2": {"outcome": "draw", "plies": 5}}
    many = page.evaluate(
        """async address => {
          const asked = { method: "POST", headers: { "Content-Type": "application/json" },
                          body: JSON.stringify({ positions: [{}, { moves: "b2b2" }] }) };
          return (await fetch(address, asked)).json();
        }""",
        f"{server}/api/v1/predict",
    )
    assert [next(iter(each)) for each in many["predictions"]] == ["board", "error"]
