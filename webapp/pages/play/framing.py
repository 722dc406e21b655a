"""A game in the frames of other sites: its title, the code that frames it, and the address of its description."""

from html import escape
from typing import Final
from urllib.parse import quote

from solver.board.notation import format_state
from webapp.pages.play import words
from webapp.pages.play.link import Link
from webapp.serving.http.security import EMBED, OEMBED

WIDTH: Final = 360
HEIGHT: Final = 460
"""Pixels of a frame that nobody has said the size of."""


def title_of(link: Link) -> str:
    """What a game is called elsewhere: its board, and whose turn it is or how it ended."""
    return f"{words.rule(link.rules)}. {format_state(link.position)}"


def code(link: Link, site: str, width: int = WIDTH, height: int = HEIGHT) -> str:
    """What another page writes to frame a game of the `site`."""
    return (
        f'<iframe src="{escape(site + link.url(EMBED))}" width="{width}" height="{height}"'
        f' title="Noughts: {escape(title_of(link))}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    )


def described_at(link: Link, site: str) -> str:
    """The address that describes a game of the `site`; empty where that may not be named."""
    return f"{site}{OEMBED}?url={quote(site + link.url(), safe='')}" if site else ""
