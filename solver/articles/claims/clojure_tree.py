"""The measures of the Clojure article's first part, about the game tree, symmetry, drawn boards and forks."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from types import SimpleNamespace
from typing import Final

from solver.articles.census import Census, Stage, census, distinct_upper_bound, duplication
from solver.articles.graph import FORK, Kind, forced_moves, forks, graph_of, is_fork
from solver.articles.patterns import drawn_boards
from solver.board.game import Pattern, pattern_of
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of, cells_of
from solver.search.fold import reached

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


def _stages() -> dict[str, SimpleNamespace]:
    """Return the figures of each stage of the census."""
    return {stage: _figures_of(census(TIC_TAC_TOE, stage)) for stage in Stage}


def _figures_of(counted: Census) -> SimpleNamespace:
    """Return the figures of a stage. `kinds` counts drawn boards as internal nodes, as the tracking table does."""
    plies, total = counted.plies, counted.sum
    totals = [tally.total for tally in plies]
    most = max(totals)
    levels = [str(ply) for ply, count in enumerate(totals) if count == most]
    largest = f"Level {levels[0]} is the largest" if len(levels) == 1 else f"Levels {' and '.join(levels)} are largest"
    columns = {key: [getattr(tally, name) for tally in plies] for key, name in COLUMNS.items()}
    return SimpleNamespace(
        nodes=counted.nodes,
        plies=plies,
        total=total,
        totals=totals,
        largest=f"{largest}, with {most:,} nodes{' each' if levels[1:] else ''}.",
        columns={key: column for key, column in columns.items() if any(column)},
        covered=total.duplicates + total.symmetric,
        kinds={"internal": total.internal + total.draws, "x": total.x_wins, "o": total.o_wins},
    )


def _levels() -> SimpleNamespace:
    bound, cut = (census(TIC_TAC_TOE, stage) for stage in (Stage.UPPER_BOUND, Stage.WON_CUT))
    pairs = list(zip(cut.plies, bound.plies, strict=True))
    equal = [below.ply for below, above in pairs if below.total == above.total]
    longest = [tally for tally in cut.plies if tally.total][-1]
    plies = longest.ply
    share = (bound.nodes - cut.nodes) / bound.nodes
    tables = {stage: [tally.total for tally in census(TIC_TAC_TOE, stage).plies] for stage in [*Stage][1:]}
    return SimpleNamespace(
        longest=[plies + 1, plies, (plies + 1) // 2, plies // 2],
        squares=TIC_TAC_TOE.size,
        games=longest.total,
        first={"x": next(t.ply for t in cut.plies if t.x_wins), "o": next(t.ply for t in cut.plies if t.o_wins)},
        alternate=all(not (tally.o_wins if tally.ply % 2 else tally.x_wins) for tally in cut.plies),
        fifth=5 in equal,
        full=equal[:5] == list(range(5)) and not any(tally.x_wins or tally.o_wins for tally in cut.plies[:5]),
        equal=SimpleNamespace(first=equal[0], last=equal[-1]),
        almost_half=0.4 <= share < 0.5,
        left_out=bound.nodes - cut.nodes,
        share=share,
        totals=tables,
        sums=", ".join(f"{sum(totals):,}" for totals in tables.values()),
    )


def _bounds() -> SimpleNamespace:
    distinct, factors = distinct_upper_bound(TIC_TAC_TOE), [duplication(ply) for ply in range(TIC_TAC_TOE.size + 1)]
    bound, met = (census(TIC_TAC_TOE, stage).plies for stage in (Stage.UPPER_BOUND, Stage.DUPLICATES))
    paths = Counter({EMPTY: 1})
    for position, following in reached(EMPTY, Position.successors).items():
        for after in following:
            paths[after] += paths[position]
    factor_of = {at: factors[TIC_TAC_TOE.size - at.plies_left] for at in paths}
    fewer = Counter(bool(at.winning_lines) for at, count in paths.items() if count < factor_of[at])
    return SimpleNamespace(
        distinct=list(distinct),
        sum=sum(distinct),
        factors=factors,
        met=[tally.ply for tally, count in zip(met, distinct, strict=True) if tally.total == count],
        multiply=not fewer.total(),
        multiply_without_ends=[each.total for each in bound] == [a * b for a, b in zip(distinct, factors, strict=True)],
        won=fewer[True],
        unwon=fewer[False],
        positions=len(paths),
    )


def _symmetries() -> SimpleNamespace:
    identity, *others = map(list, TIC_TAC_TOE.symmetries)
    printed = [[int(cell) for cell in cells] for cells in PRINTED_TRANSFORMS.split()]
    nodes = graph_of(EMPTY).nodes
    unique = sum(node.images() == 8 for node in nodes)
    return SimpleNamespace(
        identity=identity,
        others=len(others),
        all=len(others) + 1,
        printed=sorted(printed) == sorted(others),
        lines=len(TIC_TAC_TOE.lines),
        many=2 * unique > len(nodes),
        unique=unique,
        nodes=len(nodes),
    )


def _overlaps() -> SimpleNamespace:
    """Walk the tree as the article does, with a set of visited boards and a set of their images.

    `symmetric` counts the moves to an image of a visited board. `again` counts the repeats: the moves to an image that
    was reached before. `both` counts the boards in both sets.
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
    both = len(walked & images)
    return SimpleNamespace(symmetric=met.total(), again=met.total() - len(met), both=both, none=both == 0)


def _drawn() -> SimpleNamespace:
    boards = drawn_boards(TIC_TAC_TOE)
    classes = Counter(board.canonical() for board in boards).values()
    size, lines, o = TIC_TAC_TOE.size, TIC_TAC_TOE.lines, boards[0].o.bit_count()
    fillings = map(bits_of, combinations(range(size), size // 2))
    held = {cells for cells in fillings if all(line & cells not in (0, line) for line in lines)}
    centred = [pattern_of(board) for board in boards if board.mark_at(4) is Mark.X]
    return SimpleNamespace(
        classes=len(classes),
        sizes=" + ".join(map(str, classes)),
        sum=sum(classes),
        boards=len(boards),
        o=o,
        ways=comb(size, o),
        cells=[list(cells_of(board.o)) for board in boards],
        blocked=held == {board.o for board in boards},
        lines=len(lines),
        held=len(held),
        patterns=dict(Counter(str(pattern_of(board)) for board in boards)),
        centred=len(centred),
        only_island=set(centred) == {Pattern.ISLAND},
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


def _forced() -> SimpleNamespace:
    counted = census(TIC_TAC_TOE, Stage.FORCED)
    free, first, centre_first = (
        len(graph_of(EMPTY, moves).nodes) for moves in (_every_urgent, forced_moves, _centre_first)
    )
    cut = graph_of(EMPTY, _every_urgent, is_fork).nodes.values()
    won = sum(kind in (Kind.X_WINS, Kind.O_WINS) for kind in cut)
    return SimpleNamespace(
        free=free,
        first=first,
        centre_first=centre_first,
        early_wins=[counted.plies[5].x_wins, counted.plies[6].o_wins],
        wins_left=counted.sum.x_wins > 0 and counted.sum.o_wins > 0,
        need_forks=won == 0,
        cut=len(cut),
        cut_won=won,
    )


def _forks() -> SimpleNamespace:
    forced, free = (census(TIC_TAC_TOE, stage).plies for stage in (Stage.FORCED, Stage.SYMMETRY))
    by_ply, free_by_ply = ({str(t.ply): t.forks for t in tallies if t.forks} for tallies in (forced, free))
    counts = Counter((TIC_TAC_TOE.size - node.plies_left, kind) for node, kind in _kinds(EMPTY).items())
    split = [[counts[level, Kind.FORK], counts[level, Kind.INTERNAL]] for level in (5, 6, 7)]
    sums = [sum(pair) for pair in split]
    listed, listed_forced = (forks(TIC_TAC_TOE, play) for play in (False, True))
    first = listed[0]
    wide, wide_forced = (sum(len(fork.threats) > FORK for fork in each) for each in (listed, listed_forced))
    replies = [(fork.owner, after) for fork in (*listed, *listed_forced) for after in fork.position.successors()]
    return SimpleNamespace(
        by_ply=by_ply,
        forced=sum(by_ply.values()),
        free=sum(free_by_ply.values()),
        free_levels=", ".join(f"{count} at level {ply}" for ply, count in free_by_ply.items()),
        split=split,
        sums=", ".join(map(str, sums)),
        just="just" if sums == [forced[level].internal for level in (5, 6, 7)] else "not",
        first={"level": first.ply, "x": first.position.x.bit_count(), "o": first.position.o.bit_count()},
        win=all(after.threats(owner) and not after.result for owner, after in replies),
        positions=len(listed),
        wide=wide,
        wide_forced=wide_forced,
        exactly_two=wide_forced == 0,
    )


def _kinds(root: Position) -> dict[Position, Kind]:
    """Return the nodes of the forced tree below a position, with their kinds."""
    return dict(graph_of(root, forced_moves).nodes)


def _branches() -> SimpleNamespace:
    branches = {name: _kinds(opened) for name, opened in OPENED.items()}
    sizes = {name: len(nodes) for name, nodes in branches.items()}
    drawn = {
        name: Counter(str(pattern_of(node)) for node, kind in nodes.items() if kind is Kind.DRAW)
        for name, nodes in branches.items()
    }
    forked = {
        name: Counter(str(node.mover.other) for node, kind in nodes.items() if kind is Kind.FORK)
        for name, nodes in branches.items()
    }
    return SimpleNamespace(
        smallest=min(sizes, key=sizes.__getitem__),
        sizes=", ".join(f"{name} {size}" for name, size in sizes.items()),
        shared=1 + sum(sizes.values()) - census(TIC_TAC_TOE, Stage.FORCED).nodes,
        centre_drawn=dict(drawn["centre"]),
        others=" and ".join(f"{drawn[name].total()} after the {name}" for name in ("corner", "edge")),
        edge_most=all(forked["edge"][mark] == max(counts[mark] for counts in forked.values()) for mark in "XO"),
        forks=", ".join(f"{name} {counts['X']} of X and {counts['O']} of O" for name, counts in forked.items()),
    )
