"""Look-ahead by a fixed number of plies: the pruned game tree, its values, and the searches that visit it.

A leaf is worth 1 if X has a line, -1 if O has one, and 0 otherwise. Every value is X's: X maximises it and O minimises
it. Source: J. Hughes, "Why Functional Programming Matters", 1990, as used in the Haskell article.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from solver.board.notation import format_cell, format_position
from solver.board.outcome import WIN
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.search.budget import BudgetExhausted
from solver.search.fold import fold, itself
from solver.search.minimax import alphabeta, two_in_a_row

MAX_LOOKED_AT: Final = 30_000
"""The most different positions in a look-ahead; 3×3 has fewer."""

MAX_VISITS: Final = 60_000
"""The most nodes of a search before counting stops; every search of 3×3 has fewer."""

MAX_DRAWN: Final = 1_000
"""The most positions in a drawn tree."""

Pruned: TypeAlias = tuple[Position, int]
"""A pruned tree: its root, and its depth in plies."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """X's value of a position, and the number of nodes in its tree; index n is a look-ahead of n plies.

    A position counts as often as it occurs in the tree. Both tuples end at the requested depth, or at the end of the
    longest game if that is earlier. A deeper look-ahead then has the last value and the last number.
    """

    values: tuple[int, ...]
    nodes: tuple[int, ...]

    def value(self, depth: int) -> int:
        """Return X's value with a look-ahead of `depth` plies."""
        return self.values[min(depth, len(self.values) - 1)]

    def size(self, depth: int) -> int:
        """Return the number of nodes, with the root, in the tree pruned to `depth`."""
        return self.nodes[min(depth, len(self.nodes) - 1)]


@dataclass(frozen=True, slots=True)
class Visits:
    """The number of nodes that each of four searches visits in the same tree; None means more than MAX_VISITS.

    All searches try squares in reading order. `plain` is minimax of the whole tree. `lazy` is the article's search by
    lazy lists: once a reply shows that a move is no better than an earlier move, the search drops the move. `textbook`
    is alpha-beta that treats all wins as equal. `alphabeta` looks for the quickest win.
    """

    depth: int
    plain: int
    lazy: int | None
    textbook: int | None
    alphabeta: int | None


Static: TypeAlias = Callable[[Position], int]
"""A function that values a position for X without looking ahead."""

_Look: TypeAlias = Callable[[Pruned], Ahead]
"""A function that returns the values of a pruned tree for every look-ahead up to its depth."""


def static_value(position: Position) -> int:
    """Return 1 if X has a line, -1 if O has one, else 0."""
    if not position.winning_lines:
        return 0
    return 1 if position.mover is Mark.O else -1


def estimate(position: Position) -> int:
    """Return WIN if X has a line, -WIN if O has one, else the number of X's open two in a row minus O's."""
    mine = two_in_a_row(position)
    return WIN * static_value(position) or (mine if position.mover is Mark.X else -mine)


def replies(tree: Pruned) -> tuple[Pruned, ...]:
    """Return the subtrees below the root of a pruned tree."""
    position, depth = tree
    return tuple((after, depth - 1) for after in position.successors()) if depth else ()


def feasible_depth(position: Position) -> int:
    """Return the greatest look-ahead that certainly has no more than MAX_LOOKED_AT positions."""
    empty, positions = position.plies_left, 0
    for depth in range(empty + 1):
        positions += comb(empty, depth) * comb(depth, depth // 2)
        if positions > MAX_LOOKED_AT:
            return depth - 1
    return empty


def check_depth(position: Position, depth: int) -> int:
    """Return the smaller of `depth` and the plies left in the game. Raise BadOption if this is not feasible."""
    most = feasible_depth(position)
    if depth < 0:
        raise BadOption(f"A look-ahead has 0 plies or more, not {depth}.")
    if depth > most and depth <= position.plies_left:
        raise BadOption(
            f"Looking {depth} plies ahead goes through too many positions here. Take a look-ahead of at most {most}."
        )
    return min(depth, position.plies_left)


def ahead(position: Position, depth: int) -> Ahead:
    """Return the value and size of the tree below a position for each look-ahead up to `depth`. Raise BadOption."""
    return _look_ahead(static_value)((position, check_depth(position, depth)))


def move_values(position: Position, depth: int, static: Static = static_value) -> Mapping[Cell, tuple[int, ...]]:
    """Return X's value of each move for look-aheads of 1, 2, …, `depth` plies; the move is a ply. Raise BadOption."""
    deepest = check_depth(position, depth)
    below = map(_look_ahead(static), replies((position, deepest)))
    seen = zip(position.legal_moves if deepest else (), below, strict=True)
    return MappingProxyType({cell: tuple(each.value(plies) for plies in range(deepest)) for cell, each in seen})


def settled_at(values: tuple[int, ...], plies_left: int) -> int | None:
    """Return the least look-ahead that gives a move its final value; None if `values` end before.

    A value of 1 or -1 is final, since it means a forced win. A value of 0 means that no win is seen yet. It is final
    only if the look-ahead reaches the full board.
    """
    for depth, value in enumerate(values, start=1):
        if value:
            return depth
    return plies_left if len(values) >= plies_left else None


def visits(position: Position, depth: int) -> tuple[Visits, ...]:
    """Count the nodes that each search visits, for each look-ahead from 1 to `depth`. Raise BadOption."""
    below, deepest = ahead(position, depth), min(depth, position.plies_left) if position.legal_moves else 0
    return tuple(
        Visits(plies, below.size(plies), *(_count_or_none(search, position, plies) for search in SEARCHES))
        for plies in range(1, deepest + 1)
    )


def _count_or_none(search: Callable[[Position, int], int], position: Position, depth: int) -> int | None:
    """Return the number of nodes of a search, or None if it raises BudgetExhausted."""
    try:
        return search(position, depth)
    except BudgetExhausted:
        return None


def lazy_visits(position: Position, depth: int) -> int:
    """Count the nodes that the article's lazy lists evaluate. Raise BudgetExhausted beyond MAX_VISITS."""
    visited = 0

    def replies(position: Position, depth: int) -> Iterator[int]:
        """Yield the mover's value of each reply that is better than all earlier replies."""
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

    max(replies(position, depth))
    return visited


def _least_above(values: Iterator[int], floor: int | None) -> int | None:
    """Return the least value, or None as soon as a value is not above the floor."""
    least: int | None = None
    for value in values:
        if floor is not None and value <= floor:
            return None
        least = value if least is None else min(least, value)
    return least


def textbook_visits(position: Position, depth: int) -> int:
    """Count the nodes of alpha-beta without distances, with one window for the root.

    The search is fail-soft and tries squares in reading order. The whole game of 3×3 has 18,297 nodes. Raise
    BudgetExhausted beyond MAX_VISITS.
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

    value(position, depth, -WIN, WIN)
    return visited


SEARCHES: Final = (
    lazy_visits,
    textbook_visits,
    lambda position, depth: alphabeta(position, depth, max_nodes=MAX_VISITS).nodes,
)
"""The searches that are counted beside minimax, in the order of `Visits`."""


def _look_ahead(static: Static) -> _Look:
    """Return a function for the values of a pruned tree at every look-ahead; `static` gives the values of leaves."""

    def alone(tree: Pruned) -> Ahead:
        return Ahead((static(tree[0]),), (1,))

    def backed_up(tree: Pruned, below: Sequence[Ahead]) -> Ahead:
        choose = max if tree[0].mover is Mark.X else min
        depths = range(max(len(each.nodes) for each in below))
        values = (choose(each.value(plies) for each in below) for plies in depths)
        nodes = (1 + sum(each.size(plies) for each in below) for plies in depths)
        return Ahead((static(tree[0]), *values), (1, *nodes))

    return fold(alone, backed_up, replies, itself)


def draw_tree(position: Position, depth: int) -> list[str]:
    """Draw the tree pruned to `depth` plies, with X's value of each position, like Haskell's `drawTree`.

    Raise BadOption beyond MAX_DRAWN positions.
    """
    return _lines(tree_report(position, depth)["tree"])


def tree_report(position: Position, depth: int) -> dict[str, Any]:
    """Return the pruned tree as plain data: the value of each position, its last move, its replies. Raise BadOption."""
    nodes, look = check_size(position, depth), _look_ahead(static_value)
    return {"depth": depth, "nodes": nodes, "tree": _node((position, depth), None, look)}


def check_size(position: Position, depth: int) -> int:
    """Return the number of positions in the tree pruned to `depth`. Raise BadOption if they are too many to draw."""
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


def _lines(node: Mapping[str, Any]) -> list[str]:
    """Draw a tree of plain data; return lines of text."""
    value, result, below = node["value"], node["result"], node["children"]
    end = "" if result is None else "  draw" if result == "draw" else f"  {result} wins"
    lines = [f"{node['position']}  {f'{value:+d}' if value else '0'}{end}"]
    for number, child in enumerate(below, start=1):
        first, *rest = _lines(child)
        branch, trunk = ("`- ", "   ") if number == len(below) else ("+- ", "|  ")
        lines += ("|", branch + first, *((trunk + line).rstrip() for line in rest))
    return lines


def _node(tree: Pruned, move: Cell | None, look: _Look) -> dict[str, Any]:
    """Return a position and its subtree as plain data."""
    position, _ = tree
    return {
        "move": None if move is None else format_cell(move, position.rules),
        "position": format_position(position),
        "value": look(tree).values[-1],
        "result": position.result and str(position.result),
        "children": [_node(*reply, look) for reply in zip(replies(tree), position.legal_moves, strict=False)],
    }
