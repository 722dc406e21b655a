"""The referee of live games, asked directly: what a seat may do, what is refused, and what a rematch keeps."""

import pytest

from solver.board.game import Game
from solver.board.position import Mark, Position
from tests.strategies import TIC_TAC_TOE
from webapp.live.game import At, LiveGame, Matter, NotNow, played, resigned, seated, wished

NOW = 1000.0
ANN, BEN = "Ann's secret", "Ben's secret"
WON_BY_X = (0, 3, 1, 4, 2)


def table(*secrets: str, first: Mark = Mark.X) -> LiveGame:
    """Return a game on the usual board at which these have sat down, one after the other."""
    live = LiveGame("a" * 22, Game.starting(Position(TIC_TAC_TOE)), first, NOW)
    for secret in secrets:
        live = seated(live, secret, NOW)
    return live


@pytest.fixture
def live() -> LiveGame:
    """Return a new game of Ann's, who has X, and Ben's, who has O."""
    return table(ANN, BEN)


def after(live: LiveGame, *cells: int) -> LiveGame:
    """Return the game after these moves, each made by the player whose turn it is."""
    for cell in cells:
        mover = next(secret for secret in (ANN, BEN) if live.side_of(secret) is live.game.last.mover)
        live = played(live, mover, live.at, cell, NOW)
    return live


def rematch(live: LiveGame) -> LiveGame:
    """Return the next game of the series, which both wish for."""
    return wished(wished(live, ANN, None, Matter.AGAIN, NOW), BEN, None, Matter.AGAIN, NOW)


# Moves.


def test_the_square_that_the_other_seat_has_just_taken_is_no_move_of_ones_own_sent_again(live: LiveGame) -> None:
    moved = after(live, 4)
    assert played(moved, ANN, At(0, 0), 4, NOW) is moved
    with pytest.raises(NotNow):
        played(moved, BEN, At(0, 0), 4, NOW)


# Resigning.


def test_nobody_resigns_while_a_seat_is_free() -> None:
    with pytest.raises(NotNow):
        resigned(table(ANN), ANN, None)


# Rematches.


def test_a_wish_for_colours_stays_with_its_player_when_a_rematch_changes_sides(live: LiveGame) -> None:
    again = rematch(wished(after(live, *WON_BY_X), ANN, None, Matter.COLOURS, NOW))
    assert again.wishes[Matter.COLOURS] == {again.side_of(ANN)} == {Mark.O}
