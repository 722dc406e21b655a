"""Exact chances against an opponent, and trials of one in all its games."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.chances import MAX_POSITIONS, chances, positions_below
from solver.analysis.trial import Ply, Trial, loses, trial, wins
from solver.board.game import Counts
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import PROVED, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import BadOption, TooLarge
from solver.players import STRATEGIES, Strategy
from solver.players.decision import Decision
from solver.proofs.predict import predict
from solver.search.budget import Budget
from solver.search.tablebase import look_up, unfinished
from tests.marked import exhaustive, slow
from tests.solver.random_strategies import random_strategy
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, minimax_score, positions, reachable

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


FEW_CELLS = [rules for rules in SMALL_BOARDS if rules.size <= 6]
TRIED = ["pyfl-program", *slow("hard"), *exhaustive("impossible", "minimax", "alphabeta-6")]

Game: TypeAlias = tuple[Position, ...]
"""The positions of a game, from the empty board to its end."""


def all_games(strategy: Strategy, mark: Mark, game: Game) -> Iterator[Game]:
    """Yield every game, one by one."""
    position = game[-1]
    if position.result is not None:
        yield game
        return
    ours = position.mover is mark
    for cell in sorted(strategy.decide(position).choices) if ours else position.legal_moves:
        yield from all_games(strategy, mark, (*game, position.play(cell)))


def cell_between(before: Position, after: Position) -> Cell:
    return ((before.x | before.o) ^ (after.x | after.o)).bit_length() - 1


def cells_of_game(game: Game) -> list[Cell]:
    return [cell_between(*pair) for pair in pairwise(game)]


def counted(games: list[Game], mark: Mark) -> Counts:
    ends = [game[-1].result for game in games]
    return Counts(ends.count(Result(mark)), ends.count(Result.DRAW), ends.count(Result(mark.other)))


def assert_as_listed(tried: Trial, games: list[Game]) -> None:
    """Compare counts, the quickest lost game in reading order, decided positions and slips with the list of games."""
    mark = tried.mark
    assert tried.counts == counted(games, mark)
    lost = [game for game in games if game[-1].result == str(mark.other)]
    assert tried.unbeatable == (not lost)
    if tried.refutation:
        shortest = min(lost, key=lambda game: (len(game), cells_of_game(game)))
        assert [ply.cell for ply in tried.refutation.plies] == cells_of_game(shortest)
        assert [ply.position for ply in tried.refutation.plies] == list(shortest[:-1])
    else:
        assert not lost
    moves = {pair for game in games for pair in pairwise(game) if pair[0].mover is mark}
    assert tried.positions == len({before for before, _ in moves})
    slips = {before for before, after in moves if minimax_score(before) >= PROVED and minimax_score(after) > -PROVED}
    assert tried.slips == len(slips)
    if tried.slip:
        assert tried.slip.position in slips
        assert tried.slip.position.plies_left == max(each.plies_left for each in slips)


@examples(60)
@given(st.sampled_from(FEW_CELLS), st.integers(0, 99), st.sampled_from(Mark))
def test_the_trial_of_any_strategy_agrees_with_the_list_of_all_games(rules: Rules, number: int, mark: Mark) -> None:
    strategy = random_strategy(number)
    assert_as_listed(trial(strategy, mark, rules), list(all_games(strategy, mark, (Position(rules),))))


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize("name", TRIED)
def test_on_three_by_three_a_trial_agrees_with_the_list_of_all_games(name: str, mark: Mark) -> None:
    strategy = STRATEGIES[name]
    assert_as_listed(trial(strategy, mark, TIC_TAC_TOE), list(all_games(strategy, mark, (Position(TIC_TAC_TOE),))))


def test_the_trial_of_anyone_counts_all_games_there_are() -> None:
    """255,168 games of tic-tac-toe: 131,184 won by X, 77,904 by O, 46,080 drawn (the known counts)."""
    assert trial(STRATEGIES["easy"], Mark.X, TIC_TAC_TOE).counts == Counts(131_184, 46_080, 77_904)
    assert trial(STRATEGIES["easy"], Mark.O, TIC_TAC_TOE).counts == Counts(77_904, 46_080, 131_184)


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "pyfl-program", "alphabeta-4"])
def test_the_move_that_erred_is_the_last_that_gave_away_what_perfect_play_holds(name: str) -> None:
    refutation = trial(STRATEGIES[name], Mark.O, TIC_TAC_TOE).refutation
    assert refutation is not None
    assert refutation.erred is not None
    ply = refutation.plies[refutation.erred]
    assert ply.position.mover is Mark.O
    assert minimax_score(ply.position) >= 0
    assert minimax_score(ply.position.play(ply.cell)) >= PROVED
    later = [each for each in refutation.plies[refutation.erred + 1 :] if each.position.mover is Mark.O]
    assert all(minimax_score(each.position) <= -PROVED for each in later)


def test_where_the_side_is_lost_from_the_start_no_move_erred() -> None:
    refutation = trial(STRATEGIES["hard"], Mark.O, parse_rules("3x2x2")).refutation
    assert refutation is not None
    assert refutation.erred is None


def test_a_slip_is_a_move_that_no_longer_wins() -> None:
    slip = trial(STRATEGIES["hard"], Mark.X, TIC_TAC_TOE).slip
    assert isinstance(slip, Ply)
    assert minimax_score(slip.position) >= PROVED
    assert minimax_score(slip.position.play(slip.cell)) > -PROVED
    assert slip.reason == STRATEGIES["hard"].decide(slip.position).reason


@pytest.mark.parametrize("board", ["4x2x3", *exhaustive("5x2x3", "4x3x3")])
def test_symmetry_changes_no_count_on_a_larger_board(board: str) -> None:
    rules, hard = parse_rules(board), STRATEGIES["hard"]
    for mark in Mark:
        once, each = trial(hard, mark, rules), trial(replace(hard, symmetric=lambda _: False), mark, rules)
        assert (once.counts, once.positions, once.slips) == (each.counts, each.positions, each.slips)
        assert once.refutation == each.refutation


def test_a_trial_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLarge, match="more positions than there is time for"):
        trial(STRATEGIES["easy"], Mark.X, parse_rules("5x5x4"), Budget(nodes=1000))


@examples(60)
@given(positions(st.sampled_from([parse_rules("4x3x3"), parse_rules("5x2x3"), parse_rules("4x4x4")]), max_empty=6))
def test_perfect_play_agrees_with_minimax_on_boards_without_a_table(position: Position) -> None:
    score = minimax_score(position)
    assert (wins(position), loses(position)) == (score >= PROVED, score <= -PROVED)


def test_perfect_play_looks_small_boards_up() -> None:
    for position in reachable(TIC_TAC_TOE):
        score = look_up(position)
        assert (wins(position), loses(position)) == (score > 0, score < 0)
