"""Units go screen by screen: items adapt to the visitor, every way ends, and every item can be answered."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from solver import predict
from solver.board.notation import format_cell, parse_cell
from solver.board.outcome import Value
from solver.board.position import Position
from solver.errors import BadOption
from tests.web.test_pages import page
from webapp.pages.learn.content import UNITS_FOLDER
from webapp.pages.learn.course import COURSE, UNITS
from webapp.pages.learn.facts.forks import forking
from webapp.pages.learn.quiz import LONGEST, Feedback, Question
from webapp.pages.learn.unit import IN_A_ROW, ITEMS, MOST, Skill, Telling, Unit, UnitPage, Visit

SKILLS = [(unit, skill) for unit in UNITS for skill in unit.screens if isinstance(skill, Skill)]

KEYS = {"ask", "facts", "of", "boards", "board", "titles", "right", "wrong", "because", "steps", "like", "then"}
"""All that an item of a content file may have."""


def asked(questions: Iterable[Question]) -> Iterator[Question]:
    """Yield the questions and those that follow from their answers."""
    for question in questions:
        yield question
        found = (question.answers.get(attempt) for attempt in offered(question))
        yield from asked(answer.then for answer in found if answer and answer.then)


def offered(question: Question) -> Iterator[str]:
    yield from question.squares
    yield from question.titles
    yield from map(str, range(question.steps + 1) if question.steps else ())


def question(number: int) -> Question:
    """Return a question with one right answer and two wrong ones."""
    answers = {"a": Feedback(True, "Yes."), "b": Feedback(False, "No."), "c": Feedback(False, "Never.")}
    return Question(words=f"Item {number}?", answers=answers, titles=dict.fromkeys(answers, "?"))


def skill(items: int, name: str = "find") -> Skill:
    return Skill(name, name.title(), tuple(partial(question, number) for number in range(items)))


def visit(text: str, *screens: Telling | Skill) -> Visit:
    """Return a visit to these screens, or to one skill of ten items, after some attempts."""
    state = Visit.begin(screens or (skill(10),))
    for attempt in text.split():
        state = state.after(attempt)
    return state


def test_two_right_in_a_row_go_on() -> None:
    assert visit("a on a on").screen is None
    assert visit("a on a on").known == {"find": True}
    assert visit("a on b a on a on").known == {}
    assert visit("a on b a on a on a on").known == {"find": True}


def test_a_right_answer_brings_a_harder_item_and_a_wrong_one_a_simpler() -> None:
    assert visit("a on").asked == (0, 2)
    assert visit("a on b a on").asked == (0, 2, 1)
    assert visit("b a on").asked == (0, 1)  # none is simpler
    assert visit("a on show on").asked == (0, 2, 1)


def test_only_what_is_right_at_the_first_try_counts() -> None:
    assert visit("a on").first == (True,)
    assert visit("b a on").first == (False,)
    assert visit("show on").first == (False,)


def test_a_skill_ends_when_its_items_are_used_up() -> None:
    assert visit("b a on b a on", skill(2)).screen is None
    assert visit("a on", skill(1)).known == {"find": True}
    assert visit(" ".join(["show on"] * ITEMS)).results == ((False,) * ITEMS,)


def test_skip_leaves_a_skill_and_on_a_screen_that_says_something() -> None:
    said = Telling("So.")
    assert visit("on", said, skill(3)).asked == (0,)
    assert visit("skip", skill(3), said).screen is said
    assert visit("b skip", skill(3)).known == {"find": False}


def test_every_skill_after_can_still_become_known() -> None:
    screens = [skill(10, name) for name in "abcd"]
    left = visit(" ".join(["show on"] * 4), *screens)
    assert left.at == 1
    last = visit(" ".join(["show on"] * 8 + ["a on"] * 2), *screens)
    assert [len(first) for first in last.results] == [4, 2, 2, 2]
    assert last.known == {"a": False, "b": False, "c": False, "d": True}


def test_the_dots_tell_known_from_tried() -> None:
    assert [*visit("on a on a on b a on", Telling("So."), skill(4), skill(2)).steps] == ["known", "known", "now"]
    assert [*visit("skip", skill(4), Telling("So.")).steps] == ["done", "now"]


def test_a_question_that_follows_belongs_to_the_same_item() -> None:
    last = question(1)
    first = Question(words="Which?", answers={"a": Feedback(True, "Yes.", then=last), "b": Feedback(False, "No.")})
    chain = Skill("pair", "Pair", (lambda: first, lambda: question(2)))
    between = visit("a on", chain)
    assert between.turn
    assert (between.turn.question, between.turn.verdict, between.asked) == (last, "", (0,))
    assert visit("a on a on", chain).first == (True,)
    assert visit("b a on a on", chain).first == (False,)


@pytest.mark.parametrize("text", ["maybe", "on", "b on", "a on on", "a b", "skip skip", "a on a on on"])
def test_an_attempt_that_is_not_on_offer_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="Start again"):
        visit(text)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
@pytest.mark.parametrize("seed", range(5))
def test_every_way_through_a_unit_ends_after_few_items(unit: Unit, seed: int) -> None:
    state, random, items, longest = Visit.begin(unit.screens), Random(seed), 0, 0
    while state.screen:
        turn = state.turn
        open_to = [each for each in offered(turn.question) if each not in turn.tried] if turn else []
        attempt = "on" if turn is None or turn.settled else random.choice([*open_to, "show"])
        items += attempt == "on" and turn is not None and turn.over
        longest += len(attempt) + 1
        state = state.after(attempt)
    assert items <= MOST
    assert longest <= LONGEST
    assert items >= len(unit.asks)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_who_knows_all_is_asked_two_items_a_skill(unit: Unit) -> None:
    state, did = Visit.begin(unit.screens), list[str]()
    while state.screen:
        turn = state.turn
        right = (
            turn
            and not turn.settled
            and next(
                each for each in offered(turn.question) if (said := turn.question.answers.get(each)) and said.right
            )
        )
        did.append(right or "on")
        state = state.after(did[-1])
    assert all(state.known.values())
    assert 6 <= sum(map(len, state.results)) <= MOST
    assert {len(first) for first in state.results if first} <= {1, IN_A_ROW}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_says_what_it_is_for_and_how_to_teach_it(unit: Unit) -> None:
    assert 3 <= len(unit.asks) <= 4
    assert unit.content["question"].endswith("?")
    assert 1 <= unit.minutes <= 7
    card = unit.teacher
    assert card["aim"]
    assert all(each.endswith("?") for each in card["ask"])
    assert "{" not in card["wrong"]
    assert card["unplugged"]


def test_every_file_is_a_unit_of_the_course() -> None:
    assert {path.stem for path in UNITS_FOLDER.glob("*.toml")} == set(COURSE)
    assert len(COURSE) == 12


@pytest.mark.parametrize("skill", [skill for _, skill in SKILLS], ids=lambda skill: skill.name)
def test_each_item_has_a_right_answer_and_feedback_on_every_attempt(skill: Skill) -> None:
    for each in asked(item() for item in skill.items):
        answers = {attempt: each.answers.get(attempt) for attempt in offered(each)}
        assert any(answer and answer.right for answer in answers.values()), each.words
        assert each.solution
        for attempt, answer in answers.items():
            assert answer, (each.words, attempt)
            assert answer.words.endswith((".", "!", "?")), (each.words, attempt)
            assert not answer.words.startswith(("No:", "No.") if answer.right else "Yes"), (each.words, attempt)
        if each.board:
            rules = each.board.position.rules
            assert all(not each.board.position.mark_at(parse_cell(square, rules)) for square in each.squares)


def test_every_sentence_is_said_to_some_answer() -> None:
    contents = [unit.content for unit in UNITS]
    entries = [entry for content in contents for entry in content.get("questions", {}).values()]
    entries += [item for unit in UNITS for screen in unit.content["screens"] for item in screen.get("items", ())]
    assert {key for entry in entries for key in entry} <= KEYS
    questions = asked(item() for skill in [skill for _, skill in SKILLS] for item in skill.items)
    judged = (each.answers.get(attempt) for each in questions for attempt in offered(each))
    said = {answer.words for answer in judged if answer}
    for text in (text for entry in entries for part in ("right", "wrong") for text in entry.get(part, {}).values()):
        pattern = re.compile(".*".join(map(re.escape, re.split(r"{[^}]*}", text))))
        assert any(map(pattern.fullmatch, said)), text


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_done_by_links_alone(client: FlaskClient, unit: Unit) -> None:
    address, steps = f"/learn/{unit.name}", 0
    while 'id="u-on"' in (text := client.get(address).text) or 'id="u-show"' in text:
        shown = UnitPage.of(unit, dict(part.split("=") for part in address.partition("?")[2].split("&") if part))
        turn = shown.visit.turn
        address = shown.url("show" if turn and not turn.settled else "on")
        assert f'href="{escape(address)}"' in text
        steps += 1
    assert steps < 60
    assert "Not yet." in text
    assert f"Try “{escape(unit.title)}” again" in text
    assert 'data-known=""' in text


def test_an_item_alone_marks_its_verdict_and_leads_to_the_unit(client: FlaskClient) -> None:
    assert 'data-item="forks/find-3"' in client.get("/learn/forks?ask=find-3").text
    assert "data-verdict" not in client.get("/learn/forks?ask=find-3").text
    right = client.get("/learn/forks?ask=find-3&did=show").text
    assert 'data-item="forks/find-3" data-verdict="wrong"' in right
    assert 'href="/learn/forks">The whole unit' in right
    for bad in ("find", "find-0", "find-11", "nothing-1"):
        assert client.get(f"/learn/forks?ask={bad}").status_code == 400


def test_what_is_known_at_the_end_is_marked_for_the_device(client: FlaskClient) -> None:
    text = client.get("/learn/three?did=on.c3.on.c1.on.on.skip.skip").text
    assert 'data-known="win"' in text
    assert 'href="/learn/three?did=on.skip.on"' in text  # the skill that was skipped, again
    assert 'href="/learn/forks" hx-boost="false">Next' in text


def test_the_wall_and_the_sheet_are_views_of_a_unit(client: FlaskClient) -> None:
    wall = page(client, "/learn/forks?view=wall")
    assert "/learn/forks?view=wall&did=on" in wall.links
    sheet = client.get("/learn/forks?view=sheet").text
    assert sheet.count('<p class="blank">') == sum(len(skill.items) for unit, skill in SKILLS if unit.name == "forks")
    assert sheet.index("For the teacher") < sheet.index('class="blanks"') < sheet.index("<h2>Answers</h2>")
    assert client.get("/learn/forks?view=moon").status_code == 400


def test_the_words_of_screens_are_counted_and_few() -> None:
    assert sum(map(words_in, UNITS)) <= 9_000


def words_in(unit: Unit) -> int:
    """Return the words of a unit's screens as they stand in its file: what is said, asked and answered."""

    def texts(value: object, key: str = "") -> list[str]:
        if isinstance(value, dict):
            return [text for name, each in value.items() for text in texts(each, key if key in TOLD else name)]
        if isinstance(value, list):
            return [text for each in value for text in texts(each, key)]
        return [str(value)] if key in TOLD else []

    return sum(len(text.split()) for part in ("questions", "screens") for text in texts(unit.content.get(part, ())))


TOLD = {"say", "title", "ask", "right", "wrong", "titles", "because"}


def positions_of(unit: str, skill: str) -> list[tuple[Question, Position]]:
    """Return a skill's questions with their positions."""
    (found,) = (each for each in UNITS if each.name == unit)
    questions = [item() for item in found.skill(skill).items]
    return [(each, each.board.position) for each in questions if each.board]


@pytest.mark.parametrize("skill", ["find", "stop"])
def test_in_the_positions_to_make_or_stop_a_fork_nobody_has_a_threat(skill: str) -> None:
    for _, position in positions_of("forks", skill):
        assert forking(position) or skill == "stop"
        assert not position.threats()
        assert not position.threats(position.mover)


def test_in_the_positions_to_stop_a_fork_every_answer_is_as_it_is_judged() -> None:
    for _, position in positions_of("forks", "stop"):
        values = {cell: outcome.value for cell, outcome in predict(position).squares.items()}
        assert set(values.values()) == {Value.DRAW, Value.LOSS}
        for cell, value in values.items():
            after = position.after(cell)
            assert bool(forking(after)) if value is Value.LOSS else len(after.threats()) == 1 or not forking(after)


def test_in_the_positions_to_win_or_block_the_best_moves_are_those_judged_right() -> None:
    for name in ("win", "block", "first"):
        for question, position in positions_of("three", name):
            best = {format_cell(cell, position.rules) for cell in predict(position).best}
            right = {square for square in question.squares if (said := question.answers.get(square)) and said.right}
            assert right == best if name != "block" else len(right) == 1
            assert bool(position.threats(position.mover)) == (name != "block")
            assert bool(position.threats()) == (name != "win")
