"""The claims of the Haskell article, about its trees and its look-ahead values.

Some printed figures are wrong. Two deviations are tried as explanations: the program overlooks a line, or each player
chooses the move that is best for the other.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from solver.articles.claims.claim import Computation, claim
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

# Decorators for claims that share a lesson's page.
centre_claim = partial(claim, page="search?moves=b2")
second_claim = partial(claim, page="search?moves=b2a2c3a1")
start_claim = partial(claim, page="search?board=3x3x3")
search_claim = partial(claim, page="search")


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


@centre_claim("haskell.nodes-depth-6", "The tree after X in the centre, pruned to 6, has 24,785 nodes.", 24785)
def _nodes() -> Computation:
    right, misread = (tree_nodes(rules) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    return Computation(
        right,
        "The program tests the main diagonal twice and the anti-diagonal never, so games won there go on. Counted"
        f" that way, the tree has {misread:,} nodes; with all eight lines, {right:,}.",
        misread,
    )


@centre_claim("haskell.nodes-depth-6-naive", "It has 28,961 if play goes on after a win.", 28961)
def _naive_nodes() -> Computation:
    naive = tree_nodes(WITHOUT_LINES)
    return Computation(naive, f"Play that ignores lines has {naive:,} positions in the first six plies after b2.")


@centre_claim("haskell.seventeen-percent", "Ignoring wins gives about 17 % more positions at that depth.", 17)
def _percent() -> Computation:
    naive = tree_nodes(WITHOUT_LINES)
    right, misread = (round(100 * (naive / tree_nodes(rules) - 1)) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    return Computation(
        right,
        f"Ignoring wins adds {right} % to the tree. It adds {misread} % to the program's tree, which misses the"
        " anti-diagonal and so ignores some wins already.",
        misread,
    )


@claim(
    "haskell.level-one-tree",
    "The tree of XX./.../..O, pruned to level 1, has six replies.",
    6,
    page="search?from=XX./.../..O",
)
def _children() -> Computation:
    start = parse_position("XX./.../..O")
    return Computation(
        ahead(start, 1).size(1) - 1, f"{len(start.legal_moves)} squares are open, and each gives one position."
    )


@centre_claim("haskell.x-line-in-4", "After X in the centre, X can have a line within four plies.")
def _x_line() -> Computation:
    first = first_line(Mark.X)
    return Computation(
        first <= 4,
        f"X's first line in the tree after b2 stands at ply {first}: X's second and third stone come with plies 2 and"
        " 4. Being in the tree means that it can happen, not that it can be forced.",
    )


@centre_claim("haskell.o-line-in-5", "O cannot have a line within those four plies, but within five.")
def _o_line() -> Computation:
    first = first_line(Mark.O)
    return Computation(
        first == 5, f"O's first line in the tree after b2 stands at ply {first}, with O's third stone: not within 4."
    )


@centre_claim("haskell.center-depth-5", "Looking five plies ahead, X in the centre is valued 0.", 0)
def _depth_5() -> Computation:
    value, as_printed = value_after_centre(5), reply_chosen_for_x(5)
    return Computation(
        value,
        f"Nobody can force a line within five plies of b2: the value is {value}"
        f"{', also' if value == as_printed else ', not'} with the program's choice of O's first reply.",
        as_printed,
    )


@centre_claim(
    "haskell.center-win-in-6", "Looking six plies ahead, X in the centre is valued 1: a good position for X.", 1
)
def _depth_6() -> Computation:
    values, as_printed = [value_after_centre(depth) for depth in range(6, 9)], reply_chosen_for_x(6)
    return Computation(
        values[0],
        f"It's O's turn, but the program takes the largest value, as if X chose O's reply. That gives {as_printed},"
        f" since X wins in time after a side. O takes the smallest value: {', '.join(map(str, values))} at look-aheads"
        " of 6, 7 and 8, the whole game. That's a draw.",
        as_printed,
    )


@claim("haskell.list-functions", "maximizeTreeList gives the numbers that maximizeTreeVal takes the maximum of.")
def _list_functions() -> Computation:
    both = {depth: (reply_chosen_for_x(depth), swapped_value(CENTRE, depth)) for depth in range(1, PRUNED + 1)}
    apart = {depth: pair for depth, pair in both.items() if pair[0] != pair[1]}
    told = ", ".join(f"{depth} plies, {first} and not {second}" for depth, (first, second) in apart.items())
    return Computation(
        not apart,
        "From the second ply on, the list takes the largest value where maximizeTreeVal takes the smallest, and vice"
        f" versa. For X in the centre the two differ at {told}.",
    )


@start_claim(
    "haskell.all-first-moves-equal", "All nine first moves are valued 0: equally good.", [0, 0, 0, 0, 0, 0, 0, 0, 0]
)
def _first_moves() -> Computation:
    values = values_of(Position(TIC_TAC_TOE))
    return Computation(
        values, f"Eight plies after the first are the whole game, and all {len(values)} first moves draw."
    )


@search_claim(
    "haskell.values-after-corner",
    "X's moves after X a3, O a1 are valued 1, 1, 0, 0, 0, 0, 1 in reading order.",
    [1, 1, 0, 0, 0, 0, 1],
)
def _after_corner() -> Computation:
    right, misread = values_of(AFTER_CORNER), values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL)
    moves = zip(AFTER_CORNER.legal_moves, right, misread, strict=True)
    hidden = names(cell for cell, value, printed in moves if value != printed)
    return Computation(
        right,
        f"The values differ at {hidden}: O wins after it on the anti-diagonal, which the program doesn't see. Without"
        " that line, every value is as printed.",
        misread,
    )


@claim(
    "haskell.next-position", "The second position valued is what happens after X's move 1, a stone on c3, in the first."
)
def _next_position() -> Computation:
    chosen = parse_position("X.X/.../O..")
    later = chosen.successors()
    alike = sum(each.canonical() == SECOND.canonical() for each in later)
    return Computation(
        SECOND in later,
        f"After move 1, X has a stone on {names(cells_of(chosen.x & ~SECOND.x))}. The position shown has none there,"
        f" and {alike} of O's {len(later)} replies lead to it, even turned or mirrored. So its values say nothing"
        " about move 1.",
    )


@second_claim(
    "haskell.values-second-position",
    "X's moves after X b2, O a2, X c3, O a1 are valued 1, 1, 0, 1, 1 in reading order.",
    [1, 1, 0, 1, 1],
)
def _second_position() -> Computation:
    right, swapped = values_of(SECOND), swapped_values(TIC_TAC_TOE)
    part = "plays no part" if swapped_values(WITHOUT_ANTI_DIAGONAL) == swapped else "matters too"
    best = names(cell for cell, value in zip(SECOND.legal_moves, right, strict=True) if value == max(right))
    return Computation(
        right,
        "It's O's turn after these moves, but abmax starts as if it were X's: each player chooses for the other. That"
        f" gives exactly the printed values; the anti-diagonal {part}. With the right player choosing, only {best}"
        " doesn't lose.",
        swapped,
    )


@second_claim("haskell.only-block", "There, move 0 is the only one that keeps O from winning at once.")
def _only_block() -> Computation:
    moves = SECOND.legal_moves
    blocks = [cell for cell in moves if not SECOND.after(cell).threats(Mark.O)]
    return Computation(
        blocks == [moves[0]],
        f"O threatens {names(SECOND.threats(Mark.O))} and nothing else. Of X's {len(moves)} moves {names(blocks)}"
        " stops it.",
    )


@second_claim("haskell.chance-to-win", "There, move 2 gives X the chance to win with its next move.")
def _chance() -> Computation:
    cell = SECOND.legal_moves[2]
    threats = {each: SECOND.after(each).threats(Mark.X) for each in SECOND.legal_moves}
    also = names(each for each in threats if threats[each] and each != cell)
    return Computation(
        bool(threats[cell]),
        f"{names([cell])} threatens {names(threats[cell])}. But O moves first and completes its own line, so the move"
        f" is worth {values_of(SECOND)[2]}; {also} threaten a line too.",
    )


@search_claim(
    "haskell.static-value-to-blame",
    "A guess: the static value ignores two in a row, so the values show neither move 2's chance nor move 0's block.",
)
def _static_value() -> Computation:
    right = values_of(SECOND)
    return Computation(
        right == swapped_values(TIC_TAC_TOE),
        f"Let O choose O's moves, and the same static value gives {right}: it tells the block from the rest without"
        " counting two in a row. The exchanged players hide the difference.",
    )


@claim("haskell.or-a-bug", "The other guess: there is a bug in the program.")
def _a_bug() -> Computation:
    differences = {
        "the test of the anti-diagonal": values_of(AFTER_CORNER) != values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL),
        "the first choice of the list functions": value_after_centre(6) != reply_chosen_for_x(6),
        "the player abmax begins with": values_of(SECOND) != swapped_values(TIC_TAC_TOE),
    }
    wrong = [name for name, differs in differences.items() if differs]
    return Computation(bool(wrong), f"There are {len(wrong)}: {', '.join(wrong)}. Each changes a printed figure.")


@start_claim("haskell.lazy-saves", "Lists read only as far as needed leave whole parts of the tree unbuilt.")
def _lazy() -> Computation:
    plain, lazy = ahead(CENTRE, PRUNED).size(PRUNED), lazy_visits(CENTRE, PRUNED)
    return Computation(
        0 < lazy < plain,
        f"Of the {plain:,} nodes of the whole tree after b2, lists read no farther than needed call for {lazy:,},"
        f" {100 * lazy / plain:.1f}%, squares in reading order.",
    )


@claim("haskell.example-wins", "The two example games end with a win of X and a win of O.")
def _examples() -> Computation:
    x, o = (static_value(parse_position(text)) for text in ("OO./XXX/...", "XX./OOO/..X"))
    return Computation(
        (x, o) == (1, -1),
        f"Each of the two holds the middle row: X wins, static value {x}, O wins, static value {o}.",
    )
