"""Live games for tests of the store, on SQLite and on PostgreSQL."""

from collections.abc import Iterable
from contextlib import suppress

from solver.board.game import Game
from solver.board.position import Mark, Position
from tests.in_thread import at_once
from tests.strategies import TIC_TAC_TOE
from webapp.pages.live.game import LiveGame, NoGame, NotNow, play_move, read_at, take_seat
from webapp.pages.live.store import LiveStore
from webapp.pages.live.visitors import networks_of

HERE = networks_of("192.0.2.1")


def new_game(name: str, *secrets: str, moved: float = 1000.0) -> LiveGame:
    """Return a new 3×3 game; the secrets take its seats in order."""
    live = LiveGame(name, Game.starting(Position(TIC_TAC_TOE)), Mark.X, moved)
    for secret in secrets:
        live = take_seat(live, secret, moved)
    return live


def has(store: LiveStore, name: str) -> bool:
    """Return whether a store has a game of this name."""
    try:
        store.find(name)
    except NoGame:
        return False
    return True


def moved_at_once(store: LiveStore, name: str, secret: str, cells: Iterable[int]) -> list[LiveGame]:
    """Have a player make several first moves at the same moment; return the game after each move that was accepted."""

    def move(cell: int) -> LiveGame | None:
        with suppress(NotNow):
            return store.change(name, lambda live: play_move(live, secret, read_at("0.0"), cell, 1000.0), HERE)
        return None

    return [live for live in at_once(move, cells) if live]
