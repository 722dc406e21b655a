"""The measures of the Haskell article's claims, about its trees and its look-ahead values.

Some printed figures are wrong. Two deviations are tried as explanations: the program overlooks a line, or each player
chooses the move that is best for the other.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Final

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

RIGHT, FIRST, SWAPPED = range(0), range(1), range(PRUNED)
"""The plies at which each player chooses for the other: none, the first, or all."""

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


def value_of(position: Position, depth: int, swapped: range = RIGHT) -> int:
    """Return X's value of a position with a look-ahead of `depth` plies.

    At the plies in `swapped`, each player chooses the move that is best for the other.
    """

    def choice(tree: Pruned, values: Sequence[int]) -> int:
        right = depth - tree[1] not in swapped
        return max(values) if (tree[0].mover is Mark.X) is right else min(values)

    return fold(lambda tree: static_value(tree[0]), choice, replies, itself)((position, depth))


def values_of(position: Position, rules: Rules = TIC_TAC_TOE) -> list[int]:
    """Return X's value of each move in a position, with the article's look-ahead."""
    return [seen[-1] for seen in move_values(replace(position, rules=rules), PRUNED + 1).values()]


def swapped_values(rules: Rules) -> list[int]:
    """Return X's value of each move in the article's second position, with all choices swapped."""
    return [value_of(after, PRUNED, SWAPPED) for after in replace(SECOND, rules=rules).successors()]


def _tree() -> SimpleNamespace:
    right, misread, naive = (tree_nodes(rules) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL, WITHOUT_LINES))
    start = parse_position("XX./.../..O")
    whole, lazy = ahead(CENTRE, PRUNED).size(PRUNED), lazy_visits(CENTRE, PRUNED)
    return SimpleNamespace(
        right=right,
        misread=misread,
        naive=naive,
        percent=round(100 * (naive / right - 1)),
        misread_percent=round(100 * (naive / misread - 1)),
        replies=ahead(start, 1).size(1) - 1,
        moves=len(start.legal_moves),
        saves=0 < lazy < whole,
        whole=whole,
        lazy=lazy,
        share=lazy / whole,
    )


def _lines() -> SimpleNamespace:
    x, o = map(first_line, Mark)
    wins = [static_value(parse_position(text)) for text in ("OO./XXX/...", "XX./OOO/..X")]
    return SimpleNamespace(x=x, x_in_4=x <= 4, o=o, o_in_5=o == 5, wins=wins, examples=wins == [1, -1])


def _centre() -> SimpleNamespace:
    values, printed, swapped = (
        {depth: value_of(CENTRE, depth, plies) for depth in range(1, PRUNED + 1)} for plies in (RIGHT, FIRST, SWAPPED)
    )
    apart = [depth for depth in printed if printed[depth] != swapped[depth]]
    first_moves = values_of(Position(TIC_TAC_TOE))
    return SimpleNamespace(
        values=values,
        printed=printed,
        also="also" if values[5] == printed[5] else "not",
        later=", ".join(str(values[depth]) for depth in (6, 7, 8)),
        alike=not apart,
        apart=", ".join(f"{depth} plies, {printed[depth]} and not {swapped[depth]}" for depth in apart),
        first_moves=first_moves,
        moves=len(first_moves),
    )


def _corner() -> SimpleNamespace:
    right, misread = values_of(AFTER_CORNER), values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL)
    moves = zip(AFTER_CORNER.legal_moves, right, misread, strict=True)
    hidden = names(cell for cell, value, printed in moves if value != printed)
    return SimpleNamespace(right=right, misread=misread, hidden=hidden)


def _second() -> SimpleNamespace:
    chosen = parse_position("X.X/.../O..")
    later, moves = chosen.successors(), SECOND.legal_moves
    right, swapped = values_of(SECOND), swapped_values(TIC_TAC_TOE)
    blocks = [cell for cell in moves if not SECOND.after(cell).threats(Mark.O)]
    threats = {cell: SECOND.after(cell).threats(Mark.X) for cell in moves}
    return SimpleNamespace(
        follows=SECOND in later,
        missing=names(cells_of(chosen.x & ~SECOND.x)),
        alike=sum(after.canonical() == SECOND.canonical() for after in later),
        replies=len(later),
        right=right,
        swapped=swapped,
        as_swapped=right == swapped,
        part="plays no part" if swapped_values(WITHOUT_ANTI_DIAGONAL) == swapped else "matters too",
        best=names(cell for cell, value in zip(moves, right, strict=True) if value == max(right)),
        only_block=blocks == [moves[0]],
        blocks=names(blocks),
        threats=names(SECOND.threats(Mark.O)),
        moves=len(moves),
        chance=bool(threats[moves[2]]),
        move=names([moves[2]]),
        threatened=names(threats[moves[2]]),
        value=right[2],
        also=names(cell for cell in moves if threats[cell] and cell != moves[2]),
    )


def _bugs() -> SimpleNamespace:
    differences = {
        "the test of the anti-diagonal": values_of(AFTER_CORNER) != values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL),
        "the first choice of the list functions": value_of(CENTRE, 6) != value_of(CENTRE, 6, FIRST),
        "the player abmax begins with": values_of(SECOND) != swapped_values(TIC_TAC_TOE),
    }
    wrong = [name for name, differs in differences.items() if differs]
    return SimpleNamespace(any=bool(wrong), number=len(wrong), names=", ".join(wrong))
