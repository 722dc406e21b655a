"""The page about the API, and its client in a page of another site."""

import pytest

from tests.browser.conftest import Visit, assert_accessible, assert_fits, site

EMPTY = b'<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">'


def test_the_page_about_the_api_breaks_no_accessibility_rule_with_everything_open(visit: Visit) -> None:
    page = visit("/api")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert_fits(page, 360)
    assert_accessible(page)


@pytest.mark.logs_errors  # what the client prints
def test_the_apis_client_and_a_batch_work_in_a_page_of_another_site(visit: Visit, server: str) -> None:
    page = visit("/api")
    client = page.get_by_role("region", name="JavaScript").inner_text()
    with site(lambda _: [EMPTY]) as elsewhere:
        page.goto(elsewhere)
        found = page.evaluate(f"async () => {{ {client}\nreturn await best({{ from: 'X.O/.X./..O' }}); }}")
        many = page.evaluate(
            """async address => {
              const asked = { method: "POST", headers: { "Content-Type": "application/json" },
                              body: JSON.stringify({ positions: [{}, { moves: "b2b2" }] }) };
              return (await fetch(address, asked)).json();
            }""",
            f"{server}/api/v1/predict",
        )
    assert found == {"c2": {"outcome": "draw", "plies": 5}}
    assert [next(iter(each)) for each in many["predictions"]] == ["board", "error"]
