"""The command `noughts`: parses the command line and hands over to one function a subcommand.

Other packages add subcommands through the entry-point group `noughts.commands`: a function that is given the
subparsers. Exit codes: 0; 2 for bad input, with one line on standard error; 1, with one line too, where the output
cannot be written; 130 after an interrupt.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any, NoReturn

from solver.errors import BadOption, NoughtsError
from solver.game import Game, parse_game, read_game
from solver.match import play_match
from solver.notation import format_cell, format_position, parse_position, parse_rules
from solver.position import Result
from solver.predict import predict
from solver.report import predict_report
from solver.rules import Rules
from solver.strategies import HUMANS, STRATEGIES, strategy_named
from solver.terminal import play_in_terminal

MAX_GAMES = 1_000_000


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


class _Version(argparse.Action):
    """Prints the version and the kernel, which no other option loads."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from solver.search.engine import KERNEL  # noqa: PLC0415 - most commands do without a kernel

        print(f"noughts {_version()} ({KERNEL} kernel)")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; a mistake in the options exits with 2 at once."""
    _open_streams()
    parser = _Parser(prog="noughts", description="Tic-tac-toe and its bigger relatives, solved and played.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and the kernel in use, and exit")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_play(commands)
    _add_predict(commands)
    _add_match(commands)
    for plugin in entry_points(group="noughts.commands"):
        plugin.load()(commands)
    try:
        options = parser.parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except NoughtsError as error:
        print(f"noughts: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone (`noughts … | head`): say nothing, and let the interpreter's last flush find no pipe.
        _give_up_output()
        return 0
    except OSError as error:
        _give_up_output()
        print(f"noughts: {error.strerror or error}", file=sys.stderr)
        return 1


def _version() -> str:
    try:
        return version("noughts")
    except PackageNotFoundError:
        return "(not installed)"


def _open_streams() -> None:
    """Makes the standard streams take any text, and stand in for those that the caller has closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape" if name == "stdin" else "backslashreplace")


def _give_up_output() -> None:
    """Lets the interpreter's last flush go nowhere instead of failing again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _add_board(command: argparse.ArgumentParser) -> None:
    command.add_argument("--board", default="3x3x3", help="columns x rows x in a row, for example 5x4x4 (%(default)s)")


def _add_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", help="fixes every random choice, so that a run can be repeated")


def _add_play(commands: Any) -> None:
    command = commands.add_parser("play", help="play in the terminal")
    _add_board(command)
    _add_seed(command)
    players = ", ".join([*HUMANS, *STRATEGIES])
    command.add_argument("--x", default=HUMANS[0], metavar="PLAYER", help=f"who plays X: {players} (%(default)s)")
    command.add_argument("--o", default="hard", metavar="PLAYER", help="who plays O (%(default)s)")
    command.add_argument("--from", dest="start", metavar="POSITION", help="the position to start from")
    command.add_argument("--moves", default="", help="moves already played, for example b2a1")
    command.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    game = parse_game(options.board, options.start, options.moves)
    return play_in_terminal(game, options.x, options.o, options.seed)


def _add_predict(commands: Any) -> None:
    command = commands.add_parser("predict", help="what perfect play makes of every open square")
    _add_board(command)
    command.add_argument(
        "position", nargs="?", help="rows from the top, for example X.O/.X./..O; - reads one position a line"
    )
    command.add_argument("--moves", default="", help="moves to play from the position first, for example b2a1")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_predict)


def _predict(options: argparse.Namespace) -> int:
    if options.position == "-":
        return _predict_stream(parse_rules(options.board), options.moves)
    game = parse_game(options.board, options.position, options.moves)
    print(json.dumps(predict_report(predict(game.last))) if options.json else _predicted_text(game))
    return 0


def _predict_stream(rules: Rules, moves: str) -> int:
    """One JSON object a line of input, in step with it: a bad line gets an error object, and the exit code 2."""
    bad: list[str] = []
    for number, line in enumerate(sys.stdin, start=1):
        try:
            game = read_game(parse_position(line, rules), moves).whole()
            answer = predict_report(predict(game.last))
        except NoughtsError as error:
            bad.append(f"line {number}: {error}")
            answer = {"error": {"code": error.code, "message": str(error)}}
        print(json.dumps(answer), flush=True)
    if bad:
        more = f" ({len(bad)} bad lines in all)" if len(bad) > 1 else ""
        print(f"noughts: {bad[0]}{more}", file=sys.stderr)
    return 2 if bad else 0


def _predicted_text(game: Game) -> str:
    position = game.last
    lines = [format_position(position).replace("/", "\n")]
    match position.result:
        case None:
            lines.append(f"{position.mover} to move.")
        case Result.DRAW:
            lines.append("The game is over: a draw.")
        case winner:
            lines.append(f"The game is over: {winner} has won.")
    prediction = predict(position)
    for cell, outcome in prediction.squares.items():
        best = "  best" if cell in prediction.best else ""
        lines.append(f"{format_cell(cell, position.rules)}  {outcome.words(position.mover)}{best}")
    return "\n".join(lines)


def _add_match(commands: Any) -> None:
    command = commands.add_parser("match", help="let two players play many games")
    command.add_argument("x", metavar="X", help=f"who plays X: {', '.join(STRATEGIES)}")
    command.add_argument("o", metavar="O", help="who plays O")
    _add_board(command)
    _add_seed(command)
    command.add_argument("--games", type=int, default=100, metavar="N", help="how many games (%(default)s)")
    command.add_argument("--json", action="store_true", help="print JSON")
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
