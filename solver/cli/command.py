"""Commands: a name, a purpose, an example, arguments, and the function that runs it.

Most commands answer about a position or about a board. These are functions that return an `Answer`, which is printed
here, as text or as one JSON object; of a stream of positions, one object a line.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from solver.board.game import Game
from solver.board.position import Position
from solver.board.rules import Rules
from solver.cli.options import BOARD, JSON, POSITION, Argument, asked, game_named, rules_named
from solver.errors import NoughtsError
from solver.report import error_report, position_report, start_report

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""

UNFINISHED: Final = 3
"""The exit code where a budget or a limit ended the work before all of it was done."""

Action: TypeAlias = Callable[[Namespace], int]
"""Runs a command with its options and returns the exit code. Raises NoughtsError."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `noughts`. The example is a whole command line."""

    name: str
    summary: str
    example: str
    arguments: tuple[Argument, ...]
    run: Action

    def add_to(self, commands: Any) -> None:
        """Adds the command to the subparsers of `noughts`."""
        parser = commands.add_parser(self.name, help=self.summary, epilog=f"example:\n  {self.example}")
        parser.summary = self.summary
        for each in self.arguments:
            parser.add_argument(*each.names, **each.settings)
        parser.set_defaults(run=self.run)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found: plain data, the same as lines of text, and the exit code."""

    report: dict[str, Any]
    lines: Iterable[str]
    code: int = 0

    def show(self, as_json: bool) -> int:
        """Prints the answer and returns the exit code."""
        if as_json:
            import json

            print(json.dumps(self.report))
        else:
            for line in self.lines:
                print(line)
        return self.code


OfGame: TypeAlias = Callable[[Game, Namespace], Answer]
OfRules: TypeAlias = Callable[[Rules, Namespace], Answer]


def command(name: str, summary: str, example: str, *arguments: Argument) -> Callable[[Action], Command]:
    """Makes a command of the function below."""
    return lambda run: Command(name, summary, example, arguments, run)


def on_boards(name: str, summary: str, example: str, *arguments: Argument) -> Callable[[OfRules], Command]:
    """Makes a command that takes a board; the object of its answer begins with the board and its empty position."""

    def run(answer: OfRules, options: Namespace) -> int:
        rules = rules_named(options)
        found = answer(rules, options)
        return Answer(start_report(Position(rules)) | found.report, found.lines, found.code).show(options.json)

    return lambda answer: Command(name, summary, example, (*arguments, *BOARD, JSON), partial(run, answer))


def on_positions(
    name: str, summary: str, example: str, *arguments: Argument, after: tuple[Argument, ...] = ()
) -> Callable[[OfGame], Command]:
    """Makes a command that takes a position, or a stream of them; the object of an answer begins with the position.

    The command line has its own `arguments` before the position, and those of `after` behind it.
    """
    taken = (*arguments, *POSITION, *after, JSON)
    return lambda answer: Command(name, summary, example, taken, partial(answered, answer))


def answered(answer: OfGame, options: Namespace) -> int:
    """Prints the answer to the position that the options name, or for `-` those to the lines of the standard input.

    A bad line of a stream is answered by an error object in its place; the first is reported when the stream ends.
    """
    board, start = asked(options)
    if start != "-":
        return _answer(answer, game_named(board, start, options.moves), options).show(options.json)
    bad: list[str] = []
    for number, line in _lines():
        try:
            found = _answer(answer, game_named(*asked(options, line), options.moves), options)
        except NoughtsError as error:
            bad.append(f"line {number}: {error}")
            found = Answer(error_report(error.code, str(error)), ())
        found.show(as_json=True)
        sys.stdout.flush()
        if found.code:
            return found.code
    if bad:
        more = f" ({len(bad)} bad lines in all)" if len(bad) > 1 else ""
        print(f"noughts: {bad[0]}{more}", file=sys.stderr)
    return 2 if bad else 0


def _answer(answer: OfGame, game: Game, options: Namespace) -> Answer:
    found = answer(game, options)
    return Answer(position_report(game.last) | found.report, found.lines, found.code)


def _lines() -> Iterator[tuple[int, str]]:
    """The lines of the standard input with their numbers, without blank ones and comments."""
    for number, line in enumerate(sys.stdin, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text
