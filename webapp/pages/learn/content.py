"""The content of lessons: what the file beside each lesson's module says, and the quizzes that it declares.

A quiz has a title, a `closing`, and `questions`; `facts` names a function with the values of its closing words. If each
of its questions begins a `group` of several, the others follow from the answers. A question has:

- `ask`, its words;
- `facts`, the name of a function of the lesson, which has the solver judge every answer. `of` are its arguments, each
  of which makes a question (a table has several arguments by name), or `boards` if they are positions. Without a
  function the `titles` are the answers, and `board` is the position beside them, if there is one;
- `titles`, the words on buttons, unless the facts have them; an answer without a title is a square of the board;
- `right` and `wrong`, the feedback to answers, by the remarks of the facts (without facts, by answer);
- or `because`, the words after the truth, if it asks for a number by a slider of so many `steps`;
- `like`, the name of one of the file's `questions` (or `lesson.name`, one of another file) whose words it shares;
- `then`, the name of the question that follows from right answers.

In all of these words, names in braces are places for values that the facts have.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from solver.board.notation import format_cell, parse_position
from solver.board.position import Position
from solver.board.rules import Cell
from webapp.pages.learn.quiz import STEPS, Asking, Feedback, Guess, Question, Quiz
from webapp.ui.board import Mini, Strike, mini

FOLDER: Final = Path(__file__).with_name("lessons")
"""The folder of the lessons with their content."""

ContentTable: TypeAlias = Mapping[str, Any]
"""A table of a content file."""


@cache
def read_content(name: str) -> ContentTable:
    """Return the content of the file of this name in the folder of lessons."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Remark:
    """The judgement of an answer: the name of its words among the question's `right` and `wrong`, and their values.

    `board`, `lit` and `links` are those of the feedback. `then` are the facts of the question that follows.
    """

    says: str
    board: Mini | None = None
    lit: tuple[Strike, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    then: "Facts | None" = None
    values: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        says: str,
        board: Mini | None = None,
        lit: tuple[Strike, ...] = (),
        *,
        links: Mapping[str, str] | None = None,
        then: "Facts | None" = None,
        **values: object,
    ) -> "Remark":
        """Return a remark with the values of its words as keywords."""
        return cls(says, board, lit, links or {}, then, values)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the solver knows about a question: a remark on each answer, its boards, titles, and the values of words.

    A remark without values of its own is the name of its words. Without `answers`, each title stands for the words of
    its name. `truth` is the number that a slider asks for.
    """

    answers: Mapping[str, Remark | str] = field(default_factory=dict)
    board: Mini | None = None
    beside: Mini | None = None
    titles: Mapping[str, str] | None = None
    truth: int = 0
    values: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        answers: Mapping[str, Remark | str] | None = None,
        board: Mini | None = None,
        *,
        beside: Mini | None = None,
        titles: Mapping[str, str] | None = None,
        truth: int = 0,
        **values: object,
    ) -> "Facts":
        """Return facts with the values of the question's words as keywords."""
        return cls(answers or {}, board, beside, titles, truth, values)


FactsOf: TypeAlias = Mapping[str, Callable[..., Facts]]
"""The functions of a lesson that judge answers, by their names in its content."""


def judge_squares(position: Position, judge: Callable[[Cell], Remark], **values: object) -> Facts:
    """Return the facts of a question whose answers are the open squares of a position."""
    answers: dict[str, Remark | str] = {format_cell(cell, position.rules): judge(cell) for cell in position.legal_moves}
    return Facts(answers, mini(position), values=values)


def quizzes_of(lesson: str, facts: FactsOf) -> dict[str, Callable[[], Quiz]]:
    """Return the functions that make the quizzes of a lesson. Each makes its quiz once per process."""
    entries: ContentTable = read_content(lesson).get("quizzes", {})
    return {name: cache(partial(_quiz, lesson, entry, facts)) for name, entry in entries.items()}


def _quiz(lesson: str, entry: ContentTable, facts: FactsOf) -> Quiz:
    questions = tuple(question for each in entry["questions"] for question in _questions(lesson, each, facts))
    values = facts[entry["facts"]]().values if "facts" in entry else {}
    return Quiz(
        title=entry["title"],
        questions=questions,
        closing=entry["closing"].format(**values),
        group=entry.get("group", 1),
    )


def _questions(lesson: str, entry: ContentTable, facts: FactsOf) -> Iterator[Asking]:
    """Yield the questions that an entry makes, one for each argument of its facts."""
    words = _share_words(lesson, entry)
    if "facts" in words:
        judge = facts[words["facts"]]
        arguments = words.get("of") or [parse_position(text) for text in words.get("boards", ())]
        for argument in arguments:
            yield make_question(lesson, words, judge(**argument) if isinstance(argument, dict) else judge(argument))
        if not arguments:
            yield make_question(lesson, words, judge())
    else:
        board = mini(parse_position(words["board"])) if "board" in words else None
        yield make_question(lesson, words, Facts(board=board))


def _share_words(lesson: str, entry: ContentTable) -> ContentTable:
    """Return an entry with the words of the entry that it is `like`."""
    if "like" not in entry:
        return entry
    other, _, name = entry["like"].rpartition(".")
    return {**_share_words(other or lesson, read_content(other or lesson)["questions"][name]), **entry}


def make_question(lesson: str, entry: ContentTable, facts: Facts) -> Asking:
    """Return the question of an entry about these facts."""
    words = entry["ask"].format(**facts.values)
    if "because" in entry:
        because, steps = entry["because"].format(**facts.values), entry.get("steps", STEPS)
        return Guess(words=words, truth=facts.truth, because=because, steps=steps, board=facts.board)
    said = {**entry.get("wrong", {}), **entry["right"]}

    def feedback(remark: Remark) -> Feedback:
        then = None
        if remark.then is not None:
            then = make_question(lesson, _share_words(lesson, {"like": entry["then"]}), remark.then)
        told = said[remark.says].format(**{**facts.values, **remark.values})
        return Feedback(remark.says in entry["right"], told, remark.board, remark.lit, then, remark.links)

    titles = entry.get("titles", {}) if facts.titles is None else facts.titles
    remarks = facts.answers or {name: name for name in titles}
    answers = {
        name: feedback(remark if isinstance(remark, Remark) else Remark(remark)) for name, remark in remarks.items()
    }
    return Question(words=words, answers=answers, titles=titles, board=facts.board, beside=facts.beside)
