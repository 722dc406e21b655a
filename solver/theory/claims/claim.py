"""A claim: something an article says or prints that can be computed, and the verdict of the computation."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""A figure as JSON holds it: a number, a text, true or false, or lists and objects of such."""

ARTICLES: Final = {
    "erlang": "Tic-tac-toe in Erlang: next move calculations and predictions",
    "clojure": "Tic-Tac-Toe Analysis using Clojure",
    "scala": "Minimax-based AI for the Tic-Tac-Toe game in Scala",
    "pyfl": "Unbeatable? Tictactoe in PyFL",
    "haskell": "Alpha-beta search for tic-tac-toe in Haskell, after “Why Functional Programming Matters”",
}
"""The articles by what the identifiers of their claims begin with."""


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
    that calls a player unbeatable says how many games are lost, and not how many are won.
    """

    id: str
    claim: str
    published: Json
    compute: Callable[[], Computation]

    @property
    def article(self) -> str:
        """The title of the article."""
        return ARTICLES[self.id.partition(".")[0]]


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
        "article": claim.article,
        "claim": claim.claim,
        "published": claim.published,
        "computed": computation.computed,
        "verdict": str(finding.verdict),
        "explanation": computation.explanation,
    }
