"""The claims of the Clojure article's first part on forced moves, forks and the branches of the tree."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.theory.census import Stage, census
from solver.theory.claims.claim import Claim, Computation
from solver.theory.claims.clojure_census import EMPTY, of_kinds, of_levels, of_nodes, tallies
from solver.theory.drawn import Pattern, drawn_boards, pattern_of
from solver.theory.forks import forks
from solver.theory.graph import Graph, Kind, graph_of
from solver.theory.tactics import FORK, forced_moves, is_fork, threats

CENTRE_FIRST: Final = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""Another order in which to try squares: the centre, the corners, the edges."""

FIRST: Final = {"corner": 0, "edge": 1, "centre": 4}
"""One of each first move, in reading order."""


def _urgent(position: Position) -> Sequence[Cell]:
    """Every winning move, else every blocking one; none if neither is there."""
    return () if position.result else position.completing(position.mover) or threats(position)


def _every_urgent(position: Position) -> Sequence[Cell]:
    return _urgent(position) or position.legal_moves


def _centre_first(position: Position) -> Sequence[Cell]:
    urgent, legal = (sorted(moves, key=CENTRE_FIRST.index) for moves in (_urgent(position), position.legal_moves))
    return urgent[:1] or legal


def _prose() -> Computation:
    free = graph_of(EMPTY, _every_urgent).nodes
    first, centre_first = (len(graph_of(EMPTY, moves).nodes) for moves in (forced_moves, _centre_first))
    return Computation(
        len(free),
        "So many positions arise where everybody wins, or else blocks, on whichever square they like. The program looks"
        f" only at the first such square in reading order, which gives {first}. That number hangs on the order:"
        f" with the centre tried first, then the corners, then the edges, it is {centre_first}.",
        deviating=first,
    )


def _no_easy_wins() -> Computation:
    before, after = tallies(Stage.SYMMETRY), tallies(Stage.FORCED)
    return Computation(
        [after[5].x_wins, after[6].o_wins],
        f"Without forced moves they are {before[5].x_wins} and {before[6].o_wins}. Nobody can make two threats before"
        " level 5, so all earlier ones are blocked.",
    )


def _wins_left() -> Computation:
    total = census(TIC_TAC_TOE, Stage.FORCED).sum
    return Computation(
        total.x_wins > 0 and total.o_wins > 0,
        f"{total.x_wins} positions that X has won and {total.o_wins} that O has won. Each comes after a fork.",
    )


def _totals() -> Computation:
    stages = (Stage.WON_CUT, Stage.DUPLICATES, Stage.SYMMETRY, Stage.FORCED)
    found = {str(stage): [each.total for each in tallies(stage)] for stage in stages}
    sums = ", ".join(f"{sum(totals):,}" for totals in found.values())
    return Computation(found, f"Internal, won and drawn nodes together at each level; the sums are {sums}.")


def _forks_by_ply() -> Computation:
    found = {str(each.ply): each.forks for each in tallies(Stage.FORCED) if each.forks}
    free = {str(each.ply): each.forks for each in tallies(Stage.SYMMETRY) if each.forks}
    words = ", ".join(f"{count} at level {ply}" for ply, count in free.items())
    return Computation(
        found,
        f"{sum(found.values())} forks under forced play. In all play, where threats may be overlooked, there are"
        f" {sum(free.values())}: {words}.",
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


def _forks_start() -> Computation:
    first = forks(TIC_TAC_TOE)[0].position
    found = {"level": TIC_TAC_TOE.size - first.plies_left, "x": first.x.bit_count(), "o": first.o.bit_count()}
    return Computation(
        found,
        f"Two lines with a square in common that lack one stone each hold {found['x']}; O has as many a level later.",
    )


def _fork_wins() -> Computation:
    found = [fork for forced in (False, True) for fork in forks(TIC_TAC_TOE, forced)]
    kept = all(
        fork.position.after(cell).completing(fork.owner) and not fork.position.after(cell).result
        for fork in found
        for cell in fork.position.legal_moves
    )
    positions = len(forks(TIC_TAC_TOE))
    return Computation(kept, f"Checked with every reply to {positions} positions with two threats or more.")


def _exactly_two() -> Computation:
    more = [[len(fork.threats) > FORK for fork in forks(TIC_TAC_TOE, forced)].count(True) for forced in (True, False)]
    return Computation(
        more[0] == 0,
        f"In the forced tree {more[0]} positions have more than two threats. In all play {more[1]} have three, and the"
        " program's test would not call them forks.",
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
    return {name: graph_of(EMPTY.after(cell), forced_moves) for name, cell in FIRST.items()}


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


def _centre_drawn() -> Computation:
    branches = _branches()
    found = dict(Counter(str(pattern_of(each)) for each in _draws(branches["centre"])))
    others = " and ".join(f"{len(_draws(branches[name]))} after the {name}" for name in ("corner", "edge"))
    return Computation(found, f"X keeps the centre there. Up to symmetry there are {others}.")


def _island_centre() -> Computation:
    boards = drawn_boards(TIC_TAC_TOE)
    found = {str(pattern_of(each)) for each in boards if each.x >> FIRST["centre"] & 1}
    return Computation(
        found == {str(Pattern.ISLAND)}, f"X holds the centre on {_held(boards)} of the {len(boards)} drawn boards."
    )


def _held(boards: Sequence[Position]) -> int:
    return sum(each.x >> FIRST["centre"] & 1 for each in boards)


CLAIMS: Final = (
    Claim(
        "clojure.forced",
        "If each player plays only the first winning move, else the first blocking one, 389 nodes are left.",
        389,
        lambda: of_nodes(Stage.FORCED, "The article's program, followed to the letter."),
    ),
    Claim(
        "clojure.forced-by-level",
        "The forced tree by level and kind, with the duplicate and symmetric nodes met on the way.",
        {
            "internal": [1, 3, 12, 38, 54, 88, 83, 47, 18, 0],
            "x": [0, 0, 0, 0, 0, 0, 0, 25, 0, 6],
            "o": [0, 0, 0, 0, 0, 0, 0, 0, 11, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
            "dup": [0, 0, 0, 3, 27, 21, 28, 18, 12, 4],
            "sym": [0, 6, 12, 43, 47, 41, 28, 25, 11, 5],
        },
        lambda: of_levels(Stage.FORCED),
    ),
    Claim(
        "clojure.forced-kinds",
        "Its totals by kind in the tracking table.",
        {"internal": 347, "x": 31, "o": 11},
        lambda: of_kinds(Stage.FORCED),
    ),
    Claim(
        "clojure.forced-prose",
        "If players always win where they can and else block where they must, 389 nodes are left.",
        389,
        _prose,
    ),
    Claim(
        "clojure.no-easy-wins",
        "With forced moves no X win is left at level 5 and no O win at level 6.",
        [0, 0],
        _no_easy_wins,
    ),
    Claim(
        "clojure.wins-left",
        "Although every threat is blocked, both players still have positions that they have won.",
        True,
        _wins_left,
    ),
    Claim(
        "clojure.totals-by-level",
        "The rows of totals in the tracking table, by stage and level.",
        {
            "won-cut": [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872],
            "duplicates": [1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78],
            "symmetry": [1, 3, 12, 38, 108, 174, 204, 153, 57, 15],
            "forced": [1, 3, 12, 38, 54, 88, 83, 72, 29, 9],
        },
        _totals,
    ),
    Claim(
        "clojure.forks-by-ply",
        "The forked positions of the forced tree by level.",
        {"5": 36, "6": 14, "7": 9},
        _forks_by_ply,
    ),
    Claim(
        "clojure.forks-split",
        "At levels 5, 6 and 7 the forked and the other internal nodes add up to the internal nodes.",
        [[36, 52], [14, 69], [9, 38]],
        _forks_split,
    ),
    Claim(
        "clojure.forks-start-at-5",
        "Forks start at level 5, with three X and two O.",
        {"level": 5, "x": 3, "o": 2},
        _forks_start,
    ),
    Claim("clojure.fork-wins", "Whoever has a fork is sure to win.", True, _fork_wins),
    Claim(
        "clojure.fork-exactly-two",
        "A test for exactly two winning moves finds every fork of the tree.",
        True,
        _exactly_two,
    ),
    Claim(
        "clojure.wins-need-forks",
        "Forks are the only tactics: where both players win and block when they can, only a fork wins.",
        True,
        _wins_need_forks,
    ),
    Claim(
        "clojure.smallest-branch",
        "The smallest branch of the forced tree is that of the centre.",
        "centre",
        _smallest_branch,
    ),
    Claim(
        "clojure.centre-drawn",
        "In the centre branch there is just one drawn board, the island.",
        {"island": 1},
        _centre_drawn,
    ),
    Claim(
        "clojure.island-centre",
        "The island is the only pattern with X in the centre.",
        True,
        _island_centre,
    ),
)
"""In the article's order."""
