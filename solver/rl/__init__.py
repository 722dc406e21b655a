"""Environments for reinforcement learning with the exact oracle: one player, two who take turns, or many games at once.

>>> import gymnasium
>>> env = gymnasium.make("solver.rl:Noughts-v0", board="3x3x3", opponent="impossible")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(4)
>>> info["value"], info["regret"]
(0, 0)

All rules of all boards can be learned. An action is a cell: 0 is the upper left corner, and the numbers go on in
reading order. Where stones fall it is a column, from the left. Where the mover chooses the mark, the actions of X come
first, then those of O. A win is worth 1, a draw 0, and a loss -1. An illegal action loses at once; masks have a 1 for
each legal one. A game that goes on for 98 plies is cut off.

`info` has the exact `value` of the position for the player, and the `regret` of the player's last move: how much of the
value it gave away, 0 to 2; None if that is not proved. With `regret=False` nothing is proved, which is much faster. The
extra `noughts[rl]` installs what this module needs. Bad text raises a NoughtsError.
"""

import gymnasium

from solver.board.rules import DEFAULT_BOARD, Rules
from solver.rl.seen import regret, worth
from solver.rl.single import NoughtsEnv
from solver.rl.turns import NoughtsAEC
from solver.rl.vectors import NoughtsVectorEnv, random_actions

__all__ = ["NoughtsAEC", "NoughtsEnv", "NoughtsVectorEnv", "random_actions", "regret", "vector", "worth"]


def vector(rules: Rules | str = DEFAULT_BOARD, count: int = 1, opponent: str | None = "random") -> NoughtsVectorEnv:
    """Return an environment with `count` games that are stepped together, against random moves or against oneself.

    >>> env = vector("7x6x4-gravity", 1000)
    >>> observations, _ = env.reset(seed=1)
    >>> observations.shape, env.action_masks().shape
    ((1000, 6, 7), (1000, 7))
    """
    return NoughtsVectorEnv(count, rules, opponent)


gymnasium.register("Noughts-v0", "solver.rl.single:NoughtsEnv", vector_entry_point="solver.rl.vectors:NoughtsVectorEnv")
