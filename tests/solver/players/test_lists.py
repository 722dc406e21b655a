"""Lists of rules as players: their spelling, their mistakes, and the games that refute them."""

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.analysis.trial import trial
from solver.articles.rulebooks import Aim, reaches
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Mark
from solver.players import STRATEGIES, Strategy, opponent_called, strategy_named
from solver.players.decision import consult, find_rule
from solver.players.handbook import HANDBOOK, LIST_END, SLUGS, format_list, listed, parse_list, player_of
from solver.search.tablebase import look_up
from tests.strategies import TIC_TAC_TOE, examples, reachable

UNFINISHED = tuple(position for position in reachable(TIC_TAC_TOE) if position.result is None)
BY_RULES = [each for each in STRATEGIES.values() if each.follows]
lists = st.lists(st.sampled_from(list(HANDBOOK)), max_size=7, unique=True).map(tuple)


@given(lists)
def test_a_list_is_read_as_it_is_written(names: tuple[str, ...]) -> None:
    assert parse_list(format_list(names)) == names
    player = player_of(names)
    assert opponent_called(player.name) is strategy_named(player.name, TIC_TAC_TOE) is player
    assert opponent_called(f"{player.name},blok") is None


def test_no_two_rules_and_no_opponent_are_written_alike() -> None:
    assert len(SLUGS) == len(HANDBOOK)
    assert not {LIST_END, *SLUGS} & set(STRATEGIES)
    assert not {f"{one}-{other}" for one, other in product(SLUGS, SLUGS)} & set(SLUGS)


def test_a_list_plays_on_a_larger_board_and_says_where_it_takes_a_while() -> None:
    large = parse_rules("5x4x4")
    block = parse_position("XXX../...../...../OO...", large)
    assert strategy_named("win,block", large).decide(block).reason == (
        "block: stop the opponent from completing a line"
    )
    assert strategy_named("win,guard", large).quick(large)
    assert not strategy_named("win,leave-nothing", large).quick(large)
    assert strategy_named("win,leave-nothing", large).quick(TIC_TAC_TOE)


@pytest.mark.parametrize("player", [*BY_RULES, player_of(tuple(HANDBOOK))], ids=lambda each: each.name[:20])
def test_a_decision_is_that_of_the_first_rule_of_its_trace_that_names_a_square(player: Strategy) -> None:
    for position in UNFINISHED[::61]:
        consulted = consult(player.follows, position)
        (decided,) = (each for each in consulted if each.decides)
        decision = player.decide(position)
        assert (set(decided.cells), decided.rule.reason(position)) == (set(decision.choices), decision.reason)
        assert [each.asked for each in consulted] == [
            place <= consulted.index(decided) for place in range(len(consulted))
        ]
        assert all(bool(each.cells) != bool(each.lacking) for each in consulted)


def test_a_rule_says_truly_whether_the_opponent_could_fork() -> None:
    for position in UNFINISHED[::7]:
        for name in ("spoil the one", "distract", "guard"):
            (consulted,) = consult((HANDBOOK[name],), position)
            could = bool(tuple(HANDBOOK["spoil"].cells(position)))
            assert could != ("could not fork next" in consulted.lacking) or consulted.cells


@examples(100)
@example(("win", "block", "guard", "live lines"))
@example(("win", "fork", "block", "corner"))
@given(lists | lists.map(lambda names: tuple(dict.fromkeys(("win", "block", *names)))))
def test_any_list_is_refuted_by_moves_of_its_own(names: tuple[str, ...]) -> None:
    beaten = False
    for mark in Mark:
        tried = trial(player_of(names), mark, TIC_TAC_TOE)
        if tried.refutation:
            beaten = True
            for ply in tried.refutation.plies:
                assert ply.position.mover is not mark or ply.cell in find_rule(listed(names), ply.position)[1]
            assert tried.refutation.erred is not None
            erred = tried.refutation.plies[tried.refutation.erred]
            assert look_up(erred.position) >= DRAWN < look_up(erred.position.play(erred.cell))
    assert reaches(names, Aim.UNBEATABLE) != beaten
