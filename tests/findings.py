"""The claims of one article, for the tests of what is computed for them."""

from solver.articles.claims import CLAIMS


def named(article: str) -> list[str]:
    """The identifiers of an article's claims."""
    return [claim.id for claim in CLAIMS.values() if claim.article.key == article]
