"""A list of rules looked at from all sides: chances that are those of its games, boards on which its rules decide."""

from fractions import Fraction

import pytest

from solver.articles.crosstable import score
from solver.articles.rulebooks import Aim, against_everyone, examples, mended_by, reaches, sample_game
from solver.board.position import Mark, Result
from solver.players import STRATEGIES
from solver.players.decision import deciding
from solver.players.handbook import listed
from solver.players.lists import MOST_RULES, SEVEN_RULES, SHORT_RULEBOOK, player_of
from solver.players.match import endings, results_of
from tests.strategies import TIC_TAC_TOE

GREEDY = ("win", "fork", "block", "corner")


def test_the_chances_are_those_of_all_games_against_each_opponent() -> None:
    met = {each.opponent.name: each for each in against_everyone(GREEDY)}
    assert list(met) == list(STRATEGIES)
    for name in ("medium", "pyfl-literal"):
        ends = (
            endings(TIC_TAC_TOE, player_of(GREEDY), STRATEGIES[name]),
            endings(TIC_TAC_TOE, STRATEGIES[name], player_of(GREEDY)),
        )
        assert [met[name].chances[mark] for mark in Mark] == [results_of(each) for each in ends]
        assert met[name].score == (score(results_of(ends[0]), Mark.X) + score(results_of(ends[1]), Mark.O)) / 2


def test_the_list_of_an_opponent_has_that_opponents_chances() -> None:
    hard = next(each for each in against_everyone(SEVEN_RULES) if each.opponent.name == "hard")
    mirrored = hard.chances[Mark.X]
    assert mirrored == hard.chances[Mark.O]
    assert sum(mirrored.values()) == Fraction(1)
    assert hard.chances[Mark.X][Result.O] == hard.chances[Mark.O][Result.O]


@pytest.mark.parametrize(
    "names", [SHORT_RULEBOOK, SEVEN_RULES, ("win", "centre", "corner", "apart", "side")], ids=", ".join
)
def test_an_example_of_a_rule_is_a_position_in_which_it_decides(names: tuple[str, ...]) -> None:
    found, rules = examples(names), listed(names)
    for name, (position, cells) in found.items():
        rule, named = deciding(rules, position)
        assert (rule.name, named) == (name, cells)


def test_a_rule_that_never_decides_has_no_example() -> None:
    assert set(examples(SEVEN_RULES)) == set(SEVEN_RULES)  # the rest never does
    assert "corner" not in examples(("live lines", "corner"))


def test_what_mends_a_list_makes_it_unbeatable_and_no_longer_than_lists_may_be() -> None:
    found = mended_by(("win", "block", "centre", "corner", "side"))
    assert found
    assert all(reaches(each.names, Aim.UNBEATABLE) and len(each.names) <= MOST_RULES for each in found)
    assert [each.sight for each in found] == sorted(each.sight for each in found)


@pytest.mark.parametrize("mark", Mark)
def test_a_sample_game_is_one_that_the_list_plays(mark: Mark) -> None:
    game = sample_game(player_of(SHORT_RULEBOOK), mark)
    assert game.last.result is not None
    for position, cell in zip(game.positions, game.moves, strict=False):
        assert position.mover is not mark or cell in player_of(SHORT_RULEBOOK).decide(position).choices
