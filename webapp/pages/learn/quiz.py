"""Quizzes of lessons: questions that are tried until they are answered, with feedback on every attempt.

The attempts are a part of the page's address, so that a quiz works without scripts and can be shared as it stands.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, TypeAlias

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.ui.address import Query, with_query
from webapp.ui.board import Mini, Strike

ON: Final = "on"
"""The attempt that leaves an answered question for the next one."""

SHOW: Final = "show"
"""The attempt that gives a question up and asks for its answer."""

GUESS: Final = "-guess"
"""The end of the name under which a form sends the next guess of the quiz named before it."""

STEPS: Final = 60
"""The usual number of a slider's last step, which stands for a million."""

NEAR: Final = 1.5
"""The factor within which a guess is right."""

LONGEST: Final = 800
"""The most characters of a quiz's attempts in an address."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback to an attempt.

    `board` replaces the question's board; `lit` are the lines drawn over it. After a right answer the quiz goes on with
    `then`, or with its next question. `links` lead on from the answer, by title.
    """

    right: bool
    words: str
    board: Mini | None = None
    lit: tuple[Strike, ...] = ()
    then: "Asking | None" = None
    links: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answers on offer, by their spelling in addresses.

    An answer with a title is a button. Every other answer is a square of the board, such as `b2`. `beside` is a second
    board, to compare with the first.
    """

    words: str
    answers: Mapping[str, Feedback]
    titles: Mapping[str, str] = field(default_factory=dict)
    board: Mini | None = None
    beside: Mini | None = None
    steps: ClassVar = 0

    @property
    def squares(self) -> Collection[str]:
        """The answers without a title."""
        return self.answers.keys() - self.titles.keys()

    @property
    def shown(self) -> Feedback:
        """The feedback to the first right answer, without its praise."""
        answer = next(answer for answer in self.answers.values() if answer.right)
        said = answer.words.removeprefix("Yes! ").removeprefix("Yes: ")
        square = said[1:2].isdigit()
        return replace(answer, words=said if square else said[:1].upper() + said[1:])

    def judge(self, attempt: str) -> Feedback | None:
        """Return the feedback to an answer on offer."""
        return self.answers.get(attempt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A question for a number. Attempts are steps of a slider: step n stands for 10^(n/10), rounded.

    An attempt is right within a factor of `NEAR` of `truth`. `because` follows the truth in the feedback.
    """

    words: str
    truth: int
    because: str
    steps: int = STEPS
    board: Mini | None = None
    beside: ClassVar = None
    titles: ClassVar[Mapping[str, str]] = {}
    squares: ClassVar[Collection[str]] = ()

    @property
    def shown(self) -> Feedback:
        """The truth."""
        return Feedback(True, f"It's {self.truth:,}. {self.because}")

    def judge(self, attempt: str) -> Feedback | None:
        """Return how near the guess is."""
        if not (attempt.isascii() and attempt.isdigit() and len(attempt) <= len(str(self.steps))):
            return None
        if int(attempt) > self.steps:
            return None
        guess = number_at(int(attempt))
        if guess <= NEAR * self.truth and self.truth <= NEAR * guess:
            return Feedback(True, f"You guessed {guess:,}. Close: it's {self.truth:,}. {self.because}")
        far = max(guess, self.truth) // min(guess, self.truth)
        much = f", by a factor of {far:,} or more" if far > 1 else ""
        return Feedback(False, f"{guess:,} is too {'small' if guess < self.truth else 'large'}{much}. Guess again.")


def number_at(step: int) -> int:
    """Return the number that a step of the slider stands for."""
    return int(10 ** (step / 10) + 0.5)


Asking: TypeAlias = Question | Guess
"""A question of a quiz. Its answers are squares of the board, buttons with `titles`, or the `steps` of a slider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiz:
    """Questions one after the other, under a title. `closing` is said after the last one.

    Each of the `questions` begins a group. The other questions of the group follow from the answers.
    """

    title: str
    questions: tuple[Asking, ...]
    closing: str
    group: int = 1

    @property
    def length(self) -> int:
        """The number of questions that are asked."""
        return len(self.questions) * self.group


@dataclass(frozen=True, slots=True)
class Attempts:
    """A quiz with a visitor's attempts.

    `at` is the number of the question shown, from 0; it equals the quiz's length at the end. `then` is this question if
    it followed from an answer. `tried` are the attempts at it and `answer` is the feedback to the last one. `first`
    tells for each question before it whether the first attempt was right. `text` spells all attempts; `page` is the
    lesson's path and `others` the rest of its query.
    """

    name: str
    quiz: Quiz
    page: str
    others: Query
    text: str = ""
    at: int = 0
    then: Asking | None = None
    tried: tuple[str, ...] = ()
    answer: Feedback | None = None
    first: tuple[bool, ...] = ()

    def url(self, attempt: str | None) -> str:
        """Return the address of the lesson after one more attempt, or of a new start for None."""
        return quiz_url(self.page, self.name, self._parts(attempt))

    def alone(self, attempt: str | None) -> str:
        """Return the address of the quiz alone after one more attempt, or of a new start for None."""
        return with_query(f"{self.page}/{self.name}", self._parts(attempt))

    def _parts(self, attempt: str | None) -> dict[str, str]:
        text = ".".join(filter(None, (self.text, attempt))) if attempt is not None else ""
        return {**self.others, **({self.name: text} if text else {})}

    @property
    def question(self) -> Asking | None:
        """The question shown, None at the end."""
        if self.at == self.quiz.length:
            return None
        return self.then or self.quiz.questions[self.at // self.quiz.group]

    @property
    def dots(self) -> tuple[str, ...]:
        """The state of each question: `full` or `half` if it is done, at the first attempt or later, `now`, or ""."""
        done = tuple("full" if right else "half" for right in self.first)
        return (*done, "now", *[""] * self.quiz.length)[: self.quiz.length]

    @property
    def settled(self) -> bool:
        """True once the question is answered or given up."""
        return self.answer is not None and self.answer.right

    @property
    def board(self) -> Mini | None:
        """The board as the last feedback shows it."""
        answered = self.answer.board if self.answer else None
        return answered or (self.question.board if self.question else None)


def quiz_url(page: str, name: str, query: Query, others: Query | None = None) -> str:
    """Return the address of a lesson's page at a quiz. A guess in the query joins the attempts before it.

    The rest of the query is kept, or replaced by the rest of `others`.
    """
    rest = _others(name, query if others is None else others)
    return with_query(page, {**rest, name: _spell(name, query) or None}, f"quiz-{name}")


def attempts(name: str, quiz: Quiz, page: str, query: Query) -> Attempts:
    """Read the attempts that the query has under the quiz's name, and the guess after them.

    Raises BadOption for an attempt that the question doesn't offer.
    """
    text = _spell(name, query)
    if len(text) > LONGEST:
        raise BadOption(f"{name} is longer than {LONGEST} characters. Start the quiz again.")
    state = Attempts(name, quiz, page, _others(name, query))
    for attempt in filter(None, text.split(".")):
        state = _after(state, attempt)
    return state


def _spell(name: str, query: Query) -> str:
    return ".".join(filter(None, (query.get(name), query.get(name + GUESS))))


def _others(name: str, query: Query) -> dict[str, str]:
    return {part: value for part, value in query.items() if part not in (name, name + GUESS)}


def _after(state: Attempts, attempt: str) -> Attempts:
    """Return the state after one more attempt."""
    question, text = state.question, f"{state.text}.{attempt}".lstrip(".")
    if attempt in state.tried and not state.settled:
        return state
    if question and state.settled and attempt == ON:
        first = (*state.first, len(state.tried) == 1 and SHOW not in state.tried)
        then = state.answer.then if state.answer else None
        return replace(state, text=text, at=state.at + 1, then=then, tried=(), answer=None, first=first)
    answer = None
    if question and not state.settled:
        answer = question.shown if attempt == SHOW else question.judge(attempt)
    if answer is None:
        raise BadOption(f"{state.name}: {quoted(attempt)} isn't an answer on offer here. Start the quiz again.")
    return replace(state, text=text, tried=(*state.tried, attempt), answer=answer)
