"""The lesson on the articles' claims: each claim with its verdict, computed for the page."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from solver.articles.claims import ARTICLES, CLAIMS, Article, Claim, Finding, Verdict, examined, found
from solver.articles.claims.claim import Computation
from solver.articles.claims.scala import PUBLISHED
from solver.board.notation import format_cell, parse_cell, parse_position
from solver.board.position import Position
from solver.proofs.predict import predict
from webapp.pages.learn.figures import Figure, keeper
from webapp.pages.learn.lesson import Figures, Lesson, Level, Source, settled, source_of
from webapp.pages.learn.thumbs import Sketch, bars
from webapp.pages.play.forms import GAME, asked_game
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini, of_outcomes


def lesson_of(page: str) -> str:
    """Return the name of the lesson on a claim's page."""
    return page.partition("#")[0].partition("?")[0]


def _by_lesson() -> Mapping[str, tuple[Claim, ...]]:
    claims = defaultdict[str, tuple[Claim, ...]](tuple)
    for claim in CLAIMS.values():
        if claim.page:
            claims[lesson_of(claim.page)] += (claim,)
    return dict(claims)


CLAIMS_OF: Final = _by_lesson()
"""The claims about each lesson, by the lesson's name."""


_MOVE: Final = re.compile(r"([XO]) ([a-c][1-3]) in ([XO.]{3}/[XO.]{3}/[XO.]{3})")
"""A move in a position, as explanations of claims spell it."""

GAMES: Final = MappingProxyType(
    {
        "clojure.duplication-factor": {"moves": "a3a2b3b2b1c1c3"},
        "clojure.forced-prose": {"from": "X.O/.O./X.X"},
        "clojure.openings-must-draw": {"moves": "a3"},
        "scala.optimal-moves": {"moves": PUBLISHED[:10]},
        "scala.row-and-column": {"from": "XXX/OO./..."},
        "pyfl.plays-the-list": {"moves": "a3b2c1"},
        "pyfl.side-rule": {"moves": "a3b2c1"},
        "pyfl.win-first": {"from": "OO./XX./X.."},
        "pyfl.half-dozen": {"moves": "b2"},
        "pyfl.last-rule": {"moves": "b2"},
        "pyfl.at-random": {"moves": "b2"},
        "haskell.list-functions": {"moves": "b2"},
        "haskell.values-after-corner": {"moves": "a3a1"},
        "haskell.next-position": {"from": "..X/OX./O.."},
        "haskell.static-value-to-blame": {"moves": "b2a2c3a1"},
    }
)
"""The position to show for a claim, where neither its explanation nor its page names one."""


@dataclass(frozen=True, slots=True)
class Story:
    """A finding with a board to illustrate it, and the code that computes it."""

    finding: Finding
    board: Mini
    code: Source


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """The findings asked for, the confirmed ones by article and the others as `stories`; the number of each verdict.

    `about` is the name of the lesson asked for and `verdict` the verdict asked for; each is empty for all.
    """

    articles: Mapping[Article, tuple[Finding, ...]]
    stories: tuple[Story, ...]
    counts: Mapping[Verdict, int]
    about: str
    verdict: str


def view(query: Query) -> ClaimsView:
    """Show all claims, or those `about` one lesson, or those with one `verdict`. Raises BadOption."""
    about = one_of(query, "about", CLAIMS_OF, "")
    verdict = one_of(query, "verdict", Verdict, "")
    findings = [Finding(claim, keeper().value(Figure(computation, (claim.id,)))) for claim in _claims(about)]
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


def computation(name: str) -> Computation:
    """Compute the claim with this id."""
    return found(name).computation


def _figures(query: Query) -> Figures:
    about = one_of(query, "about", CLAIMS_OF, "")
    return Figures(tuple(Figure(computation, (claim.id,)) for claim in _claims(about)), "claims checked")


def story_of(finding: Finding) -> Story:
    """Return the story of a finding.

    Its board shows the move that the explanation names, or else the outcome of every square.
    """
    return Story(finding, _board(finding), source_of(finding.claim.compute))


def _board(finding: Finding) -> Mini:
    if move := _MOVE.search(finding.computation.explanation):
        position = parse_position(move[3])
        cell = parse_cell(move[2], position.rules)
        said = f"{move[1]} on {format_cell(cell, position.rules)}"
        return mini(position, said, texts={cell: "?"}, classes={cell: "loss"})
    position = _position(finding)
    if position.result is not None:
        return mini(position)
    return of_outcomes(position, predict(position).squares, f"{position.mover} to move")


def _position(finding: Finding) -> Position:
    claim = finding.claim
    asked = GAMES.get(claim.id) or {
        name: value for name, value in parse_qsl(urlsplit(claim.page).query) if name in GAME
    }
    return asked_game(asked).last


def _picture() -> Sketch:
    """Draw the number of claims of each article."""
    return bars(list(Counter(each.article for each in CLAIMS.values()).values()))


LESSON = Lesson(
    name="claims",
    title="What the articles claim",
    summary="Every figure and statement of the five articles, computed anew, with a verdict.",
    level=Level.DEEP,
    minutes=15,
    after=tuple(ARTICLES),
    code=(examined,),
    picture=_picture,
    parts=("about", "verdict"),
    view=settled(view),
    figures=_figures,
)
