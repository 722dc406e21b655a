"""`noughts play`: the game in the terminal."""

import argparse
from typing import Any

from solver.board.game import parse_game
from solver.cli.options import add_board, add_seed, add_start
from solver.cli.terminal import play_in_terminal
from solver.strategies import HUMANS, STRATEGIES


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("play", help="play in the terminal")
    add_board(command)
    add_seed(command)
    players = ", ".join([*HUMANS, *STRATEGIES])
    command.add_argument("--x", default=HUMANS[0], metavar="PLAYER", help=f"who plays X: {players} (%(default)s)")
    command.add_argument("--o", default="hard", metavar="PLAYER", help="who plays O (%(default)s)")
    add_start(command)
    command.add_argument("--moves", default="", help="moves already played, for example b2a1")
    command.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    game = parse_game(options.board, options.start, options.moves)
    return play_in_terminal(game, options.x, options.o, options.seed)
