"""The lesson on forks: what a fork is, and every forked position of tic-tac-toe by ply."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from solver.articles.graph import FORK, Fork, forks, forks_by_ply, forks_in_words, wins_by_threats
from solver.board.notation import format_cell
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini, spoken
from webapp.ui.choices import Option, options

PLAY: Final = {"all": "any play", "forced": "play where both win and block when they can"}
"""The two sets of positions to choose from, with their titles."""


@dataclass(frozen=True, slots=True)
class ForksView:
    """The forked positions by ply.

    `two` have two threats. `more` have three, which the article's definition leaves out.
    """

    plays: tuple[Option, ...]
    said: str
    two: Mapping[int, tuple[Mini, ...]]
    more: Mapping[int, tuple[Mini, ...]]


def view(query: Query) -> ForksView:
    """Show the forks of all play, or of forced play. Raises BadOption."""
    play = one_of(query, "play", PLAY, "all")
    found = forks(TIC_TAC_TOE, forced=play == "forced")
    two = tuple(fork for fork in found if len(fork.threats) == FORK)
    more = tuple(fork for fork in found if len(fork.threats) > FORK)
    return ForksView(options(PLAY, play), forks_in_words(found), _boards(two), _boards(more))


def _boards(found: tuple[Fork, ...]) -> Mapping[int, tuple[Mini, ...]]:
    return {ply: tuple(map(_board, group)) for ply, group in forks_by_ply(found).items()}


def _board(fork: Fork) -> Mini:
    """Draw the position of a fork with its threats marked."""
    *first, last = (format_cell(cell, TIC_TAC_TOE) for cell in fork.threats)
    said = f"{spoken(fork.position)}: {fork.owner} threatens {', '.join(first)} and {last}"
    marks = dict.fromkeys(fork.threats, "!")
    return replace(mini(fork.position, texts=marks, classes=dict.fromkeys(fork.threats, "threat")), label=said)


LESSON = Lesson(
    name="forks",
    title="Forks",
    summary="Two threats with one move: see every fork there is.",
    level=Level.FIRST,
    minutes=5,
    after=("clojure",),
    code=(wins_by_threats, forks),
    picture=lambda: _board(forks(TIC_TAC_TOE, forced=True)[0]),
    parts=("play",),
    view=settled(view),
)
