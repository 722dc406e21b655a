"""The content of units, lessons and articles: what their files say, and the questions that they declare.

An entry of a file makes one question or several. It has:

- `ask`, its words;
- `facts`, a function in a module of the folder `facts` that has the solver judge every answer, such as
  `forks.judge_forks`. `of` are its arguments, each of which makes a question (a table has several arguments by name),
  or `boards` if they are positions. Without a function the `titles` are the answers;
- `board`, the picture beside a question whose facts have none;
- `titles`, the words on buttons, unless the facts have them; an answer without a title is a square of the board;
- `right` and `wrong`, the feedback to answers, by the remarks of the facts (without facts, by answer);
- or `because`, the words after the truth, if it asks for a number by a slider of so many `steps`;
- `like`, the name of one of the file's `questions` (or `file.name`, one of another file) whose words it shares;
- `then`, the name of the question that follows from right answers.

In all of these words, names in braces are places for values that the facts have.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from solver import predict
from solver.board.notation import format_cell, parse_cell, parse_position
from solver.board.position import Position
from solver.board.rules import Cell
from webapp.pages.learn.quiz import STEPS, Feedback, Question, ask_for_number
from webapp.pages.play.forms import asked_game
from webapp.ui.address import Query, with_query
from webapp.ui.board import Mini, Strike, mini, of_outcomes

LESSONS_FOLDER, UNITS_FOLDER, ARTICLES_FOLDER = (
    Path(__file__).with_name(name) for name in ("lessons", "units", "articles")
)
"""The folders of the content of lessons, of units and of articles."""

ContentTable: TypeAlias = Mapping[str, Any]
"""A table of a content file."""

Shown: TypeAlias = Mapping[str, Any]
"""What a template shows, by the names that it uses: frozen values, and functions that return addresses."""


@cache
def read_content(name: str, folder: Path = LESSONS_FOLDER) -> ContentTable:
    """Return the content of the file of this name in a folder."""
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


def lesson_url(name: str, parts: Mapping[str, object], anchor: str = "") -> str:
    """Return the address of a lesson with the `parts` of its query. Parts that are None are left out."""
    return with_query(f"/learn/{name}", parts, anchor)


def draw_picture(drawn: str | ContentTable) -> Mini:
    """Draw a small board: a position, or a game with the outcomes of its squares, or with texts on some."""
    if isinstance(drawn, str):
        return mini(parse_position(drawn))
    position = asked_game(drawn).last
    if drawn.get("outcomes"):
        return of_outcomes(position, predict(position).squares)
    texts, classes = (
        {parse_cell(name, position.rules): each for name, each in drawn.get(part, {}).items()}
        for part in ("texts", "classes")
    )
    return mini(position, texts=texts, classes=classes)


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
        then: "Facts | None" = None,
        **values: object,
    ) -> "Remark":
        """Return a remark with the values of its words as keywords."""
        return cls(says, board, lit, {}, then, values)


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


class NamedFigure(NamedTuple):
    """A figure: the function that makes its view from a query, the parts of the query that it reads, and its template.

    In its first state, the query is empty. The function raises NoughtsError for bad parts.
    """

    view: Callable[[Query], object]
    parts: tuple[str, ...]
    template: str


def facts_named(name: str) -> Callable[..., Any]:
    """Return the function of a module of facts, such as `forks.judge_forks`."""
    module, _, function = name.partition(".")
    named: Callable[..., Any] = getattr(import_module(f"{__package__}.facts.{module}"), function)
    return named


@cache
def figure_named(name: str) -> NamedFigure:
    """Return the figure of this name in the content."""
    entry = read_content("figures")[name]
    template = f"learn/figures/{entry.get('template', name)}.html"
    return NamedFigure(facts_named(entry["view"]), tuple(entry.get("reads", ())), template)


def judge_squares(position: Position, judge: Callable[[Cell], Remark], **values: object) -> Facts:
    """Return the facts of a question whose answers are the open squares of a position."""
    answers: dict[str, Remark | str] = {format_cell(cell, position.rules): judge(cell) for cell in position.legal_moves}
    return Facts(answers, mini(position), values=values)


def make_items(name: str, entry: ContentTable) -> Iterator[Callable[[], Question]]:
    """Yield functions that make the questions of an entry of the file `name`, one for each argument of its facts."""
    words = _share_words(name, entry)

    def make(judge: Callable[[], Facts]) -> Callable[[], Question]:
        return lambda: make_question(name, words, judge())

    if "facts" not in words:
        yield make(Facts)
        return
    judge = facts_named(words["facts"])
    if not (arguments := words.get("of") or [parse_position(text) for text in words.get("boards", ())]):
        yield make(judge)
    for argument in arguments:
        yield make(partial(judge, **argument) if isinstance(argument, dict) else partial(judge, argument))


def _share_words(name: str, entry: ContentTable) -> ContentTable:
    """Return an entry of the file `name` with the words of the entry that it is `like`."""
    if "like" not in entry:
        return entry
    other, _, question = entry["like"].rpartition(".")
    other = other or name
    folder = UNITS_FOLDER if (UNITS_FOLDER / f"{other}.toml").exists() else LESSONS_FOLDER
    shared = _share_words(other, read_content(other, folder)["questions"][question])
    own = {key: {**shared.get(key, {}), **words} if isinstance(words, dict) else words for key, words in entry.items()}
    return {**shared, **own}


def make_question(lesson: str, entry: ContentTable, facts: Facts) -> Question:
    """Return the question of an entry about these facts."""
    words = entry["ask"].format(**facts.values)
    board = draw_picture(entry["board"]) if "board" in entry and facts.board is None else facts.board
    if "because" in entry:
        because = entry["because"].format(**facts.values)
        return ask_for_number(words, facts.truth, because, entry.get("steps", STEPS), board)
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
    return Question(words=words, answers=answers, titles=titles, board=board, beside=facts.beside)
