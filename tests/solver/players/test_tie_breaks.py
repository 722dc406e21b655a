"""The tie-breaks of the perfect player: their counts, and that they only choose among the best squares."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import format_cell, parse_position
from solver.board.outcome import DRAWN
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.players import STRATEGIES
from solver.players.match import results
from solver.players.searching import Opportunities, Paths, opportunities, paths
from solver.proofs.predict import predict
from solver.search.minimax import minimax
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, positions, reachable

MEASURES: dict[str, Callable[[Position, Cell], Opportunities | Paths]] = {
    "impossible-opportunities": opportunities,
    "impossible-paths": paths,
}
UNFINISHED = tuple(position for position in reachable(TIC_TAC_TOE) if position.result is None)
late = positions(st.sampled_from(SMALL_BOARDS), max_empty=6)


def walked(position: Position, player: Mark, ply: int) -> tuple[int, int, int, Fraction]:
    """Walk every path from a position: count those that `player` wins, draws and loses, and add up their weights."""
    if position.result is not None:
        if not position.winning_lines:
            return 0, 1, 0, Fraction(0)
        won = position.result == str(player)
        weight = Fraction(1, 2**ply)
        return int(won), 0, int(not won), weight if won else -weight
    parts = [walked(position.play(cell), player, ply + 1) for cell in position.legal_moves]
    won, drawn, lost, value = (sum(each) for each in zip(*parts, strict=True))
    return int(won), int(drawn), int(lost), Fraction(value)


@pytest.mark.slow
@given(late)
def test_paths_agree_with_walking_each_of_them(position: Position) -> None:
    for cell in position.legal_moves:
        found = paths(position, cell)
        expected = walked(position.play(cell), position.mover, 0)
        assert (found.won, found.drawn, found.lost, found.value) == expected


def test_a_path_that_ends_at_once_weighs_one_and_one_that_ends_two_plies_later_a_quarter() -> None:
    position = parse_position("X.X/OO./X.O", TIC_TAC_TOE)
    b3, c2, _ = position.legal_moves
    assert paths(position, b3) == Paths(won=1, drawn=0, lost=0, value=Fraction(1))
    assert paths(position, c2) == Paths(won=1, drawn=1, lost=0, value=Fraction(1, 4))


@given(late)
def test_opportunities_are_the_replies_that_win_less_those_that_lose_by_plain_minimax(position: Position) -> None:
    for cell in position.legal_moves:
        after = position.play(cell)
        scores = [minimax(after.play(reply)).score for reply in after.legal_moves]
        expected = sum(score > DRAWN for score in scores) - sum(score < DRAWN for score in scores)
        assert opportunities(position, cell).value == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_the_perfect_player_with_a_tie_break_plays_the_best_of_the_best_in_every_position(name: str) -> None:
    for position in UNFINISHED:
        best = predict(position).best
        values = {cell: MEASURES[name](position, cell).value for cell in best}
        decision = STRATEGIES[name].decide(position)
        assert set(decision.choices) == {cell for cell in best if values[cell] == max(values.values())}


@pytest.mark.parametrize(
    ("name", "expected", "value"),
    [
        ("impossible-opportunities", {"a3", "c3", "a1", "c1"}, "7 replies let it win and 0 lose: +7"),
        ("impossible-paths", {"b2"}, "15,648 paths win, 5,616 lose, weighing +100.500 together"),
    ],
)
def test_the_tie_break_opens_the_game_and_says_why(name: str, expected: set[str], value: str) -> None:
    decision = STRATEGIES[name].decide(Position(TIC_TAC_TOE))
    assert {format_cell(cell, TIC_TAC_TOE) for cell in decision.choices} == expected
    assert decision.explanation.endswith(value)


def test_against_easy_both_tie_breaks_win_more_often_than_impossible_alone() -> None:
    easy, alone = STRATEGIES["easy"], STRATEGIES["impossible"]
    for name in MEASURES:
        as_x, as_o = (results(TIC_TAC_TOE, STRATEGIES[name], easy), results(TIC_TAC_TOE, easy, STRATEGIES[name]))
        assert as_x[Result.X] > results(TIC_TAC_TOE, alone, easy)[Result.X]
        assert as_o[Result.O] > results(TIC_TAC_TOE, easy, alone)[Result.O]
