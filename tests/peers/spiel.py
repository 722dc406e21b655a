"""OpenSpiel: its rules by random games, and its minimax on every position of the 3×3 board."""

from functools import partial

import pyspiel
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from solver import Position, parse_position
from solver.rl import worth
from solver.rl.seen import actions_of
from solver.search.tablebase import unfinished
from tests.peers.playouts import compared

GAMES = 11_200


class SpielGame:
    """A game of OpenSpiel. It numbers actions as `solver.rl` does."""

    def __init__(self, name: str) -> None:
        self._state = pyspiel.load_game(name).new_initial_state()

    def actions(self) -> set[int]:
        return set(self._state.legal_actions())

    def play(self, action: int) -> None:
        self._state.apply_action(action)

    def result(self) -> float | None:
        return self._state.player_return(0) if self._state.is_terminal() else None


def values() -> str:
    """Compare the value of every undecided position, and of each of its moves."""
    table, moves = MinimaxSolver("tic_tac_toe").solve(), 0
    positions = {parse_position(text.replace("\n", "/").upper()): entry for text, entry in table.items()}
    assert positions.keys() == set(unfinished(Position("3x3x3").rules)), "other positions can be reached there"
    for position, entry in positions.items():
        assert worth(position, position.mover) == entry.value, f"{position!r} has another value there"
        for action, move in actions_of(position).items():
            after = worth(position.after(move), position.mover)
            assert after == entry.action_values[action], f"{position!r} has another value after {action} there"
            moves += 1
    return f"{len(positions):,} positions, {moves:,} moves"


CHECKS = {
    "tic_tac_toe: moves, results": partial(compared, "3x3x3", partial(SpielGame, "tic_tac_toe"), GAMES),
    "connect_four: moves, results": partial(compared, "7x6x4-gravity", partial(SpielGame, "connect_four"), GAMES),
    "MinimaxSolver: values of 3×3": values,
}
