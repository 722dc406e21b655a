"""Train a tabular agent by self-play, and watch its regret go to 0.

    pip install noughts[rl]
    python tests/examples/self_play.py

The table has the worth of each move, for the player who makes it. A game of random moves is gone through backwards: the
last move is worth the reward, and any other as much as the opponent's best reply costs. The oracle chooses no move. It
only tells how much the agent gives away, when it plays its best moves against random ones.
"""

import numpy as np

from solver.rl import NoughtsAEC

Table = dict[bytes, dict[int, float]]
Seen = dict[str, np.ndarray]


def best(table: Table, seen: Seen, rng: np.random.Generator) -> int:
    """Return the legal move that is worth most; a move that was never tried counts as a draw."""
    worth = table.get(seen["observation"].tobytes(), {})
    moves = rng.permutation(np.flatnonzero(seen["action_mask"]))
    return int(max(moves, key=lambda move: worth.get(move, 0.0)))


def learn(env: NoughtsAEC, table: Table, rng: np.random.Generator) -> None:
    """Play one game of random moves, untried ones first, and enter what each move was worth."""
    env.reset()
    played: list[tuple[bytes, int]] = []
    while not any(env.terminations.values()):
        seen = env.observe(env.agent_selection)
        state, moves = seen["observation"].tobytes(), np.flatnonzero(seen["action_mask"])
        untried = [move for move in moves if move not in table.get(state, {})]
        move = int(rng.choice(untried or moves))
        played.append((state, move))
        mover = env.agent_selection
        env.step(move)
    worth = env.rewards[mover]
    for state, move in reversed(played):
        table.setdefault(state, {})[move] = worth
        worth = -max(table[state].values())


def regret(env: NoughtsAEC, table: Table, games: int, rng: np.random.Generator) -> float:
    """Return the agent's mean regret in a game against random moves; it plays X and O in turn."""
    lost = 0
    for game in range(games):
        env.reset()
        agent = env.possible_agents[game % 2]
        while not any(env.terminations.values()):
            mover, seen = env.agent_selection, env.observe(env.agent_selection)
            env.step(best(table, seen, rng) if mover == agent else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            if mover == agent:
                lost += env.infos[agent]["regret"]
    return lost / games


def main(games: int = 40_000, seed: int = 1) -> Table:
    """Train for so many games, and print the regret now and then."""
    env, table, rng = NoughtsAEC("3x3x3"), Table(), np.random.default_rng(seed)
    for game in range(games + 1):
        if game % (games // 8) == 0:
            print(f"after {game:6,} games: gives away {regret(env, table, 400, rng):.2f} a game")
        learn(env, table, rng)
    return table


if __name__ == "__main__":
    main()
