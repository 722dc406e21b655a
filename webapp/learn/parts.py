"""Parts of an address that several lessons read: a game, and small numbers."""

from solver.errors import BadOption
from solver.game import Game, parse_game
from solver.notation import quoted
from webapp.learn.lesson import Query
from webapp.link import DEFAULT_BOARD, MAX_LENGTH

GAME = ("board", "from", "moves")


def game_of(query: Query) -> Game:
    """The game that `board`, `from` and `moves` name, from the empty usual board if they are left out.

    Raises NoughtsError.
    """
    if sum(len(query.get(part, "")) for part in GAME) > MAX_LENGTH:
        raise BadOption(f"That is too long: no game needs more than {MAX_LENGTH} characters.")
    return parse_game(query.get("board") or DEFAULT_BOARD, query.get("from") or None, query.get("moves", ""))


def number_of(query: Query, part: str, usual: int, least: int, most: int) -> int:
    """A whole number within limits, `usual` where the part is left out. Raises BadOption."""
    text = query.get(part) or str(usual)
    if text.isascii() and text.isdigit() and len(text) < 4 and least <= int(text) <= most:
        return int(text)
    raise BadOption(f"{part}={quoted(text)} is no whole number from {least} to {most}.")
