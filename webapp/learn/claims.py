"""The lesson on the articles' claims: each with its verdict, computed for the page."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from solver.board.notation import quoted
from solver.errors import BadOption
from solver.theory.claims import CLAIMS, Article, Claim, Finding, Verdict, examined
from webapp.learn.lesson import Lesson, Query

PAGE: Final = "/learn/claims"


def lesson_of(page: str) -> str:
    """The name of the lesson that shows what a claim is about."""
    return page.partition("#")[0].partition("?")[0]


def _by_lesson(claims: Iterable[Claim]) -> Mapping[str, tuple[Claim, ...]]:
    found = defaultdict[str, tuple[Claim, ...]](tuple)
    for claim in claims:
        if claim.page:
            found[lesson_of(claim.page)] += (claim,)
    return dict(found)


CLAIMS_OF: Final = _by_lesson(CLAIMS.values())
"""The claims that each lesson shows."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A finding as the page shows it; figures as text, empty where the statement says all."""

    finding: Finding
    published: str
    computed: str
    lesson: str


@dataclass(frozen=True, slots=True)
class ArticleClaims:
    """The claims of one article."""

    article: Article
    rows: tuple[ClaimRow, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """How many of the claims have a verdict, with the address of the page that shows those alone."""

    verdict: str
    number: int
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """The claims that are asked for, by article, and how many there are of each verdict.

    `about` is the name of the lesson that they are about, empty for all; `whole` is the page of every verdict.
    """

    articles: tuple[ArticleClaims, ...]
    counts: tuple[Count, ...]
    about: str
    whole: str
    chosen: bool


def view(query: Query) -> ClaimsView:
    """Every claim, computed; or those `about` a lesson, with one `verdict`. Raises BadOption."""
    about, verdict = query.get("about", ""), query.get("verdict", "")
    if about and about not in CLAIMS_OF:
        raise BadOption(f"about={quoted(about)} is none of {', '.join(CLAIMS_OF)}.")
    if verdict and verdict not in tuple(Verdict):
        raise BadOption(f"verdict={quoted(verdict)} is none of {', '.join(Verdict)}.")
    findings = [_finding(claim.id) for claim in (CLAIMS_OF[about] if about else CLAIMS.values())]
    shown = [finding for finding in findings if not verdict or finding.verdict == verdict]
    whole = PAGE + (f"?about={about}" if about else "")
    return ClaimsView(
        tuple(
            ArticleClaims(article, tuple(map(_row, found)))
            for article, found in groupby(shown, key=lambda finding: finding.claim.article)
        ),
        tuple(
            Count(
                str(each),
                sum(finding.verdict is each for finding in findings),
                f"{whole}{'&' if about else '?'}verdict={each}",
                each == verdict,
            )
            for each in Verdict
        ),
        about,
        whole,
        bool(verdict),
    )


@cache
def _finding(name: str) -> Finding:
    return examined(CLAIMS[name])


def _row(finding: Finding) -> ClaimRow:
    published, computed = finding.claim.published, finding.computation.computed
    in_words = published is True
    return ClaimRow(
        finding,
        "" if in_words else _figure(published),
        "" if in_words and isinstance(computed, bool) else _figure(computed),
        lesson_of(finding.claim.page),
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
    ("about", "verdict"),
)
