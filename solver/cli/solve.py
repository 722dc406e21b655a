"""`noughts solve`: the outcome of a position and of its every open square, proved however long it takes."""

import argparse
import json
import time
from contextlib import closing
from functools import partial
from typing import Any

from solver.board.game import parse_game
from solver.board.notation import format_cell
from solver.board.rules import Cell
from solver.cli.options import add_budget, add_json, add_moves, add_start, add_workers, parse_budget, pool_of
from solver.cli.progress import progress
from solver.cli.texts import position_text, squares_text
from solver.proofs.prediction import Prediction
from solver.proofs.solution import solution
from solver.report import solve_report

INTERRUPTED = 130


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("solve", help="prove the outcome of a position and of every open square")
    command.add_argument("board", metavar="BOARD", help="columns x rows x in a row, for example 5x4x4")
    add_start(command)
    add_moves(command)
    add_budget(command, usual="")
    add_workers(command)
    add_json(command)
    command.set_defaults(run=_solve)


def _solve(options: argparse.Namespace) -> int:
    from solver.proofs.study import proving, study_of  # noqa: PLC0415 - the kernel and the store

    position = parse_game(options.board, options.start, options.moves).last
    study, budget, pool = study_of(position), parse_budget(options.budget), pool_of(options)
    search = None
    if pool is not None:
        from solver.proofs.workers import narrowing_by  # noqa: PLC0415 - likewise

        search = partial(narrowing_by, pool)
    line: tuple[Cell, ...] = ()
    code, began = 0, time.monotonic()
    try:
        with closing(proving(position, budget, search=search)) as predictions, progress("squares proved") as show:
            for prediction in predictions:
                show(prediction.proved, len(prediction.squares))
        line = solution(position).line
    except KeyboardInterrupt:
        code = INTERRUPTED
    prediction = study.prediction()
    if options.json:
        print(json.dumps(solve_report(prediction, line, time.monotonic() - began)))
    else:
        print("\n".join(_text(prediction, line)))
    return code


def _text(prediction: Prediction, line: tuple[Cell, ...]) -> list[str]:
    position = prediction.position
    lines = position_text(position)
    if position.result is None:
        lines.append(f"Perfect play: {prediction.outcome.words(position.mover)}.")
    if line:
        lines.append(f"Best line: {' '.join(format_cell(cell, position.rules) for cell in line)}")
    return lines + squares_text(prediction)
