"""The environments for reinforcement learning: their own API tests, the oracle in `info`, and an agent that learns."""

import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from solver import BadRules, Mark, Position, UnknownPlayer, parse_position
from solver.rl import NoughtsAEC, NoughtsEnv, regret, worth
from solver.search.tablebase import unfinished
from tests.strategies import TIC_TAC_TOE

EXAMPLE = Path(__file__).parents[1] / "examples" / "self_play.py"
ENVIRONMENTS: list[dict[str, Any]] = [{}, {"side": "O"}, {"board": "4x3x3", "opponent": "easy"}]


@pytest.mark.filterwarnings("ignore::UserWarning")  # the checkers warn of matters of taste
@pytest.mark.parametrize("settings", ENVIRONMENTS, ids=str)
def test_gymnasium_accepts_the_environment(settings: dict[str, Any]) -> None:
    check_env(NoughtsEnv(**settings))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("board", ["3x3x3", "4x3x3"])
def test_pettingzoo_accepts_the_environment(board: str) -> None:
    api_test(NoughtsAEC(board), num_cycles=200)
    seed_test(lambda: NoughtsAEC(board))


def test_gymnasium_makes_it_by_its_name() -> None:
    env = gymnasium.make("solver.rl:Noughts-v0", board="4x3x3", opponent="easy")
    assert env.reset(seed=1)[0].shape == (3, 4)


def test_regret_is_what_a_move_gives_away() -> None:
    position = parse_position("X.O/.X./..O")
    assert [regret(position, cell) for cell in position.legal_moves] == [1, 1, 0, 1, 1]
    for position in unfinished(TIC_TAC_TOE)[::50]:
        given_away = [regret(position, cell) for cell in position.legal_moves]
        assert min(each for each in given_away if each is not None) == 0


def test_what_is_not_proved_has_neither_value_nor_regret() -> None:
    start = Position("8x8x5").play("a1").play("h8").play("a2").play("h1").play("c5")
    assert worth(start, Mark.X) is None
    assert regret(start, start.legal_moves[0]) is None


def test_the_mask_has_the_legal_moves_and_an_illegal_one_loses() -> None:
    env = NoughtsEnv(opponent="impossible")
    env.reset(seed=1)
    _, _, _, _, info = env.step(np.int64(4))
    assert np.flatnonzero(info["action_mask"]).tolist() == list(env.position.legal_moves)
    _, reward, terminated, _, _ = env.step(np.int64(4))
    assert (reward, terminated) == (-1, True)


def test_a_won_game_is_worth_1_to_the_winner_and_minus_1_to_the_other() -> None:
    env = NoughtsAEC()
    env.reset()
    env.step(0)
    env.step(3)
    assert (env.infos["O"]["regret"], env.infos["X"]["value"]) == (1, 1)
    for cell in (1, 4, 2):
        env.step(cell)
    assert env.rewards == {"X": 1, "O": -1}
    assert all(env.terminations.values())


def test_the_same_seed_plays_the_same_game() -> None:
    env = NoughtsEnv(opponent="easy", side="O")
    seen = []
    for _ in range(2):
        observation, info = env.reset(seed=7)
        observations = [observation.tolist()]
        while True:
            observation, _, terminated, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
            observations.append(observation.tolist())
            if terminated:
                break
        seen.append(observations)
    assert seen[0] == seen[1]


def test_bad_text_raises_an_error_of_the_project() -> None:
    with pytest.raises(BadRules):
        NoughtsAEC("9x9x9")
    with pytest.raises(UnknownPlayer):
        NoughtsEnv(opponent="nobody")


@pytest.mark.parametrize(
    ("games", "judged", "most"),
    [
        pytest.param(2_000, 400, 1.5, marks=pytest.mark.slow),
        pytest.param(40_000, 2_000, 0, marks=pytest.mark.exhaustive),
    ],
)
def test_the_agent_of_the_example_learns_to_give_nothing_away(games: int, judged: int, most: float) -> None:
    example = runpy.run_path(str(EXAMPLE))
    table = example["main"](games)
    assert example["regret"](NoughtsAEC(), table, judged, np.random.default_rng(5)) <= most
