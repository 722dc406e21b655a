"""Commands, their answers, and the arguments that several commands share.

Most commands answer about a position or about a board. They are functions that return an `Answer`, which this module
prints as text or as one JSON object. For a stream of positions, each line of the output is one JSON object.
"""

import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from itertools import chain
from stat import S_ISFIFO, S_ISREG
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from solver.board.game import Game
from solver.board.notation import format_cell, is_board, parse_rules, quoted
from solver.board.pasted import read_fields, read_pasted
from solver.board.position import Position
from solver.board.rules import DEFAULT_BOARD, Rules, check_lines_win
from solver.errors import BadOption, BadRules, NoughtsError
from solver.report import error_report, position_report, start_report
from solver.search.budget import UNLIMITED, Budget

if TYPE_CHECKING:
    from pathlib import Path

    from solver.proofs.prediction import Prediction
    from solver.proofs.workers import Workers

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""

OPPONENTS: Final = "%(opponents)s"
"""A placeholder for all opponents in an argument's help. Other commands load no opponents."""

UNFINISHED: Final = 3
"""The exit code of a command that a budget or a limit ended early."""


class Interruptible(AbstractContextManager["Interruptible"]):
    """A context that Ctrl-C ends early; `code` is the exit code afterwards, 0 without Ctrl-C."""

    code = 0

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        """Set the exit code after an interrupt. Let other errors pass."""
        if kind is not KeyboardInterrupt:
            return False
        self.code = INTERRUPTED
        return True


Action: TypeAlias = Callable[[Namespace], int]
"""A function that runs a command with its options and returns the exit code. Raises NoughtsError."""


@dataclass(frozen=True, slots=True)
class Argument:
    """The names and settings of an argument, as `add_argument` of argparse takes them."""

    names: tuple[str, ...]
    settings: Mapping[str, Any]


def argument(*names: str, **settings: Any) -> Argument:
    """Return an argument with these parameters of `add_argument`. Numbers are written in ASCII digits."""
    if (number := settings.get("type")) in (int, float):
        settings["type"] = _in_ascii(number)
    return Argument(names, settings)


def _in_ascii(number: type[int] | type[float]) -> Callable[[str], float]:
    @wraps(number)
    def read(text: str) -> float:
        if not text.isascii() or "_" in text:
            raise ValueError(text)
        return number(text)

    return read


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `noughts`. The example is a whole command line."""

    name: str
    summary: str
    example: str
    arguments: tuple[Argument, ...]
    run: Action

    def add_to(self, commands: Any) -> None:
        """Add the command to the subparsers of `noughts`."""
        parser = commands.add_parser(self.name, help=self.summary, epilog=f"example:\n  {self.example}")
        parser.summary = self.summary
        for argument in self.arguments:
            settings = dict(argument.settings)
            if OPPONENTS in settings.get("help", ""):
                from solver.players import OFFERED

                settings["help"] = settings["help"].replace(OPPONENTS, OFFERED)
            parser.add_argument(*argument.names, **settings)
        parser.set_defaults(run=self.run)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command: plain data, the same result as lines of text, and the exit code."""

    report: dict[str, Any]
    lines: Iterable[str]
    code: int = 0

    def after(self, start: dict[str, Any]) -> "Answer":
        """Return the answer with a report that begins with these fields."""
        return replace(self, report=start | self.report)

    def show(self, as_json: bool) -> int:
        """Print the answer unless it is empty, and return the exit code."""
        if not as_json:
            for line in self.lines:
                print(line)
        elif self.report:
            import json

            print(json.dumps(self.report))
        sys.stdout.flush()
        return self.code


Answering: TypeAlias = Callable[[Namespace], Answer | Iterable[Answer]]
OfGame: TypeAlias = Callable[[Game, Namespace], Answer]
OfRules: TypeAlias = Callable[[Rules, Namespace], Answer]


def command(name: str, summary: str, example: str, *arguments: Argument) -> Callable[[Action], Command]:
    """Make a command of the decorated function, which prints its own output."""
    return lambda run: Command(name, summary, example, arguments, run)


def answering(name: str, summary: str, example: str, *arguments: Argument) -> Callable[[Answering], Command]:
    """Make a command of a function that returns or yields answers. Its exit code is the first that is not 0."""

    def run(answer: Answering, options: Namespace) -> int:
        answers = answer(options)
        codes = [each.show(options.json) for each in ((answers,) if isinstance(answers, Answer) else answers)]
        return next(filter(None, codes), 0)

    return lambda answer: Command(name, summary, example, (*arguments, JSON), partial(run, answer))


def on_boards(name: str, summary: str, example: str, *arguments: Argument) -> Callable[[OfRules], Command]:
    """Make a command that takes a board. Its JSON object begins with the board and the empty position."""
    answers = answering(name, summary, example, *arguments, *BOARD)

    def on_board(answer: OfRules, options: Namespace) -> Answer:
        rules = rules_named(options)
        _check_clauses(rules, name)
        return answer(rules, options).after(start_report(Position(rules)))

    return lambda answer: answers(partial(on_board, answer))


def on_positions(
    name: str,
    summary: str,
    example: str,
    *arguments: Argument,
    after: tuple[Argument, ...] = (),
    settle: Callable[[Namespace], None] = lambda _: None,
) -> Callable[[OfGame], Command]:
    """Make a command that takes a position or a stream of positions.

    The position comes after `arguments` and before the arguments `after`. `settle` puts the options in order first.
    """
    taken = (*arguments, *POSITION, *after, JSON)

    def run(answer: OfGame, options: Namespace) -> int:
        settle(options)
        return answer_positions(partial(_answer_if_playable, answer), options)

    def _answer_if_playable(answer: OfGame, game: Game, options: Namespace) -> Answer:
        _check_clauses(game.last.rules, name)
        return answer(game, options)

    return lambda answer: Command(name, summary, example, taken, partial(run, answer))


def _check_clauses(rules: Rules, command: str) -> None:
    """Raise BadRules for a game that a command does not take."""
    if rules.is_wild or rules.vanishes:
        taken = command in TAKING_ALL
        if not taken and command in TAKING_LOSERS:
            raise BadRules(f"noughts {command} is about games in which each player has marks that stay, not {rules}.")
    else:
        taken = command in TAKING_ALL | TAKING_LOSERS
    if not taken:
        check_lines_win(rules, f"noughts {command}")


def answer_positions(answer: OfGame, options: Namespace) -> int:
    """Print the answer to the position that the options name.

    If it is `-`, or if none is named and lines are piped in, answer each line of the standard input by a line: by an
    object or, with the options of `SHORT`, by words. Print an error object or an empty line in place of the answer to a
    bad line, and report the first error when the stream ends.
    """

    def answer_line(board: str | None, start: str | None) -> Answer:
        game = game_named(board, start, options.moves)
        return answer(game, options).after(position_report(game.last))

    lines = _lines()
    if options.position is options.start is None and not options.moves and _is_piped():
        first = next(lines, None)
        if first is not None:
            options.position, lines = "-", chain([first], lines)
    board, start = board_and_start(options)
    if start != "-":
        return answer_line(board, start).show(options.json)
    bad: list[str] = []
    for number, line in lines:
        try:
            found = answer_line(*board_and_start(options, line))
        except NoughtsError as error:
            bad.append(f"line {number}: {error}")
            found = Answer(error_report(error.code, str(error)), ("",))
        if code := found.show(as_json=options.json or not is_short(options)):
            return code
    if bad:
        more = f" ({len(bad)} bad lines in all)" if len(bad) > 1 else ""
        print(f"noughts: {bad[0]}{more}", file=sys.stderr)
    return 2 if bad else 0


def _is_piped() -> bool:
    """Return whether the standard input is a pipe or a file; a terminal, a socket or the null device is neither."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return S_ISFIFO(mode) or S_ISREG(mode)


def _lines() -> Iterator[tuple[int, str]]:
    """Yield the lines of the standard input with their numbers, without blank ones and comments."""
    for number, line in enumerate(sys.stdin, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text


TAKING_ALL: Final = frozenset({"predict", "solve", "why", "move", "chances", "match"})
"""The commands on boards and positions that take every game."""

TAKING_LOSERS: Final = frozenset({"openings", "crosstable", "book"})
"""The commands for which a completed line may lose, but marks are the players' own and stay."""

MAX_JOBS: Final = 256

LARGEST_FILE: Final = 10_000_000
"""The most bytes of a file of records, some ten thousand games."""

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(?P<seconds>\d{1,9}(?:\.\d{1,9})?)(?P<unit>ms|s|m|h)|(?P<nodes>\d{1,15})n?", re.ASCII)

BOARD_OPTION: Final = argument(
    "--board", metavar="BOARD", help=f"columns x rows x in a row, for example 5x4x4, or a game's name ({DEFAULT_BOARD})"
)

BOARD: Final = (argument("on", nargs="?", metavar="BOARD", help="the board, as with --board"), BOARD_OPTION)
"""A board as an argument or an option. `rules_named` reads it."""

POSITION: Final = (
    argument(
        "position",
        nargs="?",
        metavar="POSITION|BOARD",
        help="rows from the top, for example X.O/.X./..O, a game's link or moves, or a board such as 4x3x3 for its"
        " empty position; - reads one a line, as does a pipe (the empty board)",
    ),
    BOARD_OPTION,
    argument("--from", dest="start", metavar="POSITION", help="the position, if it is not the argument"),
    argument("--moves", default="", help="moves to play from the position first, for example b2a1"),
)
"""A position, its board, and moves from it. `board_and_start` and `game_named` read them."""

SEED: Final = argument("--seed", help="fixes every random choice, so that a run can be repeated")
JSON: Final = argument("--json", action="store_true", help="print JSON")

COLOR: Final = argument(
    "--color",
    choices=("auto", "always", "never"),
    default="auto",
    help="draw the board in colours; auto does on a terminal, unless NO_COLOR is set (%(default)s)",
)
"""The option for colours, which `in_color` reads."""

SHORT: Final = (
    argument("--best", action="store_true", help="print the best squares alone"),
    argument(
        "--score",
        action="store_true",
        help="print the score alone, as Connect Four's solvers have it: half the stones left at the win, negative for a"
        " loss, 0 for a draw, ? if it is not proved",
    ),
)
"""The options that leave out all but the best squares and the score. `shorten` reads them."""

WORKERS: Final = (
    argument(
        "--jobs", type=int, default=1, metavar="N", help="the number of threads or processes that prove (%(default)s)"
    ),
    argument("--dask", metavar="ADDRESS", help="prove with the workers of the Dask scheduler there"),
)
"""The number and place of the processes that prove. `pool_of` reads them."""


def budget_argument(default: str) -> Argument:
    """Return the argument --budget, which `parse_budget` reads. An empty default means no limit."""
    shown = default or "as much as it takes"
    return argument(
        "--budget",
        default=default,
        help=f"seconds, nodes or both, for example 60s, 2m, 100000n or 60s,100000n ({shown})",
    )


def rules_named(options: Namespace) -> Rules:
    """Return the board that the options of `BOARD` name. Raise NoughtsError."""
    board = _board(options.on, options.board)
    return parse_rules(DEFAULT_BOARD if board is None else board)


def board_and_start(options: Namespace, line: str | None = None) -> tuple[str | None, str | None]:
    """Return the board and the position that the options of `POSITION` name, each None if left out.

    A line of a stream replaces the option that is `-`. Raise BadOption for a second board or position.
    """
    given, start = (line if line and text == "-" else text for text in (options.position, options.start))
    if given is None:
        return options.board, start
    if is_board(given):
        return _board(given, options.board), start
    if start is not None:
        raise BadOption("Give the position once: as an argument or with --from.")
    return options.board, given


def game_named(board: str | None, start: str | None, moves: str) -> Game:
    """Return the game that these texts give: its board, its start and its moves. Raise NoughtsError."""
    if start is not None and not start.strip():
        read_pasted(start)  # raises the error that says what to write
    game = read_fields(DEFAULT_BOARD if board is None else board, start or "", moves)
    rules = game.last.rules
    if board is not None and parse_rules(board) != rules:
        raise BadOption(f"That is a game on {rules}, and the board was given as {board}. Leave one of them out.")
    return game


def _board(argument: str | None, option: str | None) -> str | None:
    if argument is not None and option is not None and parse_rules(argument) != parse_rules(option):
        raise BadOption("Give the board once: as an argument or with --board.")
    return option if argument is None else argument


def parse_budget(text: str) -> Budget:
    """Return the budget of a text such as `60s`, `100000n` or `60s,100000n`; "" has no limit. Raise BadOption."""
    if not text:
        return UNLIMITED
    parts = [_PART.fullmatch(part.strip()) for part in text.split(",")]
    amounts = [part for part in parts if part is not None]
    seconds = [float(part["seconds"]) * _SECONDS[part["unit"]] for part in amounts if part["seconds"]]
    nodes = [int(part["nodes"]) for part in amounts if part["nodes"]]
    if len(amounts) < len(parts) or len(seconds) > 1 or len(nodes) > 1:
        raise BadOption(
            f"{quoted(text)} is no budget. Write seconds, nodes or both, for example 60s, 2m, 500ms, 100000n or"
            " 60s,100000n."
        )
    return Budget(nodes[0] if nodes else None, seconds[0] if seconds else None)


def is_short(options: Namespace) -> bool:
    """Return whether one of the options of `SHORT` is given."""
    return any(vars(options).get(name) for name in ("best", "score"))


def shorten(answer: Answer, prediction: "Prediction", options: Namespace) -> Answer:
    """Return the answer with a line of what the options of `SHORT` ask for; as it is without them."""
    if not is_short(options):
        return answer
    words, rules, report = [], prediction.position.rules, answer.report
    if options.score:
        words.append("?" if prediction.score is None else str(prediction.score))
        scores = {format_cell(cell, rules): score for cell, score in prediction.scores.items()}
        report = report | {"score": prediction.score, "scores": scores}
    if options.best:
        words += [format_cell(cell, rules) for cell in prediction.best]
    return replace(answer, report=report, lines=[" ".join(words)])


def in_color(options: Namespace) -> bool:
    """Return whether the output may have colours."""
    if options.color == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return bool(options.color == "always")


def within(number: int, least: int, most: int, what: str) -> int:
    """Return the number if it is in the range. Raise BadOption, e.g. "There can be 1 to 256 jobs, not 0."."""
    if not least <= number <= most:
        raise BadOption(f"There can be {least} to {most} {what}, not {number}.")
    return number


def writable(name: str) -> "Path":
    """Return the path of a file after a check that it can be written. Raise BadOption."""
    from pathlib import Path

    path = Path(name)
    if "\0" in name or path.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadOption(
            f"{quoted(name, 200)} cannot be written. Name a file in an existing folder that you can write to."
        )
    return path


def read_file(name: str) -> str:
    """Return the text of a file. Raise BadOption for one that is too large."""
    from pathlib import Path

    if (size := Path(name).stat().st_size) > LARGEST_FILE:
        raise BadOption(f"{quoted(name, 200)} has {size:,} bytes, more than {LARGEST_FILE:,}: split it.")
    return Path(name).read_text(encoding="utf-8", errors="replace")


RECORD: Final = argument("--record", metavar="FILE", help="write each game to a file too, as a record in form of PGN")


@contextmanager
def recording(options: Namespace, **headers: str) -> Iterator[Callable[[Game], object]]:
    """Yield a function that writes a game to the file that --record names, if it names one."""
    if options.record is None:
        yield lambda _: None
        return
    from solver.board.record import GameRecord

    with writable(options.record).open("w", encoding="utf-8") as file:
        yield lambda game: file.write(f"{GameRecord(game, headers)}\n\n")


def pool_of(options: Namespace) -> "Workers | None":
    """Return the workers that --jobs and --dask ask for; None if this process does the work. Raise BadOption."""
    jobs = within(options.jobs, 1, MAX_JOBS, "jobs")
    if options.dask is not None and jobs > 1:
        raise BadOption("Give --jobs or --dask, not both: a cluster has as many workers as were started.")
    if options.dask is not None:
        from solver.proofs.workers import cluster

        return cluster(options.dask)
    if jobs > 1:
        from solver.proofs.workers import processes

        return processes(jobs)
    return None
