"""The parts of a lesson: its words for the contents, the code it shows, and a pure function that makes its view."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from textwrap import dedent
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from solver import oracle
from solver.analysis.drills import DrillKind
from solver.articles.claims.claim import ARTICLES, Article
from solver.board.position import Position
from solver.errors import NoughtsError
from solver.proofs.prediction import Prediction
from webapp.pages.learn.content import FactsOf, quizzes_of, read_content
from webapp.pages.learn.figures import Figure
from webapp.pages.learn.quiz import GUESS, Attempts, Quiz, attempts
from webapp.pages.learn.thumbs import LessonPicture
from webapp.serving.pool.asking import pool
from webapp.ui.address import Query, with_query

SOURCES: Final = {**ARTICLES, **{key: Article(key, **entry) for key, entry in read_content("sources").items()}}
"""The articles that lessons follow, by their keys."""

Predictions: TypeAlias = Mapping[Position, Prediction]
"""Predictions by position. They are looked up once per page, because more may be proved while the page is made."""


class Track(StrEnum):
    """The readers that a lesson is for; the contents show one track after the other."""

    PLAYERS = "For players"
    PROGRAMMERS = "For programmers"


class Level(StrEnum):
    """The knowledge that a lesson takes for granted."""

    FIRST = "start here"
    FURTHER = "a step further"
    DEEP = "in depth"


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a function: the path of its file, the number of its first line, and its text."""

    name: str
    file: str
    line: int
    text: str


@cache
def source_of(function: Callable[..., object]) -> Source:
    """Return the installed source of a function of this project, with its decorators.

    Raises OSError if no source is installed.
    """
    plain = inspect.unwrap(function)
    lines, number = inspect.getsourcelines(plain)
    return Source(plain.__name__, f"{plain.__module__.replace('.', '/')}.py", number, dedent("".join(lines)).rstrip())


@dataclass(frozen=True, slots=True)
class Figures:
    """The slow figures of a page. `counted` is their name after a count, e.g. "claims checked" after "3 of 20"."""

    each: tuple[Figure[Any], ...]
    counted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson.

    `name` is the end of its address and the name of its template, its module and its content file, which has the fields
    from `title` to `drills`. `view` makes the frozen object that the template shows. This object depends only on the
    query and on the predictions of the positions in `shows`, so that pages can be kept. `figures` are computed and kept
    before the view is made. If `view`, `shows` or `figures` raises NoughtsError, the page of the empty query shows the
    message.

    `parts` are the names that the lesson reads from a query; other names are ignored. `minutes` is the reading time.
    `picture` draws the small picture in the contents, which must be cheap. `after` are the keys of the articles that
    the lesson follows. The source of the functions in `code` is shown at the end of the page. `quizzes` are made when
    they are asked for, and `drills` are the kinds of drills that train what the lesson teaches.
    """

    name: str
    title: str
    summary: str
    track: Track
    level: Level
    minutes: int
    after: tuple[str, ...]
    drills: tuple[DrillKind, ...]
    code: tuple[Callable[..., object], ...]
    picture: Callable[[], LessonPicture]
    parts: tuple[str, ...]
    view: Callable[[Query, Predictions], object]
    shows: Callable[[Query], Iterable[Position]]
    figures: Callable[[Query], Figures] | None
    quizzes: Mapping[str, Callable[[], Quiz]]

    @classmethod
    def of(  # noqa: PLR0913 - the parts of a lesson that are code
        cls,
        name: str,
        *,
        code: tuple[Callable[..., object], ...],
        picture: Callable[[], LessonPicture],
        view: Callable[[Query, Predictions], object],
        parts: tuple[str, ...] = (),
        shows: Callable[[Query], Iterable[Position]] = lambda _: (),
        figures: Callable[[Query], Figures] | None = None,
        facts: FactsOf = MappingProxyType({}),
    ) -> "Lesson":
        """Return the lesson with the content of its file. `facts` judge the answers of the quizzes declared there."""
        content = read_content(name)
        return cls(
            name=name,
            title=content["title"],
            summary=content["summary"],
            track=Track(content["track"]),
            level=Level(content["level"]),
            minutes=content["minutes"],
            after=tuple(content["after"]),
            drills=tuple(map(DrillKind, content.get("drills", ()))),
            code=code,
            picture=picture,
            parts=parts,
            view=view,
            shows=shows,
            figures=figures,
            quizzes=quizzes_of(name, facts),
        )

    @property
    def articles(self) -> tuple[Article, ...]:
        """The articles that the lesson follows."""
        return tuple(SOURCES[key] for key in self.after)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The installed source of `code`."""
        return tuple(map(source_of, self.code))

    def needs(self, query: Query) -> Figures:
        """Return the figures that a query's page needs. A bad query is treated like the empty query."""
        if self.figures is None:
            return Figures((), "")
        try:
            return self.figures(query)
        except NoughtsError:
            return self.figures({})

    def reads(self, query: Query) -> dict[str, str]:
        """Return the parts of a query that the lesson reads, among them the attempts at its quizzes."""
        return {part: query[part] for part in self._parts if query.get(part)}

    @property
    def _parts(self) -> tuple[str, ...]:
        return *self.parts, *self.quizzes, *(name + GUESS for name in self.quizzes)

    def attempts(self, name: str, query: Query) -> Attempts:
        """Return a quiz with the attempts in a query. Raises BadOption, and KeyError for an unknown quiz."""
        return attempts(name, self.quizzes[name](), lesson_url(self.name, {}), query)

    def known(self, query: Query) -> Predictions:
        """Return the present predictions of the positions that the page shows. Raises NoughtsError."""
        asked = pool()
        return {position: oracle.predict(position, asked) for position in self.shows(query)}


def lesson_url(name: str, parts: Mapping[str, object], anchor: str = "") -> str:
    """Return the address of a lesson with the `parts` of its query. Parts that are None are left out."""
    return with_query(f"/learn/{name}", parts, anchor)


def ignore_predictions(view: Callable[[Query], object]) -> Callable[[Query, Predictions], object]:
    """Return a view that ignores predictions, for a lesson that shows no unproved position."""
    return lambda query, _: view(query)
