"""Questions that are tried until they are answered, with feedback on every attempt."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.ui.address import Query
from webapp.ui.board import Mini, Strike

ON: Final = "on"
"""The attempt that leaves an answered question for the next one."""

SHOW: Final = "show"
"""The attempt that gives a question up and asks for its answer."""

GUESS: Final = "-guess"
"""The end of the name under which a form sends the next guess, after the name of the attempts before it."""

STEPS: Final = 60
"""The usual number of a slider's last step, which stands for a million."""

NEAR: Final = 1.5
"""The factor within which a guess is right."""

LONGEST: Final = 800
"""The most characters of the attempts in an address."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback to an attempt.

    `board` replaces the question's board; `lit` are the lines drawn over it. After a right answer `then` follows, if it
    is there. `links` lead on from the answer, by title.
    """

    right: bool
    words: str
    board: Mini | None = None
    lit: tuple[Strike, ...] = ()
    then: "Question | None" = None
    links: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answers on offer, by their spelling in addresses.

    An answer with a title is a button. Every other answer is a square of the board, such as `b2`, or if there are
    `steps` a step of a slider, for the number `truth`. `beside` is a second board, to compare with the first.
    """

    words: str
    answers: Mapping[str, Feedback]
    titles: Mapping[str, str] = field(default_factory=dict)
    board: Mini | None = None
    beside: Mini | None = None
    steps: int = 0
    truth: str = ""
    because: str = ""

    @property
    def squares(self) -> Collection[str]:
        """The answers that are squares."""
        return () if self.steps else self.answers.keys() - self.titles.keys()

    @property
    def draws(self) -> bool:
        """True if a board belongs to the question or to the feedback, which then takes its place."""
        return self.board is not None or any(answer.board for answer in self.answers.values())

    @property
    def shown(self) -> Feedback:
        """The truth, or the feedback to the first right answer, without its praise."""
        if self.truth:
            return Feedback(True, f"It's {self.truth}. {self.because}")
        answer = next(answer for answer in self.answers.values() if answer.right)
        said = answer.words.removeprefix("Yes! ").removeprefix("Yes: ")
        square = said[1:2].isdigit()
        return replace(answer, words=said if square else said[:1].upper() + said[1:])

    @property
    def solution(self) -> str:
        """The truth, or the right answers: their titles, or their squares."""
        right = (self.titles.get(name, name) for name, answer in self.answers.items() if answer.right)
        return self.truth or ", ".join(right)


def ask_for_number(words: str, truth: int, because: str, steps: int = STEPS, board: Mini | None = None) -> Question:
    """Return a question for a number, by a slider: step n stands for 10^(n/10), rounded.

    A guess is right within a factor of `NEAR` of `truth`. `because` follows the truth in the feedback.
    """

    def judge(guess: int) -> Feedback:
        if guess <= NEAR * truth and truth <= NEAR * guess:
            return Feedback(True, f"You guessed {guess:,}. Close: it's {truth:,}. {because}")
        far = max(guess, truth) // min(guess, truth)
        much = f", by a factor of {far:,} or more" if far > 1 else ""
        return Feedback(False, f"{guess:,} is too {'small' if guess < truth else 'large'}{much}. Guess again.")

    answers = {str(step): judge(number_at(step)) for step in range(steps + 1)}
    return Question(words=words, answers=answers, board=board, steps=steps, truth=f"{truth:,}", because=because)


def number_at(step: int) -> int:
    """Return the number that a step of the slider stands for."""
    return int(10 ** (step / 10) + 0.5)


@dataclass(frozen=True, slots=True)
class AskedItem:
    """An item that is asked: its present question with the attempts at it, and the feedback to the last one.

    `missed` is true once an attempt at one of its questions was wrong.
    """

    question: Question
    tried: tuple[str, ...] = ()
    answer: Feedback | None = None
    missed: bool = False

    @property
    def settled(self) -> bool:
        """True once the question is answered or given up."""
        return self.answer is not None and self.answer.right

    @property
    def over(self) -> bool:
        """True once the question is settled and none follows."""
        return self.settled and self.answer is not None and self.answer.then is None

    @property
    def verdict(self) -> str:
        """What the item shows about the visitor: `right`, `wrong`, or nothing yet."""
        return "wrong" if self.missed else "right" if self.over else ""

    @property
    def board(self) -> Mini | None:
        """The board as the last feedback shows it."""
        return (self.answer.board if self.answer else None) or self.question.board

    def after(self, attempt: str) -> "AskedItem":
        """Return the item after one more attempt. Raises BadOption."""
        if self.settled and attempt == ON and self.answer and self.answer.then:
            return AskedItem(self.answer.then, missed=self.missed)
        if attempt in self.tried and not self.settled:
            return self
        answer = None
        if not self.settled:
            answer = self.question.shown if attempt == SHOW else self.question.answers.get(attempt)
        if answer is None:
            raise BadOption(f"{quoted(attempt)} isn't an answer on offer here. Start again.")
        missed = self.missed or attempt == SHOW or not answer.right
        return replace(self, tried=(*self.tried, attempt), answer=answer, missed=missed)


def spell_attempts(name: str, query: Query) -> str:
    """Return the attempts that a query has under a name, with the guess after them."""
    return ".".join(filter(None, (query.get(name), query.get(name + GUESS))))
