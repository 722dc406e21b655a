"""The chances of winning against a known opponent, compared with plain trees."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.chances import MAX_POSITIONS, chances, positions_below
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.errors import BadOption, TooLarge
from solver.players import STRATEGIES, Strategy
from solver.players.decision import Decision
from solver.proofs.predict import predict
from solver.search.tablebase import unfinished
from tests.solver.random_strategies import random_strategy
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, positions, reachable

EMPTY = Position(TIC_TAC_TOE)
LATE = (*SMALL_BOARDS, *map(parse_rules, ("4x3x3", "4x4x4", "5x3x4", "8x1x3")))
PLAYERS = (*(STRATEGIES[name] for name in ("easy", "medium", "hard", "rulebook", "alphabeta-2")), random_strategy(1))


class PlainTree:
    """The same chances from the tree of every position, without the short cuts of `chances`."""

    def __init__(self, strategy: Strategy, mark: Mark) -> None:
        self.strategy, self.mark = strategy, mark
        self.known: dict[Position, Fraction] = {}

    def chance(self, position: Position) -> Fraction:
        if position not in self.known:
            self.known[position] = self._chance(position)
        return self.known[position]

    def _chance(self, position: Position) -> Fraction:
        if position.result is not None:
            return Fraction(position.result == Result(self.mark))
        if position.mover is self.mark:
            return max(self.chance(position.play(cell)) for cell in position.legal_moves)
        choices = self.strategy.decide(position).choices
        return sum((part * self.chance(position.play(cell)) for cell, part in choices.items()), Fraction(0))

    def squares(self, position: Position) -> dict[Cell, Fraction]:
        return {cell: self.chance(position.play(cell)) for cell in position.legal_moves}


def test_a_finished_game_has_no_chances() -> None:
    assert chances(parse_position("XXX/OO./..."), STRATEGIES["hard"]) == {}


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("pyfl-program", 1),
        *(pytest.param(name, 20, marks=pytest.mark.slow) for name in list(STRATEGIES)[::3]),
        *(pytest.param(name, 1, marks=pytest.mark.exhaustive) for name in STRATEGIES),
    ],
)
def test_chances_agree_with_the_plain_tree_in_the_positions_of_3x3(name: str, every: int, mark: Mark) -> None:
    tree = PlainTree(STRATEGIES[name], mark)
    asked = [position for position in unfinished(TIC_TAC_TOE) if position.mover is mark][::every]
    assert all(chances(position, STRATEGIES[name]) == tree.squares(position) for position in asked)


@examples(80)
@given(positions(st.sampled_from(LATE), max_empty=6), st.sampled_from(PLAYERS))
def test_late_chances_agree_with_the_plain_tree(position: Position, strategy: Strategy) -> None:
    assert chances(position, strategy) == PlainTree(strategy, position.mover).squares(position)


@pytest.mark.parametrize("name", [name for name, each in STRATEGIES.items() if each.kind == "perfect"])
def test_only_a_forced_win_wins_against_a_perfect_player(name: str) -> None:
    for position in unfinished(TIC_TAC_TOE)[::10]:
        forced = {cell: outcome.value is Value.WIN for cell, outcome in predict(position).squares.items()}
        assert chances(position, STRATEGIES[name]) == forced


def test_the_cost_of_chances_is_bounded_beforehand() -> None:
    for rules in SMALL_BOARDS[::9]:
        assert len(reachable(rules)) <= positions_below(Position(rules)) <= MAX_POSITIONS
    assert positions_below(parse_position("XOX/XOO/.XO")) == 2


def test_too_much_is_refused_before_the_strategy_is_asked() -> None:
    def never(_: Position) -> Decision:
        raise AssertionError

    strategy = replace(STRATEGIES["easy"], decide=never)
    with pytest.raises(TooLarge, match="With 12 open squares there may be more than 10,000"):
        chances(Position(parse_rules("4x3x3")), strategy)
    late = parse_position("XOX/XOO/.XO")
    assert chances(late, "easy", most=positions_below(late))
    with pytest.raises(TooLarge):
        chances(late, strategy, most=positions_below(late) - 1)


def test_there_are_no_chances_on_larger_boards_against_an_opponent_that_relies_on_proofs() -> None:
    with pytest.raises(BadOption, match="Perfect goes by what is proved"):
        chances(Position(parse_rules("4x3x3")), STRATEGIES["impossible"])
