"""Claims of articles: statements and figures that can be computed, each with a verdict.

The words stand in a file for each article, such as `erlang.toml`: its title, and for each claim a sentence that says in
our words what the article says (quotation marks in it hold the article's own words), what it published, and an
explanation with places for figures. A check in a module beside the file computes the figures: a function that has the
claim's name and returns `Evidence`, such as `_nine_results` for `erlang.nine-results`. Above one that serves several
claims stands `@check` for each.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial, update_wrapper
from itertools import chain
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeAlias, TypeVar

Json: TypeAlias = Any
"""A figure in JSON: a number, a string, a boolean, a list or an object."""

CheckFunction = TypeVar("CheckFunction", bound=Callable[..., "Evidence"])


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """The true figure for a claim, and the figures that its explanation speaks of, by the names of their places.

    If the explanation names a deviation from the article's description, or another way to read it, `deviating` is the
    figure that results from that.
    """

    computed: Json
    deviating: Json
    figures: Mapping[str, object]

    @classmethod
    def of(cls, computed: Json, *, deviating: Json = None, **figures: object) -> "Evidence":
        """Return evidence with the figures of the explanation as keywords."""
        return cls(computed, deviating, figures)


CHECKS: Final[dict[str, Callable[[], Evidence]]] = {}
"""The function that checks each claim, by the identifier of the claim. Modules fill it while they are imported."""


def register_checks(key: str, *modules: ModuleType) -> None:
    """Register the functions that are named after claims of an article, in the modules of its checks."""
    for function in chain.from_iterable(vars(module).values() for module in modules):
        if getattr(function, "__annotations__", None) == {"return": Evidence}:
            CHECKS[f"{key}.{function.__name__.removeprefix('_').replace('_', '-')}"] = function


def check(identifier: str, *arguments: object) -> Callable[[CheckFunction], CheckFunction]:
    """Return a decorator that registers a function as the check of a claim, called with these arguments."""

    def register(function: CheckFunction) -> CheckFunction:
        CHECKS[identifier] = update_wrapper(partial(function, *arguments), function)
        return function

    return register


@dataclass(frozen=True, slots=True)
class Computation:
    """The figures of the evidence, with the explanation in words."""

    computed: Json
    explanation: str
    deviating: Json = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement or a printed figure of an article, with the function that computes the true figure.

    `id` is the article's key, a dot and a name. `published` is the article's figure, in the form that `check` computes;
    for a statement in words it is True. A published dictionary can leave out computed figures: one claim gives only the
    lost games.
    """

    id: str
    sentence: str
    explanation: str
    check: Callable[[], Evidence]
    published: Json = True

    @property
    def article(self) -> Article:
        """The article that makes the claim."""
        return ARTICLES[self.id.partition(".")[0]]


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
    evidence = claim.check()
    words = claim.explanation.format(**evidence.figures)
    return Finding(claim, Computation(evidence.computed, words, evidence.deviating))


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
