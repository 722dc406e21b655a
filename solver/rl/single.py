"""Gymnasium's environment: one player against an opponent of the registry."""

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from solver.board.position import Mark, Position
from solver.board.rules import DEFAULT_BOARD, Rules
from solver.players import as_strategy
from solver.players.decision import Strategy
from solver.rl.seen import (
    Grid,
    Info,
    action_count,
    actions_of,
    grid_space,
    is_cut_off,
    mask_of,
    regret,
    reward,
    stones_of,
    worth,
)


class NoughtsEnv(gymnasium.Env[Grid, np.int64]):
    """One player against an opponent.

    An observation has 1 for own stones and -1 for the opponent's, or 1 for X and -1 for O where marks belong to nobody.
    `info` has the mask. With `regret=False` it has nothing that needs a proof.
    """

    metadata: Info = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        board: Rules | str = DEFAULT_BOARD,
        opponent: Strategy | str = "hard",
        side: str = "X",
        regret: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.start = self.position = Position(board)
        rules, self.mark = self.start.rules, Mark(side)
        self.opponent, self.judges, self.render_mode = as_strategy(opponent, rules), regret, render_mode
        self.observation_space, self.action_space = grid_space(rules), Discrete(action_count(rules))

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Grid, Info]:
        """Begin a game. If the opponent plays X, it has moved."""
        super().reset(seed=seed, options=options)
        self.plies = 0
        self.position = self._reply(self.start)
        return self._observation(), self._info(None)

    def step(self, action: np.int64) -> tuple[Grid, float, bool, bool, Info]:
        """Play an action, then let the opponent reply."""
        move = actions_of(self.position).get(int(action))
        if move is None:
            return self._observation(), -1, True, False, self._info(None)
        given_away = regret(self.position, move) if self.judges else None
        self.position = self._reply(self.position.after(move))
        self.plies += 2
        over, cut_off = self.position.result is not None, is_cut_off(self.position, self.plies)
        return self._observation(), reward(self.position, self.mark), over, cut_off, self._info(given_away)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return True for each legal action, as MaskablePPO of sb3-contrib asks for it."""
        return mask_of(self.position).astype(bool)

    def render(self) -> str | None:
        """Return the rows of the board in the mode "ansi", else None."""
        return str(self.position) if self.render_mode == "ansi" else None

    def _reply(self, position: Position) -> Position:
        if position.mover is self.mark or position.result is not None:
            return position
        decision = self.opponent.decide(position)
        chances = [float(chance) for chance in decision.choices.values()]
        return position.after(int(self.np_random.choice([*decision.choices], p=chances)))

    def _observation(self) -> Grid:
        own, other = stones_of(self.position, self.mark)
        return own - other

    def _info(self, given_away: int | None) -> Info:
        info: Info = {"action_mask": mask_of(self.position)}
        return info | {"value": worth(self.position, self.mark), "regret": given_away} if self.judges else info
