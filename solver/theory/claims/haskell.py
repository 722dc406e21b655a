"""The claims of the Haskell article: its trees, its look-ahead values, and what it makes of them."""

from solver.board.notation import parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.theory.claims.claim import Claim, Computation
from solver.theory.claims.haskell_program import (
    AFTER_CORNER,
    CENTRE,
    MISREAD,
    PRUNED,
    SECOND,
    cell_names,
    first_line,
    move_names,
    reply_chosen_for_x,
    second_values,
    tree_nodes,
    value_after_centre,
    values_of,
)
from solver.theory.lookahead import ahead, lazy_visits, move_values, static_value
from solver.theory.misread import WITHOUT_LINES, helpless_value


def _nodes() -> Computation:
    right, misread = (tree_nodes(rules, 6) for rules in (TIC_TAC_TOE, MISREAD))
    return Computation(
        right,
        "The program's test of the anti-diagonal looks at the main diagonal again, so games won on the anti-diagonal"
        f" play on. Counted that way the tree has {misread:,} nodes; with all eight lines, {right:,}.",
        misread,
    )


def _naive_nodes() -> Computation:
    naive = tree_nodes(WITHOUT_LINES, 6)
    return Computation(naive, f"Play that ignores lines has {naive:,} positions in the first six plies after b2.")


def _percent() -> Computation:
    naive = tree_nodes(WITHOUT_LINES, 6)
    right, misread = (round(100 * (naive / tree_nodes(rules, 6) - 1)) for rules in (TIC_TAC_TOE, MISREAD))
    return Computation(
        right,
        f"Ignoring wins adds {right} % to the tree. It adds {misread} % only to the tree of the program, which misses"
        " the anti-diagonal and so ignores some wins already.",
        misread,
    )


def _children() -> Computation:
    start = parse_position("XX./.../..O", TIC_TAC_TOE)
    return Computation(
        ahead(start, 1).size(1) - 1, f"{len(start.legal_moves)} squares are open, and each gives one position."
    )


def _x_line() -> Computation:
    first = first_line(Mark.X)
    return Computation(
        first <= 4,
        f"X's first line in the tree after b2 stands at ply {first}: X's second and third stone come with plies 2 and"
        " 4. Being in the tree means that it can happen, not that it can be forced.",
    )


def _o_line() -> Computation:
    first = first_line(Mark.O)
    return Computation(
        first == 5, f"O's first line in the tree after b2 stands at ply {first}, with O's third stone: not within 4."
    )


def _depth_5() -> Computation:
    value, as_printed = value_after_centre(5), reply_chosen_for_x(5)
    return Computation(
        value,
        f"Nobody can force a line within five plies of b2: the value is {value}"
        f"{', also' if value == as_printed else ', not'} with the program's choice of O's first reply.",
        as_printed,
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


def _after_corner() -> Computation:
    right, misread = values_of(AFTER_CORNER, TIC_TAC_TOE), values_of(AFTER_CORNER, MISREAD)
    hidden = move_names(AFTER_CORNER, [number for number in range(len(right)) if right[number] != misread[number]])
    return Computation(
        right,
        f"The values differ at {hidden}: O wins after it, and needs the anti-diagonal that the program does not see."
        " Valued without that line, every square is as printed.",
        misread,
    )


def _second_position() -> Computation:
    right, swapped = (second_values(rules, helpless) for rules, helpless in ((TIC_TAC_TOE, False), (TIC_TAC_TOE, True)))
    part = "plays no part" if second_values(MISREAD, helpless=True) == swapped else "matters too"
    return Computation(
        right,
        "After these moves O is to move, but abmax begins as if X were: at every ply each player chooses for the other."
        f" That gives exactly what is printed; the anti-diagonal {part}. With the players in their places only"
        f" {move_names(SECOND, [number for number, value in enumerate(right) if value == max(right)])} does not lose.",
        swapped,
    )


def _first_moves() -> Computation:
    values = [seen[-1] for seen in move_values(Position(TIC_TAC_TOE), PRUNED + 1).values()]
    return Computation(
        values, f"Eight plies after the first are the whole game, and all {len(values)} first moves draw."
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


def _only_block() -> Computation:
    start = parse_position(SECOND, TIC_TAC_TOE)
    threats = start.completing(Mark.O)
    blocks = [number for number, cell in enumerate(start.legal_moves) if not start.after(cell).completing(Mark.O)]
    return Computation(
        blocks == [0],
        f"O threatens {cell_names(threats)} and nothing else. Of X's {len(start.legal_moves)} moves"
        f" {move_names(SECOND, blocks)} stops it.",
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


def _static_value() -> Computation:
    right = second_values(TIC_TAC_TOE, helpless=False)
    return Computation(
        right == second_values(TIC_TAC_TOE, helpless=True),
        f"The same static value, with O choosing O's moves, gives {right}: it tells the block from the rest without"
        " counting two in a row. What hides the difference is that the players are exchanged.",
    )


def _a_bug() -> Computation:
    wrong = [
        name
        for name, differs in (
            ("the test of the anti-diagonal", values_of(AFTER_CORNER, TIC_TAC_TOE) != values_of(AFTER_CORNER, MISREAD)),
            ("the first choice of the list functions", value_after_centre(6) != reply_chosen_for_x(6)),
            (
                "the player abmax begins with",
                second_values(TIC_TAC_TOE, helpless=False) != second_values(TIC_TAC_TOE, helpless=True),
            ),
        )
        if differs
    ]
    return Computation(bool(wrong), f"There are {len(wrong)}: {', '.join(wrong)}. Each changes a printed figure.")


def _lazy() -> Computation:
    start = parse_position(CENTRE, TIC_TAC_TOE)
    plain, lazy = ahead(start, PRUNED).size(PRUNED), lazy_visits(start, PRUNED) or 0
    return Computation(
        0 < lazy < plain,
        f"Of the {plain:,} nodes of the whole tree after b2, lists read no farther than needed call for {lazy:,},"
        f" {100 * lazy / plain:.1f}%, squares in reading order.",
    )


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


CLAIMS: tuple[Claim, ...] = (
    Claim("haskell.nodes-depth-6", "The tree after X in the centre, pruned to 6, has 24,785 nodes.", 24785, _nodes),
    Claim("haskell.nodes-depth-6-naive", "It has 28,961 if play goes on after a win.", 28961, _naive_nodes),
    Claim("haskell.seventeen-percent", "Ignoring wins gives about 17 % more positions at that depth.", 17, _percent),
    Claim("haskell.level-one-tree", "The tree of XX./.../..O, pruned to level 1, has six replies.", 6, _children),
    Claim("haskell.x-line-in-4", "After X in the centre, X can have a line within four plies.", True, _x_line),
    Claim("haskell.o-line-in-5", "O cannot have a line within those four plies, but within five.", True, _o_line),
    Claim("haskell.center-depth-5", "Looking five plies ahead, X in the centre is valued 0.", 0, _depth_5),
    Claim(
        "haskell.center-win-in-6",
        "Looking six plies ahead, X in the centre is valued 1: a good position for X.",
        1,
        _depth_6,
    ),
    Claim(
        "haskell.list-functions",
        "maximizeTreeList gives the numbers that maximizeTreeVal takes the maximum of.",
        True,
        _list_functions,
    ),
    Claim(
        "haskell.all-first-moves-equal",
        "All nine first moves are valued 0: equally good.",
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        _first_moves,
    ),
    Claim(
        "haskell.values-after-corner",
        "X's moves after X a3, O a1 are valued 1, 1, 0, 0, 0, 0, 1 in reading order.",
        [1, 1, 0, 0, 0, 0, 1],
        _after_corner,
    ),
    Claim(
        "haskell.next-position",
        "The second position valued is what happens after X's move 1, a stone on c3, in the first.",
        True,
        _next_position,
    ),
    Claim(
        "haskell.values-second-position",
        "X's moves after X b2, O a2, X c3, O a1 are valued 1, 1, 0, 1, 1 in reading order.",
        [1, 1, 0, 1, 1],
        _second_position,
    ),
    Claim("haskell.only-block", "There, move 0 is the only one that keeps O from winning at once.", True, _only_block),
    Claim("haskell.chance-to-win", "There, move 2 gives X the chance to win with its next move.", True, _chance),
    Claim(
        "haskell.static-value-to-blame",
        "Its low value, and the high values of moves that lose, come from a static value that ignores two in a row.",
        True,
        _static_value,
    ),
    Claim("haskell.or-a-bug", "Or else there is a bug in the program.", True, _a_bug),
    Claim("haskell.lazy-saves", "Lists read only as far as needed leave whole parts of the tree unbuilt.", True, _lazy),
    Claim("haskell.example-wins", "The two example games end with a win of X and a win of O.", True, _examples),
)
