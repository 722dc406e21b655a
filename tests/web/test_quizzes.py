"""Questions are tried until they are answered, with feedback on every attempt."""

import pytest

from solver.errors import BadOption
from webapp.pages.learn.quiz import GUESS, AskedItem, Feedback, Question, ask_for_number, number_at, spell_attempts

CHOICE = Question(
    words="Which?",
    answers={"yes": Feedback(True, "Yes! Right."), "no": Feedback(False, "Wrong."), "never": Feedback(False, "No.")},
    titles={"yes": "Yes", "no": "No", "never": "Never"},
)
COUNT = ask_for_number("How many?", 5478, "Counted.")


def tried(question: Question, *attempts: str) -> AskedItem:
    item = AskedItem(question)
    for attempt in attempts:
        item = item.after(attempt)
    return item


def test_a_wrong_answer_may_be_tried_again() -> None:
    assert not tried(CHOICE, "no").settled
    assert tried(CHOICE, "no", "yes").settled
    assert tried(CHOICE, "no", "no") == tried(CHOICE, "no")


def test_an_item_shows_what_the_first_try_was() -> None:
    verdicts = [tried(CHOICE, *attempts).verdict for attempts in ((), ("yes",), ("no",), ("no", "yes"), ("show",))]
    assert verdicts == ["", "right", "wrong", "wrong", "wrong"]


def test_an_answer_that_is_shown_is_not_praised() -> None:
    assert CHOICE.shown.words == "Right."
    assert CHOICE.solution == "Yes"


def test_a_guess_is_right_within_half_as_much_again() -> None:
    assert tried(COUNT, "37").settled
    assert not tried(COUNT, "40").settled
    assert number_at(37) == 5012
    assert COUNT.solution == "5,478"


@pytest.mark.parametrize(
    ("guess", "words"),
    [("50", "too large, by a factor of 18 or more"), ("10", "10 is too small, by a factor of 547 or more")],
)
def test_a_guess_that_is_far_off_hears_how_far(guess: str, words: str) -> None:
    answer = tried(COUNT, guess).answer
    assert answer
    assert words in answer.words


def test_a_form_sends_its_guess_beside_the_attempts_before_it() -> None:
    assert spell_attempts("did", {"did": "yes.on", f"did{GUESS}": "37"}) == "yes.on.37"


@pytest.mark.parametrize(("question", "attempt"), [(CHOICE, "maybe"), (CHOICE, "ö"), (COUNT, "61"), (COUNT, "x")])
def test_an_attempt_that_is_not_on_offer_is_refused(question: Question, attempt: str) -> None:
    with pytest.raises(BadOption, match="Start again"):
        tried(question, attempt)
