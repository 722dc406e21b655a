"""Games, matches and their endings: chance is exact and can be repeated."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_position, parse_rules
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.errors import TooLarge
from solver.players import STRATEGIES, Strategy
from solver.players.decision import Decision, any_of, choose, generator_for
from solver.players.match import play_game, results, spread
from tests.solver.random_strategies import random_strategy
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, positions


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


FEW_CELLS = [rules for rules in SMALL_BOARDS if rules.size <= 6]


def every_game(position: Position, x: Strategy, o: Strategy, chance: Fraction, ends: Counter[Position]) -> None:
    """Add the chance of each game to the position in which it ends."""
    if position.result is not None:
        ends[position] += chance  # type: ignore[assignment]
        return
    for cell, part in (x if position.mover is Mark.X else o).decide(position).choices.items():
        every_game(position.play(cell), x, o, chance * part, ends)


def by_recursion(x: Strategy, o: Strategy, start: Position) -> Mapping[Position, Fraction]:
    ends: Counter[Position] = Counter()
    every_game(start, x, o, Fraction(1), ends)
    return ends  # type: ignore[return-value]


def summed(ends: Mapping[Position, Fraction]) -> dict[Result, Fraction]:
    return {result: sum((ends[each] for each in ends if each.result is result), Fraction(0)) for result in Result}


@examples(60)
@given(st.sampled_from(FEW_CELLS), st.integers(0, 9), st.integers(0, 9))
def test_the_endings_of_any_two_strategies_are_those_of_all_their_games(rules: Rules, one: int, other: int) -> None:
    x, o = random_strategy(one), random_strategy(other)
    assert spread(Position(rules), x, o) == by_recursion(x, o, Position(rules))
    assert results(rules, x, o) == summed(by_recursion(x, o, Position(rules)))


@examples(30)
@given(positions(st.just(TIC_TAC_TOE), max_empty=6), st.sampled_from(["easy", "hard", "pyfl-program"]))
def test_games_may_start_from_any_position(start: Position, name: str) -> None:
    x, o = STRATEGIES[name], STRATEGIES["medium"]
    assert spread(start, x, o) == by_recursion(x, o, start)


def test_the_results_of_random_play_are_the_known_ones() -> None:
    """X wins 737 of 1260, O 121 of 420, and 8 of 63 are drawn: the textbook figures for random tic-tac-toe."""
    chances = results(TIC_TAC_TOE, STRATEGIES["easy"], STRATEGIES["easy"])
    assert chances == {Result.X: Fraction(737, 1260), Result.O: Fraction(121, 420), Result.DRAW: Fraction(8, 63)}


def test_a_finished_game_has_ended() -> None:
    won = parse_position("XXX/OO./...", TIC_TAC_TOE)
    assert spread(won, STRATEGIES["easy"], STRATEGIES["easy"]) == {won: 1}


def test_a_larger_board_is_followed_where_few_positions_come_about() -> None:
    chances = results(parse_rules("4x4x4"), STRATEGIES["seven-rules"], STRATEGIES["seven-rules"])
    assert sum(chances.values()) == 1


def test_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.players.match.MAX_FOLLOWED", 600)
    with pytest.raises(TooLarge, match="more than"):
        spread(Position(parse_rules("5x5x4")), STRATEGIES["easy"], STRATEGIES["easy"])
