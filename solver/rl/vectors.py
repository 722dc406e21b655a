"""Many games at once: a board is two words with a bit for each cell, and NumPy moves them all together."""

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from solver.board.names import as_rules
from solver.board.rules import DEFAULT_BOARD, LONGEST, Rules, bits_of
from solver.errors import BadOption
from solver.rl.seen import Bitboards, Grid, Info, action_count, as_cells, grid_space, is_owned, places

Flags = NDArray[np.bool_]
Actions = NDArray[np.int64]


def random_actions(masks: Flags, rng: np.random.Generator) -> Actions:
    """Return a legal action for each game, all equally probable; 0 where none is legal."""
    skipped = (rng.random(len(masks)) * masks.sum(1)).astype(np.int64)
    actions: Actions = np.argmax(masks.cumsum(1) > skipped[:, None], axis=1)
    return actions


class Boards:
    """Games of the same rules, which are played together by player 0 and player 1.

    `stones` has those of player 0 and of player 1, or of X and of O where marks belong to nobody. Where stones vanish,
    `ages` has each player's stones, one a row, the latest first.
    """

    def __init__(self, rules: Rules, count: int) -> None:
        self.rules, self.every, self.places = rules, np.arange(count), places(rules)
        self.stones = np.zeros((2, count), np.uint64)
        self.ages = np.zeros((2, rules.k if rules.vanishes else 0, count), np.uint64)
        self.full, self.lines = np.uint64(rules.full), np.array(rules.lines, np.uint64)[:, None]
        reach = [bits_of(range(place, rules.size, self.places)) for place in range(self.places)]
        self.reach = np.array(reach * (1 + rules.is_wild), np.uint64)

    def clear(self, games: Flags) -> None:
        """Take all stones off the boards of these games."""
        self.stones[:, games] = 0
        self.ages[..., games] = 0

    def playable(self, player: int) -> Bitboards:
        """Return the cells to which a player's stone can go."""
        empty: Bitboards = self.full & ~(self.stones[0] | self.stones[1])
        if self.rules.falls:
            empty &= ~(empty >> np.uint64(self.rules.columns))
        if self.rules.vanishes and self.rules.takes_freed:
            empty |= self.ages[player, -1]
        return empty

    def legal(self, player: int) -> Flags:
        """Return the player's mask in each game; all False if there is nowhere to play."""
        legal: Flags = (self.playable(player)[:, None] & self.reach) != 0
        return legal

    def play(self, player: int, actions: Actions, games: Flags) -> Flags:
        """Play a legal action in each of these games. Return where it completes a line."""
        bits = np.where(games, self.playable(player) & self.reach[actions], 0)
        if self.rules.vanishes:
            ages = self.ages[player]
            self.stones[player] &= ~np.where(games, ages[-1], 0)
            self.ages[player] = np.where(games, np.concatenate([bits[None], ages[:-1]]), ages)
        owner = player if is_owned(self.rules) else actions // self.places
        self.stones[owner, self.every] |= bits
        completed: Flags = ((self.stones[owner, self.every] & self.lines) == self.lines).any(0)
        return completed & games

    def grids(self, player: int) -> Grid:
        """Return the observation of each game by a player: own stones positive, the opponent's negative."""
        first = player if is_owned(self.rules) else 0
        own, other = self._stones(first), self._stones(1 - first)
        return (own - other).reshape(len(own), -1, self.rules.columns)

    def _stones(self, player: int) -> Grid:
        if not self.rules.vanishes:
            return as_cells(self.stones[player], self.rules)
        moves_left = np.arange(self.rules.k, 0, -1, dtype=np.int8)
        stones: Grid = (as_cells(self.ages[player], self.rules) * moves_left[:, None, None]).sum(0, np.int8)
        return stones


class NoughtsVectorEnv(VectorEnv[Grid, Actions, NDArray[Any]]):
    """Games of the same rules, in which one player plays X against random moves, or both if `opponent` is None.

    A step is one action in each game, and the opponent's reply. Without opponent the players take turns: an observation
    is the mover's, a reward that of the player who has just moved. Nothing is proved. A finished game begins again at
    once: `infos` then has its last observation in `final_obs`.
    """

    metadata: Info = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(self, num_envs: int = 1, board: Rules | str = DEFAULT_BOARD, opponent: str | None = "random") -> None:
        if opponent not in {"random", None}:
            raise BadOption(f"Many games at once are played against random moves or nobody, not {opponent!r}.")
        rules, self.num_envs, self.opponent = as_rules(board), num_envs, opponent
        self.single_observation_space, self.single_action_space = grid_space(rules), Discrete(action_count(rules))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.worth = -1.0 if rules.completing_loses else 1.0
        self._begin(rules)

    def _begin(self, rules: Rules) -> None:
        self.boards, self.mover, self.plies = Boards(rules, self.num_envs), 0, np.zeros(self.num_envs, np.int64)
        self.masks = self.boards.legal(0)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Grid, Info]:
        """Begin all games."""
        super().reset(seed=seed, options=options)
        self._begin(self.boards.rules)
        return self.boards.grids(0), {"action_mask": self.masks}

    def action_masks(self) -> Flags:
        """Return a row for each game, with True for each legal action."""
        return self.masks

    def step(self, actions: Actions) -> tuple[Grid, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """Play an action in each game. An illegal one loses at once."""
        boards, mover = self.boards, self.mover
        legal = self.masks[boards.every, actions]
        completed = boards.play(mover, actions, legal)
        rewards = np.where(legal, self.worth * completed, -1.0)
        replies = boards.legal(1 - mover)
        over = ~legal | completed | ~replies.any(1)
        self.plies += 1
        if self.opponent is None:
            self.mover = 1 - mover
        else:
            completed = boards.play(1, random_actions(replies, self.np_random), ~over)
            rewards -= self.worth * completed
            replies = boards.legal(0)
            self.plies += 1
            over |= completed | ~replies.any(1)
        cut_off = (self.plies >= LONGEST) & ~over
        infos: Info = {}
        if (ended := over | cut_off).any():
            infos = {"final_obs": boards.grids(self.mover), "_final_obs": ended}
            boards.clear(ended)
            self.plies[ended] = 0
            replies = boards.legal(self.mover)
        self.masks = replies
        return boards.grids(self.mover), rewards, over, cut_off, infos | {"action_mask": replies}
