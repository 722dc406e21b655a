"""`noughts compare`: several solvers on one position, as the page of the lab shows them."""

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from solver.board.game import Game
from solver.board.notation import format_cell, format_cells, format_outcome
from solver.board.position import Position
from solver.board.rules import Rules
from solver.cli.command import Answer, argument, on_positions, within
from solver.cli.output import position_text, table_text
from solver.errors import BadOption
from solver.report import outcome_report

if TYPE_CHECKING:
    from solver.articles.compare import Comparison, Heuristic, SolverRun


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
    """The searches with each square's outcome, and the players with their choices."""
    from solver.articles.compare import MAX_DEPTH, compared, default_depth
    from solver.proofs.prediction import predict

    position = game.last
    if position.result is not None:
        raise BadOption("The game is over; name a position with open squares.")
    depth = default_depth(position.rules) if options.depth is None else options.depth
    found = compared(predict(position), within(depth, 1, MAX_DEPTH, "plies of look-ahead"))
    report = {
        "best": [format_cell(cell, position.rules) for cell in found.prediction.best],
        "searches": {name: _search(search, found) for name, search in _searches(found).items()},
        "players": {each.strategy.name: _player(each, found) for each in found.heuristics},
    }
    return Answer(report, _text(found))


def _searches(found: "Comparison") -> dict[str, "SolverRun"]:
    return {"minimax": found.minimax, "alphabeta": found.alphabeta, "exact": found.exact}


def _search(search: "SolverRun", found: "Comparison") -> dict[str, Any]:
    """A search as plain data; `squares` are null where it was not run, `depth` where it goes to the end."""
    rules = found.prediction.position.rules
    return {
        "squares": search.outcomes
        and {format_cell(cell, rules): outcome_report(outcome) for cell, outcome in search.outcomes.items()},
        "nodes": search.nodes,
        "seconds": search.seconds,
        "depth": search.depth,
        "short": search.short,
        "one_window": search.one_window,
    }


def _one_window(search: "SolverRun") -> str:
    """What finding the best square alone costs, where it is less."""
    if search.one_window in (None, search.nodes):
        return ""
    return f"a full window for each square; one over all, for the best alone: {search.one_window:,}"


def _player(player: "Heuristic", found: "Comparison") -> dict[str, Any]:
    """A player by rules as plain data; its departures are the squares that it may choose although one is better."""
    rules = found.prediction.position.rules
    return {
        "choices": {format_cell(cell, rules): str(chance) for cell, chance in player.decision.choices.items()},
        "reason": player.decision.reason,
        "seconds": player.seconds,
        "departures": [
            {"square": format_cell(each.cell, rules), "grade": each.word, **outcome_report(each.outcome)}
            for each in player.departures
        ],
    }


def _text(found: "Comparison") -> Iterator[str]:
    prediction = found.prediction
    position = prediction.position
    yield from position_text(position)
    best = f"{format_cells(prediction.best, position.rules)} ({prediction.outcome.words(position.mover)})"
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
            ", ".join(f"{format_cell(other.cell, rules)} ({other.word})" for other in each.departures) or "-",
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
