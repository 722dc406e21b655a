"""The command `noughts`: parses the command line and runs one command.

Other packages add commands through the entry-point group `noughts.commands`. An entry point is a function that takes
the subparsers, such as `Command.add_to`.

Exit codes: 0 for success, 1 if the output cannot be written, 2 for bad input, 3 if a budget or a limit ended the work,
and 130 after an interrupt. Codes 1 and 2 come with one line on standard error. `verify`, `check` and `prove` also exit
with 1 if their test fails, and `prove` with 2 if the program that it tests breaks.
"""

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, NoReturn

import solver
from solver.cli.command import INTERRUPTED, Command
from solver.errors import NoughtsError

GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "play": ("play", "games", "move", "match"),
        "ask": ("predict", "why", "review", "replay", "chances", "compare"),
        "prove": ("solve", "prove", "verify", "atlas", "certify", "check", "book"),
        "learn": (
            "drills",
            "forks",
            "openings",
            "draws",
            "rulebooks",
            "tiebreaks",
            "menace",
            "lookahead",
            "trace",
            "claims",
        ),
        "serve": (),
        "data": ("dataset", "census", "reduced", "tree", "picture", "crosstable", "levels", "parallel"),
    }
)
"""The commands in groups. Each group has a module of its name, which is loaded only when needed.

A command's function is named after it, e.g. `play_command`. Commands of other packages join the group "serve".
"""

COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {name: group for group, names in GROUPS.items() for name in names}
)
"""The group of each command."""


def command_named(name: str) -> Command:
    """Return one of `COMMANDS`."""
    command: Command = getattr(import_module(f"solver.cli.{COMMANDS[name]}"), f"{name}_command")
    return command


class _Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line; its help begins with the command's purpose."""

    summary = "Tic-tac-toe and its bigger relatives, solved and played."
    groups: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """The commands in groups, each with its summary; empty in the parser of a single command."""

    def __init__(self, **settings: Any) -> None:
        # Without a width, the formatter imports `shutil` for each argument that is added, even if no help is asked for.
        super().__init__(formatter_class=_formatter(width=80), **settings)

    def format_help(self) -> str:
        """Return the help. Where commands are grouped, the groups take the place of argparse's single list."""
        import shutil

        width = shutil.get_terminal_size().columns
        self.formatter_class = _formatter(width)
        text = f"{self.summary}\n\n{super().format_help()}"
        if not self.groups:
            return text
        from solver.cli.helping import format_groups

        return text.partition("\ncommands:\n")[0] + format_groups(self.groups, width - 2)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


def _formatter(width: int) -> partial[argparse.RawDescriptionHelpFormatter]:
    return partial(argparse.RawDescriptionHelpFormatter, width=width - 2)


class _Version(argparse.Action):
    """The option that prints the version and the kernel; no other option loads the kernel."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from solver.kernel.engine import KERNEL

        print(f"noughts {solver.__version__ or '(not installed)'} ({KERNEL} kernel)")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Exit with 2 at once for a mistake in the options."""
    _open_streams()
    try:
        arguments = sys.argv[1:] if arguments is None else arguments
        if "_ARGCOMPLETE" in os.environ:
            from solver.cli.helping import complete

            complete(_parser(*(word for word in os.environ["COMP_LINE"].split()[1:2] if word in COMMANDS)))
        options = _parser(*arguments[:1]).parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except NoughtsError as error:
        print(f"noughts: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        from solver.cli.helping import how_to_install

        print(f"noughts: {how_to_install(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`noughts … | head`): exit quietly, and keep the last flush from failing.
        _give_up_output()
        return 0
    except OSError as error:
        _give_up_output()
        where = f"{error.filename}: " if error.filename else ""
        print(f"noughts: {where}{error.strerror or error}", file=sys.stderr)
        return 1


def _parser(name: str = "") -> _Parser:
    """Return the parser of the command with this name, or a parser of all commands, which shows the help by default."""
    parser = _Parser(prog="noughts")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and the kernel in use, and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    if name in COMMANDS:
        command_named(name).add_to(commands)
        return parser
    from solver.cli.helping import add_helping, no_such_command

    groups = {title: [*group] for title, group in GROUPS.items()}
    for command in map(command_named, COMMANDS):
        command.add_to(commands)
    from importlib.metadata import entry_points

    for plugin in entry_points(group="noughts.commands"):
        plugin.load()(commands)
    groups["serve"] += [command for command in commands.choices if command not in COMMANDS]
    groups["help"] = add_helping(parser, commands, groups)
    parser.groups = {title: {name: commands.choices[name].summary for name in group} for title, group in groups.items()}
    if name and not name.startswith("-") and name not in commands.choices:
        parser.error(no_such_command(name, commands.choices))
    return parser


def _open_streams() -> None:
    """Make the standard streams take any text, and replace those that the caller has closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape" if name == "stdin" else "backslashreplace")


def _give_up_output() -> None:
    """Redirect standard output to the null device, so that the interpreter's last flush does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
