"""Games and matches: chance is exact and can be repeated."""

from collections import Counter
from fractions import Fraction

import pytest

from solver.players import STRATEGIES
from solver.players.decision import Decision, any_of, choose, generator_for
from solver.players.match import play_game
from tests.strategies import TIC_TAC_TOE


def test_choices_follow_the_exact_probabilities() -> None:
    class EveryTicket:
        """A source of chance that draws 0, 1, 2, … in turn."""

        def __init__(self) -> None:
            self.next = -1

        def randrange(self, stop: int) -> int:
            self.next += 1
            return self.next % stop

    decision = Decision({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}, "")
    tickets = EveryTicket()
    assert Counter(choose(decision, tickets) for _ in range(6)) == {0: 3, 1: 2, 2: 1}  # type: ignore[arg-type]


def test_nothing_can_be_chosen_from_nothing() -> None:
    with pytest.raises(ValueError, match="no decision"):
        any_of((), "")


def test_a_seeded_game_is_repeated_exactly() -> None:
    easy = STRATEGIES["easy"]
    games = [play_game(TIC_TAC_TOE, easy, easy, "7", number).moves for number in range(20)]
    assert games == [play_game(TIC_TAC_TOE, easy, easy, "7", number).moves for number in range(20)]
    assert len(set(games)) > 1


def test_another_seed_gives_another_series() -> None:
    easy = STRATEGIES["easy"]
    first, second = ([play_game(TIC_TAC_TOE, easy, easy, seed, n).moves for n in range(5)] for seed in ("1", "2"))
    assert first != second


def test_without_a_seed_games_differ() -> None:
    draws = {generator_for(None, 0, 0).random() for _ in range(3)}
    assert len(draws) == 3
