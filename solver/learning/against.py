"""A game against a learner as it stands: it plays X and draws by a seed, and learns nothing from it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.game import Game
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.learning.learner import Learner, Memory
from solver.learning.training import decision, drawn, whole


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game as far as it has come: the reason of the learner's last move, and whether it has resigned instead."""

    game: Game
    reason: str
    resigned: bool

    @property
    def over(self) -> bool:
        """Whether nobody moves any more."""
        return self.resigned or self.game.last.result is not None


def challenge(learner: Learner, memory: Memory, replies: Sequence[Cell], seed: str) -> Challenge:
    """The game in which these are O's moves; X moves first. The same seed and replies make the same game.

    Raises IllegalMove for a reply that cannot be played, and for one after the end.
    """
    rng = random.Random(seed.encode(errors="surrogateescape"))
    game, waiting, reason = Game.starting(Position(TIC_TAC_TOE)), list(replies), ""
    while True:
        position = game.last
        if position.result is None and position.mover is Mark.X:
            made = decision(learner, memory, position)
            if made is None and not waiting:
                return Challenge(game, "", resigned=True)
            if made is not None:
                game, reason = game.play(tuple(made.choices)[drawn(whole(made), rng)]), made.reason
                continue
        if not waiting:
            return Challenge(game, reason, resigned=False)
        game = game.play(waiting.pop(0))
