"""`noughts tree`: the game tree below a position, pruned to a depth and drawn."""

import argparse
import json
from typing import Any

from solver.cli.options import add_json, add_position, position_of
from solver.report import position_report


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("tree", help="the game tree below a position, pruned to a depth")
    add_position(command)
    command.add_argument("--depth", type=int, default=1, metavar="PLIES", help="the tree's depth (%(default)s)")
    add_json(command)
    command.set_defaults(run=_tree)


def _tree(options: argparse.Namespace) -> int:
    from solver.theory.tree_text import drawn_tree, tree_report  # noqa: PLC0415 - the theory, for those who ask for it

    position = position_of(options)
    if options.json:
        print(json.dumps(position_report(position) | tree_report(position, options.depth)))
    else:
        print("\n".join(drawn_tree(position, options.depth)))
    return 0
