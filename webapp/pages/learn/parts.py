"""Parts of an address that lessons read beside a game: one of several values, and small numbers."""

from collections.abc import Iterable

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.pages.learn.lesson import Query


def one_of(query: Query, part: str, offered: Iterable[str], usual: str) -> str:
    """One of the values on offer, `usual` where the part is left out. Raises BadOption."""
    value, values = query.get(part) or usual, tuple(offered)
    if value in values:
        return value
    raise BadOption(f"{part}={quoted(value)} is none of {', '.join(values)}.")


def number_of(query: Query, part: str, usual: int, least: int, most: int) -> int:
    """A whole number within limits, `usual` where the part is left out. Raises BadOption."""
    text = query.get(part) or str(usual)
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most:
        return int(text)
    raise BadOption(f"{part}={quoted(text)} is no whole number from {least} to {most}.")
