"""What the Haskell article's program walks and values: its positions, and the values that its functions give them."""

from typing import Final

from solver.board.notation import format_cell, parse_position
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.theory.lookahead import ahead, move_values
from solver.theory.misread import WITHOUT_ANTI_DIAGONAL, helpless_value

MISREAD: Final = WITHOUT_ANTI_DIAGONAL
"""The board as the article's program sees it."""

CENTRE: Final = ".../.X./..."
AFTER_CORNER: Final = "X../.../O.."
SECOND: Final = "..X/OX./O.."
PRUNED: Final = 8
"""Plies to which the article prunes the tree below a move before it values it."""


def tree_nodes(rules: Rules, depth: int) -> int:
    """The nodes of the tree after X in the centre, pruned to a depth in plies."""
    return ahead(parse_position(CENTRE, rules), depth).size(depth)


def first_line(mark: Mark) -> int:
    """The ply after b2 at which the tree first holds a line of this player."""
    layer, ply = {parse_position(CENTRE, TIC_TAC_TOE)}, 0
    while not any(position.lines_of(mark) for position in layer):
        layer, ply = {position.after(cell) for position in layer for cell in position.legal_moves}, ply + 1
    return ply


def value_after_centre(depth: int) -> int:
    """X's value of the centre with so many plies looked ahead, O choosing O's moves."""
    return ahead(parse_position(CENTRE, TIC_TAC_TOE), depth).value(depth)


def reply_chosen_for_x(depth: int) -> int:
    """The value after b2 if O's first reply, and it alone, is the one that X would like best."""
    start = parse_position(CENTRE, TIC_TAC_TOE)
    return max(ahead(start.after(cell), depth - 1).value(depth - 1) for cell in start.legal_moves)


def values_of(text: str, rules: Rules) -> list[int]:
    """X's value of each move of a position, as the article prunes the tree below it."""
    return [seen[-1] for seen in move_values(parse_position(text, rules), PRUNED + 1).values()]


def second_values(rules: Rules, helpless: bool) -> list[int]:
    """X's value of each move of the second position, `helpless` if each player chooses for the other after it."""
    if not helpless:
        return values_of(SECOND, rules)
    start = parse_position(SECOND, rules)
    return [helpless_value(start.after(cell), PRUNED) for cell in start.legal_moves]


def move_names(text: str, numbers: list[int]) -> str:
    """The squares of the moves with these numbers, counted from 0 in reading order."""
    moves = parse_position(text, TIC_TAC_TOE).legal_moves
    return cell_names([moves[number] for number in numbers])


def cell_names(cells: tuple[int, ...] | list[int]) -> str:
    """The names of squares, with commas between them."""
    return ", ".join(format_cell(cell, TIC_TAC_TOE) for cell in cells)
