"""Pages to learn from: what all of them have, and the lessons, in which visitors look things up."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any, ClassVar, Final, Self, TypeAlias

from solver import oracle
from solver.analysis.drills import DrillKind
from solver.articles.claims.claim import ARTICLES, Article
from solver.board.position import Position
from solver.proofs.prediction import Prediction
from webapp.pages.learn.content import LESSONS_FOLDER, ContentTable, Shown, draw_picture, read_content
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


@cache
def source_named(name: str) -> Source:
    """Return the source of the function with this name, e.g. "solver.search.minimax:minimax"."""
    module, _, path = name.partition(":")
    return source_of(reduce(getattr, path.split("."), import_module(module)))


@dataclass(frozen=True, eq=False, kw_only=True)
class CoursePage:
    """A page with a content file in its `folder`. Its `name` is that of the file, and the end of its address.

    `minutes` is the reading time. The page depends on the parts of its address that it `asks` for and on the
    predictions that it has `known`, and on nothing else, so that it can be kept. If an address makes `known` or `show`
    raise NoughtsError, the page of the empty query shows the message.
    """

    folder: ClassVar[Path]

    name: str
    title: str
    summary: str
    minutes: int
    content: ContentTable = field(repr=False)

    @classmethod
    def of(cls, name: str, **own: Any) -> Self:
        """Return the page with the content of its file."""
        content = read_content(name, cls.folder)
        said = {key: content[key] for key in ("title", "summary", "minutes")}
        return cls(name=name, content=content, **said, **own)

    @property
    def picture(self) -> Mini:
        """The small board in the contents: a position with the outcomes of its squares, or with texts on some."""
        return draw_picture(self.content["picture"])

    @property
    def drills(self) -> tuple[DrillKind, ...]:
        """The kinds of drills that train what the page teaches."""
        return tuple(map(DrillKind, self.content.get("drills", ())))

    def asked(self, query: Query) -> dict[str, str]:
        """Return the parts of a query that the page reads."""
        raise NotImplementedError

    def known(self, _: Query) -> Predictions:
        """Return the present predictions of the positions that the page shows. Raises NoughtsError."""
        return {}

    def show(self, asked: Query, known: Predictions) -> tuple[str, Shown]:
        """Return the page's template and what it shows. Raises NoughtsError."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson(CoursePage):
    """A lesson. Its module has its name.

    Its content names functions as `code`, whose source is shown at the end of the page. `parts` are the names that the
    page reads from a query; other names are ignored. `view` makes what the template shows from the query and, if the
    lesson has `shows`, from the predictions of the positions there.
    """

    folder = LESSONS_FOLDER

    view: Callable[..., object]
    parts: tuple[str, ...] = ()
    shows: Callable[[Query], Iterable[Position]] | None = None

    @property
    def articles(self) -> tuple[Article, ...]:
        """The articles that the lesson follows."""
        return tuple(SOURCES[key] for key in self.content["after"])

    @property
    def sources(self) -> tuple[Source, ...]:
        """The installed source of the functions that the content names as `code`."""
        return tuple(map(source_named, self.content["code"]))

    def asked(self, query: Query) -> dict[str, str]:
        """Return the parts of a query that the page reads."""
        return {part: query[part] for part in self.parts if query.get(part)}

    def known(self, asked: Query) -> Predictions:
        """Return the present predictions of the positions that the page shows. Raises NoughtsError."""
        served = pool()
        return {position: oracle.predict(position, served) for position in (self.shows(asked) if self.shows else ())}

    def show(self, asked: Query, known: Predictions) -> tuple[str, Shown]:
        """Return the lesson's template and its view. Raises NoughtsError."""
        return f"learn/{self.name}.html", {"view": self.view(asked, known) if self.shows else self.view(asked)}
