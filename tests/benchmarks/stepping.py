"""The speed of the environments for learners, with random moves, beside PettingZoo's own Connect Four."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pettingzoo

from solver.rl import NoughtsAEC, random_actions, vector

BARS = {"3x3x3": 100_000, "7x6x4-gravity": 50_000}
"""The least steps a processor second of many games at once."""

SECONDS = 2.0
GAMES = 256


def vector_rate(board: str, opponent: str | None) -> float:
    """Return the steps a processor second of many games at once."""
    env, rng, steps, began = vector(board, GAMES, opponent), np.random.default_rng(1), 0, time.process_time()
    env.reset(seed=2)
    while (spent := time.process_time() - began) < SECONDS:
        env.step(random_actions(env.action_masks(), rng))
        steps += GAMES
    return steps / spent


def turns_rate(env: Any) -> float:
    """Return the steps a processor second of a game of PettingZoo's kind."""
    rng, steps, began = np.random.default_rng(1), 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        env.reset(seed=2)
        for _ in env.agent_iter():
            seen, _, ended, cut_off, _ = env.last()
            env.step(None if ended or cut_off else rng.choice(np.flatnonzero(seen["action_mask"])))
            steps += 1
    return steps / spent


def figures() -> Iterator[str]:
    """Time random moves in steps a processor second."""
    yield "environments for learners, random moves, steps a processor second:"
    for board, bar in BARS.items():
        yield f"  {board:<22} {GAMES} games, random replies {vector_rate(board, 'random'):12,.0f}   bar: {bar:,}"
        yield f"  {board:<22} {GAMES} games, both sides     {vector_rate(board, None):12,.0f}   bar: {bar:,}"
        yield f"  {board:<22} PettingZoo, without regret {turns_rate(NoughtsAEC(board, regret=False)):9,.0f}"
    theirs = pettingzoo.make("aec", "classic/connect_four_v3")
    yield f"  {'connect_four_v3':<22} PettingZoo's own           {turns_rate(theirs):9,.0f}"
