"""Environments for reinforcement learning with the exact oracle: Gymnasium's has one player, PettingZoo's both.

>>> import gymnasium
>>> env = gymnasium.make("solver.rl:Noughts-v0", board="3x3x3", opponent="impossible")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(4)
>>> info["value"], info["regret"]
(0, 0)

Actions are cells: 0 is the upper left corner, and the numbers go on in reading order. A win is worth 1, a draw 0, and a
loss -1. An illegal move loses at once; `action_mask` has a 1 for each legal one. `info` has the exact `value` of the
position for the player, and the `regret` of the player's last move: how much of the value it gave away, 0 to 2; None if
that is not proved. The extra `noughts[rl]` installs what this module needs. Bad text raises a NoughtsError.
"""

from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules, check_lines_win
from solver.players import as_strategy
from solver.players.decision import Strategy
from solver.proofs.predict import predict

Grid: TypeAlias = NDArray[np.int8]
Info: TypeAlias = dict[str, Any]
WORTH: Final = {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1}


def worth(position: Position, mark: Mark) -> int | None:
    """Return the value of a position for a player: 1, 0 or -1, or None if it is not proved."""
    value = WORTH.get(predict(position).outcome.value)
    return value if value is None or position.mover is mark else -value


def regret(position: Position, cell: Cell) -> int | None:
    """Return how much of the position's value a legal move gives away, 0 to 2, or None if that is not proved."""
    before, after = worth(position, position.mover), worth(position.after(cell), position.mover)
    return None if before is None or after is None else before - after


def _stones(position: Position, mark: Mark) -> Grid:
    rules, bits = position.rules, position.stones(mark)
    return np.array([bits >> cell & 1 for cell in range(rules.size)], np.int8).reshape(rules.rows, rules.columns)


def _legal(position: Position) -> Grid:
    return np.array([cell in position.legal_moves for cell in range(position.rules.size)], np.int8)


class NoughtsEnv(gymnasium.Env[Grid, np.int64]):
    """One player against an opponent. Observations have 1 for own stones, -1 for the opponent's; `info` the mask."""

    def __init__(self, board: Rules | str = "3x3x3", opponent: Strategy | str = "hard", side: str = "X") -> None:
        self.start = self.position = Position(board)
        rules, self.mark = self.start.rules, Mark(side)
        check_lines_win(rules, "This environment")
        self.opponent = as_strategy(opponent, rules)
        self.observation_space = Box(-1, 1, (rules.rows, rules.columns), np.int8)
        self.action_space = Discrete(rules.size)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Grid, Info]:
        """Begin a game. If the opponent plays X, it has moved."""
        super().reset(seed=seed, options=options)
        self.position = self._reply(self.start)
        return self._observation(), self._info(None)

    def step(self, action: np.int64) -> tuple[Grid, float, bool, bool, Info]:
        """Play a cell, then let the opponent reply."""
        cell = int(action)
        if cell not in self.position.legal_moves:
            return self._observation(), -1, True, False, self._info(None)
        given_away = regret(self.position, cell)
        self.position = self._reply(self.position.after(cell))
        info, over = self._info(given_away), self.position.result is not None
        return self._observation(), info["value"] if over else 0, over, False, info

    def _reply(self, position: Position) -> Position:
        if position.mover is self.mark or position.result is not None:
            return position
        decision = self.opponent.decide(position)
        chances = [float(chance) for chance in decision.choices.values()]
        return position.after(int(self.np_random.choice([*decision.choices], p=chances)))

    def _observation(self) -> Grid:
        return _stones(self.position, self.mark) - _stones(self.position, self.mark.other)

    def _info(self, given_away: int | None) -> Info:
        value = worth(self.position, self.mark)
        return {"action_mask": _legal(self.position), "value": value, "regret": given_away}


class NoughtsAEC(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Two players, X and O. An observation has the mask, and two planes: own stones, and the opponent's."""

    metadata: Info = {"name": "noughts_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo has it

    def __init__(self, board: Rules | str = "3x3x3") -> None:
        super().__init__()
        self.start, self.possible_agents, self.render_mode = Position(board), [str(mark) for mark in Mark], None
        rules = self.start.rules
        check_lines_win(rules, "This environment")
        planes, mask = Box(0, 1, (rules.rows, rules.columns, 2), np.int8), Box(0, 1, (rules.size,), np.int8)
        seen = Dict({"observation": planes, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, Discrete(rules.size))
        self.observation_space, self.action_space = self.observation_spaces.get, self.action_spaces.get

    def _set(self, position: Position) -> None:
        self.position, self.agent_selection = position, str(position.mover)
        for agent in self.agents:
            self.infos[agent]["value"] = worth(position, Mark(agent))
        over = position.result is not None
        self.rewards = {agent: self.infos[agent]["value"] if over else 0 for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, over)

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:  # noqa: ARG002 - nothing is random
        """Begin a game."""
        self.agents, self._cumulative_rewards = list(self.possible_agents), dict.fromkeys(self.possible_agents, 0)
        self.infos: dict[str, Info] = {agent: {"regret": None} for agent in self.agents}
        self.truncations = dict.fromkeys(self.agents, False)
        self._set(self.start)

    def observe(self, agent: str) -> dict[str, Grid]:
        """Return an agent's observation. Only the agent to move has legal moves."""
        mark, mask = Mark(agent), _legal(self.position)
        planes = np.stack([_stones(self.position, mark), _stones(self.position, mark.other)], axis=-1)
        return {"observation": planes, "action_mask": mask * (mark is self.position.mover)}

    def step(self, action: int | None) -> None:
        """Play a cell for the agent whose turn it is. An agent whose game is over takes None."""
        agent = self.agent_selection
        if self.terminations[agent] or action is None:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        if action in self.position.legal_moves:
            self.infos[agent]["regret"] = regret(self.position, int(action))
            self._set(self.position.after(int(action)))
        else:
            self.rewards[agent], self.terminations = -1, dict.fromkeys(self.agents, True)
        self.agent_selection = str(Mark(agent).other)
        self._accumulate_rewards()


gymnasium.register("Noughts-v0", "solver.rl:NoughtsEnv")
