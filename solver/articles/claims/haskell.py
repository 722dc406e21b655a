"""The checks of the Haskell article's claims, about its trees and its look-ahead values.

Some printed figures are wrong. Two deviations are tried as explanations: the program overlooks a line, or each player
chooses the move that is best for the other.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from solver.articles.claims.claim import Evidence
from solver.articles.lookahead import Pruned, ahead, lazy_visits, move_values, replies, static_value
from solver.board.notation import format_cells, parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Rules, cells_of
from solver.search.fold import fold, itself

CENTRE: Final = parse_position(".../.X./...")
AFTER_CORNER: Final = parse_position("X../.../O..")
SECOND: Final = parse_position("..X/OX./O..")
PRUNED: Final = 8
"""The depth of the article's tree below a move, in plies."""

WITHOUT_ANTI_DIAGONAL: Final = Rules(3, 3, 3, tuple(line for line in TIC_TAC_TOE.lines if line != 0b001_010_100))
"""3×3 without the diagonal from upper right to lower left; the article tests the other diagonal twice instead."""

WITHOUT_LINES: Final = Rules(3, 3, 3, ())
"""3×3 without lines, where nobody can win and every game fills the board."""

names = partial(format_cells, rules=TIC_TAC_TOE)
"""The function that names squares, e.g. "a3, b2"."""


def tree_nodes(rules: Rules) -> int:
    """Count the nodes of the tree below X's opening in the centre, pruned to six plies."""
    return ahead(replace(CENTRE, rules=rules), 6).size(6)


def first_line(mark: Mark) -> int:
    """Return the least number of plies after X's opening b2 until a player can have a line."""
    layer, ply = {CENTRE}, 0
    while not any(position.lines_of(mark) for position in layer):
        layer, ply = {after for position in layer for after in position.successors()}, ply + 1
    return ply


def value_after_centre(depth: int) -> int:
    """Return X's value of the opening in the centre, with a look-ahead of `depth` plies."""
    return ahead(CENTRE, depth).value(depth)


def reply_chosen_for_x(depth: int) -> int:
    """Return X's value of the opening b2 if X chooses O's first reply. O chooses its later moves itself."""
    return max(ahead(after, depth - 1).value(depth - 1) for after in CENTRE.successors())


def swapped_value(position: Position, depth: int) -> int:
    """Return X's value of a position if each player chooses the move that is best for the other."""

    def choice(state: Pruned, values: Sequence[int]) -> int:
        return min(values) if state[0].mover is Mark.X else max(values)

    return fold(lambda state: static_value(state[0]), choice, replies, itself)((position, depth))


def values_of(position: Position, rules: Rules = TIC_TAC_TOE) -> list[int]:
    """Return X's value of each move in a position, with the article's look-ahead."""
    return [seen[-1] for seen in move_values(replace(position, rules=rules), PRUNED + 1).values()]


def swapped_values(rules: Rules) -> list[int]:
    """Return the `swapped_value` of each move in the article's second position."""
    return [swapped_value(after, PRUNED) for after in replace(SECOND, rules=rules).successors()]


def _nodes_depth_6() -> Evidence:
    right, misread = (tree_nodes(rules) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    return Evidence.of(right, deviating=misread, right=right, misread=misread)


def _nodes_depth_6_naive() -> Evidence:
    naive = tree_nodes(WITHOUT_LINES)
    return Evidence.of(naive, naive=naive)


def _seventeen_percent() -> Evidence:
    naive = tree_nodes(WITHOUT_LINES)
    right, misread = (round(100 * (naive / tree_nodes(rules) - 1)) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    return Evidence.of(right, deviating=misread, right=right, misread=misread)


def _level_one_tree() -> Evidence:
    start = parse_position("XX./.../..O")
    return Evidence.of(ahead(start, 1).size(1) - 1, moves=len(start.legal_moves))


def _x_line_in_4() -> Evidence:
    first = first_line(Mark.X)
    return Evidence.of(first <= 4, first=first)


def _o_line_in_5() -> Evidence:
    first = first_line(Mark.O)
    return Evidence.of(first == 5, first=first)


def _center_depth_5() -> Evidence:
    value, as_printed = value_after_centre(5), reply_chosen_for_x(5)
    return Evidence.of(value, deviating=as_printed, value=value, also="also" if value == as_printed else "not")


def _center_win_in_6() -> Evidence:
    values, as_printed = [value_after_centre(depth) for depth in range(6, 9)], reply_chosen_for_x(6)
    return Evidence.of(values[0], deviating=as_printed, as_printed=as_printed, values=", ".join(map(str, values)))


def _list_functions() -> Evidence:
    both = {depth: (reply_chosen_for_x(depth), swapped_value(CENTRE, depth)) for depth in range(1, PRUNED + 1)}
    apart = {depth: pair for depth, pair in both.items() if pair[0] != pair[1]}
    depths = ", ".join(f"{depth} plies, {first} and not {second}" for depth, (first, second) in apart.items())
    return Evidence.of(not apart, depths=depths)


def _all_first_moves_equal() -> Evidence:
    values = values_of(Position(TIC_TAC_TOE))
    return Evidence.of(values, moves=len(values))


def _values_after_corner() -> Evidence:
    right, misread = values_of(AFTER_CORNER), values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL)
    moves = zip(AFTER_CORNER.legal_moves, right, misread, strict=True)
    return Evidence.of(
        right, deviating=misread, hidden=names(cell for cell, value, printed in moves if value != printed)
    )


def _next_position() -> Evidence:
    chosen = parse_position("X.X/.../O..")
    later = chosen.successors()
    alike = sum(after.canonical() == SECOND.canonical() for after in later)
    missing = names(cells_of(chosen.x & ~SECOND.x))
    return Evidence.of(SECOND in later, missing=missing, alike=alike, replies=len(later))


def _values_second_position() -> Evidence:
    right, swapped = values_of(SECOND), swapped_values(TIC_TAC_TOE)
    part = "plays no part" if swapped_values(WITHOUT_ANTI_DIAGONAL) == swapped else "matters too"
    best = names(cell for cell, value in zip(SECOND.legal_moves, right, strict=True) if value == max(right))
    return Evidence.of(right, deviating=swapped, part=part, best=best)


def _only_block() -> Evidence:
    moves = SECOND.legal_moves
    blocks = [cell for cell in moves if not SECOND.after(cell).threats(Mark.O)]
    threats = names(SECOND.threats(Mark.O))
    return Evidence.of(blocks == [moves[0]], threats=threats, moves=len(moves), blocks=names(blocks))


def _chance_to_win() -> Evidence:
    moves, move = SECOND.legal_moves, SECOND.legal_moves[2]
    threats = {cell: SECOND.after(cell).threats(Mark.X) for cell in moves}
    also = names(cell for cell in moves if threats[cell] and cell != move)
    threatened = names(threats[move])
    return Evidence.of(
        bool(threats[move]), move=names([move]), threatened=threatened, value=values_of(SECOND)[2], also=also
    )


def _static_value_to_blame() -> Evidence:
    right = values_of(SECOND)
    return Evidence.of(right == swapped_values(TIC_TAC_TOE), right=right)


def _or_a_bug() -> Evidence:
    differences = {
        "the test of the anti-diagonal": values_of(AFTER_CORNER) != values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL),
        "the first choice of the list functions": value_after_centre(6) != reply_chosen_for_x(6),
        "the player abmax begins with": values_of(SECOND) != swapped_values(TIC_TAC_TOE),
    }
    wrong = [name for name, differs in differences.items() if differs]
    return Evidence.of(bool(wrong), bugs=len(wrong), wrong=", ".join(wrong))


def _lazy_saves() -> Evidence:
    plain, lazy = ahead(CENTRE, PRUNED).size(PRUNED), lazy_visits(CENTRE, PRUNED)
    return Evidence.of(0 < lazy < plain, plain=plain, lazy=lazy, share=lazy / plain)


def _example_wins() -> Evidence:
    x, o = (static_value(parse_position(text)) for text in ("OO./XXX/...", "XX./OOO/..X"))
    return Evidence.of((x, o) == (1, -1), x=x, o=o)
