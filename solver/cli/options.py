"""The arguments that several commands share, and how positions, budgets and numbers of workers are written."""

import os
import re
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from solver.board.game import Game
from solver.board.notation import parse_rules, quoted
from solver.board.pasted import read_fields, read_pasted
from solver.board.rules import DEFAULT_BOARD, Rules
from solver.errors import BadOption
from solver.search.budget import UNLIMITED, Budget

if TYPE_CHECKING:
    from pathlib import Path

    from solver.proofs.workers import Workers

MAX_JOBS: Final = 256

_LIKE_A_BOARD = re.compile(r"\d+(x\d+)+", re.ASCII | re.IGNORECASE)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(?P<seconds>\d{1,9}(?:\.\d{1,9})?)(?P<unit>ms|s|m|h)|(?P<nodes>\d{1,15})n?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a command, as argparse is told of it."""

    names: tuple[str, ...]
    settings: Mapping[str, Any]


def argument(*names: str, **settings: Any) -> Argument:
    """An argument with what `add_argument` takes."""
    return Argument(names, settings)


BOARD_OPTION: Final = argument(
    "--board", metavar="BOARD", help=f"columns x rows x in a row, for example 5x4x4 ({DEFAULT_BOARD})"
)

BOARD: Final = (argument("on", nargs="?", metavar="BOARD", help="the board, as with --board"), BOARD_OPTION)
"""A board as an argument or an option, for `rules_named`."""

POSITION: Final = (
    argument(
        "position",
        nargs="?",
        metavar="POSITION|BOARD",
        help="rows from the top, for example X.O/.X./..O, a game's link or moves, or a board such as 4x3x3 for its"
        " empty position; - reads one a line (the empty board)",
    ),
    BOARD_OPTION,
    argument("--from", dest="start", metavar="POSITION", help="the position, if it is not the argument"),
    argument("--moves", default="", help="moves to play from the position first, for example b2a1"),
)
"""A position as an argument or an option, its board, and moves to play from it, for `asked` and `game_named`."""

SEED: Final = argument("--seed", help="fixes every random choice, so that a run can be repeated")
JSON: Final = argument("--json", action="store_true", help="print JSON")

WORKERS: Final = (
    argument("--jobs", type=int, default=1, metavar="N", help="prove with so many processes (%(default)s)"),
    argument("--dask", metavar="ADDRESS", help="prove with the workers of the Dask scheduler there"),
)
"""How many processes prove, for `pool_of`."""


def budget_argument(default: str) -> Argument:
    """--budget, for `parse_budget`; an empty default is a budget without a limit."""
    shown = default or "as much as it takes"
    return argument(
        "--budget",
        default=default,
        help=f"seconds, nodes or both, for example 60s, 2m, 100000n or 60s,100000n ({shown})",
    )


def is_board(text: str) -> bool:
    """Whether a text has the form of a board: an x between numbers, which no position has."""
    return _LIKE_A_BOARD.fullmatch(text.strip()) is not None


def rules_named(options: Namespace) -> Rules:
    """The board that the options of `BOARD` name. Raises NoughtsError."""
    board = _board(options.on, options.board)
    return parse_rules(DEFAULT_BOARD if board is None else board)


def asked(options: Namespace, line: str | None = None) -> tuple[str | None, str | None]:
    """The board and the position that the options of `POSITION` name, None for what they leave out.

    A line of a stream takes the place of the option that is `-`. Raises BadOption for what is given twice.
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
    """The game on this board, from this position, with these moves, each as people paste it. Raises NoughtsError."""
    if start is not None and not start.strip():
        read_pasted(start)  # which says what to write
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
    """The budget that a text such as `60s`, `2m`, `500ms`, `100000n` or `60s,100000n` names. Raises BadOption.

    A number without a unit counts nodes, and an empty text is a budget without a limit.
    """
    if not text:
        return UNLIMITED
    parts = [_PART.fullmatch(part.strip()) for part in text.split(",")]
    found = [part for part in parts if part is not None]
    seconds = [float(part["seconds"]) * _SECONDS[part["unit"]] for part in found if part["seconds"]]
    nodes = [int(part["nodes"]) for part in found if part["nodes"]]
    if len(found) < len(parts) or len(seconds) > 1 or len(nodes) > 1:
        raise BadOption(
            f"{quoted(text)} is no budget. Write seconds, nodes or both, for example 60s, 2m, 500ms, 100000n or"
            " 60s,100000n."
        )
    return Budget(nodes[0] if nodes else None, seconds[0] if seconds else None)


def within(number: int, least: int, most: int, what: str) -> int:
    """The number, if it is in the range. Raises BadOption, e.g. "There can be 1 to 256 jobs, not 0."."""
    if not least <= number <= most:
        raise BadOption(f"There can be {least} to {most} {what}, not {number}.")
    return number


def writable(name: str) -> "Path":
    """The path of a file that can be written, as far as can be seen before. Raises BadOption."""
    from pathlib import Path

    path = Path(name)
    if "\0" in name or path.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadOption(f"{quoted(name, 200)} cannot be written. Name a file in a folder of yours that exists.")
    return path


def pool_of(options: Namespace) -> "Workers | None":
    """The workers that --jobs and --dask ask for; None where this process is to do the work. Raises BadOption."""
    jobs = within(options.jobs, 1, MAX_JOBS, "jobs")
    if options.dask is not None and jobs > 1:
        raise BadOption("Give --jobs or --dask, not both: a cluster has as many workers as were started.")
    if options.dask is not None:
        from solver.proofs.cluster import cluster

        return cluster(options.dask)
    if jobs > 1:
        from solver.proofs.workers import processes

        return processes(jobs)
    return None
