"""`noughts replay`: a game played again, with the outcome of each move and what would have been better."""

import argparse
import json
from typing import Any

from solver.board.game import parse_game
from solver.board.notation import format_cell
from solver.cli.options import add_board, add_json, add_start
from solver.report import outcome_report


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("replay", help="the outcome of each move of a game, and what would have been better")
    add_board(command)
    add_start(command)
    command.add_argument("moves", metavar="MOVES", help="the moves of the game, for example c1b2a1b1a3a2c3b3")
    add_json(command)
    command.set_defaults(run=_replay)


def _replay(options: argparse.Namespace) -> int:
    from solver.theory.replay import replayed  # noqa: PLC0415 - the theory, for those who ask for it

    turns = replayed(parse_game(options.board, options.start, options.moves))
    report = [
        {
            "player": str(turn.position.mover),
            "move": format_cell(turn.cell, turn.position.rules),
            "before": outcome_report(turn.before),
            "after": outcome_report(turn.after),
            "grade": str(turn.grade),
            "best": [format_cell(cell, turn.position.rules) for cell in turn.best],
        }
        for turn in turns
    ]
    if options.json:
        print(json.dumps(report))
        return 0
    for number, (turn, entry) in enumerate(zip(turns, report, strict=True), start=1):
        mover = turn.position.mover
        better = "" if entry["grade"] == "best" else f"; best: {', '.join(entry['best']) or 'not proved'}"
        left = turn.after.words(mover)
        print(
            f"{number:2}  {mover} {entry['move']}  {entry['grade']:7}  {left} (had: {turn.before.words(mover)}){better}"
        )
    return 0
