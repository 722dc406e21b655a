"""Claims of articles: statements and figures that can be computed, each with a verdict."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
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


ARTICLES: Final[Mapping[str, Article]] = MappingProxyType(
    {
        article.key: article
        for article in (
            Article("erlang", "Tic-tac-toe in Erlang: next move calculations and predictions", "Neal Binnendyk"),
            Article("clojure", "Tic-Tac-Toe Analysis using Clojure", "Occasional Enthusiast"),
            Article(
                "scala",
                "Minimax-based AI for the Tic-Tac-Toe game in Scala",
                "Yurii Lahodiuk",
                "http://lagodiuk.github.io/computer_science/2017/01/12/minimax_tic_tac_toe_scala.html",
            ),
            Article("pyfl", "Unbeatable? Tictactoe in PyFL", "Bill Wadge"),
            Article(
                "haskell",
                "Alpha-beta search for tic-tac-toe in Haskell, after “Why Functional Programming Matters”",
                "bfj7",
            ),
        )
    }
)
"""The articles by their keys. An article without an author's name is credited to its site."""


class Verdict(StrEnum):
    """The result of comparing a claim with its computation."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    EXPLAINED = "explained"
    """The claim isn't true as it stands, but with one deviation from the article's description or read another way."""


@dataclass(frozen=True, slots=True)
class Computation:
    """The true figure for a claim, and an explanation in words.

    If the explanation names a deviation from the article's description, or another way to read it, `deviating` is the
    figure that results from that.
    """

    computed: Json
    explanation: str
    deviating: Json = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement or a printed figure of an article, with the function that computes the true figure.

    `id` is the article's key, a dot and a name. `sentence` says in our words what the article says; quotation marks in
    it hold the article's own words. `published` is the article's figure, in the form that `compute`
    returns; for a statement in words it is True. A published dictionary can leave out computed figures: one claim gives
    only the lost games. `page` is the relative URL (name, query, fragment) of the lesson about the claim, or empty.
    """

    id: str
    sentence: str
    published: Json
    compute: Callable[[], Computation]
    page: str = ""

    @property
    def article(self) -> Article:
        """The article that makes the claim."""
        return ARTICLES[self.id.partition(".")[0]]


def claim(
    identifier: str, sentence: str, published: Json = True, *, page: str = ""
) -> Callable[[Callable[[], Computation]], Claim]:
    """Return a decorator that makes a claim of the function that computes the true figure."""
    return lambda compute: Claim(identifier, sentence, published, compute, page)


def claims_in(module: ModuleType) -> tuple[Claim, ...]:
    """Return the claims in a module's variables and tuples, in the order of definition."""
    values = (value if isinstance(value, tuple) else (value,) for value in vars(module).values())
    return tuple(each for value in values for each in value if isinstance(each, Claim))


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


def examined(claim: Claim) -> Finding:
    """Compute a claim now and return the finding."""
    return Finding(claim, claim.compute())


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
