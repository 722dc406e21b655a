"""Random games played here and by another program at once: they must agree at every ply."""

import random
from collections.abc import Callable
from typing import Protocol

from solver.board.position import Mark, Position
from solver.rl.seen import actions_of, reward


class Theirs(Protocol):
    """A game of another program. Its actions are numbered as in `solver.rl`."""

    def actions(self) -> set[int]:
        """Return the legal actions of a game that is not over."""

    def play(self, action: int) -> None:
        """Play a legal action for the player to move."""

    def result(self) -> float | None:
        """Return what the game is worth to the first player, 1, 0 or -1, or None while it is not over."""


def compared(board: str, begin: Callable[[], Theirs], games: int) -> str:
    """Play random games and say how many plies were compared. Raises AssertionError at the first difference."""
    dice, plies = random.Random(1), 0
    for _ in range(games):
        position, theirs = Position(board), begin()
        while position.result is None:
            assert theirs.result() is None, f"{position!r} is over there"
            moves = actions_of(position)
            assert theirs.actions() == set(moves), f"{position!r} has other moves there"
            action = dice.choice([*moves])
            theirs.play(action)
            position = position.after(moves[action])
            plies += 1
        assert theirs.result() == reward(position, Mark.X), f"{position!r} has another result there"
    return f"{games:,} random games, {plies:,} plies"
