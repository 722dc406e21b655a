"""The lesson on the articles' claims: each with its verdict, computed for the page."""

import json
from dataclasses import dataclass
from itertools import groupby

from solver.theory.claims import CLAIMS, Finding, Verdict, examined
from webapp.learn.lesson import Lesson, Query


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim as the page shows it; figures as text, empty where the statement says all."""

    id: str
    claim: str
    published: str
    computed: str
    verdict: str
    explanation: str


@dataclass(frozen=True, slots=True)
class ArticleClaims:
    """The claims of one article."""

    article: str
    rows: tuple[ClaimRow, ...]


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """All claims by article, and how many there are of each verdict."""

    articles: tuple[ArticleClaims, ...]
    counts: tuple[tuple[str, int], ...]


def view(_: Query) -> ClaimsView:
    """Every claim, computed."""
    findings = [examined(claim) for claim in CLAIMS.values()]
    return ClaimsView(
        tuple(
            ArticleClaims(article, tuple(map(_row, found)))
            for article, found in groupby(findings, key=lambda finding: finding.claim.article)
        ),
        tuple((str(verdict), sum(finding.verdict is verdict for finding in findings)) for verdict in Verdict),
    )


def _row(finding: Finding) -> ClaimRow:
    claim, computation = finding.claim, finding.computation
    in_words = claim.published is True
    return ClaimRow(
        claim.id,
        claim.claim,
        "" if in_words else _figure(claim.published),
        "" if in_words and isinstance(computation.computed, bool) else _figure(computation.computed),
        str(finding.verdict),
        computation.explanation,
    )


def _figure(figure: object) -> str:
    """A figure for people: a number with its thousands, an object without its quotes."""
    if isinstance(figure, int) and not isinstance(figure, bool):
        return f"{figure:,}"
    if isinstance(figure, dict):
        return ", ".join(f"{name} {_figure(value)}" for name, value in figure.items())
    return figure if isinstance(figure, str) else json.dumps(figure, ensure_ascii=False)


LESSON = Lesson(
    "claims",
    "What the articles claim",
    "Every figure and statement of the five articles, computed anew, with a verdict.",
    view,
)
