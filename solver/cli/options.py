"""What several commands share: options, and how a budget and a number of workers are written."""

import argparse
import re
from typing import TYPE_CHECKING

from solver.board.game import parse_game
from solver.board.notation import quoted
from solver.board.position import Position
from solver.errors import BadOption
from solver.search.budget import UNLIMITED, Budget

if TYPE_CHECKING:
    from solver.proofs.workers import Workers

MAX_JOBS = 256

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(?P<seconds>\d{1,9}(?:\.\d{1,9})?)(?P<unit>ms|s|m|h)|(?P<nodes>\d{1,15})n?", re.ASCII)


def add_board(command: argparse.ArgumentParser) -> None:
    """Adds --board."""
    command.add_argument("--board", default="3x3x3", help="columns x rows x in a row, for example 5x4x4 (%(default)s)")


def add_start(command: argparse.ArgumentParser) -> None:
    """Adds --from, as `start`."""
    command.add_argument("--from", dest="start", metavar="POSITION", help="the position to start from")


def add_moves(command: argparse.ArgumentParser) -> None:
    """Adds --moves."""
    command.add_argument("--moves", default="", help="moves to play from the position first, for example b2a1")


def add_position(command: argparse.ArgumentParser, more: str = "(the empty board)") -> None:
    """Adds --board, a position as an argument or with --from, and --moves, for `position_of`.

    `more` is what the argument's help adds.
    """
    add_board(command)
    command.add_argument("position", nargs="?", help=f"rows from the top, for example X.O/.X./..O {more}")
    add_start(command)
    add_moves(command)


def asked_start(options: argparse.Namespace) -> str | None:
    """The position that was given in either of the two ways, None for neither. Raises BadOption for both."""
    if options.position is not None and options.start is not None:
        raise BadOption("Give the position once: as an argument or with --from.")
    start: str | None = options.start if options.position is None else options.position
    return start


def position_of(options: argparse.Namespace) -> Position:
    """The position that the options of `add_position` name. Raises NoughtsError."""
    return parse_game(options.board, asked_start(options), options.moves).last


def add_seed(command: argparse.ArgumentParser) -> None:
    """Adds --seed."""
    command.add_argument("--seed", help="fixes every random choice, so that a run can be repeated")


def add_json(command: argparse.ArgumentParser) -> None:
    """Adds --json."""
    command.add_argument("--json", action="store_true", help="print JSON")


def add_budget(command: argparse.ArgumentParser, usual: str) -> None:
    """Adds --budget, for `parse_budget`."""
    shown = usual or "as much as it takes"
    command.add_argument(
        "--budget", default=usual, help=f"seconds, nodes or both, for example 60s, 2m, 100000n or 60s,100000n ({shown})"
    )


def add_workers(command: argparse.ArgumentParser) -> None:
    """Adds --jobs and --dask, for `pool_of`."""
    command.add_argument("--jobs", type=int, default=1, metavar="N", help="prove with so many processes (%(default)s)")
    command.add_argument("--dask", metavar="ADDRESS", help="prove with the workers of the Dask scheduler there")


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


def pool_of(options: argparse.Namespace) -> "Workers | None":
    """The workers that --jobs and --dask ask for; None where this process is to do the work. Raises BadOption."""
    if not 1 <= options.jobs <= MAX_JOBS:
        raise BadOption(f"There can be 1 to {MAX_JOBS} jobs, not {options.jobs}.")
    if options.dask is not None and options.jobs > 1:
        raise BadOption("Give --jobs or --dask, not both: a cluster has as many workers as were started.")
    if options.dask is not None:
        from solver.proofs.cluster import cluster  # noqa: PLC0415 - the kernel and Dask, for those who ask for them

        return cluster(options.dask)
    if options.jobs > 1:
        from solver.proofs.workers import processes  # noqa: PLC0415 - the kernel

        return processes(options.jobs)
    return None
