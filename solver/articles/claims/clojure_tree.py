"""The checks of the Clojure article's first part, about the game tree, symmetry, drawn boards and forks."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final

from solver.articles.census import Stage, Tally, census, distinct_upper_bound, duplication
from solver.articles.claims.claim import Evidence, check
from solver.articles.graph import FORK, Graph, Kind, forced_moves, forks, graph_of, is_fork
from solver.articles.patterns import distinct_drawn_boards, drawn_boards
from solver.board.game import Pattern, pattern_of
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

CENTRE_FIRST: Final = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The squares in another order: the centre, the corners, the edges."""

PRINTED_TRANSFORMS: Final = "630741852 876543210 258147036 678345012 210543876 036147258 852741630"
"""The index maps of the article's `board-symmetries`, in which each cell is a digit."""


def tallies(stage: Stage) -> tuple[Tally, ...]:
    """Return the tally of each ply at a stage."""
    return census(TIC_TAC_TOE, stage).plies


@check("clojure.upper-bound", Stage.UPPER_BOUND)
@check("clojure.won-cut", Stage.WON_CUT)
@check("clojure.duplicates", Stage.DUPLICATES)
@check("clojure.symmetry", Stage.SYMMETRY)
@check("clojure.forced", Stage.FORCED)
def _nodes(stage: Stage) -> Evidence:
    counted = census(TIC_TAC_TOE, stage)
    most = max(tally.total for tally in counted.plies)
    plies = [str(tally.ply) for tally in counted.plies if tally.total == most]
    largest = f"Level {plies[0]} is the largest" if len(plies) == 1 else f"Levels {' and '.join(plies)} are largest"
    return Evidence.of(counted.nodes, largest=f"{largest}, with {most:,} nodes{' each' if plies[1:] else ''}.")


@check("clojure.won-cut-by-level", Stage.WON_CUT)
@check("clojure.duplicates-by-level", Stage.DUPLICATES)
@check("clojure.symmetry-by-level", Stage.SYMMETRY)
@check("clojure.forced-by-level", Stage.FORCED)
def _levels(stage: Stage) -> Evidence:
    total = census(TIC_TAC_TOE, stage).sum
    columns = {key: [getattr(tally, name) for tally in tallies(stage)] for key, name in COLUMNS.items()}
    computed = {key: column for key, column in columns.items() if any(column)}
    return Evidence.of(computed, total=total, covered=total.duplicates + total.symmetric)


@check("clojure.won-cut-kinds", Stage.WON_CUT)
@check("clojure.duplicates-kinds", Stage.DUPLICATES)
@check("clojure.symmetry-kinds", Stage.SYMMETRY)
@check("clojure.forced-kinds", Stage.FORCED)
def _kinds(stage: Stage) -> Evidence:
    """Evidence the last column of the tracking table. It counts drawn boards as internal nodes."""
    total = census(TIC_TAC_TOE, stage).sum
    return Evidence.of({"internal": total.internal + total.draws, "x": total.x_wins, "o": total.o_wins}, total=total)


def _upper_bound_by_level() -> Evidence:
    counts = [tally.total for tally in tallies(Stage.UPPER_BOUND)]
    return Evidence.of(counts, sum=sum(counts))


def _longest_game() -> Evidence:
    levels = [tally for tally in tallies(Stage.WON_CUT) if tally.total]
    last = levels[-1].ply
    counts = [len(levels), last, (last + 1) // 2, last // 2]
    return Evidence.of(counts, squares=TIC_TAC_TOE.size, games=levels[-1].total)


def _wins_start_at_5() -> Evidence:
    first = {mark: _first_win(mark) for mark in "xo"}
    return Evidence.of(first, **first)


def _first_win(mark: str) -> int:
    """Return the first level with a win of "x" or "o"."""
    return next(tally.ply for tally in tallies(Stage.WON_CUT) if getattr(tally, COLUMNS[mark]))


def _wins_odd_even() -> Evidence:
    return Evidence.of(all(not (tally.o_wins if tally.ply % 2 else tally.x_wins) for tally in tallies(Stage.WON_CUT)))


def _level_5_sum() -> Evidence:
    bound, cut = (tallies(stage)[5] for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    return Evidence.of(cut.total == bound.total, cut=cut)


def _first_levels_full() -> Evidence:
    pairs = list(zip(tallies(Stage.WON_CUT), tallies(Stage.UPPER_BOUND), strict=True))
    equal = [cut.ply for cut, bound in pairs if cut.total == bound.total]
    full = equal[:5] == list(range(5)) and not any(cut.x_wins or cut.o_wins for cut, _ in pairs[:5])
    return Evidence.of(full, first=equal[0], last=equal[-1], won=_first_win("x"))


def _almost_half() -> Evidence:
    bound, cut = (census(TIC_TAC_TOE, stage).nodes for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    share = (bound - cut) / bound
    return Evidence.of(0.4 <= share < 0.5, left_out=bound - cut, bound=bound, share=share)


def _duplication_factor() -> Evidence:
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
    without_ends = all(tally.total == distinct * duplication(tally.ply) for tally, distinct in levels)
    return Evidence.of(
        not fewer.total(), deviating=without_ends, won=fewer[True], unwon=fewer[False], positions=positions
    )


def _distinct_upper_bound() -> Evidence:
    return Evidence.of(sum(distinct_upper_bound(TIC_TAC_TOE)))


def _duplication_factors() -> Evidence:
    return Evidence.of([duplication(ply) for ply in range(TIC_TAC_TOE.size + 1)])


def _distinct_upper_bound_by_level() -> Evidence:
    return Evidence.of(list(distinct_upper_bound(TIC_TAC_TOE)))


def _bound_met() -> Evidence:
    levels = zip(tallies(Stage.DUPLICATES), distinct_upper_bound(TIC_TAC_TOE), strict=True)
    return Evidence.of([tally.ply for tally, bound in levels if tally.total == bound])


def _twelve_after_two() -> Evidence:
    first_moves = zip(OPENED, graph_of(EMPTY).children(EMPTY), strict=True)
    replies = {name: len({after.canonical() for after in opened.successors()}) for name, opened in first_moves}
    return Evidence.of(replies, sum=sum(replies.values()), plain=9 * 8)


def _seven_symmetries() -> Evidence:
    return Evidence.of(len(TIC_TAC_TOE.symmetries) - 1, all=len(TIC_TAC_TOE.symmetries))


def _transforms() -> Evidence:
    identity, *others = map(list, TIC_TAC_TOE.symmetries)
    printed = [[int(cell) for cell in cells] for cells in PRINTED_TRANSFORMS.split()]
    lines = len(TIC_TAC_TOE.lines)
    return Evidence.of(sorted(printed) == sorted(others), others=len(others), lines=lines, identity=identity)


def _many_unique() -> Evidence:
    nodes = graph_of(EMPTY).nodes
    unique = sum(node.images() == 8 for node in nodes)
    return Evidence.of(2 * unique > len(nodes), unique=unique, nodes=len(nodes))


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


def _orthogonal() -> Evidence:
    symmetric, again, both = _overlaps()
    return Evidence.of(again, deviating=both, symmetric=symmetric, again=again, both=both)


def _orthogonal_order() -> Evidence:
    *_, both = _overlaps()
    return Evidence.of(both == 0)


def _three_drawn() -> Evidence:
    sizes = distinct_drawn_boards(TIC_TAC_TOE).values()
    return Evidence.of(len(sizes), sizes=" + ".join(map(str, sizes)), sum=sum(sizes))


def _drawn_boards() -> Evidence:
    boards = drawn_boards(TIC_TAC_TOE)
    o = boards[0].o.bit_count()
    return Evidence.of(len(boards), o=o, ways=comb(TIC_TAC_TOE.size, o), drawn=len(boards))


def _drawn_list() -> Evidence:
    boards = ["".join(map(str, cells_of(board.o))) for board in drawn_boards(TIC_TAC_TOE)]
    return Evidence.of([[int(cell) for cell in board] for board in boards], boards=len(boards))


def _drawn_condition() -> Evidence:
    size, lines = TIC_TAC_TOE.size, TIC_TAC_TOE.lines
    fillings = map(bits_of, combinations(range(size), size // 2))
    held = {o for o in fillings if all(line & o not in (0, line) for line in lines)}
    drawn = {board.o for board in drawn_boards(TIC_TAC_TOE)}
    return Evidence.of(held == drawn, lines=len(lines), boards=len(held))


def _patterns() -> Evidence:
    counts = Counter(str(pattern_of(board)) for board in drawn_boards(TIC_TAC_TOE))
    return Evidence.of(dict(counts), classes=len(distinct_drawn_boards(TIC_TAC_TOE)))


def _urgent(position: Position) -> Sequence[Cell]:
    """Return all winning moves, else all blocking moves; empty if there are neither."""
    return () if position.result else position.threats(position.mover) or position.threats()


def _every_urgent(position: Position) -> Sequence[Cell]:
    """Return all winning moves, else all blocking moves, else all moves."""
    return _urgent(position) or position.legal_moves


def _centre_first(position: Position) -> Sequence[Cell]:
    """Return the first winning move, else the first blocking move, else all moves, in the order of CENTRE_FIRST."""
    return sorted(_urgent(position), key=CENTRE_FIRST.index)[:1] or sorted(position.legal_moves, key=CENTRE_FIRST.index)


def _forced_prose() -> Evidence:
    free = graph_of(EMPTY, _every_urgent).nodes
    first, centre_first = (len(graph_of(EMPTY, moves).nodes) for moves in (forced_moves, _centre_first))
    return Evidence.of(len(free), deviating=first, first=first, centre_first=centre_first)


def _no_easy_wins() -> Evidence:
    before, after = tallies(Stage.SYMMETRY), tallies(Stage.FORCED)
    return Evidence.of([after[5].x_wins, after[6].o_wins], before=before)


def _wins_left() -> Evidence:
    total = census(TIC_TAC_TOE, Stage.FORCED).sum
    return Evidence.of(total.x_wins > 0 and total.o_wins > 0, total=total)


def _totals_by_level() -> Evidence:
    stages = (Stage.WON_CUT, Stage.DUPLICATES, Stage.SYMMETRY, Stage.FORCED)
    rows = {str(stage): [tally.total for tally in tallies(stage)] for stage in stages}
    return Evidence.of(rows, sums=", ".join(f"{sum(totals):,}" for totals in rows.values()))


def _forks_by_ply() -> Evidence:
    forced, free = (
        {str(tally.ply): tally.forks for tally in tallies(stage) if tally.forks}
        for stage in (Stage.FORCED, Stage.SYMMETRY)
    )
    levels = ", ".join(f"{count} at level {ply}" for ply, count in free.items())
    return Evidence.of(forced, forced=sum(forced.values()), free=sum(free.values()), levels=levels)


def _forks_split() -> Evidence:
    nodes, levels = graph_of(EMPTY, forced_moves).nodes, (5, 6, 7)
    counts = Counter((TIC_TAC_TOE.size - node.plies_left, kind) for node, kind in nodes.items())
    split = [[counts[level, Kind.FORK], counts[level, Kind.INTERNAL]] for level in levels]
    fits = [sum(pair) for pair in split] == [tallies(Stage.FORCED)[level].internal for level in levels]
    sums = ", ".join(str(sum(pair)) for pair in split)
    return Evidence.of(split, sums=sums, just="just" if fits else "not")


def _forks_start_at_5() -> Evidence:
    first = forks(TIC_TAC_TOE)[0]
    counts = {"level": first.ply, "x": first.position.x.bit_count(), "o": first.position.o.bit_count()}
    return Evidence.of(counts, x=counts["x"])


def _fork_wins() -> Evidence:
    forked = [fork for forced in (False, True) for fork in forks(TIC_TAC_TOE, forced)]
    replies = [(fork.owner, after) for fork in forked for after in fork.position.successors()]
    kept = all(after.threats(owner) and not after.result for owner, after in replies)
    return Evidence.of(kept, positions=len(forks(TIC_TAC_TOE)))


def _fork_exactly_two() -> Evidence:
    free, forced = (sum(len(fork.threats) > FORK for fork in forks(TIC_TAC_TOE, play)) for play in (False, True))
    return Evidence.of(forced == 0, forced=forced, free=free)


def _wins_need_forks() -> Evidence:
    graph = graph_of(EMPTY, _every_urgent, is_fork)
    won = sum(kind in (Kind.X_WINS, Kind.O_WINS) for kind in graph.nodes.values())
    return Evidence.of(won == 0, nodes=len(graph.nodes), won=won)


def _branches() -> dict[str, Graph]:
    return {name: graph_of(opened, forced_moves) for name, opened in OPENED.items()}


def _smallest_branch() -> Evidence:
    sizes = {name: len(branch.nodes) for name, branch in _branches().items()}
    branches = ", ".join(f"{name} {size}" for name, size in sizes.items())
    shared = 1 + sum(sizes.values()) - census(TIC_TAC_TOE, Stage.FORCED).nodes
    return Evidence.of(min(sizes, key=lambda name: sizes[name]), branches=branches, shared=shared)


def _draws(branch: Graph) -> list[Position]:
    return [node for node, kind in branch.nodes.items() if kind is Kind.DRAW]


def _centre_drawn() -> Evidence:
    drawn = {name: _draws(branch) for name, branch in _branches().items()}
    others = " and ".join(f"{len(drawn[name])} after the {name}" for name in ("corner", "edge"))
    return Evidence.of(dict(Counter(str(pattern_of(board)) for board in drawn["centre"])), others=others)


def _island_centre() -> Evidence:
    boards = drawn_boards(TIC_TAC_TOE)
    held = [pattern_of(board) for board in boards if board.mark_at(4) is Mark.X]
    return Evidence.of(set(held) == {Pattern.ISLAND}, held=len(held), boards=len(boards))
