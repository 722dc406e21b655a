"""The commands that help: `help`, `completion` for shells, and `man`, all from the one table of commands."""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from textwrap import wrap
from typing import Any, Final

import solver
from solver.board.notation import quoted
from solver.cli.command import Command, argument

SHELLS: Final = ("bash", "zsh", "tcsh", "fish", "powershell")


def add_helping(parser: ArgumentParser, commands: Any, groups: Mapping[str, Sequence[str]]) -> list[str]:
    """Add these commands to the subparsers of a parser that has all others, and return their names."""
    asked = argument("command", nargs="?", metavar="COMMAND", help="one of those that `noughts help` lists")
    shell = argument("shell", choices=SHELLS, help='in its start-up file: eval "$(noughts completion SHELL)"')
    helping = (
        Command(
            "help",
            "Shows this help, or that of a command.",
            "noughts help predict",
            (asked,),
            partial(_help, parser, commands.choices),
        ),
        Command(
            "completion",
            "Prints what makes a shell complete commands and options.",
            "noughts completion bash",
            (shell,),
            _completion,
        ),
        Command(
            "man",
            "Prints the manual page, for man to show.",
            "noughts man > noughts.1",
            (),
            partial(_man, parser, commands.choices, groups),
        ),
    )
    for command in helping:
        command.add_to(commands)
    parser.set_defaults(run=partial(_help, parser, commands.choices))
    return [command.name for command in helping]


def no_such_command(name: str, known: Iterable[str]) -> str:
    """Return the sentence about a command that there is not, with the nearest one."""
    near = get_close_matches(name, known, n=1)
    return f"there is no command {quoted(name)}" + (f"; did you mean {near[0]}?" if near else "")


def how_to_install(error: ModuleNotFoundError) -> str:
    """Return what is missing and the command that brings it. Raise the error if the missing module is our own."""
    from importlib.metadata import PackageNotFoundError, requires

    module = (error.name or "solver").partition(".")[0]
    if module in {"solver", "webapp"}:
        raise error
    package = "pillow" if module == "PIL" else module.replace("_", "-")
    try:
        requirements = requires("noughts") or []
    except PackageNotFoundError:
        requirements = []
    requirement = next((text for text in requirements if re.match(rf"{package}(?![\w-])", text)), "")
    extra = re.search(r"extra == ['\"]([a-z]+)", requirement)
    what = f"'noughts[{extra[1]}]'" if extra else "noughts"
    return f"This needs {package}. Install it with: pip install {what}"


def format_groups(groups: Mapping[str, Mapping[str, str]], width: int) -> str:
    """Return the commands of the help, group by group."""
    indent = 4 + max(len(name) for group in groups.values() for name in group) + 2
    lines = []
    for title, group in groups.items():
        lines += ["", f"{title}:"]
        for name, summary in group.items():
            head, *more = wrap(summary, max(20, width - indent))
            lines += [f"    {name:<{indent - 4}}{head}", *(" " * indent + line for line in more)]
    return "\n".join([*lines, "", "`noughts help COMMAND` describes one, with an example.", ""])


def _help(parser: ArgumentParser, parsers: Mapping[str, ArgumentParser], options: Namespace) -> int:
    asked = getattr(options, "command", None)
    if asked is not None and asked not in parsers:
        parser.error(no_such_command(asked, parsers))
    (parser if asked is None else parsers[asked]).print_help()
    return 0


def _completion(options: Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["noughts"], shell=options.shell))
    return 0


def complete(parser: ArgumentParser) -> None:
    """Answer the shell that asks how the command line in the environment may go on, and exit."""
    from argcomplete import autocomplete
    from argcomplete.completers import SuppressCompleter

    autocomplete(parser, default_completer=SuppressCompleter())


def _man(
    parser: ArgumentParser, parsers: Mapping[str, ArgumentParser], groups: Mapping[str, Sequence[str]], _: Namespace
) -> int:
    print("\n".join(_page(parser, parsers, groups)))
    return 0


def _page(
    parser: ArgumentParser, parsers: Mapping[str, ArgumentParser], groups: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of the manual page in roff: each command with its usage, arguments and example."""
    yield f'.TH NOUGHTS 1 "" "noughts {solver.__version__}" "User commands"'
    yield from (".SH NAME", _roff(f"noughts - {_summary(parser)}"), ".SH SYNOPSIS", ".B noughts", ".I COMMAND ...")
    for title, names in groups.items():
        yield f".SH {title.upper()}"
        for name in names:
            each = parsers[name]
            yield from (f".SS {name}", _roff(_summary(each)))
            for action in each._actions:
                value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
                named = f"{', '.join(action.option_strings)} {value}".strip()
                yield from (".TP", f".B {_roff(named)}", _roff((action.help or "") % (vars(action) | {"prog": name})))
            yield from (".PP", ".nf", _roff(each.epilog or ""), ".fi")


def _summary(parser: ArgumentParser) -> str:
    return str(getattr(parser, "summary", ""))


def _roff(text: str) -> str:
    """Escape a text for roff: backslashes, dashes that may be copied, and points that would begin a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in (".", "'") else line for line in escaped.split("\n"))
