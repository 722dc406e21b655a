"""The command `noughts`: parses the command line and hands over to one module a subcommand.

Other packages add subcommands through the entry-point group `noughts.commands`: a function that is given the
subparsers. Exit codes: 0; 2 for bad input, with one line on standard error; 1, with one line too, where the output
cannot be written; 130 after an interrupt.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import NoReturn

from solver.cli import (
    book,
    census,
    claims,
    crosstable,
    draws,
    forks,
    lookahead,
    match,
    openings,
    parallel,
    picture,
    play,
    predict,
    reduced,
    replay,
    solve,
    tree,
    verify,
)
from solver.errors import NoughtsError

COMMANDS = (
    play,
    predict,
    solve,
    match,
    verify,
    crosstable,
    book,
    census,
    forks,
    openings,
    reduced,
    draws,
    tree,
    lookahead,
    replay,
    parallel,
    picture,
    claims,
)


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
    for command in COMMANDS:
        command.add_command(commands)
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
        where = f"{error.filename}: " if error.filename else ""
        print(f"noughts: {where}{error.strerror or error}", file=sys.stderr)
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
