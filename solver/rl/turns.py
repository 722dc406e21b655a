"""PettingZoo's environment: two players who take turns."""

from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from solver.board.position import Mark, Position
from solver.board.rules import DEFAULT_BOARD, Rules
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

AGENTS: Final = {"player_1": Mark.X, "player_2": Mark.O}
"""The players by the names that PettingZoo recommends; the first moves first."""


class NoughtsAEC(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Two players, `player_1` and `player_2`.

    An observation is a dictionary, as in PettingZoo's own board games: the mask, and two planes with own stones and the
    opponent's, or X and O where marks belong to nobody. With `masked=False` it is the planes alone. The mask is in
    `infos`, too.
    """

    metadata: Info = {"name": "noughts_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo has it
    infos: dict[str, Info]
    """The mask of each agent and, with `regret`, the value of the position and the regret of its last move."""

    def __init__(
        self,
        board: Rules | str = DEFAULT_BOARD,
        regret: bool = True,
        masked: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.start, self.possible_agents = Position(board), [*AGENTS]
        self.judges, self.masked, self.render_mode = regret, masked, render_mode
        rules = self.start.rules
        actions, planes = action_count(rules), grid_space(rules, 0, (2,))
        seen = Dict({"observation": planes, "action_mask": Box(0, 1, (actions,), np.int8)}) if masked else planes
        self.observation_spaces = dict.fromkeys(AGENTS, seen)
        self.action_spaces = {agent: Discrete(actions) for agent in AGENTS}
        self.observation_space, self.action_space = self.observation_spaces.get, self.action_spaces.get

    def _set(self, position: Position, plies: int) -> None:
        self.position, self.plies = position, plies
        self.agent_selection = self.possible_agents[plies % 2]
        for agent in self.agents:
            self.infos[agent]["action_mask"] = self._mask(agent)
            if self.judges:
                self.infos[agent]["value"] = worth(position, AGENTS[agent])
        self.rewards = {agent: reward(position, AGENTS[agent]) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, position.result is not None)
        self.truncations = dict.fromkeys(self.agents, is_cut_off(position, plies))

    def _mask(self, agent: str) -> Grid:
        return mask_of(self.position) * (agent == self.agent_selection)

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:  # noqa: ARG002 - nothing is random
        """Begin a game."""
        self.agents, self._cumulative_rewards = list(self.possible_agents), dict.fromkeys(self.possible_agents, 0)
        self.infos = {agent: {"regret": None} if self.judges else {} for agent in self.agents}
        self._set(self.start, 0)

    def observe(self, agent: str) -> Any:
        """Return an agent's observation. Only the agent to move has legal actions."""
        planes = np.stack(stones_of(self.position, AGENTS[agent]), axis=-1)
        return {"observation": planes, "action_mask": self._mask(agent)} if self.masked else planes

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is. An agent whose game is over takes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent] or action is None:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        move = actions_of(self.position).get(int(action))
        if move is None:
            self.rewards[agent], self.terminations = -1, dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[1 - self.plies % 2]
        else:
            if self.judges:
                self.infos[agent]["regret"] = regret(self.position, move)
            self._set(self.position.after(move), self.plies + 1)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the rows of the board in the mode "ansi", else None."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no window is open."""
