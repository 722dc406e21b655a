"""`noughts predict`: what perfect play makes of every open square, answered soon."""

import argparse
import json
import sys
from typing import Any

from solver.board.game import read_game
from solver.board.notation import parse_position, parse_rules
from solver.board.rules import Rules
from solver.cli.options import add_budget, add_json, add_position, asked_start, parse_budget, position_of
from solver.cli.texts import position_text, squares_text
from solver.errors import NoughtsError
from solver.proofs.prediction import predict
from solver.report import predict_report
from solver.search.budget import Budget


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("predict", help="what perfect play makes of every open square")
    add_position(command, "(the empty board); - reads one position a line")
    add_budget(command, usual="200ms")
    add_json(command)
    command.set_defaults(run=_predict)


def _predict(options: argparse.Namespace) -> int:
    budget = parse_budget(options.budget)
    if asked_start(options) == "-":
        return _predict_stream(parse_rules(options.board), options.moves, budget)
    prediction = predict(position_of(options), budget)
    if options.json:
        print(json.dumps(predict_report(prediction)))
    else:
        print("\n".join([*position_text(prediction.position), *squares_text(prediction)]))
    return 0


def _predict_stream(rules: Rules, moves: str, budget: Budget) -> int:
    """One JSON object a line of input, in step with it: a bad line gets an error object, and the exit code 2."""
    bad: list[str] = []
    for number, line in enumerate(sys.stdin, start=1):
        try:
            game = read_game(parse_position(line, rules), moves).whole()
            answer = predict_report(predict(game.last, budget))
        except NoughtsError as error:
            bad.append(f"line {number}: {error}")
            answer = {"error": {"code": error.code, "message": str(error)}}
        print(json.dumps(answer), flush=True)
    if bad:
        more = f" ({len(bad)} bad lines in all)" if len(bad) > 1 else ""
        print(f"noughts: {bad[0]}{more}", file=sys.stderr)
    return 2 if bad else 0
