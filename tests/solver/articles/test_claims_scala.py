"""The Scala article's game and statements, against games that are really played.

Source of every literal: "Minimax-based AI for the Tic-Tac-Toe game in Scala", its code and the log of its game.
"""

from collections import Counter

import pytest

from solver.articles.claims.scala import PUBLISHED, games, published_game
from solver.board.notation import format_position
from solver.board.position import Mark, Position, Result
from tests.strategies import TIC_TAC_TOE, minimax_score, reachable

LOG = [
    *(".../.../..X", ".../.O./..X", ".../.O./X.X", ".../.O./XOX"),
    *("X../.O./XOX", "X../OO./XOX", "X.X/OO./XOX", "XOX/OO./XOX"),
]
"""The boards of the log in order."""


def test_the_game_is_the_one_of_the_log() -> None:
    assert [format_position(position) for position in published_game().positions[1:]] == LOG
    assert len(PUBLISHED) == 16


def whole_games(mark: Mark) -> Counter[Result]:
    """Count all games with the best squares of plain minimax for `mark`, walking them ply by ply to their ends."""
    ended: Counter[Result] = Counter()
    waiting = Counter(position for position in reachable(TIC_TAC_TOE) if position.plies_left == 6)
    while waiting:
        following: Counter[Position] = Counter()
        for position, count in waiting.items():
            if position.result is not None:
                ended[position.result] += count
                continue
            after = [position.play(cell) for cell in position.legal_moves]
            if position.mover is mark:
                signs = [(minimax_score(each) < 0) - (minimax_score(each) > 0) for each in after]
                after = [each for each, sign in zip(after, signs, strict=True) if sign == max(signs)]
            for each in after:
                following[each] += count
        waiting = following
    return ended


@pytest.mark.parametrize("mark", [pytest.param(Mark.X, marks=pytest.mark.slow), Mark.O])
def test_the_games_of_the_minimax_player_are_those_of_games_played_out(mark: Mark) -> None:
    start = [position for position in reachable(TIC_TAC_TOE) if position.plies_left == 6]
    by_theory = sum((games(mark, position) for position in start), Counter[Result]())
    assert by_theory == whole_games(mark)


def test_the_minimax_player_loses_no_game_from_either_side() -> None:
    assert games(Mark.X)[Result.O] == games(Mark.O)[Result.X] == 0


def test_its_drawn_games_are_the_same_from_both_sides() -> None:
    # A draw against a player without mistakes means that the other player has made none either.
    assert games(Mark.X)[Result.DRAW] == games(Mark.O)[Result.DRAW]


def test_the_program_took_a_later_win_where_it_could_win_at_once() -> None:
    game = published_game()
    assert game.positions[5].threats(Mark.O) == (1,)  # b3
    assert game.moves[5] == 3  # a2
