"""The map of optimal moves: every move on it is a best one, every answer is on it, and its owner never loses.

The model is the map drawn in xkcd 832. It is known for places where O could win at once and plays elsewhere, and for
slips of the pen: symbols missing or of the wrong colour. A test here excludes each of these mistakes.
"""

from collections import Counter
from functools import cache
from xml.etree import ElementTree

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import to_parent
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.errors import TooLarge
from solver.pictures.poster import COLOURS, BestReply, best_reply, describe, map_of_moves, poster, tally
from solver.pictures.svg import crosses, rings
from tests.marked import sampled
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, minimax_score

SVG = "{http://www.w3.org/2000/svg}"
MARKS = pytest.mark.parametrize("owner", Mark)


@cache
def whole_map(owner: Mark) -> tuple[BestReply, ...]:
    return tuple(map_of_moves(TIC_TAC_TOE, owner).walk())


@MARKS
def test_every_move_on_the_map_is_a_best_one_by_plain_minimax_so_a_win_at_once_is_taken(owner: Mark) -> None:
    for advice in whole_map(owner):
        if advice.reply is not None:
            scores = {
                cell: to_parent(minimax_score(advice.position.after(cell))) for cell in advice.position.legal_moves
            }
            assert scores[advice.reply] == max(scores.values())


@MARKS
def test_every_answer_of_the_opponent_is_on_the_map(owner: Mark) -> None:
    for advice in whole_map(owner):
        assert tuple(advice.answers) == advice.after.legal_moves
        assert all(answer.position == advice.after.after(cell) for cell, answer in advice.answers.items())


@MARKS
def test_every_line_ends_in_a_finished_game_that_the_owner_has_not_lost(owner: Mark) -> None:
    ends = Counter(advice.after.result for advice in whole_map(owner) if not advice.answers)
    assert set(ends) == {Result(owner), Result.DRAW}


@pytest.mark.parametrize(("owner", "won", "drawn"), [(Mark.X, 71, 2), (Mark.O, 378, 79)])
def test_the_map_counts_its_games(owner: Mark, won: int, drawn: int) -> None:
    found = tally(whole_map(owner)[0], owner)
    assert (found.won, found.drawn, found.lost) == (won, drawn, 0)
    assert f"of the {won + drawn} games" in describe(whole_map(owner)[0], owner)


def test_of_equally_good_moves_the_map_takes_one_that_sets_most_traps() -> None:
    # All nine openings draw with best play; after a corner an opponent who plays at random loses most often.
    assert best_reply(Position(TIC_TAC_TOE)) == 0


@pytest.mark.parametrize("rules", sampled([rules for rules in SMALL_BOARDS if rules.size <= 6], 5), ids=str)
@MARKS
def test_every_small_board_has_a_map(rules: Rules, owner: Mark) -> None:
    picture = ElementTree.fromstring(poster(rules, owner))  # noqa: S314 - our own text
    assert picture.tag == SVG + "svg"


def test_a_map_of_a_large_board_is_refused() -> None:
    with pytest.raises(TooLarge, match="nine squares"):
        map_of_moves(parse_rules("4x4x4"), Mark.X)


@MARKS
def test_every_move_of_the_owner_is_drawn_once_in_the_owners_colour_and_no_other_stone_is(owner: Mark) -> None:
    picture = ElementTree.fromstring(poster(TIC_TAC_TOE, owner))  # noqa: S314 - our own text
    page = next(each for each in picture if each.tag == SVG + "g")  # the map; the legend comes after it
    drawn = Counter(each.get("d") for each in page.iter(SVG + "path") if each.get("stroke") == COLOURS[owner])
    path = crosses if owner is Mark.X else rings
    assert drawn == Counter(
        path(1 << advice.reply, TIC_TAC_TOE) for advice in whole_map(owner) if advice.reply is not None
    )
