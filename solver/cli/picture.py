"""`noughts picture`: the pictures of the game as SVG or DOT."""

import argparse
import json
from pathlib import Path
from typing import Any

from solver.board.game import parse_game
from solver.cli.options import add_board, add_json, add_moves, add_start
from solver.errors import BadOption

TREE = "tree"


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("picture", help="draw the game tree, or the map of optimal moves, as SVG or DOT")
    command.add_argument(
        "name", nargs="?", help=f"a picture, or {TREE} for the next moves of a position (list them all)"
    )
    command.add_argument("--format", choices=("svg", "dot"), default="svg", help="%(default)s if nothing else is said")
    command.add_argument("--output", type=Path, metavar="FILE", help="where to write it (standard output)")
    add_board(command)
    add_start(command)
    add_moves(command)
    command.add_argument("--depth", type=int, metavar="PLIES", help=f"of {TREE}: how deep (1)")
    command.add_argument("--distinct", action="store_true", help=f"of {TREE}: symmetric positions as one")
    add_json(command)
    command.set_defaults(run=_picture)


def _picture(options: argparse.Namespace) -> int:
    from solver.pictures.gallery import GALLERY, picture_named, tree_picture  # noqa: PLC0415 - with all of the theory

    if options.name != TREE and (asked := [part for part, given in _of_tree(options).items() if given]):
        raise BadOption(f"Only `noughts picture {TREE}` takes {' and '.join(asked)}: the other pictures are of 3x3x3.")
    if options.name is None:
        found = {name: picture_named(name) for name in GALLERY}
        if options.json:
            print(
                json.dumps([{"name": name, "title": each.title, "boards": each.boards} for name, each in found.items()])
            )
        else:
            print("\n".join(f"{name:24}{each.title} ({each.boards} boards)" for name, each in found.items()))
            print(f"{TREE:24}The next moves of any position")
        return 0
    if options.name == TREE:
        position = parse_game(options.board, options.start, options.moves).last
        picture = tree_picture(position, 1 if options.depth is None else options.depth, options.distinct)
    else:
        picture = picture_named(options.name)
    content = picture.svg if options.format == "svg" else picture.dot
    if content is None:
        raise BadOption(f"{picture.title} is no graph, so there is no DOT of it. Ask for --format svg.")
    if options.json:
        words = {"title": picture.title, "description": picture.description, "boards": picture.boards}
        print(json.dumps({**words, options.format: content}, ensure_ascii=False))
    elif options.output is None:
        print(content, end="" if content.endswith("\n") else "\n")
    else:
        options.output.write_text(content, encoding="utf-8")
    return 0


def _of_tree(options: argparse.Namespace) -> dict[str, bool]:
    """The options that only the tree of a position reads, and whether each is given."""
    return {
        "--board": options.board != "3x3x3",
        "--from": bool(options.start),
        "--moves": bool(options.moves),
        "--depth": options.depth is not None,
        "--distinct": options.distinct,
    }
