"""MaskablePPO of sb3-contrib learns in the environments by their `action_masks`. Any warning is an error."""

from functools import partial

from gymnasium.wrappers import FlattenObservation
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env

from solver.rl import NoughtsEnv

STEPS = 512
GAMES = 50


def learns(board: str) -> str:
    """Learn for a while, then play games in which only legal moves are chosen."""
    env = NoughtsEnv(board, "easy", regret=False)
    check_env(FlattenObservation(env))  # it warns of grids, of which the policy below makes vectors itself
    learner = MaskablePPO("MlpPolicy", env, n_steps=128, seed=1, device="cpu")
    assert is_masking_supported(learner.get_env()), "the masks are not seen"
    learner.learn(STEPS)
    for game in range(GAMES):
        seen, _ = env.reset(seed=game)
        over = False
        while not over:
            action, _ = learner.predict(seen, action_masks=get_action_masks(env))
            assert env.action_masks()[action], f"{action} is illegal in {env.position!r}"
            seen, _, over, _, _ = env.step(action)
    return f"{learner.num_timesteps} steps learned, {GAMES} games by legal moves, no warning"


CHECKS = {f"MaskablePPO: {board}": partial(learns, board) for board in ("3x3x3", "7x6x4-gravity")}
