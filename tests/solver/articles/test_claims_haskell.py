"""The Haskell article's figures, as printed there, against trees walked as its program walks them.

Source of every literal: the article on alpha-beta search for tic-tac-toe in Haskell ("Game Trees", "Evaluation of Game
States", "Minimax Valuation", "Analysis").
"""

from functools import cache

import pytest

from solver.articles.claims import finding_of

Board = str
Lines = tuple[tuple[int, int, int], ...]

ALL: Lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PROGRAM: Lines = ALL[:-1]
"""The lines that the article's program sees: its test of the anti-diagonal repeats the main diagonal."""

CENTRE, CORNER, SECOND = "....X....", "X.....O..", "..XOX.O.."


def has_line(board: Board, mark: str, lines: Lines) -> bool:
    return any(all(board[cell] == mark for cell in line) for line in lines)


def value(board: Board, lines: Lines) -> int:
    return has_line(board, "X", lines) - has_line(board, "O", lines)


@cache
def moves(board: Board, lines: Lines) -> list[Board]:
    if value(board, lines):
        return []
    mark = "X" if board.count("X") == board.count("O") else "O"
    return [board[:cell] + mark + board[cell + 1 :] for cell in range(9) if board[cell] == "."]


@cache
def nodes(board: Board, depth: int, lines: Lines) -> int:
    return 1 + sum(nodes(after, depth - 1, lines) for after in moves(board, lines) if depth)


@cache
def valuation(board: Board, depth: int, lines: Lines, maximise: bool) -> int:
    """Evaluate a board where the maximiser and the minimiser alternate, regardless of the player to move."""
    below = moves(board, lines) if depth else []
    choose = max if maximise else min
    return choose((valuation(after, depth - 1, lines, not maximise) for after in below), default=value(board, lines))


@cache
def printed_list(board: Board, depth: int, lines: Lines, maximise: bool) -> list[int]:
    """Compute the list of the article's first list functions; they reduce a part's list by the chooser of the whole."""
    below = moves(board, lines) if depth else []
    choose = max if maximise else min
    if not below:
        return [value(board, lines)]
    return [choose(printed_list(after, depth - 1, lines, not maximise)) for after in below]


def test_the_printed_node_count_is_that_of_the_program_s_lines() -> None:
    assert nodes(CENTRE, 6, PROGRAM) == 24785
    assert finding_of("haskell.nodes-depth-6").computation.computed == nodes(CENTRE, 6, ALL)
    assert nodes(CENTRE, 6, ()) == 28961


@pytest.mark.parametrize("lines", [ALL, PROGRAM], ids=["all lines", "the program's lines"])
def test_the_printed_list_functions_give_the_printed_values_of_the_centre(lines: Lines) -> None:
    assert [max(printed_list(CENTRE, depth, lines, maximise=True)) for depth in (5, 6)] == [0, 1]


@pytest.mark.slow
def test_the_printed_list_functions_part_from_the_value_functions_at_six_plies() -> None:
    depths = range(1, 9)
    lists = [max(printed_list(CENTRE, depth, ALL, maximise=True)) for depth in depths]
    values = [valuation(CENTRE, depth, ALL, maximise=True) for depth in depths]
    assert [depth for depth in depths if lists[depth - 1] != values[depth - 1]] == [6, 7, 8]
    assert "6 plies, 1 and not 0, 7 plies" in finding_of("haskell.list-functions").computation.explanation


def test_no_reply_to_move_1_of_the_first_position_gives_the_second() -> None:
    move_1 = moves(CORNER, ALL)[1]
    assert move_1 == "X.X...O.."
    assert SECOND not in moves(move_1, ALL)
    explanation = finding_of("haskell.next-position").computation.explanation
    assert explanation.startswith("After move 1, X has a stone on a3. The position shown has none there")


def test_the_centre_s_value_is_o_s_choice() -> None:
    assert finding_of("haskell.center-win-in-6").computation.computed == valuation(CENTRE, 6, ALL, maximise=False)


def test_the_values_after_the_corner_are_printed_as_the_program_sees_them() -> None:
    computed = finding_of("haskell.values-after-corner").computation.computed
    assert computed == [valuation(after, 8, ALL, maximise=False) for after in moves(CORNER, ALL)]
    printed = [valuation(after, 8, PROGRAM, maximise=False) for after in moves(CORNER, PROGRAM)]
    assert printed == [1, 1, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("lines", [ALL, PROGRAM], ids=["all lines", "the program's lines"])
def test_the_second_list_is_printed_with_the_wrong_player_first(lines: Lines) -> None:
    computed = finding_of("haskell.values-second-position").computation.computed
    assert computed == [valuation(after, 8, lines, maximise=False) for after in moves(SECOND, lines)]
    printed = [valuation(after, 8, lines, maximise=True) for after in moves(SECOND, lines)]
    assert printed == [1, 1, 0, 1, 1]
