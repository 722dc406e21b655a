"""The shelf: what is known of each game, and the search in it."""

import pytest

from solver.atlas.games import board_or_game
from solver.atlas.shelf import games_matching, shelf
from solver.board.position import Position
from solver.players.levels import LEVELS
from solver.proofs.predict import predict

NAMES = [each.game.name for each in shelf()]
ANIMALS = ["Tippy", "Elly", "Knobby", "Fatty", "Skinny", "Snaky"]


@pytest.mark.parametrize("game", shelf(), ids=NAMES)
def test_the_outcome_of_a_game_is_the_atlas_one_and_on_small_boards_the_table_s(game: object) -> None:
    outcome = game.outcome  # type: ignore[attr-defined]
    rules = game.rules  # type: ignore[attr-defined]
    assert outcome == board_or_game(str(rules)).outcome
    if rules.is_small:
        assert predict(Position(rules)).outcome == outcome


@pytest.mark.parametrize(
    ("name", "who_wins"),
    [
        ("Tic-tac-toe", "a draw"),
        ("Connect Four", "X wins in 21 moves"),
        ("Notakto", "the first player wins in 3 moves"),
        ("Vanishing", "a draw without end"),
        ("Qubic", "X wins"),
        ("Holes", "X wins in 7 moves"),
    ],
)
def test_who_wins_is_said_in_words(name: str, who_wins: str) -> None:
    assert shelf()[NAMES.index(name)].who_wins == who_wins


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", NAMES),
        ("connect", ["Connect Four"]),
        ("connect 4", ["Connect Four"]),
        ("MISERE", ["Misère"]),
        ("3-d", ["3-D"]),
        ("4x4x4x4", ["Qubic"]),
        ("animals", ANIMALS),
        ("upside down", ["Möbius", "Klein", "Projective"]),
        ("loses", ["Misère", "Notakto"]),
        ("chess", []),
    ],
)
def test_a_search_finds_names_boards_families_and_words_of_rules(query: str, found: list[str]) -> None:
    assert [each.game.name for each in games_matching(query)] == found


def test_levels_are_in_the_order_of_the_dropdown() -> None:
    assert all(list(each.levels) == sorted(each.levels, key=LEVELS.index) for each in shelf())
