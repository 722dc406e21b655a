"""The lesson on the articles' claims: each with its verdict, computed for the page."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from solver.articles.claims import ARTICLES, CLAIMS, Article, Claim, Finding, Verdict, examined, found
from solver.articles.claims.claim import Computation
from webapp.pages.learn.charts.thumbs import Sketch, bars
from webapp.pages.learn.figures import Figure, keeper
from webapp.pages.learn.lesson import About, Figures, Lesson, Level, Query, Track
from webapp.pages.learn.parts import one_of
from webapp.pages.learn.stories import Story, story_of


def lesson_of(page: str) -> str:
    """The name of the lesson that shows what a claim is about."""
    return page.partition("#")[0].partition("?")[0]


def _by_lesson() -> Mapping[str, tuple[Claim, ...]]:
    claims = defaultdict[str, tuple[Claim, ...]](tuple)
    for claim in CLAIMS.values():
        if claim.page:
            claims[lesson_of(claim.page)] += (claim,)
    return dict(claims)


CLAIMS_OF: Final = _by_lesson()
"""The claims that each lesson shows."""


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """The findings on the claims that are asked for, and how many there are of each verdict.

    Those confirmed are by article; of the others `stories` tell.
    `about` is the name of the lesson that they are about, and `verdict` the one they have; empty for all.
    """

    articles: Mapping[Article, tuple[Finding, ...]]
    stories: tuple[Story, ...]
    counts: Mapping[Verdict, int]
    about: str
    verdict: str


def view(query: Query) -> ClaimsView:
    """Every claim, computed; or those `about` a lesson, with one `verdict`. Raises BadOption."""
    about = one_of(query, "about", CLAIMS_OF, "") if query.get("about") else ""
    verdict = one_of(query, "verdict", Verdict, "") if query.get("verdict") else ""
    findings = [Finding(claim, keeper().value(_figure(claim.id))) for claim in _claims(about)]
    shown = [finding for finding in findings if not verdict or finding.verdict == verdict]
    counts = Counter(finding.verdict for finding in findings)
    confirmed = [finding for finding in shown if finding.verdict is Verdict.CONFIRMED]
    return ClaimsView(
        {article: tuple(group) for article, group in groupby(confirmed, key=lambda finding: finding.claim.article)},
        tuple(story_of(finding) for finding in shown if finding.verdict is not Verdict.CONFIRMED),
        {each: counts[each] for each in Verdict},
        about,
        verdict,
    )


def _claims(about: str) -> Iterable[Claim]:
    return CLAIMS_OF[about] if about else CLAIMS.values()


@cache
def _figure(name: str) -> Figure[Computation]:
    return Figure(f"claim {name}", Computation, lambda: found(name).computation)


def _figures(query: Query) -> Figures:
    about = one_of(query, "about", CLAIMS_OF, "") if query.get("about") else ""
    return Figures(tuple(_figure(claim.id) for claim in _claims(about)), "claims checked")


def _picture() -> Sketch:
    """How many claims each article makes."""
    return bars(list(Counter(each.article for each in CLAIMS.values()).values()))


LESSON = Lesson.settled(
    "claims",
    "What the articles claim",
    "Every figure and statement of the five articles, computed anew, with a verdict.",
    view,
    ("about", "verdict"),
    figures=_figures,
    about=About(
        Track.PROGRAMMERS, Level.DEEP, minutes=15, picture=_picture, articles=tuple(ARTICLES.values()), code=(examined,)
    ),
)
