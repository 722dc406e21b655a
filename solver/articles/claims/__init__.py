"""Every claim of the five articles, in the articles' order; each is computed when it is asked for."""

from functools import cache
from types import MappingProxyType
from typing import Final

from solver.articles.claims import clojure_play, clojure_tree, erlang, haskell, pyfl, scala
from solver.articles.claims.claim import ARTICLES, Article, Claim, Finding, Verdict, claims_in, examined, finding_report
from solver.board.notation import quoted
from solver.errors import BadOption

CLAIMS: Final = MappingProxyType(
    {
        claim.id: claim
        for module in (erlang, clojure_tree, clojure_play, scala, pyfl, haskell)
        for claim in claims_in(module)
    }
)
"""Every claim by its identifier."""


@cache
def found(name: str) -> Finding:
    """The claim with this identifier and what is computed for it, which a process does once."""
    return examined(CLAIMS[name])


def claims_named(names: list[str]) -> tuple[Claim, ...]:
    """The claims with these identifiers, or of these articles; all of them if none is named. Raises BadOption."""
    wanted: dict[str, Claim] = {}
    for name in names or ARTICLES:
        chosen = {key: claim for key, claim in CLAIMS.items() if name in (key, claim.article.key)}
        if not chosen and name not in ARTICLES:
            raise BadOption(
                f"There is no claim {quoted(name)}. Name one as `noughts claims` lists them, or an article:"
                f" {', '.join(ARTICLES)}."
            )
        wanted |= chosen
    return tuple(wanted.values())


__all__ = [
    "ARTICLES",
    "CLAIMS",
    "Article",
    "Claim",
    "Finding",
    "Verdict",
    "claims_in",
    "claims_named",
    "examined",
    "finding_report",
    "found",
]
