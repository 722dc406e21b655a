"""The parts of a lesson: its words for the contents, the code it shows, and a pure function that makes its view."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import dedent
from typing import Any, Final, TypeAlias

from solver import oracle
from solver.analysis.drills import DrillKind
from solver.articles.claims.claim import ARTICLES, Article
from solver.board.position import Position
from solver.proofs.prediction import Prediction
from webapp.pages.learn.content import draw_picture, read_content
from webapp.serving.pool.asking import pool
from webapp.ui.address import Query
from webapp.ui.board import Mini

SOURCES: Final = {**ARTICLES, **{key: Article(key, **entry) for key, entry in read_content("sources").items()}}
"""The articles that lessons follow, by their keys."""

MOVED_LESSONS: Final = read_content("moved")
"""Lessons that have become parts of others, by their names: where their matter is now."""

Predictions: TypeAlias = Mapping[Position, Prediction]
"""Predictions by position. They are looked up once per page, because more may be proved while the page is made."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson.

    `name` is the end of its address and the name of its module and its content file, which has the fields from `title`
    to `drills`. `minutes` is the reading time. `after` are the keys of the articles that the lesson follows. The source
    of the functions in `code` is shown at the end of the page. `drills` are the kinds of drills that
    train what the lesson teaches.

    `view` makes the frozen object that the template shows from the query and, if the lesson has `shows`, from the
    predictions of the positions there. The object depends on nothing else, so that pages can be kept. `parts` are the
    names that the page reads from a query; other names are ignored. If `view` or `shows` raises NoughtsError, the page
    of the empty query shows the message.
    """

    name: str
    title: str
    summary: str
    minutes: int
    after: tuple[str, ...]
    drills: tuple[DrillKind, ...]
    code: tuple[Callable[..., object], ...]
    view: Callable[..., object]
    parts: tuple[str, ...] = ()
    shows: Callable[[Query], Iterable[Position]] | None = None

    @classmethod
    def of(cls, name: str, **own: Any) -> "Lesson":
        """Return the lesson with the content of its file."""
        content = read_content(name)
        return cls(
            name=name,
            title=content["title"],
            summary=content["summary"],
            minutes=content["minutes"],
            after=tuple(content["after"]),
            drills=tuple(map(DrillKind, content.get("drills", ()))),
            **own,
        )

    @property
    def articles(self) -> tuple[Article, ...]:
        """The articles that the lesson follows."""
        return tuple(SOURCES[key] for key in self.after)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The installed source of `code`."""
        return tuple(map(source_of, self.code))

    @property
    def picture(self) -> Mini:
        """The small board in the contents: a position with the outcomes of its squares, or with texts on some."""
        return draw_picture(read_content(self.name)["picture"])

    def reads(self, query: Query) -> dict[str, str]:
        """Return the parts of a query that the page reads."""
        return {part: query[part] for part in self.parts if query.get(part)}

    def known(self, query: Query) -> Predictions:
        """Return the present predictions of the positions that the page shows. Raises NoughtsError."""
        asked = pool()
        return {position: oracle.predict(position, asked) for position in (self.shows(query) if self.shows else ())}

    def show(self, query: Query, known: Predictions) -> object:
        """Return the view. Raises NoughtsError."""
        return self.view(query, known) if self.shows else self.view(query)
