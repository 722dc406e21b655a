"""Lists of rules: the shortest, proofs, changes and chances, against all positions and games one by one."""

from functools import cache
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.trial import Trial, trial
from solver.articles.crosstable import score
from solver.articles.rulebooks import (
    Aim,
    against_everyone,
    changes,
    find_mending,
    reaches,
    rule_examples,
    sample_game,
    shortest,
)
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.players import STRATEGIES
from solver.players.decision import Strategy, find_rule, following
from solver.players.handbook import HANDBOOK, MOST_RULES, RULEBOOK, SEVEN_RULES, SHORT_RULEBOOK, listed, player_of
from solver.players.match import results_of, spread
from solver.search.tablebase import look_up
from tests.strategies import TIC_TAC_TOE, examples, reachable

UNFINISHED = tuple(position for position in reachable(TIC_TAC_TOE) if position.result is None)
CLASSES = {position.canonical() for position in UNFINISHED}
"""One position of each symmetry class; rules treat all of a class alike."""


def player(names: tuple[str, ...]) -> Strategy:
    return Strategy("list", "List", "A list of rules.", "Lists", "rules", following(listed(names)))


@cache
def given_away(names: tuple[str, ...]) -> set[tuple[int, int]]:
    """Return the changes (before, after) of the value of positions that squares of a list can cause."""
    decide = following(listed(names))
    moves = ((position, cell) for position in CLASSES for cell in decide(position).choices)
    found = {(sign(look_up(position)), -sign(look_up(position.after(cell)))) for position, cell in moves}
    return {(before, after) for before, after in found if before != after}


@cache
def trials(names: tuple[str, ...]) -> list[Trial]:
    """Try a list as X and as O against every line of play."""
    return [trial(player(names), mark, TIC_TAC_TOE) for mark in Mark]


def tried(names: tuple[str, ...], aim: Aim) -> bool:
    """Return whether a list reaches an aim, by playing it out and by all its decisions."""
    unbeatable = all(each.unbeatable for each in trials(names))
    match aim:
        case Aim.UNBEATABLE:
            return unbeatable
        case Aim.KEEPS_WINS:
            return unbeatable and not any(each.slips for each in trials(names))
        case Aim.KEEPS_EVERY_WIN:
            return not {before for before, _ in given_away(names) if before == 1}
        case Aim.SOUND:
            return unbeatable and tried(names, Aim.KEEPS_EVERY_WIN)
        case Aim.PERFECT:
            return not given_away(names)


LISTS = [
    (),
    SEVEN_RULES,
    RULEBOOK,
    SHORT_RULEBOOK,
    ("win", "block", "safe threat", "live lines"),
    ("win", "block", "fork", "force a fork"),
    ("win", "block", "fork", "force a fork", "spoil the one", "leave nothing"),
    ("centre", "leave nothing"),
    ("win", "block", "centre", "corner"),
    ("leave nothing",),
]


@examples(30)
@given(
    st.sampled_from(LISTS) | st.lists(st.sampled_from([*HANDBOOK]), unique=True, max_size=8).map(tuple),
    st.sampled_from(Aim),
)
def test_a_list_reaches_an_aim_if_playing_it_out_says_so(names: tuple[str, ...], aim: Aim) -> None:
    for chosen in (names, tuple(dict.fromkeys(("win", "block", *names, "live lines")))):
        assert reaches(chosen, aim) == tried(chosen, aim)


@pytest.mark.parametrize("aim", Aim)
def test_each_aim_is_reached_by_one_of_these_lists_and_missed_by_another(aim: Aim) -> None:
    assert {reaches(names, aim) for names in LISTS} == {True, False}


def test_no_list_of_up_to_three_rules_is_unbeatable_though_all_are_tried_one_by_one() -> None:
    names = [name for name, advice in HANDBOOK.items() if advice.sight <= 3]
    for length in range(4):
        assert not any(reaches(chosen, Aim.UNBEATABLE) for chosen in permutations(names, length))


def test_the_rulebook_is_one_of_the_shortest_that_never_loses_and_never_lets_a_win_slip_anywhere() -> None:
    found = shortest(Aim.SOUND, sight=3)
    assert found is not None
    assert found.length == len(RULEBOOK) == 6
    assert RULEBOOK in found.lists


@pytest.mark.slow
@pytest.mark.parametrize(("sight", "length"), [(0, 6), (1, 5), (2, 4), (3, 4), (4, 2)])
def test_the_farther_the_rules_look_the_fewer_it_takes(sight: int, length: int) -> None:
    found = shortest(Aim.UNBEATABLE, sight)
    assert found is not None
    assert found.length == length
    assert all(tried(names, Aim.UNBEATABLE) for names in found.lists[:2])
    assert all(HANDBOOK[name].sight <= sight for names in found.lists for name in names)


def test_nothing_that_looks_less_far_never_lets_a_win_slip() -> None:
    assert shortest(Aim.KEEPS_EVERY_WIN, sight=2) is None


def test_the_changes_of_a_list_are_all_that_drop_move_replace_or_add_one_rule() -> None:
    found = {change.names for change in changes(("win", "block"))}
    others = [name for name in HANDBOOK if name not in ("win", "block")]
    assert found == {
        ("win",),
        ("block",),
        ("block", "win"),
        *((name, "block") for name in others),
        *(("win", name) for name in others),
        *((name, "win", "block") for name in others),
        *(("win", name, "block") for name in others),
        *(("win", "block", name) for name in others),
    }


def test_hard_is_mended_by_a_guard_instead_of_its_sides() -> None:
    found = {change.words: change for change in find_mending(SEVEN_RULES)}
    assert {words for words, change in found.items() if change.sight <= 3} == {
        "“safe threat” instead of “edge”",
        "“distract” instead of “edge”",
        "“guard” instead of “edge”",
    }
    assert all(tried(change.names, Aim.UNBEATABLE) for change in found.values())
    assert not tried(SEVEN_RULES, Aim.UNBEATABLE)


GREEDY = ("win", "fork", "block", "corner")


def test_the_chances_are_those_of_all_games_against_each_opponent() -> None:
    met = {each.opponent.name: each for each in against_everyone(GREEDY)}
    assert list(met) == list(STRATEGIES)
    for name in ("medium", "pyfl-literal"):
        ends = (
            spread(Position(TIC_TAC_TOE), player_of(GREEDY), STRATEGIES[name]),
            spread(Position(TIC_TAC_TOE), STRATEGIES[name], player_of(GREEDY)),
        )
        assert [met[name].chances[mark] for mark in Mark] == [results_of(each) for each in ends]
        assert met[name].score == (score(results_of(ends[0]), Mark.X) + score(results_of(ends[1]), Mark.O)) / 2


@pytest.mark.parametrize(
    "names", [RULEBOOK, SHORT_RULEBOOK, SEVEN_RULES, ("win", "centre", "corner", "apart", "edge")], ids=", ".join
)
def test_the_plainest_examples_are_positions_in_which_the_rules_decide(names: tuple[str, ...]) -> None:
    found, rules = rule_examples(names), listed(names)
    for name, (position, cells) in found.items():
        rule, named = find_rule(rules, position)
        assert (rule.name, named) == (name, cells)


def test_a_rule_that_never_decides_has_no_example() -> None:
    assert set(rule_examples(SEVEN_RULES)) == set(SEVEN_RULES)  # the rest never does
    assert "corner" not in rule_examples(("live lines", "corner"))


def test_what_mends_a_list_makes_it_unbeatable_and_no_longer_than_lists_may_be() -> None:
    found = find_mending(("win", "block", "centre", "corner", "edge"))
    assert found
    assert all(reaches(each.names, Aim.UNBEATABLE) and len(each.names) <= MOST_RULES for each in found)
    assert [each.sight for each in found] == sorted(each.sight for each in found)


@pytest.mark.parametrize("mark", Mark)
def test_a_sample_game_is_one_that_the_list_plays(mark: Mark) -> None:
    game = sample_game(player_of(SHORT_RULEBOOK), mark)
    assert game.last.result is not None
    for position, cell in zip(game.positions, game.moves, strict=False):
        assert position.mover is not mark or cell in player_of(SHORT_RULEBOOK).decide(position).choices
