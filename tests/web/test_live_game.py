"""The referee of live games: the rights of a seat, refusals, and rematches."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from solver.board.position import Mark
from solver.errors import BadOption
from tests.web.live_games import new_game
from webapp.pages.live.game import (
    NOBODY,
    LiveGame,
    Matter,
    NotNow,
    claim_seat,
    confirm_claim,
    make_wish,
    play_move,
    read_at,
    reject_claim,
    resign,
    take_seat,
)

NOW = 1000.0
ANN, BEN, STRANGER = "Ann's secret", "Ben's secret", "a stranger's secret"
WON_BY_X = (0, 3, 1, 4, 2)


@pytest.fixture
def live() -> LiveGame:
    """Return a new game in which Ann has X and Ben has O."""
    return new_game("a" * 22, ANN, BEN, moved=NOW)


def after(live: LiveGame, *cells: int) -> LiveGame:
    """Return the game after these moves, each made by the player whose turn it is."""
    for cell in cells:
        mover = next(secret for secret in (ANN, BEN) if live.side_of(secret) is live.game.last.mover)
        live = play_move(live, mover, live.at, cell, NOW)
    return live


def agreed(live: LiveGame, matter: Matter, now: float = NOW) -> LiveGame:
    """Return the game after both have wished for the same."""
    return make_wish(make_wish(live, ANN, None, matter, now), BEN, None, matter, now)


def rematch(live: LiveGame) -> LiveGame:
    """Return the next game of the series."""
    return agreed(live, Matter.AGAIN)


def test_one_secret_is_two_seats_in_two_games() -> None:
    assert new_game("a" * 22, ANN).x_seat != new_game("b" * 22, ANN).x_seat


@pytest.mark.parametrize(
    "change",
    [
        lambda live, now: take_seat(replace(live, o_seat=""), BEN, now),
        lambda live, now: play_move(live, ANN, None, 4, now),
        lambda live, now: agreed(after(live, *WON_BY_X), Matter.AGAIN, now),
    ],
    ids=["a seat", "a move", "a rematch"],
)
def test_a_game_is_renewed_by(live: LiveGame, change: Callable[[LiveGame, float], LiveGame]) -> None:
    assert change(live, NOW + 60).moved == NOW + 60


@pytest.fixture
def asked(live: LiveGame) -> LiveGame:
    """Return the game in which a stranger claims Ben's seat."""
    return claim_seat(live, STRANGER, Mark.O)


def test_an_answer_to_an_earlier_claim_confirms_no_other(asked: LiveGame) -> None:
    another = claim_seat(reject_claim(asked, BEN, asked.claim), "another", Mark.O)
    assert confirm_claim(another, ANN, asked.claim) is another
    assert reject_claim(another, ANN, asked.claim) is another


def test_one_claim_is_answered_at_a_time(asked: LiveGame) -> None:
    assert claim_seat(asked, STRANGER, Mark.O) is asked
    with pytest.raises(NotNow):
        claim_seat(asked, "another", Mark.X)


def test_the_host_changes_sides_with_each_game(live: LiveGame) -> None:
    sides = [live.host_side, rematch(after(live, *WON_BY_X)).host_side]
    assert sides == [live.side_of(ANN), rematch(after(live, *WON_BY_X)).side_of(ANN)] == [Mark.X, Mark.O]


@pytest.mark.parametrize("place", ["0.²", "².0", "٣.0", "0.", "-1.0", "0.0.0", "9" * 5000 + ".0", "0." + "9" * 5000])
def test_a_form_with_a_malformed_place_is_refused(place: str) -> None:
    with pytest.raises(BadOption):
        read_at(place)


def test_resigning_clears_the_offer_of_a_draw(live: LiveGame) -> None:
    assert resign(make_wish(live, BEN, None, Matter.DRAW, NOW), ANN, None).wishes[Matter.DRAW] == NOBODY


def test_agreeing_on_a_draw_clears_the_offers(live: LiveGame) -> None:
    assert agreed(live, Matter.DRAW).wishes[Matter.DRAW] == NOBODY
