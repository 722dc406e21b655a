"""A game tree pruned to a depth, drawn with characters: a line for each position, its replies indented below it."""

from collections.abc import Iterator
from typing import Any, Final

from solver.board.notation import format_cell, format_position
from solver.board.position import Position, Result
from solver.errors import BadOption
from solver.theory.lookahead import ahead, feasible_depth

MAX_DRAWN: Final = 1_000
"""Positions that a drawn tree may have."""


def drawn_tree(position: Position, depth: int) -> list[str]:
    """The lines of the tree pruned to `depth` plies, in the manner of Haskell's `drawTree`.

    Raises BadOption where it has more than MAX_DRAWN positions.
    """
    checked_size(position, depth)
    return list(_lines(position, depth))


def tree_report(position: Position, depth: int) -> dict[str, Any]:
    """The same tree as plain data: each position with the move that led to it and its replies. Raises BadOption."""
    return {"depth": depth, "nodes": checked_size(position, depth), "tree": _node(position, None, depth)}


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


def _lines(position: Position, depth: int) -> Iterator[str]:
    yield _label(position)
    moves = position.legal_moves if depth else ()
    for number, cell in enumerate(moves, start=1):
        branch, trunk = ("`- ", "   ") if number == len(moves) else ("+- ", "|  ")
        first, *rest = _lines(position.after(cell), depth - 1)
        yield "|"
        yield branch + first
        yield from ((trunk + line).rstrip() for line in rest)


def _label(position: Position) -> str:
    """A position in one line, with how the game ended where it has."""
    match position.result:
        case None:
            return format_position(position)
        case Result.DRAW:
            return f"{format_position(position)}  draw"
        case winner:
            return f"{format_position(position)}  {winner} wins"


def _node(position: Position, move: int | None, depth: int) -> dict[str, Any]:
    return {
        "move": None if move is None else format_cell(move, position.rules),
        "position": format_position(position),
        "result": position.result and str(position.result),
        "children": [_node(position.after(cell), cell, depth - 1) for cell in (position.legal_moves if depth else ())],
    }
