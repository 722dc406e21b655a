"""`noughts reduced`: the game tree cut at what is decided or cannot go wrong any more, with the score of every node."""

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from solver.board.game import parse_game
from solver.board.notation import format_fraction, format_position
from solver.board.position import Position
from solver.cli.options import add_board, add_json, add_moves, add_start


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("reduced", help="the reduced game tree of the Clojure article, with its scores")
    add_board(command)
    add_start(command)
    add_moves(command)
    command.add_argument("--distinct", action="store_true", help="average over distinct moves instead of over all")
    add_json(command)
    command.set_defaults(run=_reduced)


def _reduced(options: argparse.Namespace) -> int:
    root = parse_game(options.board, options.start, options.moves).last
    report = _report(root, options.distinct)
    print(json.dumps(report) if options.json else "\n".join(_text(report)))
    return 0


def _report(root: Position, distinct: bool) -> dict[str, Any]:
    """The tree as plain data. `children` are numbers of `tree`, each with how many moves lead there."""
    from solver.theory.reduced import best_path, reduced_tree, scores, weights_of  # noqa: PLC0415 - the theory

    tree, values = reduced_tree(root), scores(root, distinct)
    numbers = {position: number for number, position in enumerate(tree.nodes)}
    return {
        "board": str(root.rules),
        "position": format_position(root),
        "nodes": len(tree.nodes),
        "average": "distinct moves" if distinct else "all moves",
        "score": str(values[root]),
        "path": [[format_position(choice) for choice in step.best] for step in best_path(root, distinct)],
        "tree": [
            {
                "position": format_position(position),
                "score": str(values[position]),
                "children": [
                    {"node": numbers[child], "moves": moves} for child, moves in weights_of(tree, position).items()
                ],
            }
            for position in tree.nodes
        ],
    }


def _text(report: dict[str, Any]) -> Iterator[str]:
    """The best path and then the tree: each position with its score where it comes first, what follows indented."""
    yield f"{report['nodes']} nodes, score {_score(report['score'])} (average over {report['average']})."
    for step in report["path"]:
        yield f"best: {' or '.join(step)}"
    seen: set[int] = set()

    def lines(number: int, depth: int) -> Iterator[str]:
        node = report["tree"][number]
        again = number in seen and node["children"]
        yield f"{'  ' * depth}{node['position']}  {_score(node['score'])}{'  (as above)' if again else ''}"
        if number not in seen:
            seen.add(number)
            for child in node["children"]:
                yield from lines(child["node"], depth + 1)

    yield from lines(0, 0)


def _score(text: str) -> str:
    return format_fraction(Fraction(text))
