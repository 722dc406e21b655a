"""`noughts tree`: the game tree below a position, pruned to a depth and drawn."""

import argparse
import json
from typing import Any

from solver.commands.options import add_board, add_json, add_moves, add_start
from solver.errors import BadOption
from solver.game import parse_game
from solver.report import position_report


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("tree", help="the game tree below a position, pruned to a depth")
    add_board(command)
    command.add_argument("position", nargs="?", help="rows from the top, for example XX./.../..O (the empty board)")
    add_start(command)
    add_moves(command)
    command.add_argument("--depth", type=int, default=1, metavar="PLIES", help="the tree's depth (%(default)s)")
    add_json(command)
    command.set_defaults(run=_tree)


def _tree(options: argparse.Namespace) -> int:
    from solver.theory.tree_text import drawn_tree, tree_report  # noqa: PLC0415 - the theory, for those who ask for it

    if options.position and options.start:
        raise BadOption("Give the position once: as an argument or with --from.")
    position = parse_game(options.board, options.position or options.start, options.moves).last
    if options.json:
        print(json.dumps(position_report(position) | tree_report(position, options.depth)))
    else:
        print("\n".join(drawn_tree(position, options.depth)))
    return 0
