"""A claim: something an article says or prints that can be computed, and the verdict of the computation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""A figure as JSON holds it: a number, a text, true or false, or lists and objects of such."""


@dataclass(frozen=True, slots=True)
class Article:
    """An article whose claims are examined. `key` begins the identifiers of its claims."""

    key: str
    title: str
    author: str
    address: str | None = None
    """Where it is published, if its text says so."""


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
"""The articles by their keys. One without its author's name is credited to the site where it is published."""


class Verdict(StrEnum):
    """What the computation makes of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    EXPLAINED = "explained"
    """Wrong as printed, and one deviation from what the article describes gives exactly what is printed."""


@dataclass(frozen=True, slots=True)
class Computation:
    """What was computed for a claim, and in words why it is so.

    `deviating` is what comes out with the single deviation that the explanation names, where one is known.
    """

    computed: Json
    explanation: str
    deviating: Json = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement or a printed figure of an article, and how to compute what is true.

    `id` is the article's key, a dot and a name. `published` is what the article says, in the form that `compute`
    answers in; a statement in words is published as true. Of several named figures it may say only some: an article
    that calls a player unbeatable says how many games are lost, and not how many are won. `page` is where the lessons
    show what the claim is about: a lesson's name, with what to ask it for and where on the page; empty for nowhere.
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
    """Makes a claim of the function that computes what is true of it."""
    return lambda compute: Claim(identifier, sentence, published, compute, page)


def claims_in(module: ModuleType) -> tuple[Claim, ...]:
    """The claims that a module defines, in its order."""
    return tuple(each for each in vars(module).values() if isinstance(each, Claim))


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim and what its computation has found."""

    claim: Claim
    computation: Computation

    @property
    def verdict(self) -> Verdict:
        """Whether what is published is what is computed; if not, whether the deviation explains it."""
        if _says(self.claim.published, self.computation.computed):
            return Verdict.CONFIRMED
        return Verdict.EXPLAINED if _says(self.claim.published, self.computation.deviating) else Verdict.REFUTED


def _says(published: Json, computed: Json) -> bool:
    """Whether every figure that is published is so computed."""
    if isinstance(published, dict) and isinstance(computed, dict):
        return published.items() <= computed.items()
    return bool(computed == published)


def examined(claim: Claim) -> Finding:
    """The claim with what is computed for it now."""
    return Finding(claim, claim.compute())


def finding_report(finding: Finding) -> dict[str, Json]:
    """The finding as plain data."""
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
