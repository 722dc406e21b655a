"""Looking so many plies ahead: the tree pruned to a depth, its worth, what a search visits of it, and how it is drawn.

A leaf counts 1 where X has a line, -1 where O has one, and 0 otherwise, whether the game is drawn or just not over
yet; X chooses the most, O the least. Source of the idea: J. Hughes, "Why Functional Programming Matters", 1990, by way
of the article on lazy game trees in Haskell. Every value is X's, on either player's turn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from solver.board.notation import format_cell, format_position
from solver.board.outcome import WIN
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.search.alphabeta import alphabeta, two_in_a_row
from solver.search.budget import BudgetExhausted
from solver.search.fold import fold, itself

MAX_LOOKED_AT: Final = 30_000
"""Different positions that a look-ahead may go through; 3×3 has fewer."""

MAX_VISITS: Final = 60_000
"""Nodes after which a search that is counted is given up; from the empty 3×3 board none needs as many."""

MAX_DRAWN: Final = 1_000
"""Positions that a drawn tree may have."""

Pruned: TypeAlias = tuple[Position, int]
"""A position, and the plies to which the tree below it is pruned."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a position is worth at each look-ahead: index n is n plies, the position alone at 0.

    `values` are X's, `nodes` count the positions of the pruned tree, each as often as it occurs. Both end at the
    look-ahead asked for or, if that is sooner, where the tree ends; deeper ones are as the last.
    """

    values: tuple[int, ...]
    nodes: tuple[int, ...]

    def value(self, depth: int) -> int:
        """X's value with `depth` plies looked ahead."""
        return self.values[min(depth, len(self.values) - 1)]

    def size(self, depth: int) -> int:
        """The nodes of the tree pruned to `depth`, its root included."""
        return self.nodes[min(depth, len(self.nodes) - 1)]


@dataclass(frozen=True, slots=True)
class Visits:
    """Nodes that searches of the same tree visit, squares in reading order; None where there were too many.

    `plain` looks at the whole pruned tree. `lazy` stops listing a reply's answers once one shows that the reply is no
    better than an earlier one, as the article's lists do. `textbook` also hands both sides' best down the tree, and
    like the lists it only tells a win from none. `alphabeta` does so with distance, and looks for the quickest win.
    """

    depth: int
    plain: int
    lazy: int | None
    textbook: int | None
    alphabeta: int | None


Static: TypeAlias = Callable[[Position], int]
"""What a position is worth to X by itself, with nothing looked ahead."""


def static_value(position: Position) -> int:
    """1 where X has a line, -1 where O has one, else 0."""
    if not position.winning_lines:
        return 0
    return 1 if position.mover is Mark.O else -1


def estimate(position: Position) -> int:
    """WIN where X has a line, -WIN where O has one, else X's two in a row less O's; 0 on a full board."""
    lined = static_value(position)
    return WIN * lined or _for_x(position, two_in_a_row(position))


def _for_x(position: Position, value: int) -> int:
    return value if position.mover is Mark.X else -value


def replies(tree: Pruned) -> tuple[Pruned, ...]:
    """The trees below the moves of a pruned tree's root."""
    position, depth = tree
    return tuple((after, depth - 1) for after in position.successors()) if depth else ()


def feasible_depth(position: Position) -> int:
    """The greatest look-ahead whose positions are sure to be no more than MAX_LOOKED_AT."""
    empty, positions = position.plies_left, 0
    for depth in range(empty + 1):
        positions += comb(empty, depth) * comb(depth, depth // 2)
        if positions > MAX_LOOKED_AT:
            return depth - 1
    return empty


def checked_depth(position: Position, depth: int) -> int:
    """The look-ahead, if it is feasible here. Raises BadOption with the greatest that is."""
    most = feasible_depth(position)
    if depth < 0:
        raise BadOption(f"A look-ahead is 0 plies or more, not {depth}.")
    if depth > most and depth <= position.plies_left:
        raise BadOption(
            f"Looking {depth} plies ahead goes through too many positions here. Take a look-ahead of at most {most}."
        )
    return min(depth, position.plies_left)


def ahead(position: Position, depth: int) -> Ahead:
    """Value and size of the tree below a position, at each look-ahead up to `depth`. Raises BadOption."""
    return _looking(static_value)((position, checked_depth(position, depth)))


def move_values(position: Position, depth: int, static: Static = static_value) -> Mapping[Cell, tuple[int, ...]]:
    """X's value of each move with 1, 2, … up to `depth` plies looked ahead, the move itself among them.

    Raises BadOption where that goes through too many positions.
    """
    deepest = checked_depth(position, depth)
    below = map(_looking(static), replies((position, deepest)))
    seen = zip(position.legal_moves if deepest else (), below, strict=True)
    return MappingProxyType({cell: tuple(each.value(plies) for plies in range(deepest)) for cell, each in seen})


def settled_at(values: tuple[int, ...], plies_left: int) -> int | None:
    """The look-ahead from which a move's value is certain to stay; None if that is beyond the depths looked at.

    A win within the horizon is a win, so a value other than 0 never changes again; 0 says only that no win is seen, and
    is certain at the full board.
    """
    for depth, value in enumerate(values, start=1):
        if value:
            return depth
    return plies_left if len(values) >= plies_left else None


def visits(position: Position, depth: int) -> tuple[Visits, ...]:
    """The nodes that each search visits at each look-ahead from 1 to `depth`. Raises BadOption."""
    below, deepest = ahead(position, depth), min(depth, position.plies_left) if position.legal_moves else 0
    return tuple(
        Visits(
            plies,
            below.size(plies),
            lazy_visits(position, plies),
            textbook_visits(position, plies),
            _alphabeta_visits(position, plies),
        )
        for plies in range(1, deepest + 1)
    )


def lazy_visits(position: Position, depth: int) -> int | None:
    """The nodes that the article's lazy lists call for; None if they are more than MAX_VISITS."""
    visited = 0

    def replies(position: Position, depth: int) -> Iterator[int]:
        """The mover's values of the replies that are better than all before them, each worked out when asked for."""
        nonlocal visited
        visited += 1
        if visited > MAX_VISITS:
            raise BudgetExhausted
        moves = position.legal_moves if depth else ()
        if not moves:
            yield -1 if position.winning_lines else 0
        best: int | None = None
        for cell in moves:
            answers = (-value for value in replies(position.after(cell), depth - 1))
            worst = _least_above(answers, best)
            if worst is not None:
                best = worst
                yield best

    try:
        max(replies(position, depth))
    except BudgetExhausted:
        return None
    return visited


def _least_above(values: Iterator[int], floor: int | None) -> int | None:
    """The least of the values; None, and no more of them called for, once one is no more than the floor."""
    least: int | None = None
    for value in values:
        if floor is not None and value <= floor:
            return None
        least = value if least is None else min(least, value)
    return least


def textbook_visits(position: Position, depth: int) -> int | None:
    """The nodes that alpha-beta without distance visits, one window over the root; None if more than MAX_VISITS.

    Fail-soft, squares in reading order: 18,297 from the empty 3×3 board to the end.
    """
    visited = 0

    def value(position: Position, depth: int, alpha: int, beta: int) -> int:
        nonlocal visited
        visited += 1
        if visited > MAX_VISITS:
            raise BudgetExhausted
        best = -1 if position.winning_lines else 0
        moves = position.legal_moves if depth else ()
        for number, cell in enumerate(moves):
            score = -value(position.after(cell), depth - 1, -beta, -alpha)
            best = max(best, score) if number else score
            alpha = max(alpha, best)
            if best >= beta:
                break
        return best

    try:
        value(position, depth, -WIN, WIN)
    except BudgetExhausted:
        return None
    return visited


def _alphabeta_visits(position: Position, depth: int) -> int | None:
    try:
        return alphabeta(position, depth, max_nodes=MAX_VISITS).nodes
    except BudgetExhausted:
        return None


def _looking(static: Static) -> Callable[[Pruned], Ahead]:
    """What a pruned tree is worth at each look-ahead, positions at the horizon by their `static` value."""

    def alone(tree: Pruned) -> Ahead:
        return Ahead((static(tree[0]),), (1,))

    def backed_up(tree: Pruned, below: Sequence[Ahead]) -> Ahead:
        choose = max if tree[0].mover is Mark.X else min
        depths = range(max(len(each.nodes) for each in below))
        values = (choose(each.value(plies) for each in below) for plies in depths)
        nodes = (1 + sum(each.size(plies) for each in below) for plies in depths)
        return Ahead((static(tree[0]), *values), (1, *nodes))

    return fold(alone, backed_up, replies, itself)


def drawn_tree(position: Position, depth: int) -> list[str]:
    """The tree pruned to `depth` plies with a line for each position, in the manner of Haskell's `drawTree`.

    Behind each position stands X's value, as it rises from the leaves of this tree. Raises BadOption where it has more
    than MAX_DRAWN positions.
    """
    checked_size(position, depth)
    return _lines(_valued((position, depth)))


def tree_report(position: Position, depth: int) -> dict[str, Any]:
    """The same tree as plain data: each position with the move that led to it and its replies. Raises BadOption."""
    return {"depth": depth, "nodes": checked_size(position, depth), "tree": _node(_valued((position, depth)), None)}


def checked_size(position: Position, depth: int) -> int:
    """The positions of the tree pruned to `depth`. Raises BadOption, with the depth that can be drawn, if too many."""
    if depth < 0:
        raise BadOption(f"A tree is pruned to a depth of 0 or more, not {depth}.")
    most = feasible_depth(position)
    sizes = ahead(position, min(depth, most))
    nodes = sizes.size(depth)
    if nodes <= MAX_DRAWN and (depth <= most or most == position.plies_left):
        return nodes
    drawable = max(plies for plies in range(most + 1) if sizes.size(plies) <= MAX_DRAWN)
    size = f"has {nodes:,} positions" if depth <= most else f"has more than {nodes:,} positions"
    raise BadOption(
        f"That tree {size}, and at most {MAX_DRAWN:,} are drawn. Prune it to a depth of at most {drawable}."
    )


@dataclass(frozen=True, slots=True)
class Valued:
    """A node of a pruned tree with X's value of it and the nodes below it, in the order of the moves."""

    position: Position
    value: int
    replies: "tuple[Valued, ...]" = ()


def _valued(tree: Pruned) -> Valued:
    def chosen(tree: Pruned, below: Sequence[Valued]) -> Valued:
        choose = max if tree[0].mover is Mark.X else min
        return Valued(tree[0], choose(each.value for each in below), tuple(below))

    return fold(lambda tree: Valued(tree[0], static_value(tree[0])), chosen, replies, itself)(tree)


def _lines(tree: Valued) -> list[str]:
    lines = [_label(tree)]
    for number, (first, *rest) in enumerate(map(_lines, tree.replies), start=1):
        branch, trunk = ("`- ", "   ") if number == len(tree.replies) else ("+- ", "|  ")
        lines += ("|", branch + first, *((trunk + line).rstrip() for line in rest))
    return lines


def _label(node: Valued) -> str:
    """A position in one line with its value, and how the game ended where it has."""
    value = f"{node.value:+d}" if node.value else "0"
    match node.position.result:
        case None:
            end = ""
        case Result.DRAW:
            end = "  draw"
        case winner:
            end = f"  {winner} wins"
    return f"{format_position(node.position)}  {value}{end}"


def _node(node: Valued, move: Cell | None) -> dict[str, Any]:
    position = node.position
    return {
        "move": None if move is None else format_cell(move, position.rules),
        "position": format_position(position),
        "value": node.value,
        "result": position.result and str(position.result),
        "children": [_node(reply, cell) for cell, reply in zip(position.legal_moves, node.replies, strict=False)],
    }
