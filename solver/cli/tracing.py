"""The command that watches a search at work on a small tree."""

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from solver.board.game import Game
from solver.board.notation import format_cell, format_position
from solver.cli.command import Answer, argument, on_positions
from solver.cli.output import table_text

if TYPE_CHECKING:
    from solver.articles.tracing.searches import Trace
    from solver.articles.tracing.tree import TreeNode
    from solver.board.outcome import Score


@on_positions(
    "trace",
    "Watches minimax, lazy lists or alpha-beta at work, step by step, on a tree of a few plies.",
    "noughts trace O.X/.O./XOX --order best",
    argument(
        "--search", choices=("minimax", "lazy", "alphabeta"), default="alphabeta", help="which search (%(default)s)"
    ),
    argument(
        "--order", choices=("found", "best", "worst"), default="found", help="which moves are tried first (%(default)s)"
    ),
    argument("--plies", type=int, metavar="PLIES", help="the tree's depth, 1 to 4 (as deep as can be drawn)"),
)
def trace_command(game: Game, options: Namespace) -> Answer:
    """Values and windows are X's: 10 less the plies to X's line, negative for O's; lists only know 1 and -1."""
    from solver.articles.tracing.searches import Search, trace, visited
    from solver.articles.tracing.tree import MoveOrder

    found = trace(game.last, Search(options.search), options.plies, MoveOrder(options.order))
    counts = [
        {"search": str(search), "order": str(tried), "nodes": nodes}
        for (search, tried), nodes in visited(game.last, options.plies).items()
    ]
    report = {
        "search": options.search,
        "order": options.order,
        "plies": found.tree.depth,
        "value": found.value,
        "nodes": found.visited,
        "tree": [_node(found, node) for node in found.tree.nodes],
        "steps": list(_steps(found)),
        "counts": counts,
    }
    return Answer(report, _text(found, counts))


def _node(trace: "Trace", node: "TreeNode") -> dict[str, Any]:
    return {
        "position": format_position(node.position),
        "move": None if node.cell is None else format_cell(node.cell, node.position.rules),
        "value": trace.shown(node.worth) if trace.search != "lazy" else (node.worth > 0) - (node.worth < 0),
        "children": list(node.children),
    }


def _steps(trace: "Trace") -> Iterator[dict[str, Any]]:
    from solver.articles.tracing.words import said

    for frame in trace.frames:
        step = frame.step
        yield {
            "kind": str(step.kind),
            "node": step.node,
            "child": step.child,
            "best": _number(trace, step.best),
            "alpha": _number(trace, step.alpha),
            "beta": _number(trace, step.beta),
            "left_out": list(step.left_out),
            "visited": frame.visited,
            "said": said(trace, frame),
        }


def _number(trace: "Trace", score: "Score | None") -> int | None:
    """A value as it is shown; null for one that no value can reach."""
    from solver.articles.tracing.searches import NO_ALPHA, NO_BETA

    return None if score in (None, NO_ALPHA, NO_BETA) else trace.shown(score)


def _text(trace: "Trace", counts: list[dict[str, Any]]) -> Iterator[str]:
    from solver.articles.tracing.words import said

    for number, frame in enumerate(trace.frames, start=1):
        indent = "  " * trace.tree.nodes[frame.step.node].ply
        yield f"{number:>3}  {indent}{said(trace, frame)}"
    yield ""
    nodes = {(each["search"], each["order"]): f"{each['nodes']}" for each in counts}
    orders = tuple(dict.fromkeys(order for _, order in nodes))
    yield from table_text(
        [
            ("nodes", *orders),
            *(
                (search, *(nodes[search, order] for order in orders))
                for search in dict.fromkeys(one for one, _ in nodes)
            ),
        ],
        words=(0,),
    )
