"""The source of the functions that compute a lesson's figures, as it is installed.

Lessons: each a page of its own under /learn, made by a pure function from the parts of its address.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from textwrap import dedent
from typing import Any, TypeAlias

from solver.articles.claims.claim import Article
from solver.board.position import Position
from solver.errors import NoughtsError
from solver.proofs.prediction import Prediction, predict
from webapp.pages.learn.figures import Figure
from webapp.pages.learn.thumbs import LessonPicture
from webapp.ui.address import Query


@dataclass(frozen=True, slots=True)
class Source:
    """A function's own lines, and where they are: the file as the project names it, and the number of the first."""

    name: str
    file: str
    line: int
    text: str


@cache
def source_of(function: Callable[..., object]) -> Source:
    """The source of a function of this project, with its decorators. Raises OSError where no source is installed."""
    plain = inspect.unwrap(function)
    lines, number = inspect.getsourcelines(plain)
    return Source(plain.__name__, f"{plain.__module__.replace('.', '/')}.py", number, dedent("".join(lines)).rstrip())


Predictions: TypeAlias = Mapping[Position, Prediction]
"""The predictions of positions, looked up once a page: on larger boards more may be proved a moment later."""


class Track(StrEnum):
    """For whom a lesson is; the contents show a track after the other."""

    PLAYERS = "For players"
    PROGRAMMERS = "For programmers"


class Level(StrEnum):
    """How much a lesson takes for granted."""

    FIRST = "for a start"
    FURTHER = "a step further"
    DEEP = "in depth"


@dataclass(frozen=True, slots=True)
class About:
    """What one is told of a lesson before and after reading it: all of it has to be given for every lesson.

    `minutes` are what reading takes. `picture` draws what stands beside it in the contents; it is cheap. `articles` are
    those it comes from, and `code` the functions that compute its figures, whose source stands at its end.
    """

    track: Track
    level: Level
    minutes: int
    picture: Callable[[], LessonPicture]
    articles: tuple[Article, ...]
    code: tuple[Callable[..., object], ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        """The code as it is installed."""
        return tuple(map(source_of, self.code))


@dataclass(frozen=True, slots=True)
class Figures:
    """What a page shows that takes long to compute; `counted` says what has been done with each, in a few words."""

    each: tuple[Figure[Any], ...]
    counted: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: `name` is the end of its address and the name of its template, `view` makes what the template sees.

    The view is a frozen object that depends on the query alone, and on what is known of the positions that `shows`
    names, so that pages can be kept. Either may raise NoughtsError: the page of an empty query is then shown with what
    was wrong. `parts` are the names the lesson reads; others are ignored. `figures` are computed first, and meanwhile a
    page says how far they are; the view takes them from the keeper.
    """

    name: str
    title: str
    summary: str
    view: Callable[[Query, Predictions], object]
    parts: tuple[str, ...] = ()
    shows: Callable[[Query], Iterable[Position]] = lambda _: ()
    figures: Callable[[Query], Figures] | None = None
    about: About = field(kw_only=True)

    @classmethod
    def settled(  # noqa: PLR0913 - the fields of a lesson
        cls,
        name: str,
        title: str,
        summary: str,
        view: Callable[[Query], object],
        parts: tuple[str, ...] = (),
        *,
        about: About,
        figures: Callable[[Query], Figures] | None = None,
    ) -> "Lesson":
        """A lesson that shows nothing of which more may be proved."""
        return cls(name, title, summary, lambda query, _: view(query), parts, figures=figures, about=about)

    def needs(self, query: Query) -> Figures:
        """The figures of the page that a query is answered with: of the empty one where this one is wrong."""
        if self.figures is None:
            return Figures((), "")
        try:
            return self.figures(query)
        except NoughtsError:
            return self.figures({})

    def known(self, query: Query) -> Predictions:
        """What is known now of the positions that the page shows. Raises NoughtsError."""
        return {position: predict(position) for position in self.shows(query)}
