"""Points for patterns: what the Clojure article's scheme pays, and what best play makes of it."""

from fractions import Fraction
from functools import cache

import pytest

from solver.articles.openings import openings
from solver.articles.patterns import (
    PATTERNS,
    Pattern,
    backed_up,
    best_ends,
    best_play,
    can_force_outright,
    difference,
    drawn_boards,
    expected,
    fair_without,
    force_values,
    forceable,
    is_fair,
    pattern_of,
    points_of,
)
from solver.board.notation import parse_position
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.errors import BadOption, TooLarge
from tests.strategies import TIC_TAC_TOE

EMPTY = Position(TIC_TAC_TOE)
BOARDS = {
    "X": "XXX/OO./...",
    "O": "OOO/XX./X..",
    "island": "XOX/OXX/OXO",
    "arrow": "OXX/XOO/XOX",
    "scorpion": "OXO/XOX/XOX",
}


def board(text: str) -> Position:
    return parse_position(text, TIC_TAC_TOE)


@cache
def plainly(position: Position, pattern: Pattern) -> int:
    """The article's min-max as it is printed, with its +10, +1, 0 and -10, but remembered."""
    if position.result is Result.X:
        return 10
    if position.result is Result.O:
        return -10
    if position.result is Result.DRAW:
        return int(_pattern(position) is pattern)
    scores = [plainly(position.after(cell), pattern) for cell in position.legal_moves]
    return max(scores) if position.mover is Mark.X else min(scores)


def _pattern(position: Position) -> Pattern:
    if position.mark_at(4) is Mark.X:
        return Pattern.ISLAND
    corners = [position.mark_at(cell) for cell in (0, 2, 6, 8)]
    return Pattern.SCORPION if corners.count(Mark.O) == 2 else Pattern.ARROW


@cache
def plain_lead(position: Position) -> int:
    if position.result is not None:
        return difference(position)
    leads = [plain_lead(position.after(cell)) for cell in position.legal_moves]
    return max(leads) if position.mover is Mark.X else min(leads)


@pytest.mark.parametrize(
    ("end", "points"), [("X", (3, 0)), ("O", (0, 5)), ("island", (0, 1)), ("arrow", (0, 1)), ("scorpion", (1, 0))]
)
def test_points_are_those_of_the_articles_scheme(end: str, points: tuple[int, int]) -> None:
    """Clojure article, part 2: the table under "Drawn Position Patterns"."""
    assert points_of(board(BOARDS[end])) == points


def test_an_unfinished_game_gives_no_points() -> None:
    with pytest.raises(BadOption, match="not over"):
        points_of(EMPTY)


def test_a_draw_on_another_board_has_no_pattern_to_pay_for() -> None:
    drawn = drawn_boards(Rules(4, 3, 4))[0]
    with pytest.raises(BadOption, match="pattern"):
        points_of(drawn)


def test_which_pattern_can_be_forced_is_as_in_the_articles_table() -> None:
    """Clojure article, part 2: the Yes/No table of positions and patterns."""
    assert {name: tuple(row.values()) for name, row in forceable().items()} == {
        "initial": (True, True, True),
        "corner": (False, True, False),
        "edge": (False, False, True),
        "centre": (True, False, False),
    }


@pytest.mark.parametrize("pattern", Pattern)
def test_forcing_a_pattern_is_what_plain_minimax_finds(pattern: Pattern) -> None:
    values = force_values(EMPTY, pattern)
    for opening in openings(TIC_TAC_TOE):
        for reply in opening.replies:
            for cell in reply.position.legal_moves[:3]:
                after = reply.position.after(cell)
                assert {10: 2, -10: -1}.get(plain := plainly(after, pattern), plain) == values[after]


def test_an_opponent_who_would_as_soon_lose_can_avoid_every_pattern() -> None:
    assert not any(can_force_outright(EMPTY, pattern) for pattern in Pattern)


def test_a_draw_on_the_board_is_forced() -> None:
    for drawn in drawn_boards(TIC_TAC_TOE):
        assert [pattern for pattern in Pattern if can_force_outright(drawn, pattern)] == [pattern_of(drawn)]
        assert force_values(drawn, pattern_of(drawn))[drawn] == 1


def test_best_play_gives_x_the_point_of_a_scorpion() -> None:
    best = best_play(EMPTY)
    assert (best.lead, best.points) == (1, ((1, 0),))


@pytest.mark.parametrize(
    ("name", "lead", "points"), [("corner", -1, (0, 1)), ("edge", 1, (1, 0)), ("centre", -1, (0, 1))]
)
def test_only_the_edge_opening_is_worth_a_point_to_x(name: str, lead: int, points: tuple[int, int]) -> None:
    (position,) = (opening.position for opening in openings(TIC_TAC_TOE) if opening.name == name)
    best = best_play(position)
    assert (best.lead, best.points) == (lead, (points,))
    assert plain_lead(position) == lead


def test_the_ends_of_best_play_all_have_its_worth() -> None:
    values = backed_up(EMPTY, difference)
    assert {difference(end) for end in best_ends(EMPTY, values)} == {values[EMPTY]}


def test_the_scheme_is_not_fair_and_would_be_if_it_did_not_pay_for_scorpions() -> None:
    assert not is_fair()
    assert fair_without() == (Pattern.SCORPION,)
    assert is_fair(PATTERNS.without(Pattern.SCORPION))


def test_points_expected_are_the_points_of_each_end_by_its_chance() -> None:
    ends = {
        board(BOARDS["X"]): Fraction(1, 2),
        board(BOARDS["O"]): Fraction(1, 3),
        board(BOARDS["island"]): Fraction(1, 6),
    }
    assert expected(ends) == (Fraction(3, 2), Fraction(5, 3) + Fraction(1, 6))


def test_beyond_nine_squares_it_is_said_what_is_feasible() -> None:
    with pytest.raises(TooLarge, match="up to 9 squares"):
        backed_up(Position(Rules(4, 3, 3)), lambda _: 0)
