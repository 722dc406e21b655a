"""The lesson on the articles' claims: each with its verdict, computed for the page."""

import json
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from solver.board.notation import quoted
from solver.errors import BadOption
from solver.theory.claims import ARTICLES, CLAIMS, Finding, Verdict, examined
from webapp.learn.lesson import Lesson, Query
from webapp.learn.places import CLAIMS_OF, PLACES, lesson_of

PAGE: Final = "/learn/claims"


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim as the page shows it; figures as text, empty where the statement says all."""

    id: str
    claim: str
    published: str
    computed: str
    verdict: str
    explanation: str
    place: str
    lesson: str


@dataclass(frozen=True, slots=True)
class ArticleClaims:
    """The claims of one article."""

    key: str
    article: str
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
    findings = [_finding(name) for name in CLAIMS if not about or name in CLAIMS_OF[about]]
    shown = [finding for finding in findings if not verdict or finding.verdict == verdict]
    whole = PAGE + (f"?about={about}" if about else "")
    return ClaimsView(
        tuple(
            ArticleClaims(key, ARTICLES[key], tuple(map(_row, found)))
            for key, found in groupby(shown, key=lambda finding: finding.claim.id.partition(".")[0])
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
    claim, computation = finding.claim, finding.computation
    in_words = claim.published is True
    return ClaimRow(
        claim.id,
        claim.claim,
        "" if in_words else _figure(claim.published),
        "" if in_words and isinstance(computation.computed, bool) else _figure(computation.computed),
        str(finding.verdict),
        computation.explanation,
        (place := PLACES.get(claim.id, "")),
        lesson_of(place),
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
