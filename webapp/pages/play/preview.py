"""A game as other programs show it: the preview of its link, its picture, and the code that frames it.

Making them never starts a proof.
"""

from html import escape
from typing import Final
from urllib.parse import quote

from solver import oracle
from solver.board.notation import capital, format_cell, format_state
from solver.board.outcome import Value, counted
from solver.board.position import Position, Result
from solver.board.rules import DEFAULT_BOARD
from solver.pictures.card import Card
from solver.proofs.prediction import Prediction
from webapp.pages.play import players, words
from webapp.pages.play.game import Snapshot
from webapp.pages.play.link import Link
from webapp.pages.play.view import board
from webapp.serving.http.security import EMBED, OEMBED
from webapp.ui.filters import board_title, winning_rule
from webapp.ui.previews import Preview


def preview(link: Link, prediction: Prediction | None) -> Preview:
    """Return the preview of a link's page; `prediction` is None where the page hides the outcomes."""
    link = link.having(guest=False)  # the same address for all visitors
    url = link.url()
    path, question, query = url.partition("?")
    return Preview(
        title=f"{headline(link.position)} · {board_title(link.rules)}",
        description=_described(link, prediction),
        path="/" if url == f"/play/{DEFAULT_BOARD}" else url,
        picture=f"{path}.png{question}{query}",
    )


def known(link: Link) -> Prediction | None:
    """Return the proved outcomes of the squares; None if the page of a link hides them."""
    return oracle.known(link.position) if link.shows_outcomes and link.position.result is None else None


def card(link: Link, prediction: Prediction | None) -> Card:
    """Return the picture of a link: the board of its page, without a hint, a tried square or a line."""
    bare = link.having(hint=False, tried=None, line=None)
    shown = board(Snapshot(bare, prediction), "", either=True)
    position, last = link.position, _last(link)
    outcomes = prediction.squares.values() if prediction else ()
    return Card(
        parts=shown.parts(),
        headline=headline(position),
        lines=tuple(
            filter(None, (board_title(link.rules), last and f"Last move: {last}", _review(link), _verdict(prediction)))
        ),
        description=_described(link, prediction),
        key=tuple(dict.fromkeys(str(outcome.value) for outcome in outcomes)),
        key_of=str(position.mover),
    )


def headline(position: Position) -> str:
    """Say whose turn it is or how the game ended, without the players' names."""
    match position.result:
        case None:
            return f"{capital(position.rules.player(position.mover))} to move"
        case Result.DRAW:
            return "A draw"
        case winner:
            return f"{capital(position.rules.player(winner))} wins"


def _described(link: Link, prediction: Prediction | None) -> str:
    """Describe the board, the game so far and the players. Add the outcome of perfect play if the page shows it."""
    after = f" after {counted(link.at, 'move', 'moves')}, the last {_last(link)}" if link.at else ""
    told = [words.dare(link), f"{winning_rule(link.rules)}.", f"{headline(link.position)}{after}."]
    if link.position.result is None:
        told.append(_seated(link))
    elif review := _review(link):
        told.append(f"{review}.")
    told.append(f"{verdict}." if (verdict := _verdict(prediction)) else "")
    return " ".join(filter(None, told))


def _last(link: Link) -> str:
    return format_cell(link.game.moves[link.at - 1], link.rules) if link.at else ""


def _review(link: Link) -> str:
    """Announce the review that the page of a finished game shows."""
    return "With a review of every move" if link.review and link.position.result is not None else ""


def _seated(link: Link) -> str:
    """Name the players for the visitor who opens the link."""
    own = players.own(link.x, link.o)
    if own == players.WATCH:
        return f"{players.title(link.x)} plays X, {players.title(link.o)} plays O."
    against = words.opponent(link)
    return "" if players.opponent(link.x, link.o) in players.PEOPLE else f"Play {own} against {against}."


def _verdict(prediction: Prediction | None) -> str:
    """Say the outcome of perfect play, as far as it is proved."""
    if prediction is None or not prediction.squares:
        return ""
    outcome, mover = prediction.outcome, prediction.position.mover
    if outcome.value is Value.UNKNOWN:
        told = f"{outcome.limits} for {mover}" if outcome.limits else "not proved"
    else:
        told = outcome.in_moves(mover, prediction.position.rules)
    return f"Perfect play: {told}"


WIDTH: Final = 360
HEIGHT: Final = 460
"""The usual width and height of a frame in pixels."""


def title_of(link: Link) -> str:
    """Name a game for other sites: its board, and whose turn it is or how it ended."""
    return f"{winning_rule(link.rules)}. {format_state(link.position)}"


def code(link: Link, site: str, width: int = WIDTH, height: int = HEIGHT) -> str:
    """Return the code with which another page frames a game of the `site`."""
    return (
        f'<iframe src="{escape(site + link.url(EMBED))}" width="{width}" height="{height}"'
        f' title="Noughts: {escape(title_of(link))}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    )


def described_at(link: Link, site: str) -> str:
    """Return the oEmbed address for a game on the `site`; empty without a site."""
    return f"{site}{OEMBED}?url={quote(site + link.having(guest=False).url(), safe='')}" if site else ""
