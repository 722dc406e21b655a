"""The command `why`: what decides about each open square of a position, in words that were checked."""

from argparse import Namespace
from collections.abc import Iterator, Mapping

from solver.board.game import Game
from solver.board.notation import format_cell, parse_cell
from solver.board.position import Position
from solver.board.rules import Cell
from solver.cli.command import Answer, argument, budget_argument, on_positions, parse_budget
from solver.cli.output import position_text
from solver.proofs.prediction import predict
from solver.reasons import Reason, explain, reasons
from solver.report import explain_report


@on_positions(
    "why",
    "Says why each open square of a position, or one of them, wins, draws or loses.",
    "noughts why X.O/.X./..O a2",
    budget_argument("200ms"),
    after=(argument("square", nargs="?", metavar="SQUARE", help="the square that is asked about (all)"),),
)
def why_command(game: Game, options: Namespace) -> Answer:
    """The reasons of a position's squares, as far as the squares are proved within the budget."""
    position, cell = game.last, None
    if options.square is not None:
        cell = parse_cell(options.square, position.rules)
        position.play(cell)
    prediction = predict(position, parse_budget(options.budget))
    found = reasons(position, prediction) if cell is None else {cell: explain(position, cell, prediction)}
    return Answer(explain_report(position, found), [*position_text(position), *_reasons_text(position, found)])


def _reasons_text(position: Position, found: Mapping[Cell, Reason]) -> Iterator[str]:
    rules = position.rules
    for cell, reason in found.items():
        yield f"{format_cell(cell, rules)}  {reason.text or reason.outcome.words(position.mover)}"
        if reason.refutation:
            yield f"    best play: {' '.join(format_cell(each, rules) for each in reason.refutation)}"
