"""PettingZoo: the rules of its board games, by random games."""

from collections.abc import Callable

import numpy as np
import pettingzoo

from tests.peers.playouts import compared

GAMES = 2_000


def as_it_is(action: int) -> int:
    return action


def by_columns(action: int) -> int:
    """Turn a cell in reading order into one that is counted column by column, or back."""
    return action % 3 * 3 + action // 3


class ZooGame:
    """A game of PettingZoo; `number` turns its actions into those of `solver.rl`, and back."""

    def __init__(self, name: str, number: Callable[[int], int]) -> None:
        self._env, self._number = pettingzoo.make("aec", f"classic/{name}"), number

    def begun(self) -> "ZooGame":
        """Begin a game and return this."""
        self._env.reset()
        return self

    def actions(self) -> set[int]:
        mask = self._env.observe(self._env.agent_selection)["action_mask"]
        return {self._number(int(action)) for action in np.flatnonzero(mask)}

    def play(self, action: int) -> None:
        self._env.step(self._number(action))

    def result(self) -> float | None:
        first = self._env.possible_agents[0]
        return float(self._env.rewards[first]) if self._env.terminations[first] else None


def tictactoe(games: int = GAMES) -> str:
    return compared("3x3x3", ZooGame("tictactoe_v3", by_columns).begun, games)


def connect_four(games: int = GAMES) -> str:
    return compared("7x6x4-gravity", ZooGame("connect_four_v3", as_it_is).begun, games)


CHECKS = {"tictactoe_v3: moves, results": tictactoe, "connect_four_v3: moves, results": connect_four}
