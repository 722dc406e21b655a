"""The claims of the Haskell article: its trees, its look-ahead values, and its conclusions from them.

A figure that differs from the true one is explained by a single deviation from the rules, if there is one: a line that
the program does not see, or players who choose each other's moves.
"""

from collections.abc import Sequence
from typing import Final

from solver.articles.claims.claim import Computation, claim
from solver.articles.lookahead import Pruned, ahead, lazy_visits, move_values, replies, static_value
from solver.board.notation import format_cell, parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.search.fold import fold, itself

CENTRE: Final = ".../.X./..."
AFTER_CORNER: Final = "X../.../O.."
SECOND: Final = "..X/OX./O.."
PRUNED: Final = 8
"""The depth, in plies, to which the article prunes the tree below a move."""

WITHOUT_ANTI_DIAGONAL: Final = Rules(3, 3, 3, tuple(line for line in TIC_TAC_TOE.lines if line != 0b001_010_100))
"""3×3 without the line from the upper right to the lower left; the article tests the other diagonal twice instead."""

WITHOUT_LINES: Final = Rules(3, 3, 3, ())
"""3×3 without lines: nobody can win, and play goes on until the board is full."""


def tree_nodes(rules: Rules, depth: int) -> int:
    """Count the nodes of the tree after X in the centre, pruned to a depth in plies."""
    return ahead(parse_position(CENTRE, rules), depth).size(depth)


def first_line(mark: Mark) -> int:
    """Return the number of plies after b2 at which a player can first have a line."""
    layer, ply = {parse_position(CENTRE, TIC_TAC_TOE)}, 0
    while not any(position.lines_of(mark) for position in layer):
        layer, ply = {position.after(cell) for position in layer for cell in position.legal_moves}, ply + 1
    return ply


def value_after_centre(depth: int) -> int:
    """Return X's value of the centre with a look-ahead of `depth` plies, where O chooses O's moves."""
    return ahead(parse_position(CENTRE, TIC_TAC_TOE), depth).value(depth)


def reply_chosen_for_x(depth: int) -> int:
    """Return X's value of b2 if X chooses O's first reply, but no later one."""
    start = parse_position(CENTRE, TIC_TAC_TOE)
    return max(ahead(start.after(cell), depth - 1).value(depth - 1) for cell in start.legal_moves)


def helpless_value(position: Position, depth: int) -> int:
    """Return X's value with a look-ahead of `depth` plies if each player chooses what is best for the other."""

    def choice(state: Pruned, values: Sequence[int]) -> int:
        return min(values) if state[0].mover is Mark.X else max(values)

    return fold(lambda state: static_value(state[0]), choice, replies, itself)((position, depth))


def values_of(text: str, rules: Rules) -> list[int]:
    """Return X's value of each move of a position, with the article's look-ahead."""
    return [seen[-1] for seen in move_values(parse_position(text, rules), PRUNED + 1).values()]


def second_values(rules: Rules, helpless: bool) -> list[int]:
    """Return X's value of each move of the second position; if `helpless`, each player then chooses for the other."""
    if not helpless:
        return values_of(SECOND, rules)
    start = parse_position(SECOND, rules)
    return [helpless_value(start.after(cell), PRUNED) for cell in start.legal_moves]


def move_names(text: str, numbers: list[int]) -> str:
    """Name the moves with these numbers, counted from 0 in reading order."""
    moves = parse_position(text, TIC_TAC_TOE).legal_moves
    return cell_names([moves[number] for number in numbers])


def cell_names(cells: tuple[int, ...] | list[int]) -> str:
    """Name squares, separated by commas."""
    return ", ".join(format_cell(cell, TIC_TAC_TOE) for cell in cells)


@claim(
    "haskell.nodes-depth-6",
    "The tree after X in the centre, pruned to 6, has 24,785 nodes.",
    24785,
    page="search?moves=b2",
)
def _nodes() -> Computation:
    right, misread = (tree_nodes(rules, 6) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    return Computation(
        right,
        "The program's test of the anti-diagonal looks at the main diagonal again, so games won on the anti-diagonal"
        f" play on. Counted that way the tree has {misread:,} nodes; with all eight lines, {right:,}.",
        misread,
    )


@claim("haskell.nodes-depth-6-naive", "It has 28,961 if play goes on after a win.", 28961, page="search?moves=b2")
def _naive_nodes() -> Computation:
    naive = tree_nodes(WITHOUT_LINES, 6)
    return Computation(naive, f"Play that ignores lines has {naive:,} positions in the first six plies after b2.")


@claim(
    "haskell.seventeen-percent",
    "Ignoring wins gives about 17 % more positions at that depth.",
    17,
    page="search?moves=b2",
)
def _percent() -> Computation:
    naive = tree_nodes(WITHOUT_LINES, 6)
    right, misread = (round(100 * (naive / tree_nodes(rules, 6) - 1)) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    return Computation(
        right,
        f"Ignoring wins adds {right} % to the tree. It adds {misread} % only to the tree of the program, which misses"
        " the anti-diagonal and so ignores some wins already.",
        misread,
    )


@claim(
    "haskell.level-one-tree",
    "The tree of XX./.../..O, pruned to level 1, has six replies.",
    6,
    page="search?from=XX./.../..O",
)
def _children() -> Computation:
    start = parse_position("XX./.../..O", TIC_TAC_TOE)
    return Computation(
        ahead(start, 1).size(1) - 1, f"{len(start.legal_moves)} squares are open, and each gives one position."
    )


@claim("haskell.x-line-in-4", "After X in the centre, X can have a line within four plies.", page="search?moves=b2")
def _x_line() -> Computation:
    first = first_line(Mark.X)
    return Computation(
        first <= 4,
        f"X's first line in the tree after b2 stands at ply {first}: X's second and third stone come with plies 2 and"
        " 4. Being in the tree means that it can happen, not that it can be forced.",
    )


@claim("haskell.o-line-in-5", "O cannot have a line within those four plies, but within five.", page="search?moves=b2")
def _o_line() -> Computation:
    first = first_line(Mark.O)
    return Computation(
        first == 5, f"O's first line in the tree after b2 stands at ply {first}, with O's third stone: not within 4."
    )


@claim("haskell.center-depth-5", "Looking five plies ahead, X in the centre is valued 0.", 0, page="search?moves=b2")
def _depth_5() -> Computation:
    value, as_printed = value_after_centre(5), reply_chosen_for_x(5)
    return Computation(
        value,
        f"Nobody can force a line within five plies of b2: the value is {value}"
        f"{', also' if value == as_printed else ', not'} with the program's choice of O's first reply.",
        as_printed,
    )


@claim(
    "haskell.center-win-in-6",
    "Looking six plies ahead, X in the centre is valued 1: a good position for X.",
    1,
    page="search?moves=b2",
)
def _depth_6() -> Computation:
    values, as_printed = [value_after_centre(depth) for depth in range(6, 9)], reply_chosen_for_x(6)
    return Computation(
        values[0],
        f"It is O's turn, and the program takes the largest of the values of O's replies, as if X chose the reply:"
        f" that gives {as_printed}, since X wins in time after a side. O chooses the least, and the values are"
        f" {', '.join(map(str, values))} at look-aheads of 6, 7 and 8, the whole game: a draw.",
        as_printed,
    )


@claim("haskell.list-functions", "maximizeTreeList gives the numbers that maximizeTreeVal takes the maximum of.")
def _list_functions() -> Computation:
    start = parse_position(CENTRE, TIC_TAC_TOE)
    both = {depth: (reply_chosen_for_x(depth), helpless_value(start, depth)) for depth in range(1, PRUNED + 1)}
    apart = {depth: pair for depth, pair in both.items() if pair[0] != pair[1]}
    told = ", ".join(f"{depth} plies, {first} and not {second}" for depth, (first, second) in apart.items())
    return Computation(
        not apart,
        "Each part's list is reduced by the chooser of the whole, so from the second ply on the list takes the largest"
        " where maximizeTreeVal takes the least, and the other way round. For X in the centre the largest of the list"
        f" and maximizeTreeVal differ at {told}.",
    )


@claim(
    "haskell.all-first-moves-equal",
    "All nine first moves are valued 0: equally good.",
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    page="search?board=3x3x3",
)
def _first_moves() -> Computation:
    values = [seen[-1] for seen in move_values(Position(TIC_TAC_TOE), PRUNED + 1).values()]
    return Computation(
        values, f"Eight plies after the first are the whole game, and all {len(values)} first moves draw."
    )


@claim(
    "haskell.values-after-corner",
    "X's moves after X a3, O a1 are valued 1, 1, 0, 0, 0, 0, 1 in reading order.",
    [1, 1, 0, 0, 0, 0, 1],
    page="search",
)
def _after_corner() -> Computation:
    right, misread = values_of(AFTER_CORNER, TIC_TAC_TOE), values_of(AFTER_CORNER, WITHOUT_ANTI_DIAGONAL)
    hidden = move_names(AFTER_CORNER, [number for number in range(len(right)) if right[number] != misread[number]])
    return Computation(
        right,
        f"The values differ at {hidden}: O wins after it, and needs the anti-diagonal that the program does not see."
        " Valued without that line, every square is as printed.",
        misread,
    )


@claim(
    "haskell.next-position",
    "The second position valued is what happens after X's move 1, a stone on c3, in the first.",
)
def _next_position() -> Computation:
    chosen, shown = parse_position("X.X/.../O..", TIC_TAC_TOE), parse_position(SECOND, TIC_TAC_TOE)
    later = [chosen.after(cell) for cell in chosen.legal_moves]
    alike = sum(each.canonical() == shown.canonical() for each in later)
    moved = cell_names([cell for cell in range(TIC_TAC_TOE.size) if (chosen.x & ~shown.x) >> cell & 1])
    return Computation(
        shown in later,
        f"X has a stone on {moved} after move 1, and none there in the position shown. It comes from {alike} of O's"
        f" {len(later)} replies, turned or mirrored ones included. So its values say nothing of move 1.",
    )


@claim(
    "haskell.values-second-position",
    "X's moves after X b2, O a2, X c3, O a1 are valued 1, 1, 0, 1, 1 in reading order.",
    [1, 1, 0, 1, 1],
    page="search?moves=b2a2c3a1",
)
def _second_position() -> Computation:
    right, swapped = (second_values(rules, helpless) for rules, helpless in ((TIC_TAC_TOE, False), (TIC_TAC_TOE, True)))
    part = "plays no part" if second_values(WITHOUT_ANTI_DIAGONAL, helpless=True) == swapped else "matters too"
    return Computation(
        right,
        "After these moves O is to move, but abmax begins as if X were: at every ply each player chooses for the other."
        f" That gives exactly what is printed; the anti-diagonal {part}. With the players in their places only"
        f" {move_names(SECOND, [number for number, value in enumerate(right) if value == max(right)])} does not lose.",
        swapped,
    )


@claim(
    "haskell.only-block",
    "There, move 0 is the only one that keeps O from winning at once.",
    page="search?moves=b2a2c3a1",
)
def _only_block() -> Computation:
    start = parse_position(SECOND, TIC_TAC_TOE)
    threats = start.completing(Mark.O)
    blocks = [number for number, cell in enumerate(start.legal_moves) if not start.after(cell).completing(Mark.O)]
    return Computation(
        blocks == [0],
        f"O threatens {cell_names(threats)} and nothing else. Of X's {len(start.legal_moves)} moves"
        f" {move_names(SECOND, blocks)} stops it.",
    )


@claim(
    "haskell.chance-to-win",
    "There, move 2 gives X the chance to win with its next move.",
    page="search?moves=b2a2c3a1",
)
def _chance() -> Computation:
    start = parse_position(SECOND, TIC_TAC_TOE)
    cell = start.legal_moves[2]
    threats = {each: start.after(each).completing(Mark.X) for each in start.legal_moves}
    also = [each for each in start.legal_moves if threats[each] and each != cell]
    value = values_of(SECOND, TIC_TAC_TOE)[2]
    return Computation(
        bool(threats[cell]),
        f"{cell_names((cell,))} threatens {cell_names(threats[cell])}. But O moves first and completes its own line, so"
        f" the move is worth {value}; {cell_names(also)} threaten a line too.",
    )


@claim(
    "haskell.static-value-to-blame",
    "Its low value, and the high values of moves that lose, come from a static value that ignores two in a row.",
    page="search",
)
def _static_value() -> Computation:
    right = second_values(TIC_TAC_TOE, helpless=False)
    return Computation(
        right == second_values(TIC_TAC_TOE, helpless=True),
        f"The same static value, with O choosing O's moves, gives {right}: it tells the block from the rest without"
        " counting two in a row. What hides the difference is that the players are exchanged.",
    )


@claim("haskell.or-a-bug", "Or else there is a bug in the program.")
def _a_bug() -> Computation:
    corner, misread = (values_of(AFTER_CORNER, rules) for rules in (TIC_TAC_TOE, WITHOUT_ANTI_DIAGONAL))
    right, swapped = (second_values(TIC_TAC_TOE, helpless) for helpless in (False, True))
    differences = {
        "the test of the anti-diagonal": corner != misread,
        "the first choice of the list functions": value_after_centre(6) != reply_chosen_for_x(6),
        "the player abmax begins with": right != swapped,
    }
    wrong = [name for name, differs in differences.items() if differs]
    return Computation(bool(wrong), f"There are {len(wrong)}: {', '.join(wrong)}. Each changes a printed figure.")


@claim(
    "haskell.lazy-saves",
    "Lists read only as far as needed leave whole parts of the tree unbuilt.",
    page="search?board=3x3x3",
)
def _lazy() -> Computation:
    start = parse_position(CENTRE, TIC_TAC_TOE)
    plain, lazy = ahead(start, PRUNED).size(PRUNED), lazy_visits(start, PRUNED) or 0
    return Computation(
        0 < lazy < plain,
        f"Of the {plain:,} nodes of the whole tree after b2, lists read no farther than needed call for {lazy:,},"
        f" {100 * lazy / plain:.1f}%, squares in reading order.",
    )


@claim("haskell.example-wins", "The two example games end with a win of X and a win of O.")
def _examples() -> Computation:
    won = {
        Mark.X: parse_position("OO./XXX/...", TIC_TAC_TOE),
        Mark.O: parse_position("XX./OOO/..X", TIC_TAC_TOE),
    }
    values = {mark: static_value(position) for mark, position in won.items()}
    return Computation(
        values == {Mark.X: 1, Mark.O: -1},
        "Each of the two holds the middle row: "
        + ", ".join(f"{mark} wins, static value {value}" for mark, value in values.items())
        + ".",
    )
