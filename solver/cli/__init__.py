"""The command `noughts`: parses the command line and runs one command.

Other packages add commands through the entry-point group `noughts.commands`: a function that is given the subparsers,
such as `Command.add_to`. Exit codes: 0; 2 for bad input, with one line on standard error; 1, with one line too, where
the output cannot be written; 130 after an interrupt; and those of `verify`.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Final, NoReturn

from solver.cli.claims import claims_command
from solver.cli.command import INTERRUPTED, Command
from solver.cli.compare import compare_command
from solver.cli.opponents import (
    chances_command,
    crosstable_command,
    rulebooks_command,
    tiebreaks_command,
    verify_command,
)
from solver.cli.options import argument
from solver.cli.picture import picture_command
from solver.cli.playing import match_command, move_command, play_command, replay_command
from solver.cli.proving import book_command, parallel_command, predict_command, solve_command
from solver.cli.trees import (
    census_command,
    draws_command,
    forks_command,
    lookahead_command,
    openings_command,
    reduced_command,
    tree_command,
)
from solver.errors import NoughtsError

COMMANDS: Final = (
    play_command,
    predict_command,
    solve_command,
    move_command,
    replay_command,
    compare_command,
    match_command,
    verify_command,
    chances_command,
    crosstable_command,
    tiebreaks_command,
    rulebooks_command,
    book_command,
    census_command,
    forks_command,
    openings_command,
    reduced_command,
    draws_command,
    tree_command,
    lookahead_command,
    parallel_command,
    picture_command,
    claims_command,
)


class _Parser(argparse.ArgumentParser):
    """A parser whose help begins with what the command does, and that reports a mistake in one line."""

    summary = "Tic-tac-toe and its bigger relatives, solved and played."

    def format_help(self) -> str:
        return f"{self.summary}\n\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


class _Version(argparse.Action):
    """Prints the version and the kernel, which no other option loads."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from solver.search.engine import KERNEL

        print(f"noughts {_version()} ({KERNEL} kernel)")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; a mistake in the options exits with 2 at once."""
    _open_streams()
    try:
        options = _parser().parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except NoughtsError as error:
        print(f"noughts: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`noughts … | head`): say nothing, and let the interpreter's last flush find no pipe.
        _give_up_output()
        return 0
    except OSError as error:
        _give_up_output()
        where = f"{error.filename}: " if error.filename else ""
        print(f"noughts: {where}{error.strerror or error}", file=sys.stderr)
        return 1


def _parser() -> _Parser:
    """The parser of all commands; without a command it shows the help."""
    parser = _Parser(prog="noughts")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and the kernel in use, and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def show_help(options: argparse.Namespace) -> int:
        asked = getattr(options, "command", None)
        if asked is None:
            parser.print_help()
        else:
            parser.parse_args([asked, "--help"])
        return 0

    parser.set_defaults(run=show_help)
    asked = argument("command", nargs="?", metavar="COMMAND", help="one of those that `noughts help` lists")
    shown = Command("help", "Shows this help, or that of a command.", "noughts help predict", (asked,), show_help)
    for each in (*COMMANDS, shown):
        each.add_to(commands)
    for plugin in entry_points(group="noughts.commands"):
        plugin.load()(commands)
    return parser


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
