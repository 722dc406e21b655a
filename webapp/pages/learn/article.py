"""The pages of the five articles: each in its own order, with our code, its figures and claims, and questions.

The content file of an article has a `title`, a `summary`, `minutes`, a `picture`, an `intro`, and the titles of its
`parts` if it has several. A section has:

- an `id`, a `title`, and the `part` that it stands in, from 1;
- `text`, paragraphs in which backticks enclose code; `facts` names the function with the values of their braces;
- `figures`, each a name in `figures.toml`, or a table with it as `figure` and the parts that the figure reads in place
  of the page's address;
- `code`, the names of functions, such as `solver.search.minimax:minimax`;
- `claims`, the ends of the names of claims; `links`, addresses by their words;
- `questions`, each as `content` says, but without squares to press.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.articles.claims.claim import ARTICLES, Article, Finding
from solver.articles.figures import finding_of
from webapp.pages.learn.content import (
    ARTICLES_FOLDER,
    ContentTable,
    Shown,
    facts_named,
    figure_named,
    lesson_url,
    make_items,
)
from webapp.pages.learn.lesson import CoursePage, Predictions, Source, source_named
from webapp.pages.learn.quiz import Question
from webapp.ui.address import Query, number_of

PART: Final = "part"
"""The part of an address that names a part of an article."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of an article's page, ready to be shown. `figures` are templates and what they show."""

    id: str
    title: str
    text: tuple[str, ...]
    figures: tuple[tuple[str, object], ...]
    questions: tuple[Question, ...]
    code: tuple[Source, ...]
    findings: tuple[Finding, ...]
    links: Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class ArticlePage(CoursePage):
    """The page of an article, which has its key as its name."""

    folder = ARTICLES_FOLDER

    @property
    def parts(self) -> tuple[str, ...]:
        """The titles of the parts, or nothing if the article has only one."""
        return tuple(self.content.get("parts", ()))

    @property
    def article(self) -> Article:
        """The article itself."""
        return ARTICLES[self.name]

    def asked(self, query: Query) -> dict[str, str]:
        """Return the parts of a query that the page and its figures read."""
        names = (name for entry in self.content["sections"] for name, more in _figures(entry) if not more)
        parts = {PART, *(part for name in names for part in figure_named(name).parts)}
        return {name: query[name] for name in sorted(parts) if query.get(name)}

    def show(self, asked: Query, _: Predictions) -> tuple[str, Shown]:
        """Return the template of articles, and the sections of the part that is asked for. Raises NoughtsError."""
        part = number_of(asked, PART, 1, 1, len(self.parts) or 1)
        entries = (entry for entry in self.content["sections"] if entry.get(PART, 1) == part)
        sections = tuple(self._section(entry, asked) for entry in entries)
        return "learn/article.html", {"page": self, "part": part, "sections": sections}

    def _section(self, entry: ContentTable, query: Query) -> Section:
        values = facts_named(entry["facts"])().values if "facts" in entry else {}
        return Section(
            id=entry["id"],
            title=entry["title"],
            text=tuple(paragraph.format(**values) for paragraph in entry["text"]),
            figures=tuple(
                (figure.template, figure.view(more or query))
                for name, more in _figures(entry)
                for figure in (figure_named(name),)
            ),
            questions=tuple(
                item() for question in entry.get("questions", ()) for item in make_items(self.name, question)
            ),
            code=tuple(map(source_named, entry.get("code", ()))),
            findings=tuple(finding_of(f"{self.name}.{end}") for end in entry.get("claims", ())),
            links=entry.get("links", {}),
        )


def _figures(entry: ContentTable) -> Iterator[tuple[str, ContentTable]]:
    """Yield the names of a section's figures, each with what the content says of it beside."""
    for figure in entry.get("figures", ()):
        yield (figure, {}) if isinstance(figure, str) else (figure["figure"], figure)


ARTICLE_PAGES: Final = MappingProxyType(
    {key: ArticlePage.of(key) for key in ARTICLES if (ARTICLES_FOLDER / f"{key}.toml").exists()}
)
"""The pages of articles by their names."""

PLACES: Final = MappingProxyType(
    {
        f"{name}.{end}": lesson_url(name, {PART: part if (part := entry.get(PART, 1)) > 1 else None}, entry["id"])
        for name, page in ARTICLE_PAGES.items()
        for entry in page.content["sections"]
        for end in entry.get("claims", ())
    }
)
"""The address of the section that shows a claim, by the id of the claim."""
