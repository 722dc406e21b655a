"""The claims of the Clojure article's first part on the size of the game tree, before its symmetries."""

from collections import Counter
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.theory.census import Stage, Tally, census, distinct_upper_bound, duplication
from solver.theory.claims.claim import Claim, Computation, Json

EMPTY: Final = Position(TIC_TAC_TOE)

KINDS: Final = {"internal": "internal", "x": "x_wins", "o": "o_wins", "draw": "draws"}
REPEATED: Final = {"dup": "duplicates", "sym": "symmetric"}


def tallies(stage: Stage) -> tuple[Tally, ...]:
    """The census of a stage by ply."""
    return census(TIC_TAC_TOE, stage).plies


def by_level(stage: Stage, *, repeated: bool = True) -> Json:
    """The counts of a stage, a list of ten levels for each of the article's keys that it has."""
    names = KINDS | (REPEATED if repeated else {})
    columns = {key: [getattr(each, name) for each in tallies(stage)] for key, name in names.items()}
    return {key: column for key, column in columns.items() if any(column)}


def kinds(stage: Stage) -> Json:
    """The last column of the tracking table, where full drawn boards stand on the line of the internal nodes."""
    total = census(TIC_TAC_TOE, stage).sum
    return {"internal": total.internal + total.draws, "x": total.x_wins, "o": total.o_wins}


def of_nodes(stage: Stage, explanation: str) -> Computation:
    """The number of a stage's nodes, with a sentence that says what they are."""
    found = census(TIC_TAC_TOE, stage)
    most = max(each.total for each in found.plies)
    largest = [str(each.ply) for each in found.plies if each.total == most]
    words = f"Level {largest[0]} is the largest" if len(largest) == 1 else f"Levels {' and '.join(largest)} are largest"
    return Computation(found.nodes, f"{explanation} {words}, with {most:,} nodes{' each' if largest[1:] else ''}.")


def of_levels(stage: Stage) -> Computation:
    """The counts of a stage by level."""
    total = census(TIC_TAC_TOE, stage).sum
    parts = f"{total.internal:,} internal, {total.x_wins:,} X wins, {total.o_wins:,} O wins, {total.draws:,} drawn"
    met = total.duplicates + total.symmetric
    again = f" On the way {met:,} moves led to a board already covered." if met else ""
    return Computation(by_level(stage), f"Together {total.total:,} nodes: {parts}.{again}")


def of_kinds(stage: Stage) -> Computation:
    """The sums of a stage by kind."""
    total = census(TIC_TAC_TOE, stage).sum
    return Computation(
        kinds(stage),
        f"The {total.draws:,} drawn boards are counted with the {total.internal:,} internal nodes, as the table does.",
    )


def _upper_bound_by_level() -> Computation:
    found = [each.total for each in tallies(Stage.UPPER_BOUND)]
    return Computation(
        found, f"Level n has 9!/(9-n)! nodes: each one has a child for every square left. Sum {sum(found):,}."
    )


def _longest_game() -> Computation:
    games = [each for each in tallies(Stage.WON_CUT) if each.total]
    last = games[-1].ply
    found = [len(games), last, (last + 1) // 2, last // 2]
    return Computation(
        found, f"The board has {TIC_TAC_TOE.size} squares, X moves first, and {games[-1].total:,} games fill it."
    )


def _first_wins() -> Computation:
    found = {"x": _first_win(Mark.X), "o": _first_win(Mark.O)}
    return Computation(
        found, f"X's third stone is the move of level {found['x']}, O's third that of level {found['o']}."
    )


def _first_win(mark: Mark) -> int:
    return next(each.ply for each in tallies(Stage.WON_CUT) if (each.x_wins if mark is Mark.X else each.o_wins))


def _odd_and_even() -> Computation:
    found = all(not (each.o_wins if each.ply % 2 else each.x_wins) for each in tallies(Stage.WON_CUT))
    return Computation(found, "X's stones are the odd moves, and only the player who has just moved can have won.")


def _level_five() -> Computation:
    bound, cut = (tallies(stage)[5] for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    return Computation(
        cut.total == bound.total,
        f"{cut.internal:,} and {cut.x_wins:,} make {cut.total:,}: a won node is still a node, it only has no children.",
    )


def _first_levels() -> Computation:
    pairs = list(zip(tallies(Stage.WON_CUT), tallies(Stage.UPPER_BOUND), strict=True))
    equal = [cut.ply for cut, bound in pairs if cut.total == bound.total]
    return Computation(
        equal[:5] == list(range(5)) and not any(cut.x_wins or cut.o_wins for cut, _ in pairs[:5]),
        f"Levels {equal[0]} to {equal[-1]} are equal. The first won nodes, on level {_first_win(Mark.X)}, count as"
        " nodes too; their children are missing from the next level on.",
    )


def _almost_half() -> Computation:
    bound, cut = (census(TIC_TAC_TOE, stage).nodes for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    share = (bound - cut) / bound
    return Computation(
        0.4 <= share < 0.5,
        f"{bound - cut:,} of {bound:,} nodes go, {share:.1%}. “Almost a half” is taken to mean 40 to 50%.",
    )


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
    without_ends = all(
        distinct * duplication(each.ply) == each.total
        for distinct, each in zip(distinct_upper_bound(TIC_TAC_TOE), tallies(Stage.UPPER_BOUND), strict=True)
    )
    return Computation(
        not fewer.total(),
        f"So it is if play goes on after a win. In the tree that ends at wins, {fewer[True]:,} of the {positions:,}"
        f" positions are reached in fewer ways, {fewer[False]} of them open or drawn: they are won, and a stone of the"
        " winner that is not in the line cannot have been the last.",
        deviating=without_ends,
    )


def _distinct_bound() -> Computation:
    found = sum(distinct_upper_bound(TIC_TAC_TOE))
    return Computation(
        found, "Each level's orders of moves by the orders that lead to one board, n! m! for n X and m O."
    )


def _factors() -> Computation:
    found = [duplication(ply) for ply in range(TIC_TAC_TOE.size + 1)]
    return Computation(found, "At level n, X has played half of the moves, rounded up, and O the rest.")


def _distinct_by_level() -> Computation:
    found = list(distinct_upper_bound(TIC_TAC_TOE))
    return Computation(
        found, "The ways to choose the squares that are taken, by the ways to choose O's among them, at each level."
    )


def _bound_met() -> Computation:
    found = [
        each.ply
        for each, bound in zip(tallies(Stage.DUPLICATES), distinct_upper_bound(TIC_TAC_TOE), strict=True)
        if each.total == bound
    ]
    return Computation(found, "From the next level on, boards that only play after a win could reach are missing.")


CLAIMS: Final = (
    Claim(
        "clojure.upper-bound",
        "If winning is ignored, the game tree has 986,410 nodes.",
        986_410,
        lambda: of_nodes(Stage.UPPER_BOUND, "The sum of 9!/(9-n)! over the levels 0 to 9."),
    ),
    Claim(
        "clojure.upper-bound-by-level",
        "The upper bound by level.",
        [1, 9, 72, 504, 3_024, 15_120, 60_480, 181_440, 362_880, 362_880],
        _upper_bound_by_level,
    ),
    Claim(
        "clojure.longest-game",
        "The tree has ten levels; a game has at most nine moves, five of X and four of O (levels, moves, X, O).",
        [10, 9, 5, 4],
        _longest_game,
    ),
    Claim(
        "clojure.wins-start-at-5",
        "The first wins are X's at level 5 and O's at level 6.",
        {"x": 5, "o": 6},
        _first_wins,
    ),
    Claim("clojure.wins-odd-even", "X wins on odd levels only, O on even ones only.", True, _odd_and_even),
    Claim(
        "clojure.won-cut",
        "If the tree ends at won nodes, 549,946 are left.",
        549_946,
        lambda: of_nodes(Stage.WON_CUT, "Every order of moves is counted until somebody has a line."),
    ),
    Claim(
        "clojure.won-cut-by-level",
        "The tree that ends at won nodes, by level and kind.",
        {
            "internal": [1, 9, 72, 504, 3_024, 13_680, 49_392, 100_224, 127_872, 0],
            "x": [0, 0, 0, 0, 0, 1_440, 0, 47_952, 0, 81_792],
            "o": [0, 0, 0, 0, 0, 0, 5_328, 0, 72_576, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 46_080],
        },
        lambda: of_levels(Stage.WON_CUT),
    ),
    Claim(
        "clojure.won-cut-kinds",
        "Its totals by kind in the tracking table.",
        {"internal": 340_858, "x": 131_184, "o": 77_904},
        lambda: of_kinds(Stage.WON_CUT),
    ),
    Claim(
        "clojure.level-5-sum",
        "At level 5 the won and the internal nodes together are as many as the upper bound says.",
        True,
        _level_five,
    ),
    Claim(
        "clojure.first-levels-full",
        "On the first four levels nobody can have won, and there are as many nodes as the upper bound says.",
        True,
        _first_levels,
    ),
    Claim("clojure.almost-half", "Ending at won nodes takes away almost a half of the tree.", True, _almost_half),
    Claim(
        "clojure.duplication-factor",
        "A position with n X and m O is reached by n! m! orders of moves.",
        True,
        _factor,
    ),
    Claim(
        "clojure.distinct-upper-bound",
        "Without duplicates the upper bound is 6,046.",
        6_046,
        _distinct_bound,
    ),
    Claim(
        "clojure.duplication-factors",
        "The factors n! m! by level.",
        [1, 1, 1, 2, 4, 12, 36, 144, 576, 2_880],
        _factors,
    ),
    Claim(
        "clojure.distinct-upper-bound-by-level",
        "The upper bound without duplicates by level.",
        [1, 9, 72, 252, 756, 1_260, 1_680, 1_260, 630, 126],
        _distinct_by_level,
    ),
    Claim(
        "clojure.duplicates",
        "Without duplicates the tree that ends at won nodes has 5,478.",
        5_478,
        lambda: of_nodes(Stage.DUPLICATES, "These are the positions that play can reach."),
    ),
    Claim(
        "clojure.duplicates-by-level",
        "The tree without duplicates, by level and kind, with the duplicates met on the way.",
        {
            "internal": [1, 9, 72, 252, 756, 1_140, 1_372, 696, 222, 0],
            "x": [0, 0, 0, 0, 0, 120, 0, 444, 0, 62],
            "o": [0, 0, 0, 0, 0, 0, 148, 0, 168, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 16],
            "dup": [0, 0, 0, 252, 756, 2_520, 3_040, 2_976, 1_002, 144],
        },
        lambda: of_levels(Stage.DUPLICATES),
    ),
    Claim(
        "clojure.duplicates-kinds",
        "Its totals by kind in the tracking table.",
        {"internal": 4_536, "x": 626, "o": 316},
        lambda: of_kinds(Stage.DUPLICATES),
    ),
    Claim(
        "clojure.bound-met",
        "Up to level 5 there are as many positions as the bound without duplicates says; then fewer.",
        [0, 1, 2, 3, 4, 5],
        _bound_met,
    ),
)
"""In the article's order."""
