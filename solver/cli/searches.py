"""The commands that show searches at work: compared, step by step, ply by ply, and in several processes."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import astuple
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from solver.board.game import Game
from solver.board.notation import format_cell, format_cells, format_outcome, format_position
from solver.board.outcome import PROVED, counted
from solver.board.position import Position
from solver.board.rules import Rules
from solver.cli.command import MAX_JOBS, Answer, argument, on_positions, within
from solver.cli.output import position_text, table_text
from solver.errors import BadOption
from solver.report import outcome_report

if TYPE_CHECKING:
    from solver.articles.compare import Comparison, Heuristic, SolverRun
    from solver.articles.tracing import Trace, TreeNode
    from solver.board.outcome import Score


@on_positions(
    "compare",
    "Sets several solvers and the players by rules on one position, with what each finds and what it costs.",
    "noughts compare X../.O./..X",
    argument(
        "--depth",
        type=int,
        metavar="PLIES",
        help="how far alpha-beta looks ahead, 1 to 12 (to the end on boards of up to nine squares, else 4)",
    ),
)
def compare_command(game: Game, options: Namespace) -> Answer:
    """Return the searches with each square's outcome, and the players with their choices."""
    from solver.articles.compare import MAX_DEPTH, compare_solvers, default_depth
    from solver.proofs.predict import predict

    position = game.last
    if position.result is not None:
        raise BadOption("The game is over; name a position with open squares.")
    depth = default_depth(position.rules) if options.depth is None else options.depth
    found = compare_solvers(predict(position), within(depth, 1, MAX_DEPTH, "plies of look-ahead"))
    report = {
        "best": [format_cell(cell, position.rules) for cell in found.prediction.best],
        "searches": {name: _search_report(search, found) for name, search in _searches(found).items()},
        "players": {each.strategy.name: _player_report(each, found) for each in found.heuristics},
    }
    return Answer(report, _comparison_text(found))


def _searches(found: "Comparison") -> dict[str, "SolverRun"]:
    return {"minimax": found.minimax, "alphabeta": found.alphabeta, "exact": found.exact}


def _search_report(search: "SolverRun", found: "Comparison") -> dict[str, Any]:
    """Return a search as plain data.

    `squares` is null if the search was not run. `depth` is null if the search goes to the end of the game.
    """
    rules = found.prediction.position.rules
    return {
        "squares": search.outcomes
        and {format_cell(cell, rules): outcome_report(outcome) for cell, outcome in search.outcomes.items()},
        **{part: getattr(search, part) for part in ("nodes", "seconds", "depth", "short", "one_window")},
    }


def _one_window(search: "SolverRun") -> str:
    """Return the cost of finding only the best square, in words; empty if that is no cheaper."""
    if search.one_window in (None, search.nodes):
        return ""
    return f"a full window for each square; one over all, for the best alone: {search.one_window:,}"


def _player_report(player: "Heuristic", found: "Comparison") -> dict[str, Any]:
    """Return a rule-based player as plain data; its departures are the inferior squares that it may choose."""
    rules = found.prediction.position.rules
    return {
        "choices": {format_cell(cell, rules): str(chance) for cell, chance in player.decision.choices.items()},
        "reason": player.decision.reason,
        "seconds": player.seconds,
        "departures": [
            {"square": format_cell(each.cell, rules), "grade": each.grade.word, **outcome_report(each.outcome)}
            for each in player.departures
        ],
    }


def _comparison_text(found: "Comparison") -> Iterator[str]:
    prediction = found.prediction
    position = prediction.position
    yield from position_text(position)
    best = (
        f"{format_cells(prediction.best, position.rules)} ({prediction.outcome.words(position.mover, position.rules)})"
    )
    yield f"Best: {best if prediction.best else 'not proved'}."
    for rows, words in (
        (_search_rows(found), (0, 4)),
        (_player_rows(found, position.rules), (0, 2, 3, 4)),
        (_square_rows(found, position), (0,)),
    ):
        yield ""
        yield from table_text([*rows], words=words)


def _search_rows(found: "Comparison") -> Iterator[tuple[str, ...]]:
    yield "search", "nodes", "seconds", "plies", "remarks"
    for name, each in _searches(found).items():
        yield (
            name,
            "-" if each.nodes is None else f"{each.nodes:,}",
            f"{each.seconds:.4f}",
            "all" if each.depth is None else str(each.depth),
            "; ".join(filter(None, (each.short, _one_window(each)))),
        )


def _player_rows(found: "Comparison", rules: Rules) -> Iterator[tuple[str, ...]]:
    yield "player", "seconds", "plays", "instead of the best", "rule"
    for each in found.heuristics:
        yield (
            each.strategy.name,
            f"{each.seconds:.4f}",
            format_cells(each.decision.choices, rules),
            ", ".join(f"{format_cell(other.cell, rules)} ({other.grade.word})" for other in each.departures) or "-",
            each.decision.reason,
        )


def _square_rows(found: "Comparison", position: Position) -> Iterator[tuple[str, ...]]:
    searches = _searches(found)
    yield "square", *searches, *(each.strategy.name for each in found.heuristics)
    for cell in position.legal_moves:
        outcomes = [each.outcomes.get(cell) if each.outcomes else None for each in searches.values()]
        yield (
            format_cell(cell, position.rules),
            *("-" if outcome is None else format_outcome(outcome) for outcome in outcomes),
            *(str(each.decision.choices.get(cell, "-")) for each in found.heuristics),
        )


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
    """Return the steps of a search.

    Values and windows are X's. If X wins, the value is 10 minus the plies to the win. If O wins, it is negative. Lazy
    lists use only 1 and -1.
    """
    from solver.articles.tracing import MoveOrder, Search, trace, visited

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
        "tree": [_node_report(found, node) for node in found.tree.nodes],
        "steps": list(_step_reports(found)),
        "counts": counts,
    }
    return Answer(report, _trace_text(found, counts))


def _node_report(trace: "Trace", node: "TreeNode") -> dict[str, Any]:
    return {
        "position": format_position(node.position),
        "move": None if node.cell is None else format_cell(node.cell, node.position.rules),
        "value": trace.shown(node.worth) if trace.search != "lazy" else (node.worth > 0) - (node.worth < 0),
        "children": list(node.children),
    }


def _step_reports(trace: "Trace") -> Iterator[dict[str, Any]]:
    from solver.articles.telling import step_in_words

    for frame in trace.frames:
        step = frame.step
        yield {
            "kind": str(step.kind),
            "node": step.node,
            "child": step.child,
            "best": _shown_value(trace, step.best),
            "alpha": _shown_value(trace, step.alpha),
            "beta": _shown_value(trace, step.beta),
            "left_out": list(step.left_out),
            "visited": frame.visited,
            "said": step_in_words(trace, frame),
        }


def _shown_value(trace: "Trace", score: "Score | None") -> int | None:
    """Return a value as the tree shows it; null for a bound that no value can reach."""
    from solver.articles.tracing import NO_ALPHA, NO_BETA

    return None if score in (None, NO_ALPHA, NO_BETA) else trace.shown(score)


def _trace_text(trace: "Trace", counts: list[dict[str, Any]]) -> Iterator[str]:
    from solver.articles.telling import step_in_words

    for number, frame in enumerate(trace.frames, start=1):
        indent = "  " * trace.tree.nodes[frame.step.node].ply
        yield f"{number:>3}  {indent}{step_in_words(trace, frame)}"
    yield ""
    rows = {search: [*each] for search, each in groupby(counts, key=itemgetter("search"))}
    titles = ("nodes", *dict.fromkeys(each["order"] for each in counts))
    yield from table_text(
        [titles, *((search, *(str(each["nodes"]) for each in row)) for search, row in rows.items())], words=(0,)
    )


@on_positions(
    "lookahead",
    "Says what looking some plies ahead makes of every move, and how many nodes searches visit for it.",
    "noughts lookahead X../.../O..",
    argument("--depth", type=int, metavar="PLIES", help="the greatest look-ahead (as deep as is feasible, at most 9)"),
)
def lookahead_command(game: Game, options: Namespace) -> Answer:
    """Return the value of each move at each depth, and the nodes visited for it.

    Values are X's. The `estimates` also give points for two in a row, and 10,000 for a line.
    """
    from solver.articles.lookahead import estimate, feasible_depth, move_values, settled_at, visits

    position = game.last
    if options.depth is not None and options.depth < 1:
        raise BadOption(f"A look-ahead has at least 1 ply, not {options.depth}.")
    depth = min(9, feasible_depth(position)) if options.depth is None else options.depth
    estimates = move_values(position, depth, estimate)
    moves = {
        format_cell(cell, position.rules): {
            "values": list(seen),
            "settled_at": settled_at(seen, position.plies_left),
            "estimates": list(estimates[cell]),
        }
        for cell, seen in move_values(position, depth).items()
    }
    names = ("depth", "minimax", "lazy", "without_distance", "alphabeta")
    nodes = [dict(zip(names, astuple(row), strict=True)) for row in visits(position, depth)]
    return Answer({"moves": moves, "nodes": nodes}, _lookahead_text(moves, nodes))


def _lookahead_text(moves: dict[str, dict[str, Any]], nodes: list[dict[str, int | None]]) -> Iterator[str]:
    plies = [str(row["depth"]) for row in nodes]
    yield from table_text(
        [
            ("X's value at", *plies, "certain from"),
            *((name, *map(str, each["values"]), str(each["settled_at"] or "-")) for name, each in moves.items()),
        ],
        words=(0,),
    )
    yield ""
    yield from table_text(
        [("with two in a row", *plies), *((name, *map(_estimated, each["estimates"])) for name, each in moves.items())],
        words=(0,),
    )
    yield ""
    titles = ("plies", "minimax", "lazy lists", "without distance", "alpha-beta")
    yield from table_text([titles, *(tuple(map(_count, row.values())) for row in nodes)])


def _estimated(value: int) -> str:
    """Return an estimate, or the winner if a line is within sight."""
    return ("X wins" if value > 0 else "O wins") if abs(value) >= PROVED else f"{value:+d}" if value else "0"


def _count(nodes: int | None) -> str:
    return "too many" if nodes is None else f"{nodes:,}"


@on_positions(
    "parallel",
    "Times the evaluation of all squares, one after another and by several processes at once.",
    "noughts parallel X.O/.X./... --jobs 2",
    argument("--jobs", type=int, default=2, metavar="N", help="the number of processes (%(default)s)"),
)
def parallel_command(game: Game, options: Namespace) -> Answer:
    """Return both times, and whether several processes are faster."""
    from solver.articles.parallel_squares import compare

    position, jobs = game.last, within(options.jobs, 1, MAX_JOBS, "jobs")
    if position.result is not None:
        raise BadOption("The game is over; name a position with open squares.")
    found = compare(position, jobs)
    serial, parallel = found.serial, found.parallel
    report = {
        "squares": len(position.legal_moves),
        "jobs": jobs,
        "serial": {"nodes": serial.nodes, "seconds": serial.seconds},
        "parallel": {"nodes": parallel.nodes, "seconds": parallel.seconds},
        "starting": found.starting,
        "speedup": found.speedup,
        "speedup_with_start": found.speedup_with_start,
        "pays": found.pays,
    }
    lines = [
        f"{counted(len(position.legal_moves), 'square', 'squares')} of {position.rules}",
        f"one after another: {counted(serial.nodes, 'node', 'nodes')}, {serial.seconds:.2f} s",
        f"{counted(jobs, 'process', 'processes')}: {counted(parallel.nodes, 'node', 'nodes')},"
        f" {parallel.seconds:.2f} s, {found.speedup:.2f} times as fast",
        f"starting them: {found.starting:.2f} s; with that {found.speedup_with_start:.2f} times as fast",
        "So it pays here." if found.pays else "So it does not pay here.",
    ]
    return Answer(report, lines)
