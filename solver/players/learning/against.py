"""A game against a learner as it stands: it plays X and draws by a seed, and learns nothing from it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.game import Game
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import IllegalMove
from solver.players.learning.boxes import Box, has_box, opened
from solver.players.learning.learners import Learner, Memory
from solver.players.learning.training import decision, drawn, whole


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game as far as it has come, and whether the learner has resigned in it.

    `box` is the one that its last move was drawn from, None where it had no choice or has resigned.
    """

    game: Game
    box: Box | None
    resigned: bool

    @property
    def over(self) -> bool:
        """Whether nobody moves any more."""
        return self.resigned or self.game.last.result is not None


def challenge(learner: Learner, memory: Memory, replies: Sequence[Cell], seed: str) -> Challenge:
    """The game in which these are O's moves; X moves first. The same seed and replies make the same game.

    Raises IllegalMove for a reply that cannot be played, and for one after the end.
    """
    rng, waiting = random.Random(seed.encode(errors="surrogateescape")), list(replies)
    game, box = Game.starting(Position(TIC_TAC_TOE)), None
    while True:
        position = game.last
        if position.result is None and position.mover is Mark.X:
            made = decision(learner, memory, position)
            if made is None:
                if waiting:
                    raise IllegalMove(f"The game is over: {learner.title} has resigned.")
                return Challenge(game, None, resigned=True)
            box = opened(position)[0] if has_box(position) else None
            game = game.play(tuple(made.choices)[drawn(whole(made), rng)])
        elif waiting:
            game = game.play(waiting.pop(0))
        else:
            return Challenge(game, box, resigned=False)
