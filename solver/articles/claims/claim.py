"""Claims of articles: statements and figures that can be computed, each with a verdict.

The words stand in a file for each article, such as `erlang.toml`: its title, and for each claim a sentence that says in
our words what the article says (quotation marks in it hold the article's own words), what it published, and an
explanation with places for figures. A place such as `{paths.later}` names a figure `later` of the measure `paths`: of
what the function `_paths` in a module beside the file returns. `computed` names the true figure for the claim in the
same way. If the explanation names a deviation from the article's description, or another way to read it, `deviating`
names the figure that results from that.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from string import Formatter
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""A figure in JSON: a number, a string, a boolean, a list or an object."""


@dataclass(frozen=True, slots=True)
class Article:
    """An article with claims to check. The identifiers of its claims begin with `key`."""

    key: str
    title: str
    author: str
    address: str | None = None
    """The URL of the article, if its text names one."""


CONTENT: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        key: tomllib.loads(Path(__file__).with_name(f"{key}.toml").read_text(encoding="utf-8"))
        for key in ("erlang", "clojure", "scala", "pyfl", "haskell")
    }
)
"""The content of each article's file, by the key of the article."""

ARTICLES: Final = MappingProxyType(
    {key: Article(key, content["title"], content["author"], content.get("address")) for key, content in CONTENT.items()}
)
"""The articles by their keys. An article without an author's name is credited to its site."""


class Verdict(StrEnum):
    """The result of comparing a claim with its computation."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    EXPLAINED = "explained"
    """The claim isn't true as it stands, but with one deviation from the article's description or read another way."""


class Measures(dict[str, Any]):
    """The measures of an article by their names. Each is taken when it is first asked for."""

    def __init__(self, *modules: ModuleType) -> None:
        self.modules = modules

    def __missing__(self, name: str) -> Any:
        """Take a measure, and keep it."""
        self[name] = self.function(name)()
        return self[name]

    def function(self, name: str) -> Callable[[], Any]:
        """Return the function that takes a measure."""
        named: Callable[[], Any] = next(vars(each)[f"_{name}"] for each in self.modules if f"_{name}" in vars(each))
        return named


@dataclass(frozen=True, slots=True)
class Computation:
    """The true figure and the deviating one, with the explanation in words."""

    computed: Json
    explanation: str
    deviating: Json = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement or a printed figure of an article, with the names of the figures that decide about it.

    `id` is the article's key, a dot and a name. `published` is the article's figure, in the form of the computed one;
    for a statement in words it is True. A published dictionary can leave out computed figures: one claim gives only the
    lost games.
    """

    id: str
    measures: Measures = field(repr=False, compare=False)
    sentence: str
    explanation: str
    computed: str
    deviating: str = ""
    published: Json = True

    @property
    def article(self) -> Article:
        """The article that makes the claim."""
        return ARTICLES[self.id.partition(".")[0]]

    @property
    def check(self) -> Callable[[], Any]:
        """The function that measures the true figure."""
        return self.measures.function(self.computed.partition(".")[0].partition("[")[0])


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with the result of its computation."""

    claim: Claim
    computation: Computation

    @property
    def verdict(self) -> Verdict:
        """Confirmed if the published figures equal the computed ones, explained if they equal the deviating ones."""
        if _says(self.claim.published, self.computation.computed):
            return Verdict.CONFIRMED
        return Verdict.EXPLAINED if _says(self.claim.published, self.computation.deviating) else Verdict.REFUTED


def _says(published: Json, computed: Json) -> bool:
    """Return whether every published figure equals the computed one."""
    if isinstance(published, dict) and isinstance(computed, dict):
        return published.items() <= computed.items()
    return bool(computed == published)


def examine(claim: Claim) -> Finding:
    """Compute a claim now and return the finding."""
    reader, names = Formatter(), (claim.computed, claim.deviating)
    computed, deviating = (reader.get_field(name, (), claim.measures)[0] if name else None for name in names)
    return Finding(claim, Computation(computed, reader.vformat(claim.explanation, (), claim.measures), deviating))


def finding_report(finding: Finding) -> dict[str, Json]:
    """Return a finding as plain data for JSON."""
    claim, computation = finding.claim, finding.computation
    return {
        "id": claim.id,
        "article": claim.article.title,
        "author": claim.article.author,
        "address": claim.article.address,
        "claim": claim.sentence,
        "published": claim.published,
        "computed": computation.computed,
        "verdict": str(finding.verdict),
        "explanation": computation.explanation,
    }
