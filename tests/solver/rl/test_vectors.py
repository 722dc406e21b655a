"""Many games at once play by the same rules as one."""

import time

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from solver import BadOption, Position
from solver.rl import NoughtsVectorEnv, random_actions, vector
from solver.rl.seen import actions_of, is_cut_off, mask_of, reward, stones_of

GAMES = [
    "3x3x3",
    "4x3x3-gravity",
    "3x3x3-misere",
    "3x3x3-wild",
    "3x3x3-notakto",
    "3x3x3-vanishing",
    "2x2x2x2-vanishing-strict",
    "3x3x3-vanishing-strict-misere",
    "3x3x3x3-misere",
    "4x4x3-gravity-wild",
    "4x4x3-holesb2c3",
    "8x8x5",
]


def seen_by_mover(position: Position) -> list[list[int]]:
    own, other = stones_of(position, position.mover)
    grid: list[list[int]] = (own - other).tolist()
    return grid


@pytest.mark.parametrize("board", GAMES)
def test_players_who_take_turns_see_what_positions_say(board: str) -> None:
    env, rng = vector(board, 40, opponent=None), np.random.default_rng(3)
    positions, plies, ends = [Position(board)] * 40, [0] * 40, 0
    observations, _ = env.reset(seed=1)
    for _ in range(120):
        assert observations.tolist() == [seen_by_mover(position) for position in positions]
        assert env.action_masks().tolist() == [mask_of(position).astype(bool).tolist() for position in positions]
        actions = random_actions(env.action_masks(), rng)
        observations, rewards, over, cut_off, infos = env.step(actions)
        for game, action in enumerate(actions):
            mover, position = positions[game].mover, positions[game].after(actions_of(positions[game])[int(action)])
            plies[game] += 1
            assert rewards[game] == reward(position, mover)
            assert over[game] == (position.result is not None)
            assert cut_off[game] == is_cut_off(position, plies[game])
            if over[game] or cut_off[game]:
                assert infos["_final_obs"][game]
                assert infos["final_obs"][game].tolist() == seen_by_mover(position)
                position, plies[game], ends = Position(board), 0, ends + 1
            positions[game] = position
    assert ends


def play_randomly(env: NoughtsVectorEnv, seed: int, steps: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the rewards of random actions, and where games ended."""
    rng = np.random.default_rng(seed + 1)  # not what the opponent draws
    env.reset(seed=seed)
    stepped = [env.step(random_actions(env.action_masks(), rng)) for _ in range(steps)]
    return np.array([step[1] for step in stepped]), np.array([step[2] for step in stepped])


@pytest.mark.parametrize(("board", "sign"), [("3x3x3", 1), ("3x3x3-misere", -1)])
def test_of_random_games_the_first_player_completes_737_in_1260_lines_and_the_second_363(board: str, sign: int) -> None:
    rewards, over = play_randomly(vector(board, 2_000), 5, 40)
    games = np.count_nonzero(over)
    assert games > 10_000
    assert np.count_nonzero(rewards == sign) / games == pytest.approx(737 / 1260, abs=0.02)
    assert np.count_nonzero(rewards == -sign) / games == pytest.approx(363 / 1260, abs=0.02)


def test_the_same_seed_plays_the_same_games() -> None:
    env = vector("5x4x4-gravity", 30)
    rewards, again, others = (play_randomly(env, seed, 20)[0] for seed in (7, 7, 9))
    assert np.array_equal(rewards, again)
    assert not np.array_equal(rewards, others)


def test_an_illegal_action_loses_at_once_and_the_game_begins_again() -> None:
    env = vector("3x3x3", 2, opponent=None)
    env.reset()
    env.step(np.array([4, 4]))
    observations, rewards, over, _, infos = env.step(np.array([4, 0]))
    assert (rewards.tolist(), over.tolist()) == ([-1, 0], [True, False])
    assert np.count_nonzero(observations, axis=(1, 2)).tolist() == [0, 2]
    assert np.count_nonzero(infos["final_obs"][0]) == 1


def test_gymnasium_makes_many_by_their_name() -> None:
    env = gymnasium.make_vec("solver.rl:Noughts-v0", num_envs=5, board="7x6x4-gravity")
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space
    assert infos["action_mask"].shape == (5, 7)
    assert env.step(env.action_space.sample())[0] in env.observation_space


def test_another_opponent_is_refused() -> None:
    with pytest.raises(BadOption, match="random moves or nobody"):
        NoughtsVectorEnv(2, "3x3x3", "hard")


@pytest.mark.parametrize(("board", "least"), [("3x3x3", 100_000), ("7x6x4-gravity", 50_000)])
def test_a_processor_second_has_many_steps(board: str, least: int) -> None:
    env, rng, steps = vector(board, 256), np.random.default_rng(1), 100
    env.reset(seed=1)
    began = time.process_time()
    for _ in range(steps):
        env.step(random_actions(env.action_masks(), rng))
    assert steps * env.num_envs / (time.process_time() - began) >= least
