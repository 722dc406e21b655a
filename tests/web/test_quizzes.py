"""Quizzes of lessons judge, count and keep attempts; every question of every lesson can be answered."""

import re
from collections.abc import Iterable, Iterator

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from solver import predict
from solver.board.notation import parse_cell
from solver.board.outcome import Value
from solver.errors import BadOption
from webapp.pages.learn.content import read_content
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.learn.lessons.forks import forking
from webapp.pages.learn.quiz import LONGEST, Asking, Attempts, Feedback, Guess, Question, Quiz, attempts, number_at

ASKED = Quiz(
    title="Two questions",
    questions=(
        Question(
            words="Which?",
            answers={"yes": Feedback(True, "Right."), "no": Feedback(False, "Wrong."), "never": Feedback(False, "No.")},
            titles={"yes": "Yes", "no": "No", "never": "Never"},
        ),
        Guess(words="How many?", truth=5478, because="Counted."),
    ),
    closing="Done.",
)

KEYS = {"ask", "facts", "of", "boards", "board", "titles", "right", "wrong", "because", "steps", "like", "then"}
"""All that a question of a content file may have."""

QUIZZES = [(lesson.name, name) for lesson in LESSONS.values() for name in lesson.quizzes]


def tried(text: str) -> Attempts:
    return attempts("one", ASKED, "/learn/some", {"one": text, "board": "3x3x3"})


def test_a_wrong_answer_may_be_tried_again() -> None:
    state = tried("no")
    assert (state.at, state.tried, state.settled) == (0, ("no",), False)
    assert tried("no.yes").settled


def test_only_first_attempts_are_counted_as_right() -> None:
    assert tried("yes.on").first == (True,)
    assert tried("no.yes.on").first == (False,)
    assert tried("show.on").first == (False,)


def test_the_same_wrong_answer_again_changes_nothing() -> None:
    assert tried("no.no") == tried("no")


def test_a_guess_is_right_within_half_as_much_again() -> None:
    assert tried("yes.on.37").settled
    assert not tried("yes.on.40").settled
    assert number_at(37) == 5012
    far = tried("yes.on.50").answer
    assert far
    assert not far.right
    assert "too large, by a factor of 18 or more" in far.words
    near = tried("yes.on.10").answer
    assert near
    assert "10 is too small, by a factor of 547 or more" in near.words


def test_a_form_sends_its_guess_beside_the_attempts_before_it() -> None:
    query = {"one": "yes.on", "one-guess": "37"}
    assert attempts("one", ASKED, "/learn/some", query).text == "yes.on.37"


def test_addresses_hold_the_attempts_and_the_rest_of_the_query() -> None:
    assert tried("no").url("yes") == "/learn/some?board=3x3x3&one=no.yes#quiz-one"
    assert tried("no").alone("yes") == "/learn/some/one?board=3x3x3&one=no.yes"
    assert tried("no").url(None) == "/learn/some?board=3x3x3#quiz-one"


def test_a_question_may_follow_from_the_answer_before_it() -> None:
    last = Question(words="And?", answers={"a": Feedback(True, "Yes.")})
    first = Question(words="Which?", answers={"a": Feedback(True, "Yes.", then=last), "b": Feedback(True, "Yes.")})
    quiz = Quiz(title="Pairs", questions=(first, last), closing="Done.", group=2)
    state = attempts("one", quiz, "/", {"one": "a.on"})
    assert state.question is last
    assert state.dots == ("full", "now", "", "")
    assert attempts("one", quiz, "/", {"one": "a.on.a.on"}).question is last


@pytest.mark.parametrize("text", ["maybe", "on", "yes.no", "yes.on.61", "yes.on.x", "yes.on.37.on.on", "ö"])
def test_an_attempt_that_is_not_on_offer_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="Start the quiz again"):
        tried(text)


def test_too_many_attempts_are_refused() -> None:
    with pytest.raises(BadOption, match="longer than"):
        tried("n" * (LONGEST + 1))


def asked(questions: Iterable[Asking]) -> Iterator[Asking]:
    """Yield the questions and those that follow from their answers."""
    for question in questions:
        yield question
        found = (question.judge(attempt) for attempt in offered(question))
        yield from asked(answer.then for answer in found if answer and answer.then)


def offered(question: Asking) -> Iterator[str]:
    yield from question.squares
    yield from question.titles
    yield from map(str, range(question.steps + 1) if question.steps else ())


@pytest.mark.parametrize(("lesson", "name"), QUIZZES)
def test_every_question_has_a_right_answer_and_feedback_on_every_attempt(lesson: str, name: str) -> None:
    for question in asked(LESSONS[lesson].quizzes[name]().questions):
        answers = {attempt: question.judge(attempt) for attempt in offered(question)}
        assert any(answer and answer.right for answer in answers.values()), question.words
        for attempt, answer in answers.items():
            assert answer, (question.words, attempt)
            assert answer.words.endswith((".", "!", "?")), (question.words, attempt)
            assert not answer.words.startswith(("No:", "No.") if answer.right else "Yes"), (question.words, attempt)
        if question.board:
            rules = question.board.position.rules
            assert all(not question.board.position.mark_at(parse_cell(square, rules)) for square in question.squares)


def test_every_sentence_of_the_content_is_said_to_some_answer() -> None:
    contents = [read_content(name) for name in {lesson for lesson, _ in QUIZZES}]
    entries = [entry for content in contents for quiz in content["quizzes"].values() for entry in quiz["questions"]]
    entries += [entry for content in contents for entry in content.get("questions", {}).values()]
    assert {key for entry in entries for key in entry} <= KEYS
    questions = asked(question for lesson, name in QUIZZES for question in LESSONS[lesson].quizzes[name]().questions)
    judged = (question.judge(attempt) for question in questions for attempt in offered(question))
    said = {answer.words for answer in judged if answer}
    for sentence in (text for entry in entries for part in ("right", "wrong") for text in entry.get(part, {}).values()):
        pattern = re.compile(".*".join(map(re.escape, re.split(r"{[^}]*}", sentence))))
        assert any(map(pattern.fullmatch, said)), sentence


@pytest.mark.parametrize(("lesson", "name"), QUIZZES)
def test_every_quiz_can_be_done_to_its_end(client: FlaskClient, lesson: str, name: str) -> None:
    state, steps = LESSONS[lesson].attempts(name, {}), 0
    while state.question:
        right = next(each for each in offered(state.question) if (found := state.question.judge(each)) and found.right)
        state, steps = LESSONS[lesson].attempts(name, {name: f"{state.text}.{right}.on".lstrip(".")}), steps + 1
    assert len(state.first) == steps
    assert all(state.first)
    assert len(state.text) < LONGEST // 2
    assert "You" not in state.quiz.closing  # it is said to those who only pressed Show, too
    assert escape(state.quiz.closing) in client.get(state.alone(""), headers={"HX-Request": "true"}).text


@pytest.mark.parametrize("quiz", ["find", "stop"])
def test_in_the_positions_to_make_or_stop_a_fork_nobody_has_a_threat(quiz: str) -> None:
    for question in LESSONS["forks"].quizzes[quiz]().questions:
        assert question.board
        position = question.board.position
        assert forking(position) or quiz == "stop"
        assert not position.threats()
        assert not position.threats(position.mover)


def test_in_the_positions_to_stop_a_fork_every_answer_is_as_it_is_judged() -> None:
    for question in LESSONS["forks"].quizzes["stop"]().questions:
        assert question.board
        position = question.board.position
        values = {cell: outcome.value for cell, outcome in predict(position).squares.items()}
        assert set(values.values()) == {Value.DRAW, Value.LOSS}
        for cell, value in values.items():
            after = position.after(cell)
            assert bool(forking(after)) if value is Value.LOSS else len(after.threats()) == 1 or not forking(after)


def test_the_address_keeps_the_attempts_at_the_lessons_other_quizzes(client: FlaskClient) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/learn/forks?find=b2&stop=b1"}
    answer = client.get("/learn/forks/find?find=b2.a2", headers=headers)
    assert answer.headers["HX-Replace-Url"] == "/learn/forks?stop=b1&find=b2.a2#quiz-find"
