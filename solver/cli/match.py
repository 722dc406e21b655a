"""`noughts match`: many games between two players, counted."""

import argparse
import json
from typing import Any

from solver.board.notation import parse_rules
from solver.board.position import Result
from solver.cli.options import add_board, add_json, add_seed
from solver.errors import BadOption
from solver.strategies import STRATEGIES, strategy_named
from solver.strategies.match import play_match

MAX_GAMES = 1_000_000


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("match", help="let two players play many games")
    command.add_argument("x", metavar="X", help=f"who plays X: {', '.join(STRATEGIES)}")
    command.add_argument("o", metavar="O", help="who plays O")
    add_board(command)
    add_seed(command)
    command.add_argument("--games", type=int, default=100, metavar="N", help="how many games (%(default)s)")
    add_json(command)
    command.set_defaults(run=_match)


def _match(options: argparse.Namespace) -> int:
    if not 1 <= options.games <= MAX_GAMES:
        raise BadOption(f"A match has 1 to {MAX_GAMES} games, not {options.games}.")
    rules = parse_rules(options.board)
    x, o = strategy_named(options.x, rules), strategy_named(options.o, rules)
    score = play_match(rules, x, o, options.games, options.seed)
    if options.json:
        counts = {"x_wins": score[Result.X], "o_wins": score[Result.O], "draws": score[Result.DRAW]}
        report = {"board": str(rules), "x": x.name, "o": o.name, "games": options.games, "seed": options.seed}
        print(json.dumps(report | counts))
    else:
        print(
            f"X ({x.title}) won {score[Result.X]}, O ({o.title}) won {score[Result.O]},"
            f" drawn {score[Result.DRAW]}, of {options.games} on {rules}."
        )
    return 0
