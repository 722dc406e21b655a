"""The claims of the Erlang article, each against an independent count."""

import pytest

from solver.articles.claims.erlang import magnitude
from solver.board.position import Position
from solver.search.minimax import minimax
from solver.search.tablebase import unfinished
from tests.strategies import TIC_TAC_TOE


def games(position: Position) -> int:
    if position.result is not None:
        return 1
    return sum(games(position.play(cell)) for cell in position.legal_moves)


@pytest.mark.slow
def test_a_board_with_seven_open_squares_has_thousands_of_games_and_tens_of_thousands_of_processes() -> None:
    for position in {each.canonical() for each in unfinished(TIC_TAC_TOE) if each.plies_left == 7}:
        ended = games(position)
        assert magnitude(ended) == "thousands"
        assert magnitude(9 * (minimax(position).nodes - ended)) == "tens of thousands"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (999, "fewer"),
        (1_000, "thousands"),
        (99_999, "tens of thousands"),
        (100_000, "several hundred thousand"),
        (2_000_000, "millions"),
    ],
)
def test_numbers_are_spoken_of_as_the_article_does(number: int, words: str) -> None:
    assert magnitude(number) == words
