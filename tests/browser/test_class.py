"""A class in real browsers: a teacher at the wall, pupils on phones, without a network and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, assert_accessible, assert_fits


def opened(visit: Visit, mode: str = "ask", paste: str = "X.O/.X./..O", **settings: object) -> Page:
    """Open a class; return the page of its wall."""
    teacher = visit("/class", **settings)
    teacher.locator("#mode").select_option(mode)
    teacher.locator("#paste").fill(paste)
    teacher.get_by_role("button", name="Open the class").click()
    expect(teacher.locator(".letters")).to_be_visible()
    return teacher


def joined(visit: Visit, teacher: Page, number: int = 1, **settings: object) -> list[Page]:
    """Have pupils join by the code on the wall."""
    code = teacher.locator(".letters").inner_text()
    pupils = [visit("/class", viewport={"width": 360, "height": 640}, **settings) for _ in range(number)]
    for pupil in pupils:
        pupil.locator("#code").fill(code.lower())
        pupil.get_by_role("button", name="Join").click()
        pupil.get_by_role("button", name="Join").click()
        expect(pupil.locator("#said")).to_be_visible()
    return pupils


def test_a_class_answers_and_sees_the_reveal_without_reloading(visit: Visit) -> None:
    teacher = opened(visit)
    one, two = joined(visit, teacher, 2)
    expect(teacher.locator("#joined")).to_contain_text("2 are in")
    one.locator("#sq-c2").click()
    expect(one.locator("#said")).to_contain_text("You answered c2")
    two.locator("#sq-a2").press("Enter")
    expect(teacher.locator("#answered")).to_have_text("2")
    for button in ("Show the answers", "Show the colours", "Show why"):
        teacher.get_by_role("button", name=button).click()
    expect(one.locator("#said")).to_have_text("Right!")
    expect(two.locator("#said")).to_have_text("Not quite.")
    expect(two.locator(".reason").first).to_contain_text("c2")


@pytest.mark.logs_errors
def test_an_answer_without_a_network_is_sent_when_it_is_back(visit: Visit) -> None:
    teacher = opened(visit)
    (pupil,) = joined(visit, teacher)
    pupil.context.set_offline(True)
    pupil.locator("#sq-c2").click()
    expect(pupil.locator("#trouble")).to_be_visible()
    pupil.context.set_offline(False)
    expect(teacher.locator("#answered")).to_have_text("1")


@pytest.mark.slow
def test_without_javascript_a_pupil_answers_by_form_and_reloads(visit: Visit) -> None:
    teacher = opened(visit, java_script_enabled=False)
    (pupil,) = joined(visit, teacher, java_script_enabled=False)
    pupil.locator("#sq-c2").click()
    expect(pupil.locator("#said")).to_contain_text("You answered c2")
    teacher.reload()
    for button in ("Show the answers", "Show the colours"):
        teacher.get_by_role("button", name=button).click()
    pupil.reload()
    expect(pupil.locator("#said")).to_have_text("Right!")


@pytest.mark.slow
def test_the_key_in_a_fragment_opens_the_wall_elsewhere(visit: Visit) -> None:
    teacher = opened(visit)
    link = teacher.locator("#way-back-link").input_value()
    other = visit("/class")
    other.goto(link)
    expect(other.locator(".letters")).to_have_text(teacher.locator(".letters").inner_text())
    assert "#" not in other.url


@pytest.mark.slow
def test_the_computer_waits_for_the_class_and_then_replies_on_all_screens(visit: Visit) -> None:
    teacher = opened(visit, "computer", "3x3x3")
    (pupil,) = joined(visit, teacher)
    pupil.locator("#sq-b2").click()
    expect(teacher.locator("#answered")).to_have_text("1")
    teacher.get_by_role("button", name="Play the most chosen square").click()
    expect(pupil.locator("#board .mark")).to_have_count(2)
    expect(teacher.locator("[data-left]")).to_be_visible()


@pytest.mark.slow
def test_a_pupil_goes_to_the_game_of_a_round_and_back(visit: Visit) -> None:
    teacher = opened(visit, "tournament", "")
    one, two = joined(visit, teacher, 2)
    expect(teacher.locator("#joined")).to_contain_text("2 are in")
    teacher.get_by_role("button", name="Start the first round").click()
    one.get_by_role("button", name="To your game").click()
    expect(one.locator("#said")).to_contain_text("You play")
    expect(one.locator("#players .there").first).to_have_text("here")
    two.get_by_role("button", name="To your game").click()
    expect(one.locator("#players .here")).to_have_count(2)
    one.get_by_role("link", name="Back to the class").click()
    expect(one.locator("#said")).to_contain_text("Round 1")


def test_pages_of_a_class_fit_phones(visit: Visit) -> None:
    teacher = opened(visit)
    (pupil,) = joined(visit, teacher)
    pupil.locator("#sq-c2").click()
    expect(pupil.locator("#said")).to_contain_text("You answered c2")
    teacher.get_by_role("button", name="Show the answers").click()
    expect(pupil.locator("#sq-c2 small")).to_have_text("1")
    for width in (320, 360, 390):
        assert_fits(pupil, width)
        assert_fits(teacher, width)


@pytest.mark.slow
def test_the_wall_can_be_read_from_the_last_row(visit: Visit) -> None:
    teacher = opened(visit, viewport={"width": 1920, "height": 1080})
    joined(visit, teacher)
    board, code = teacher.locator("#board").bounding_box(), teacher.locator(".letters").bounding_box()
    assert board
    assert code
    assert board["height"] >= 540  # half of the screen
    assert code["height"] >= 60


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("asked", ["X.O/.X./..O", "7x6x4-gravity"])
def test_the_buttons_of_the_wall_stay_in_view_when_all_answers_are_explained(
    visit: Visit, size: tuple[int, int], asked: str
) -> None:
    teacher = opened(visit, paste=asked, viewport={"width": size[0], "height": size[1]})
    for pupil, square in zip(joined(visit, teacher, 3), ("a1", "b1", "c2"), strict=True):
        pupil.locator(f"#sq-{square}").click()
        expect(pupil.locator("#said")).to_contain_text("You answered")
    for button in ("Show the answers", "Show the colours", "Show why"):
        teacher.get_by_role("button", name=button).click()
    expect(teacher.locator(".reason").first).to_be_in_viewport(ratio=1)
    expect(teacher.locator("#next")).to_be_in_viewport(ratio=1)
    expect(teacher.locator(".letters")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["tournament", "homework"])
def test_a_wall_without_a_board_has_its_code_beside(visit: Visit, mode: str) -> None:
    teacher = opened(visit, mode, viewport={"width": 1280, "height": 720})
    heading, code = teacher.locator("h1").bounding_box(), teacher.locator(".letters").bounding_box()
    assert heading
    assert code
    assert code["x"] > heading["x"] + 300
    assert code["y"] < 360


@pytest.mark.parametrize("asked", ["unit:three", "3x3x3-wild", "7x6x4-gravity"])
def test_the_board_in_a_frame_is_large_enough_to_press_and_in_view(visit: Visit, asked: str) -> None:
    frame = visit(f"/embed/ask?paste={asked}", viewport={"width": 400, "height": 500})
    board, square = frame.locator("#board").bounding_box(), frame.locator("button[name=cell]").first.bounding_box()
    assert board
    assert square
    assert board["y"] + board["height"] <= 500
    assert min(square["width"], square["height"]) >= 24


@pytest.mark.slow
def test_a_refusal_on_the_wall_stays_when_a_pupil_joins(visit: Visit) -> None:
    teacher = opened(visit)
    teacher.get_by_text("Pupils and more").click()
    teacher.get_by_label("Ask something else").fill("hello there")
    teacher.get_by_role("button", name="Ask this").click()
    expect(teacher.locator("#refused")).to_contain_text("isn't a game")
    joined(visit, teacher)
    expect(teacher.locator("#joined")).to_contain_text("1 is in")
    expect(teacher.locator("#refused")).to_contain_text("isn't a game")


def test_pages_of_a_class_are_accessible(visit: Visit, scheme: str) -> None:
    teacher = opened(visit, color_scheme=scheme)
    (pupil,) = joined(visit, teacher, color_scheme=scheme)
    pupil.locator("#sq-c2").click()
    expect(pupil.locator("#said")).to_contain_text("You answered c2")
    teacher.get_by_role("button", name="Show the answers").click()
    teacher.get_by_role("button", name="Show the colours").click()
    expect(pupil.locator("#said")).to_have_text("Right!")
    assert_accessible(pupil)
    assert_accessible(teacher)
