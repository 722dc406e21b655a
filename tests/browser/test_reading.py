"""What one has read: marked in the contents, on the device alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit, assert_accessible
from webapp.pages.learn.lessons import LESSONS


@pytest.mark.slow
def test_what_one_has_read_is_marked_in_the_contents_until_it_is_forgotten(visit: Visit) -> None:
    page = visit("/learn/")
    expect(page.get_by_text("✓ read").locator("visible=true")).to_have_count(0)
    page.get_by_role("link", name="Openings").first.click()
    page.locator(".onward").scroll_into_view_if_needed()
    expect(page.locator("article.lesson")).to_have_attribute("data-read", "")
    page.go_back()
    expect(page.locator("[data-lesson=openings] .done")).to_be_visible()
    expect(page.get_by_text("✓ read").locator("visible=true")).to_have_count(1)
    expect(page.locator("#reading")).to_contain_text(f"You have read 1 of {len(LESSONS)}")
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("✓ read").locator("visible=true")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, False])
def test_one_tries_to_win_step_by_step_and_sees_the_proof(visit: Visit, script: bool) -> None:
    page = visit("/learn/beaten", java_script_enabled=script)
    page.get_by_role("link", name="No", exact=True).click()
    expect(page.get_by_role("img", name="All 457 games")).to_be_visible()
    page.get_by_role("link", name="X on a3").click()
    expect(page.locator(".try-board .o")).to_have_count(1)
    page.get_by_role("link", name="Take back").click()
    expect(page.locator(".try-board .o")).to_have_count(0)
    if script:
        assert_accessible(page)
