"""The proof of a list of rules, and what goes wrong without each of its rules, against all positions one by one."""

import pytest

from solver.board.outcome import DRAWN
from solver.board.position import Mark
from solver.search.tablebase import looked_up
from solver.strategies.handbook import HANDBOOK, deciding, following, listed
from solver.strategies.lists import RULEBOOK, SEVEN_RULES, SHORT_RULEBOOK
from solver.theory.rulebooks import example, proof, without
from tests.strategies import TIC_TAC_TOE, reachable

WON = [position for position in reachable(TIC_TAC_TOE) if position.result is None and looked_up(position) > DRAWN]


@pytest.mark.parametrize("names", [RULEBOOK, SHORT_RULEBOOK, SEVEN_RULES])
def test_slips_are_the_won_positions_in_which_a_list_may_play_what_wins_no_more(names: tuple[str, ...]) -> None:
    decide = following(listed(names))
    slips = [
        position
        for position in WON
        if any(looked_up(position.play(cell)) >= DRAWN for cell in decide(position).choices)
    ]
    proved = proof(names)
    assert (proved.won, proved.slips) == (len(WON), len(slips))
    assert (proved.slip is None) == (not slips)
    if proved.slip is not None:
        assert looked_up(proved.slip.position.play(proved.slip.cell)) >= DRAWN


@pytest.mark.parametrize("name", RULEBOOK)
def test_without_a_rule_the_rulebook_loses_a_game_or_lets_a_win_slip(name: str) -> None:
    rest = listed(each for each in RULEBOOK if each != name)
    wrong = without(RULEBOOK, name)
    if wrong.refutation is None:
        assert wrong.slip is not None
        assert wrong.slip.cell in deciding(rest, wrong.slip.position)[1]
        return
    assert wrong.mark is not None
    for ply in wrong.refutation.plies:
        if ply.position.mover is wrong.mark:
            assert ply.cell in following(rest)(ply.position).choices
    last = wrong.refutation.plies[-1]
    assert last.position.play(last.cell).result == str(wrong.mark.other)


@pytest.mark.parametrize("names", [RULEBOOK, SHORT_RULEBOOK])
def test_an_example_of_a_rule_is_a_position_in_which_it_decides(names: tuple[str, ...]) -> None:
    for name in names:
        position, cells = example(names, name)
        assert deciding(listed(names), position) == (HANDBOOK[name], cells)


def test_the_short_rulebook_lets_wins_slip_in_positions_that_its_games_do_not_reach() -> None:
    proved = proof(SHORT_RULEBOOK)
    assert proved.slips == 208
    assert [tried.slips for tried in proved.trials] == [0, 0]
    assert [tried.mark for tried in proved.trials] == list(Mark)
