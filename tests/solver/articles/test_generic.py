"""The Scala article's minimax without distances, the order of its set, and its search for lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.claims.scala import PUBLISHED, SET_ORDER
from solver.articles.generic import PlainMinimax, attempts, person, play, program
from solver.board.game import parse_game
from solver.board.notation import format_cells, format_position, parse_position
from solver.board.outcome import sign
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules, bits_of
from solver.errors import BadOption
from solver.players import STRATEGIES
from solver.search.minimax import minimax
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, positions


@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_value_and_nodes_are_those_of_plain_minimax(position: Position) -> None:
    plain, searched = PlainMinimax().plain(position), minimax(position)
    assert (plain.value, plain.nodes) == (sign(searched.score), searched.nodes)


@given(positions(st.just(TIC_TAC_TOE)))
def test_the_best_moves_are_those_of_the_player_on_offer(position: Position) -> None:
    if position.result is None:
        assert PlainMinimax().best(position) == tuple(STRATEGIES["minimax"].decide(position).choices)


def test_a_tree_with_too_many_positions_is_refused() -> None:
    with pytest.raises(BadOption, match="different positions"):
        PlainMinimax(max_positions=100).plain(Position(Rules(4, 4, 4)))


@examples(100)
@given(positions())
def test_a_line_is_found_exactly_where_a_player_has_one(position: Position) -> None:
    for mark in Mark:
        runs = tuple(attempts(position, mark))
        assert any(run.is_line for run in runs) is bool(position.lines_of(mark))
        for run in runs:
            assert run.start == run.stones[0]
            assert all(position.mark_at(cell) is mark for cell in run.stones)
            assert run.stopped_by is None or position.mark_at(run.stopped_by) is not mark
            assert run.is_line is (bits_of(run.stones) in position.lines_of(mark))


def test_the_check_stops_at_the_first_line() -> None:
    # the end of the game in the log of the Scala article
    end = parse_position("XOX/OO./XOX")
    runs = tuple(attempts(end, Mark.O))
    assert [run.is_line for run in runs] == [False] * (len(runs) - 1) + [True]
    assert format_cells(runs[-1].stones, end.rules) == "b3, b2, b1"


TYPED = ("3 3", "3 1", "1 1", "1 3")
"""What the article's person types."""


def test_the_article_s_game_comes_of_its_players_and_its_input() -> None:
    lines: list[str] = []
    end = play(person(iter(TYPED), lines.append), program(SET_ORDER), lines.append)
    assert end == parse_game("3x3x3", None, PUBLISHED).last
    boards = [line for line in lines if "\n" in line]
    assert boards == [
        format_position(each).replace("/", "\n") for each in parse_game("3x3x3", None, PUBLISHED).positions[1:]
    ]
    assert lines[-1] == "Player 2 wins."


def test_two_persons_and_two_programs_are_players_too() -> None:
    typed = iter(("1 1", "2 1", "1 2", "2 2", "1 3"))
    someone = person(typed, lambda _: None)
    assert play(someone, someone, lambda _: None).result is Result.X
    minimax = program(SET_ORDER)
    assert play(minimax, minimax, lambda _: None).result is Result.DRAW


def test_a_person_types_again_after_an_impossible_move() -> None:
    lines: list[str] = []
    move = person(iter(("2 2", "2 2", "9 9", "1 1")), lines.append)
    after = move(move(Position(TIC_TAC_TOE)))
    assert format_position(after) == "O../.X./..."
    assert lines.count("You can't play there.") == 2


def test_players_take_turns_whatever_they_play() -> None:
    lines: list[str] = []
    with pytest.raises(StopIteration):
        play(person(iter(("1 1",)), lines.append), program(SET_ORDER), lines.append)
    assert [line for line in lines if line.startswith("Player")] == [
        "Player 1 moves:",
        "Player 2 moves:",
        "Player 1 moves:",
    ]
