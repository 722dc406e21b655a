"""The benefit of tie-breaks: exact chances against those of games enumerated one by one."""

from fractions import Fraction

import pytest

from solver.articles.tiebreaking import TIE_BREAKS, match_ups, ties, weighed
from solver.board.notation import parse_rules
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.players import STRATEGIES
from solver.proofs.predict import predict
from tests.strategies import TIC_TAC_TOE, reachable

TINY = parse_rules("3x2x2")


def chance_of_winning(position: Position, players: dict[Mark, str], mark: Mark) -> Fraction:
    if position.result is not None:
        return Fraction(position.result == str(mark))
    choices = STRATEGIES[players[position.mover]].decide(position).choices
    parts = (chance * chance_of_winning(position.play(cell), players, mark) for cell, chance in choices.items())
    return sum(parts, Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [TIC_TAC_TOE, TINY], ids=str)
def test_the_chances_are_those_of_all_games_one_by_one(rules: Rules) -> None:
    for match in match_ups(rules):
        for name in TIE_BREAKS:
            players = {match.mark: name, match.mark.other: match.opponent}
            assert match.wins[name] == chance_of_winning(Position(rules), players, match.mark)


def test_ties_are_the_positions_with_several_best_squares() -> None:
    unfinished = [position for position in reachable(TIC_TAC_TOE) if position.result is None]
    tied = [position for position in unfinished if len(predict(position).best) > 1]
    found = ties(TIC_TAC_TOE)
    assert (found.unfinished, found.tied) == (len(unfinished), len(tied)) == (4520, 1378)
    for name in TIE_BREAKS:
        narrowed = [p for p in tied if len(STRATEGIES[name].decide(p).choices) < len(predict(p).best)]
        assert found.narrowed[name] == len(narrowed) > 0


def test_a_larger_board_is_weighed_by_outcomes_alone() -> None:
    squares = weighed(predict(Position(parse_rules("4x3x3"))))
    assert all(square.paths is None and square.opportunities is None and not square.players for square in squares)


def test_a_finished_game_has_no_squares_to_weigh() -> None:
    assert weighed(predict(Position(TINY, x=0b000011, o=0b001000))) == ()
