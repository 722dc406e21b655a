"""What is computed for the claims, once for all tests."""

from functools import cache

from solver.theory.claims import CLAIMS, Finding, examined


@cache
def found(name: str) -> Finding:
    """The claim with this identifier and what is computed for it."""
    return examined(CLAIMS[name])


def named(article: str) -> list[str]:
    """The identifiers of an article's claims."""
    return [claim.id for claim in CLAIMS.values() if claim.article.key == article]
