"""Pictures one steps through, with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, assert_accessible


@pytest.mark.parametrize("scripted", [True, False])
def test_one_steps_through_the_images_of_a_board(visit: Visit, scripted: bool) -> None:
    page = visit("/learn/same", java_script_enabled=scripted)
    half = page.get_by_text("Turned half round.")
    expect(half).to_be_hidden()
    page.get_by_role("radio", name="turned half round").focus()
    page.keyboard.press("Space")
    expect(half).to_be_visible()
    expect(page.get_by_text("As it is.")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/learn/same", "/learn/draws", "/learn/openings"])
def test_no_such_page_breaks_an_accessibility_rule(visit: Visit, path: str) -> None:
    assert_accessible(visit(path, color_scheme="dark"))
