"""The claims of the Clojure article's first part, about the game tree, symmetry, drawn boards and forks."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import comb
from typing import Final

from solver.articles.census import Stage, Tally, census, distinct_upper_bound, duplication
from solver.articles.claims.claim import Claim, Computation, Json, claim
from solver.articles.graph import FORK, Graph, Kind, forced_moves, forks, graph_of, is_fork
from solver.articles.patterns import distinct_drawn_boards, drawn_boards
from solver.board.points import Pattern, pattern_of
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of, cells_of

EMPTY: Final = Position(TIC_TAC_TOE)

OPENED: Final = {"corner": EMPTY.after(0), "edge": EMPTY.after(1), "centre": EMPTY.after(4)}
"""The board after each distinct first move."""

COLUMNS: Final = {
    "internal": "internal",
    "x": "x_wins",
    "o": "o_wins",
    "draw": "draws",
    "dup": "duplicates",
    "sym": "symmetric",
}
"""The field of a tally for each of the article's keys."""

# Decorators for claims that share a lesson's page.
census_claim = partial(claim, page="census")
bound_claim = partial(claim, page="census#upper-bound")
won_claim = partial(claim, page="census#won-cut")
symmetry_claim = partial(claim, page="census#symmetry")
forced_claim = partial(claim, page="census#forced")
draws_claim = partial(claim, page="draws")
forks_claim = partial(claim, page="forks")
branch_claim = partial(claim, page="pictures?show=forced-centre#viewer")

CENTRE_FIRST: Final = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The squares in another order: the centre, the corners, the edges."""

PRINTED_TRANSFORMS: Final = "630741852 876543210 258147036 678345012 210543876 036147258 852741630"
"""The index maps of the article's `board-symmetries`."""

PRINTED_DRAWN: Final = "0156 0237 0247 0257 0456 0457 0567 1238 1348 1368 1456 1468 1568 2347 2348 2378"
"""The drawn boards in the article's list, each given by O's cells."""


def _cells(printed: str) -> list[list[Cell]]:
    """Parse lists of cells; each cell is a digit."""
    return [[int(cell) for cell in cells] for cells in printed.split()]


def tallies(stage: Stage) -> tuple[Tally, ...]:
    """Return the tally of each ply at a stage."""
    return census(TIC_TAC_TOE, stage).plies


def _nodes(stage: Stage, explanation: str) -> Computation:
    """Count the nodes of a stage. The result's explanation begins with the given sentence."""
    found = census(TIC_TAC_TOE, stage)
    most = max(each.total for each in found.plies)
    largest = [str(each.ply) for each in found.plies if each.total == most]
    words = f"Level {largest[0]} is the largest" if len(largest) == 1 else f"Levels {' and '.join(largest)} are largest"
    return Computation(found.nodes, f"{explanation} {words}, with {most:,} nodes{' each' if largest[1:] else ''}.")


def _levels(stage: Stage) -> Computation:
    """Count a stage's nodes by the article's keys and by level. Leave out keys without nodes."""
    total = census(TIC_TAC_TOE, stage).sum
    columns = {key: [getattr(each, name) for each in tallies(stage)] for key, name in COLUMNS.items()}
    parts = f"{total.internal:,} internal, {total.x_wins:,} X wins, {total.o_wins:,} O wins, {total.draws:,} drawn"
    met = total.duplicates + total.symmetric
    again = f" On the way {met:,} moves led to a board already covered." if met else ""
    return Computation(
        {key: column for key, column in columns.items() if any(column)},
        f"Together {total.total:,} nodes: {parts}.{again}",
    )


def _kinds(stage: Stage) -> Computation:
    """Compute the last column of the tracking table. It counts drawn boards as internal nodes."""
    total = census(TIC_TAC_TOE, stage).sum
    return Computation(
        {"internal": total.internal + total.draws, "x": total.x_wins, "o": total.o_wins},
        f"The {total.draws:,} drawn boards are counted with the {total.internal:,} internal nodes, as the table does.",
    )


def _claims_of_stage(
    stage: Stage, explanation: str, nodes: tuple[str, int], levels: tuple[str, Json], kinds: Json
) -> tuple[Claim, ...]:
    """Return the three claims of a stage: its nodes, its levels by kind, and its totals by kind.

    `nodes` and `levels` are pairs of a sentence and a published figure, and `kinds` is the published figure for the
    totals. The explanation of the first claim begins with `explanation`.
    """
    name, page = f"clojure.{stage}", f"census#{stage}"
    return (
        claim(name, *nodes, page=page)(lambda: _nodes(stage, explanation)),
        claim(f"{name}-by-level", *levels, page=page)(lambda: _levels(stage)),
        claim(f"{name}-kinds", "Its totals by kind in the tracking table.", kinds, page=page)(lambda: _kinds(stage)),
    )


@bound_claim("clojure.upper-bound", "If winning is ignored, the game tree has 986,410 nodes.", 986_410)
def _upper_bound() -> Computation:
    return _nodes(Stage.UPPER_BOUND, "The sum of 9!/(9-n)! over the levels 0 to 9.")


@bound_claim(
    "clojure.upper-bound-by-level",
    "The upper bound by level.",
    [1, 9, 72, 504, 3_024, 15_120, 60_480, 181_440, 362_880, 362_880],
)
def _upper_bound_by_level() -> Computation:
    found = [each.total for each in tallies(Stage.UPPER_BOUND)]
    return Computation(
        found, f"Level n has 9!/(9-n)! nodes: each one has a child for every square left. Sum {sum(found):,}."
    )


@census_claim(
    "clojure.longest-game",
    "The tree has ten levels; a game has at most nine moves, five of X and four of O (levels, moves, X, O).",
    [10, 9, 5, 4],
)
def _longest_game() -> Computation:
    games = [each for each in tallies(Stage.WON_CUT) if each.total]
    last = games[-1].ply
    found = [len(games), last, (last + 1) // 2, last // 2]
    return Computation(
        found, f"The board has {TIC_TAC_TOE.size} squares, X moves first, and {games[-1].total:,} games fill it."
    )


@census_claim("clojure.wins-start-at-5", "The first wins are X's at level 5 and O's at level 6.", {"x": 5, "o": 6})
def _first_wins() -> Computation:
    found = {mark: _first_win(mark) for mark in "xo"}
    return Computation(
        found, f"X's third stone is the move of level {found['x']}, O's third that of level {found['o']}."
    )


def _first_win(mark: str) -> int:
    """Return the first level with a win of "x" or "o"."""
    return next(each.ply for each in tallies(Stage.WON_CUT) if getattr(each, COLUMNS[mark]))


@census_claim("clojure.wins-odd-even", "X wins on odd levels only, O on even ones only.")
def _odd_and_even() -> Computation:
    found = all(not (each.o_wins if each.ply % 2 else each.x_wins) for each in tallies(Stage.WON_CUT))
    return Computation(found, "X's stones are the odd moves, and only the player who has just moved can have won.")


WON_CUT: Final = _claims_of_stage(
    Stage.WON_CUT,
    "Every order of moves is counted until somebody has a line.",
    ("If the tree ends at won nodes, 549,946 are left.", 549_946),
    (
        "The tree that ends at won nodes, by level and kind.",
        {
            "internal": [1, 9, 72, 504, 3_024, 13_680, 49_392, 100_224, 127_872, 0],
            "x": [0, 0, 0, 0, 0, 1_440, 0, 47_952, 0, 81_792],
            "o": [0, 0, 0, 0, 0, 0, 5_328, 0, 72_576, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 46_080],
        },
    ),
    {"internal": 340_858, "x": 131_184, "o": 77_904},
)


@won_claim(
    "clojure.level-5-sum", "At level 5 the won and the internal nodes together are as many as the upper bound says."
)
def _level_five() -> Computation:
    bound, cut = (tallies(stage)[5] for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    return Computation(
        cut.total == bound.total,
        f"{cut.internal:,} and {cut.x_wins:,} make {cut.total:,}: a won node is still a node, it only has no children.",
    )


@claim(
    "clojure.first-levels-full",
    "On the first four levels nobody can have won, and there are as many nodes as the upper bound says.",
)
def _first_levels() -> Computation:
    pairs = list(zip(tallies(Stage.WON_CUT), tallies(Stage.UPPER_BOUND), strict=True))
    equal = [cut.ply for cut, bound in pairs if cut.total == bound.total]
    return Computation(
        equal[:5] == list(range(5)) and not any(cut.x_wins or cut.o_wins for cut, _ in pairs[:5]),
        f"Levels {equal[0]} to {equal[-1]} are equal. The first won nodes, on level {_first_win('x')}, count as"
        " nodes too; their children are missing from the next level on.",
    )


@won_claim("clojure.almost-half", "Ending at won nodes takes away almost a half of the tree.")
def _almost_half() -> Computation:
    bound, cut = (census(TIC_TAC_TOE, stage).nodes for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    share = (bound - cut) / bound
    return Computation(
        0.4 <= share < 0.5,
        f"{bound - cut:,} of {bound:,} nodes go, {share:.1%}. “Almost a half” is taken to mean 40 to 50%.",
    )


@bound_claim("clojure.duplication-factor", "A position with n X and m O is reached by n! m! orders of moves.")
def _factor() -> Computation:
    paths = Counter({EMPTY: 1})
    fewer: Counter[bool] = Counter()
    positions = 0
    while paths:
        following: Counter[Position] = Counter()
        for position, count in paths.items():
            ply = TIC_TAC_TOE.size - position.plies_left
            positions += 1
            fewer[bool(position.winning_lines)] += count < duplication(ply)
            for cell in position.legal_moves:
                following[position.after(cell)] += count
        paths = following
    levels = zip(tallies(Stage.UPPER_BOUND), distinct_upper_bound(TIC_TAC_TOE), strict=True)
    without_ends = all(each.total == distinct * duplication(each.ply) for each, distinct in levels)
    return Computation(
        not fewer.total(),
        f"True if play goes on after a win. If a win ends the game, {fewer[True]:,} of the {positions:,} positions have"
        f" fewer ways, {fewer[False]} of them open or drawn: they are won, and the last stone must lie in the line.",
        deviating=without_ends,
    )


@bound_claim("clojure.distinct-upper-bound", "Without duplicates the upper bound is 6,046.", 6_046)
def _distinct_bound() -> Computation:
    found = sum(distinct_upper_bound(TIC_TAC_TOE))
    return Computation(
        found, "Each level's orders of moves by the orders that lead to one board, n! m! for n X and m O."
    )


@claim("clojure.duplication-factors", "The factors n! m! by level.", [1, 1, 1, 2, 4, 12, 36, 144, 576, 2_880])
def _factors() -> Computation:
    found = [duplication(ply) for ply in range(TIC_TAC_TOE.size + 1)]
    return Computation(found, "At level n, X has played half of the moves, rounded up, and O the rest.")


@claim(
    "clojure.distinct-upper-bound-by-level",
    "The upper bound without duplicates by level.",
    [1, 9, 72, 252, 756, 1_260, 1_680, 1_260, 630, 126],
)
def _distinct_by_level() -> Computation:
    found = list(distinct_upper_bound(TIC_TAC_TOE))
    return Computation(
        found, "The ways to choose the squares that are taken, by the ways to choose O's among them, at each level."
    )


DUPLICATES: Final = _claims_of_stage(
    Stage.DUPLICATES,
    "These are the positions that play can reach.",
    ("Without duplicates the tree that ends at won nodes has 5,478.", 5_478),
    (
        "The tree without duplicates, by level and kind, with the duplicates met on the way.",
        {
            "internal": [1, 9, 72, 252, 756, 1_140, 1_372, 696, 222, 0],
            "x": [0, 0, 0, 0, 0, 120, 0, 444, 0, 62],
            "o": [0, 0, 0, 0, 0, 0, 148, 0, 168, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 16],
            "dup": [0, 0, 0, 252, 756, 2_520, 3_040, 2_976, 1_002, 144],
        },
    ),
    {"internal": 4_536, "x": 626, "o": 316},
)


@bound_claim(
    "clojure.bound-met",
    "Up to level 5 there are as many positions as the bound without duplicates says; then fewer.",
    [0, 1, 2, 3, 4, 5],
)
def _bound_met() -> Computation:
    levels = zip(tallies(Stage.DUPLICATES), distinct_upper_bound(TIC_TAC_TOE), strict=True)
    found = [each.ply for each, bound in levels if each.total == bound]
    return Computation(found, "From the next level on, boards that only play after a win could reach are missing.")


@census_claim(
    "clojure.twelve-after-two",
    "Up to symmetry there are three first moves, with 5, 5 and 2 replies: twelve positions.",
    {"corner": 5, "edge": 5, "centre": 2},
)
def _after_two() -> Computation:
    first_moves = zip(OPENED, graph_of(EMPTY).children(EMPTY), strict=True)
    found = {name: len({each.canonical() for each in opened.successors()}) for name, opened in first_moves}
    return Computation(found, f"Together {sum(found.values())} positions, where plain counting has 9×8 = {9 * 8}.")


@symmetry_claim("clojure.seven-symmetries", "There are seven symmetries: 3 rotations, 4 reflections.", 7)
def _symmetries() -> Computation:
    found = len(TIC_TAC_TOE.symmetries) - 1
    return Computation(found, f"With the one that moves nothing the square has {len(TIC_TAC_TOE.symmetries)}.")


@claim("clojure.transforms", "The seven index maps of the program are these symmetries.")
def _transforms() -> Computation:
    identity, *others = map(list, TIC_TAC_TOE.symmetries)
    return Computation(
        sorted(_cells(PRINTED_TRANSFORMS)) == sorted(others),
        f"They are {len(others)} different permutations of the cells, each maps all {len(TIC_TAC_TOE.lines)} lines to"
        f" lines, and none is the one that moves nothing, {identity}.",
    )


@symmetry_claim("clojure.many-unique", "Many positions have seven new images.")
def _many_unique() -> Computation:
    nodes = graph_of(EMPTY).nodes
    unique = sum(each.images() == 8 for each in nodes)
    return Computation(
        2 * unique > len(nodes), f"{unique} of the {len(nodes)} positions have seven images that differ."
    )


def _overlaps() -> tuple[int, int, int]:
    """Walk the tree as the article does, with a set of visited boards and a set of their images.

    Return three numbers. The first counts the moves to an image of a visited board. The second counts the repeats: the
    moves to an image that was reached before. The third counts the boards in both sets.
    """
    walked: set[Position] = set()
    images: set[Position] = set()
    met: Counter[Position] = Counter()
    stack = [EMPTY]
    while stack:
        position = stack.pop()
        if position in images and position not in walked:
            met[position] += 1
        elif position not in walked:
            walked.add(position)
            images |= {position.transformed(symmetry) for symmetry in TIC_TAC_TOE.symmetries} - {position}
            stack += [position.after(cell) for cell in reversed(position.legal_moves)]
    return met.total(), met.total() - len(met), len(walked & images)


@claim("clojure.orthogonal", "No node is both a duplicate and a symmetric one.", 0, page="census#duplicates")
def _orthogonal() -> Computation:
    symmetric, again, both = _overlaps()
    return Computation(
        again,
        f"Of {symmetric} symmetric nodes, {again} are boards that the walk had met before, so they are duplicates too."
        " The article remembers only the boards whose moves it tried, not the images it left out. Of those boards"
        f" {both} are images of others.",
        deviating=both,
    )


@symmetry_claim(
    "clojure.orthogonal-order", "It makes no difference whether duplicates or symmetric nodes are looked up first."
)
def _orthogonal_order() -> Computation:
    *_, both = _overlaps()
    return Computation(
        both == 0,
        "No visited board is an image of another visited one, so at most one of the look-ups finds a board, and their"
        " order makes no difference.",
    )


SYMMETRY: Final = _claims_of_stage(
    Stage.SYMMETRY,
    "These are the positions that no rotation or reflection makes equal.",
    ("Up to symmetry, 765 nodes are left.", 765),
    (
        "The tree up to symmetry, by level and kind, with the duplicate and symmetric nodes met on the way.",
        {
            "internal": [1, 3, 12, 38, 108, 153, 183, 95, 34, 0],
            "x": [0, 0, 0, 0, 0, 21, 0, 58, 0, 12],
            "o": [0, 0, 0, 0, 0, 0, 21, 0, 23, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
            "dup": [0, 0, 0, 3, 44, 161, 225, 220, 82, 11],
            "sym": [0, 6, 12, 43, 76, 205, 183, 176, 51, 8],
        },
    ),
    {"internal": 630, "x": 91, "o": 44},
)


@draws_claim("clojure.three-drawn", "Up to symmetry there are three drawn boards.", 3)
def _distinct() -> Computation:
    found = distinct_drawn_boards(TIC_TAC_TOE)
    sizes = " + ".join(map(str, found.values()))
    return Computation(
        len(found), f"With their rotations and reflections they are {sizes} = {sum(found.values())} boards."
    )


@draws_claim("clojure.drawn-boards", "There are 16 drawn boards.", 16)
def _boards() -> Computation:
    found = drawn_boards(TIC_TAC_TOE)
    o = found[0].o.bit_count()
    return Computation(
        len(found),
        f"Of the {comb(TIC_TAC_TOE.size, o)} ways to place {o} O on the full board, {len(found)} leave nobody a line.",
    )


@draws_claim(
    "clojure.drawn-list",
    "The sixteen drawn boards, by the cells of O.",
    _cells(PRINTED_DRAWN),
)
def _list() -> Computation:
    found = [list(cells_of(board.o)) for board in drawn_boards(TIC_TAC_TOE)]
    return Computation(found, f"The cells of O, numbered from 0 in reading order; {len(found)} boards.")


@draws_claim(
    "clojure.drawn-condition",
    "A full board is drawn where O has a stone in every row, column and diagonal and none for itself.",
)
def _condition() -> Computation:
    size, lines = TIC_TAC_TOE.size, TIC_TAC_TOE.lines
    fillings = map(bits_of, combinations(range(size), size // 2))
    found = {o for o in fillings if all(line & o not in (0, line) for line in lines)}
    return Computation(
        found == {board.o for board in drawn_boards(TIC_TAC_TOE)},
        f"X has no line just where O has a stone in each of the {len(lines)} lines; {len(found)} boards are so.",
    )


@draws_claim(
    "clojure.patterns", "They are 8 islands, 4 arrows and 4 scorpions.", {"island": 8, "arrow": 4, "scorpion": 4}
)
def _patterns() -> Computation:
    found = Counter(str(pattern_of(board)) for board in drawn_boards(TIC_TAC_TOE))
    classes = len(distinct_drawn_boards(TIC_TAC_TOE))
    return Computation(
        dict(found), f"X in the centre; else O in two corners or in one. They are the {classes} classes up to symmetry."
    )


def _urgent(position: Position) -> Sequence[Cell]:
    """Return all winning moves, else all blocking moves; empty if there are neither."""
    return () if position.result else position.threats(position.mover) or position.threats()


def _every_urgent(position: Position) -> Sequence[Cell]:
    """Return all winning moves, else all blocking moves, else all moves."""
    return _urgent(position) or position.legal_moves


def _centre_first(position: Position) -> Sequence[Cell]:
    """Return the first winning move, else the first blocking move, else all moves, in the order of CENTRE_FIRST."""
    return sorted(_urgent(position), key=CENTRE_FIRST.index)[:1] or sorted(position.legal_moves, key=CENTRE_FIRST.index)


FORCED: Final = _claims_of_stage(
    Stage.FORCED,
    "The article's program, followed to the letter.",
    ("If each player plays only the first winning move, else the first blocking one, 389 nodes are left.", 389),
    (
        "The forced tree by level and kind, with the duplicate and symmetric nodes met on the way.",
        {
            "internal": [1, 3, 12, 38, 54, 88, 83, 47, 18, 0],
            "x": [0, 0, 0, 0, 0, 0, 0, 25, 0, 6],
            "o": [0, 0, 0, 0, 0, 0, 0, 0, 11, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
            "dup": [0, 0, 0, 3, 27, 21, 28, 18, 12, 4],
            "sym": [0, 6, 12, 43, 47, 41, 28, 25, 11, 5],
        },
    ),
    {"internal": 347, "x": 31, "o": 11},
)


@forced_claim(
    "clojure.forced-prose",
    "If players always win where they can and else block where they must, 389 nodes are left.",
    389,
)
def _prose() -> Computation:
    free = graph_of(EMPTY, _every_urgent).nodes
    first, centre_first = (len(graph_of(EMPTY, moves).nodes) for moves in (forced_moves, _centre_first))
    return Computation(
        len(free),
        "Let players win, or else block, on any square they like, and you get this many positions. The program tries"
        f" only the first such square in reading order, which gives {first}. Another order gives another number: the"
        f" centre first, then the corners, then the edges, gives {centre_first}.",
        deviating=first,
    )


@forced_claim("clojure.no-easy-wins", "With forced moves no X win is left at level 5 and no O win at level 6.", [0, 0])
def _no_easy_wins() -> Computation:
    before, after = tallies(Stage.SYMMETRY), tallies(Stage.FORCED)
    return Computation(
        [after[5].x_wins, after[6].o_wins],
        f"Without forced moves they are {before[5].x_wins} and {before[6].o_wins}. Nobody can make two threats before"
        " level 5, so all earlier ones are blocked.",
    )


@claim("clojure.wins-left", "Although every threat is blocked, both players still have positions that they have won.")
def _wins_left() -> Computation:
    total = census(TIC_TAC_TOE, Stage.FORCED).sum
    return Computation(
        total.x_wins > 0 and total.o_wins > 0,
        f"{total.x_wins} positions that X has won and {total.o_wins} that O has won. Each comes after a fork.",
    )


@claim(
    "clojure.totals-by-level",
    "The rows of totals in the tracking table, by stage and level.",
    {
        "won-cut": [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872],
        "duplicates": [1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78],
        "symmetry": [1, 3, 12, 38, 108, 174, 204, 153, 57, 15],
        "forced": [1, 3, 12, 38, 54, 88, 83, 72, 29, 9],
    },
)
def _totals() -> Computation:
    stages = (Stage.WON_CUT, Stage.DUPLICATES, Stage.SYMMETRY, Stage.FORCED)
    found = {str(stage): [each.total for each in tallies(stage)] for stage in stages}
    sums = ", ".join(f"{sum(totals):,}" for totals in found.values())
    return Computation(found, f"Internal, won and drawn nodes together at each level; the sums are {sums}.")


@forced_claim("clojure.forks-by-ply", "The forked positions of the forced tree by level.", {"5": 36, "6": 14, "7": 9})
def _forks_by_ply() -> Computation:
    found = {str(each.ply): each.forks for each in tallies(Stage.FORCED) if each.forks}
    free = {str(each.ply): each.forks for each in tallies(Stage.SYMMETRY) if each.forks}
    words = ", ".join(f"{count} at level {ply}" for ply, count in free.items())
    return Computation(
        found,
        f"{sum(found.values())} forks under forced play. In all play, where threats may be overlooked, there are"
        f" {sum(free.values())}: {words}.",
    )


@forced_claim(
    "clojure.forks-split",
    "At levels 5, 6 and 7 the forked and the other internal nodes add up to the internal nodes.",
    [[36, 52], [14, 69], [9, 38]],
)
def _forks_split() -> Computation:
    graph = graph_of(EMPTY, forced_moves)
    counts = Counter((TIC_TAC_TOE.size - each.plies_left, kind) for each, kind in graph.nodes.items())
    levels = (5, 6, 7)
    found = [[counts[level, Kind.FORK], counts[level, Kind.INTERNAL]] for level in levels]
    sums = ", ".join(str(sum(pair)) for pair in found)
    matches = [sum(pair) for pair in found] == [tallies(Stage.FORCED)[level].internal for level in levels]
    return Computation(
        found,
        f"The sums are {sums}, {'just' if matches else 'not'} the internal nodes counted without telling forks apart.",
    )


@forks_claim(
    "clojure.forks-start-at-5", "Forks start at level 5, with three X and two O.", {"level": 5, "x": 3, "o": 2}
)
def _forks_start() -> Computation:
    first = forks(TIC_TAC_TOE)[0]
    found = {"level": first.ply, "x": first.position.x.bit_count(), "o": first.position.o.bit_count()}
    return Computation(
        found,
        f"Two lines with a square in common that lack one stone each hold {found['x']}; O has as many a level later.",
    )


@forks_claim("clojure.fork-wins", "Whoever has a fork is sure to win.")
def _fork_wins() -> Computation:
    found = [fork for forced in (False, True) for fork in forks(TIC_TAC_TOE, forced)]
    replies = [(fork.owner, after) for fork in found for after in fork.position.successors()]
    kept = all(after.threats(owner) and not after.result for owner, after in replies)
    positions = len(forks(TIC_TAC_TOE))
    return Computation(kept, f"Checked with every reply to {positions} positions with two threats or more.")


@forks_claim("clojure.fork-exactly-two", "A test for exactly two winning moves finds every fork of the tree.")
def _exactly_two() -> Computation:
    every, forced = (sum(len(fork.threats) > FORK for fork in forks(TIC_TAC_TOE, each)) for each in (False, True))
    return Computation(
        forced == 0,
        f"In the forced tree {forced} positions have more than two threats. In all play {every} have three, and the"
        " program's test would not call them forks.",
    )


@claim(
    "clojure.wins-need-forks",
    "Forks are the only tactics: where both players win and block when they can, only a fork wins.",
    page="forks?play=forced",
)
def _wins_need_forks() -> Computation:
    graph = graph_of(EMPTY, _every_urgent, is_fork)
    won = sum(kind in (Kind.X_WINS, Kind.O_WINS) for kind in graph.nodes.values())
    return Computation(
        won == 0,
        "Every winning square is tried, else every blocking one, else all. Cut at its forks, this tree has"
        f" {len(graph.nodes)} nodes, of which {won} are won.",
    )


def _branches() -> dict[str, Graph]:
    return {name: graph_of(opened, forced_moves) for name, opened in OPENED.items()}


@branch_claim("clojure.smallest-branch", "The smallest branch of the forced tree is that of the centre.", "centre")
def _smallest_branch() -> Computation:
    sizes = {name: len(branch.nodes) for name, branch in _branches().items()}
    words = ", ".join(f"{name} {size}" for name, size in sizes.items())
    shared = 1 + sum(sizes.values()) - census(TIC_TAC_TOE, Stage.FORCED).nodes
    return Computation(
        min(sizes, key=lambda name: sizes[name]),
        f"Nodes of the forced tree after each first move, up to symmetry: {words}. The branches have nodes in common:"
        f" with the root they add up to {shared} more than the whole tree.",
    )


def _draws(branch: Graph) -> list[Position]:
    return [each for each, kind in branch.nodes.items() if kind is Kind.DRAW]


@branch_claim("clojure.centre-drawn", "In the centre branch there is just one drawn board, the island.", {"island": 1})
def _centre_drawn() -> Computation:
    branches = _branches()
    found = dict(Counter(str(pattern_of(each)) for each in _draws(branches["centre"])))
    others = " and ".join(f"{len(_draws(branches[name]))} after the {name}" for name in ("corner", "edge"))
    return Computation(found, f"X keeps the centre there. Up to symmetry there are {others}.")


@draws_claim("clojure.island-centre", "The island is the only pattern with X in the centre.")
def _island_centre() -> Computation:
    boards = drawn_boards(TIC_TAC_TOE)
    held = [pattern_of(each) for each in boards if each.mark_at(4) is Mark.X]
    return Computation(
        set(held) == {Pattern.ISLAND}, f"X holds the centre on {len(held)} of the {len(boards)} drawn boards."
    )
