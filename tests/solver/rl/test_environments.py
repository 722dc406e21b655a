"""The environments of one player and of two: their fields' own API tests, all rules, and the oracle in `info`."""

import warnings
from collections.abc import Callable
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from solver import BadRules, Mark, Position, UnknownPlayer, parse_position
from solver.rl import NoughtsAEC, NoughtsEnv, regret, worth
from solver.search.tablebase import unfinished
from tests.peers import zoo
from tests.strategies import TIC_TAC_TOE

GAMES = [
    "3x3x3",
    "4x4x3-torus",
    "3x3x3x3",
    "7x6x4-gravity",
    "3x3x3-misere",
    "3x3x3-wild",
    "3x3x3-notakto",
    "3x3x3-vanishing",
]
EMPTY_BOARD, NO_NAME = "all zeros", "not having a spec"
AS_ITS_OWN_GAMES = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What PettingZoo warns of where an observation has a mask, unless the game has the name of one of its own."""


def warnings_of(checker: Callable[..., object], *given: object) -> list[str]:
    """Return what a checker of environments warns of, but for an empty board and an environment made without a name."""
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        checker(*given)
    messages = [str(warning.message) for warning in raised]
    return [message for message in messages if EMPTY_BOARD not in message and NO_NAME not in message]


@pytest.mark.parametrize("board", GAMES)
def test_gymnasium_accepts_every_game(board: str) -> None:
    env = NoughtsEnv(board, "easy", "O", regret=board.startswith("3x3x3-"))
    assert warnings_of(check_env, env) == []


@pytest.mark.parametrize("board", GAMES)
def test_pettingzoo_accepts_every_game(board: str) -> None:
    make = partial(NoughtsAEC, board, regret=False, masked=False)
    assert warnings_of(api_test, make(), 300) == []
    assert warnings_of(parallel_api_test, turn_based_aec_to_parallel(make()), 300) == []
    assert warnings_of(seed_test, make, 100) == []


def test_pettingzoo_accepts_observations_with_a_mask_as_those_of_its_own_games() -> None:
    assert all(warning.startswith(AS_ITS_OWN_GAMES) for warning in warnings_of(api_test, NoughtsAEC(), 300))


@pytest.mark.parametrize("board", [*GAMES, "4x4x3-gravity-wild", "4x4x3-holesb2c3"])
def test_the_actions_are_the_legal_moves_all_the_way(board: str) -> None:
    env, rng = NoughtsAEC(board, regret=False), np.random.default_rng(2)
    env.reset()
    position = env.position
    while position.result is None and not env.truncations[env.agent_selection]:
        actions = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        assert len(actions) == len(position.legal_moves)
        at = int(rng.integers(len(actions)))
        env.step(int(actions[at]))
        assert env.position in position.successors()
        if not position.rules.falls:
            assert env.position == position.after(position.legal_moves[at])
        position = env.position


@pytest.mark.parametrize("check", [zoo.tictactoe, zoo.connect_four])
def test_random_games_agree_with_those_of_pettingzoo(check: Callable[[int], str]) -> None:
    assert check(100).startswith("100 random games")


def test_an_action_is_a_column_where_stones_fall() -> None:
    env = NoughtsAEC("7x6x4-gravity", regret=False)
    env.reset()
    for column in "4453":
        env.step(int(column) - 1)
    assert env.position == Position("7x6x4-gravity").play("d1").play("d2").play("e1").play("c1")


def test_wild_has_an_action_for_either_mark() -> None:
    env = NoughtsAEC("3x3x3-wild")
    env.reset()
    env.step(9 + 4)
    assert env.position.text == ".../.O./..."
    assert env.observe("player_1")["observation"][1, 1].tolist() == [0, 1]


def test_a_vanishing_stone_counts_the_moves_until_it_leaves() -> None:
    env = NoughtsEnv("3x3x3-vanishing", opponent="easy", regret=False)
    env.reset(seed=1)
    env.position = Position("3x3x3-vanishing").play("a3").play("a1").play("b2").play("b1").play("a2").play("c3")
    observation, _ = env._observation(), env.action_masks()
    assert observation.tolist() == [[1, 0, -3], [3, 2, 0], [-1, -2, 0]]


def test_completing_a_line_loses_in_misere() -> None:
    env = NoughtsAEC("3x3x3-misere", regret=False)
    env.reset()
    for cell in (0, 3, 1, 4, 2):
        env.step(cell)
    assert env.rewards == {"player_1": -1, "player_2": 1}


def test_a_game_without_end_is_cut_off() -> None:
    env = NoughtsAEC("3x3x3-vanishing", regret=False)
    env.reset()
    plies = 0
    while not any(env.truncations.values()):
        moves = [move for move in env.position.legal_moves if env.position.after(move).result is None]
        env.step(moves[0])
        plies += 1
    assert (plies, any(env.terminations.values())) == (98, False)


def test_gymnasium_makes_it_by_its_name_and_draws_it() -> None:
    env = gymnasium.make("solver.rl:Noughts-v0", board="4x3x3", opponent="easy", render_mode="ansi")
    assert env.reset(seed=1)[0].shape == (3, 4)
    assert env.render() == "....\n....\n...."


def test_the_masks_are_those_that_sb3_contrib_asks_for() -> None:
    env = gymnasium.make("solver.rl:Noughts-v0", board="7x6x4-gravity", opponent="easy", regret=False)
    env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert (masks.dtype, masks.shape, masks.all()) == (np.bool_, (7,), True)


def test_regret_is_what_a_move_gives_away() -> None:
    position = parse_position("X.O/.X./..O")
    assert [regret(position, cell) for cell in position.legal_moves] == [1, 1, 0, 1, 1]
    for position in unfinished(TIC_TAC_TOE)[::50]:
        given_away = [regret(position, cell) for cell in position.legal_moves]
        assert min(loss for loss in given_away if loss is not None) == 0


def test_what_is_not_proved_has_neither_value_nor_regret() -> None:
    start = Position("8x8x5").play("a1").play("h8").play("a2").play("h1").play("c5")
    assert worth(start, Mark.X) is None
    assert regret(start, start.legal_moves[0]) is None


def test_without_regret_the_solver_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the solver was asked")

    monkeypatch.setattr("solver.rl.seen.predict", refuse)
    env = NoughtsEnv(opponent="easy", regret=False)
    _, info = env.reset(seed=1)
    assert [*info] == ["action_mask"]
    assert [*env.step(np.int64(4))[4]] == ["action_mask"]


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
    assert (env.infos["player_2"]["regret"], env.infos["player_1"]["value"]) == (1, 1)
    for cell in (1, 4, 2):
        env.step(cell)
    assert env.rewards == {"player_1": 1, "player_2": -1}
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
