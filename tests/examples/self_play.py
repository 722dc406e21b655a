"""Learn Connect Four's small sister by self-play in a minute, and watch the regret go to 0.

    pip install noughts[rl]
    python tests/examples/self_play.py

The table has the worth of each move, for the player who makes it. A thousand games go on at once, in which half of the
moves are the best ones known, and the others random. A move that ends a game is worth its reward, and any other as much
as the opponent's best reply costs. The oracle chooses no move. It only tells how much the agent gives away, when it
plays its best moves against random ones.
"""

import numpy as np

from solver.rl import NoughtsEnv, NoughtsVectorEnv, random_actions, vector

MOST = 1 << 22
"""The most positions that a table has room for; what is not used takes no memory."""


class Table:
    """The worth of each action in each position, from -1 to 1; a draw where nothing is known."""

    def __init__(self, actions: int) -> None:
        self.numbers: dict[bytes, int] = {}
        self.worth = np.zeros((MOST, actions), np.int8)

    def rows(self, observations: np.ndarray) -> list[int]:
        """Return the row of each observation; one that is new gets the next."""
        keys = observations.reshape(len(observations), -1).view(f"V{observations[0].size}")
        return [self.numbers.setdefault(key, len(self.numbers)) for key in keys.ravel().tolist()]


def learn(env: NoughtsVectorEnv, table: Table, steps: int, rng: np.random.Generator) -> None:
    """Play random and best moves in all games, and enter what each move was worth."""
    rows = table.rows(env.reset()[0])
    for _ in range(steps):
        masks = env.action_masks()
        best = np.where(masks, table.worth[rows], -2).argmax(1)
        actions = np.where(rng.random(len(best)) < 0.5, best, random_actions(masks, rng))
        observations, rewards, over, _, _ = env.step(actions)
        before, rows = rows, table.rows(observations)
        reply = np.where(env.action_masks(), table.worth[rows], -1).max(1)
        table.worth[before, actions] = np.where(over, rewards, -reply)


def regret(env: NoughtsEnv, table: Table, games: int) -> float:
    """Return the mean regret in a game of the table's best moves."""
    lost = 0
    for seed in range(games):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            worth = table.worth[table.rows(observation[None])[0]]
            action = np.argmax(np.where(info["action_mask"], worth, -2))
            observation, _, over, _, info = env.step(action)
            lost += info["regret"]
    return lost / games


def main(board: str = "4x4x4-gravity", steps: int = 12_000, games: int = 100) -> float:
    """Train for so many steps of a thousand games, and print the regret now and then. Return the last one."""
    rng = np.random.default_rng(1)
    env, judge = vector(board, 1000, opponent=None), NoughtsEnv(board, "easy")
    table = Table(env.action_masks().shape[1])
    for part in range(9):
        if part:
            learn(env, table, steps // 8, rng)
        lost = regret(judge, table, games)
        print(f"after {part * steps // 8:6,} steps of 1,000 games: gives away {lost:.2f} a game", flush=True)
    return lost


if __name__ == "__main__":
    main()
