"""`noughts lookahead`: every move's value at each look-ahead, and the nodes that searches visit for it."""

import argparse
import json
from typing import Any

from solver.board.notation import format_cell
from solver.cli.options import add_json, add_position, position_of
from solver.cli.texts import table_text
from solver.errors import BadOption
from solver.report import position_report


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("lookahead", help="what looking some plies ahead makes of every move, and its cost")
    add_position(command)
    command.add_argument(
        "--depth", type=int, metavar="PLIES", help="the greatest look-ahead (as deep as is feasible, at most 9)"
    )
    add_json(command)
    command.set_defaults(run=_lookahead)


def _lookahead(options: argparse.Namespace) -> int:
    from solver.theory.lookahead import feasible_depth, move_values, settled_at, visits  # noqa: PLC0415 - the theory

    position = position_of(options)
    if options.depth is not None and options.depth < 1:
        raise BadOption(f"A look-ahead has at least 1 ply, not {options.depth}.")
    depth = min(9, feasible_depth(position)) if options.depth is None else options.depth
    values, counts = move_values(position, depth), visits(position, depth)
    named = {format_cell(cell, position.rules): seen for cell, seen in values.items()}
    if options.json:
        moves = {
            name: {"values": list(seen), "settled_at": settled_at(seen, position.plies_left)}
            for name, seen in named.items()
        }
        nodes = [
            {"depth": row.depth, "minimax": row.plain, "lazy": row.lazy, "alphabeta": row.alphabeta} for row in counts
        ]
        print(json.dumps(position_report(position) | {"moves": moves, "nodes": nodes}))
        return 0
    print("X's value of each move by look-ahead, and the look-ahead from which it is certain")
    for name, seen in named.items():
        settled = settled_at(seen, position.plies_left)
        print(f"{name:4}{''.join(f'{value:3}' for value in seen)}   {settled or '-'}")
    lines = [(str(row.depth), f"{row.plain:,}", _count(row.lazy), _count(row.alphabeta)) for row in counts]
    print()
    print("\n".join(table_text((("plies", "minimax", "lazy lists", "alpha-beta"), *lines))))
    return 0


def _count(nodes: int | None) -> str:
    return "too many" if nodes is None else f"{nodes:,}"
