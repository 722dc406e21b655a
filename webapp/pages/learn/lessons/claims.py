"""The lesson on the articles' claims: each claim with its verdict, computed for the page."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import Article, Claim, Finding, Verdict, examine
from solver.articles.figures import finding_of
from solver.board.notation import format_cell, parse_cell, parse_position
from solver.proofs.predict import predict
from webapp.pages.learn.article import ARTICLE_PAGES, PLACES
from webapp.pages.learn.content import Facts
from webapp.pages.learn.lesson import MOVED_LESSONS, Lesson, Source, source_of
from webapp.pages.play.forms import asked_game
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini, of_outcomes


def lesson_of(page: str) -> str:
    """Return the name of the lesson on a claim's page."""
    return page.partition("#")[0].partition("?")[0]


CLAIMS_OF: Final[Mapping[str, tuple[Claim, ...]]] = {
    lesson: tuple(claim for claim in CLAIMS.values() if lesson_of(claim.page) == lesson)
    for lesson in dict.fromkeys(lesson_of(claim.page) for claim in CLAIMS.values() if claim.page)
}
"""The claims about each lesson, by the lesson's name."""


def place_of(claim: Claim) -> tuple[str, str]:
    """Return the title of the page that speaks of a claim, and its address. Both are empty if there is none."""
    if claim.id in PLACES:
        return ARTICLE_PAGES[claim.article.key].title, PLACES[claim.id]
    return (lesson_of(claim.page), f"/learn/{claim.page}") if claim.page else ("", "")


_MOVE: Final = re.compile(r"([XO]) ([a-c][1-3]) in ([XO.]{3}/[XO.]{3}/[XO.]{3})")
"""A move in a position, as explanations of claims spell it."""


@dataclass(frozen=True, slots=True)
class Story:
    """A finding with a board to illustrate it, and the code that computes it."""

    finding: Finding
    board: Mini
    code: Source


@dataclass(frozen=True, slots=True)
class ArticleView:
    """The findings shown about one article: those that were not confirmed as stories, and the confirmed ones."""

    article: Article
    stories: tuple[Story, ...]
    confirmed: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """The findings to show by article, and the number of findings with each verdict.

    `about` is the lesson asked for, and `verdict` is the verdict asked for. Each is empty if the visitor asked for all.
    """

    articles: tuple[ArticleView, ...]
    counts: Mapping[Verdict, int]
    about: str
    verdict: str


def view(query: Query) -> ClaimsView:
    """Show all claims, or those `about` one lesson, or those with one `verdict`. Raises BadOption."""
    about = _read_about(query)
    verdict = one_of(query, "verdict", Verdict, "")
    findings = [finding_of(claim.id) for claim in _claims(about)]
    counts = Counter(finding.verdict for finding in findings)
    shown = [finding for finding in findings if not verdict or finding.verdict == verdict]
    by_article = groupby(shown, key=lambda finding: finding.claim.article)
    return ClaimsView(
        tuple(_article_view(article, tuple(group)) for article, group in by_article),
        {each: counts[each] for each in Verdict},
        about,
        verdict,
    )


def _article_view(article: Article, findings: tuple[Finding, ...]) -> ArticleView:
    return ArticleView(
        article,
        tuple(_story(finding) for finding in findings if finding.verdict is not Verdict.CONFIRMED),
        tuple(finding for finding in findings if finding.verdict is Verdict.CONFIRMED),
    )


def judge_claim(name: str, **game: str) -> Facts:
    """Judge whether a claim holds, beside a position of a game."""
    finding = finding_of(name)
    true, claim = finding.verdict is Verdict.CONFIRMED, finding.claim
    answers = {"yes": "true" if true else "untrue", "no": "not-so" if true else "no"}
    return Facts.of(
        answers,
        mini(asked_game(game).last),
        author=claim.article.author,
        claim=claim.sentence,
        why=finding.computation.explanation,
    )


def _read_about(query: Query) -> str:
    """Return the lesson whose claims are asked for, if only those are. Raises BadOption."""
    asked = query.get("about", "")
    return one_of({"about": MOVED_LESSONS.get(asked, {"to": asked})["to"]}, "about", CLAIMS_OF, "")


def _claims(about: str) -> Iterable[Claim]:
    return CLAIMS_OF[about] if about else CLAIMS.values()


def _story(finding: Finding) -> Story:
    return Story(finding, _board(finding), source_of(finding.claim.check))


def _board(finding: Finding) -> Mini:
    """Draw the move that the explanation names, or else the outcome of every square of the claim's game or page."""
    if move := _MOVE.search(finding.computation.explanation):
        position = parse_position(move[3])
        cell = parse_cell(move[2], position.rules)
        said = f"{move[1]} on {format_cell(cell, position.rules)}"
        return mini(position, said, texts={cell: "?"}, classes={cell: "loss"})
    position = asked_game(finding.claim.game or dict(parse_qsl(urlsplit(finding.claim.page).query))).last
    if position.result is not None:
        return mini(position)
    return of_outcomes(position, predict(position).squares, f"{position.mover} to move")


LESSON = Lesson.of(
    "claims",
    code=(examine,),
    parts=("about", "verdict"),
    view=view,
    facts={"claim": judge_claim},
)
