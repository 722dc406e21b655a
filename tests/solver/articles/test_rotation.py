"""The Scala article's driver: a person and the program are players of one interface, who take turns."""

import pytest

from solver.articles.claims.scala import PUBLISHED, SET_ORDER
from solver.articles.rotation import person, play, program
from solver.board.game import parse_game
from solver.board.notation import format_position
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE

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
