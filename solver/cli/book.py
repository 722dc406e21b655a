"""`noughts book`: builds a book, the file of proofs of all openings that a store looks up."""

import argparse
import os
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.board.notation import parse_rules, quoted
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.cli.options import add_workers, pool_of
from solver.cli.progress import progress
from solver.errors import BadOption

if TYPE_CHECKING:
    from solver.proofs.workers import Workers


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("book", help="prove all positions with few stones and write them to a file")
    command.add_argument("board", metavar="BOARD", help="columns x rows x in a row, for example 5x4x4")
    command.add_argument("--stones", type=int, required=True, metavar="N", help="how many stones a position may have")
    command.add_argument("--output", metavar="FILE", help="the file to write (BOARD.sqlite in the current folder)")
    add_workers(command)
    command.set_defaults(run=_book)


def _book(options: argparse.Namespace) -> int:
    from solver.proofs.book import openings  # noqa: PLC0415 - the kernel and SQLite, which other commands do without
    from solver.proofs.file import TROUBLE, write_book  # noqa: PLC0415

    rules = parse_rules(options.board)
    path = _writable(options.output or f"{rules}.sqlite")
    positions, pool = openings(rules, options.stones), pool_of(options)
    found: dict[Position, Bounds] = {}
    with closing(_proofs(positions, pool)) as answers, progress("positions proved") as show:
        for position, bounds in answers:
            found[position] = bounds
            show(len(found), len(positions))
    try:
        write_book(path, found)
    except TROUBLE as error:
        raise OSError(f"{path} cannot be written: {error}") from error
    print(f"{path}: {len(found)} positions of {rules} with up to {options.stones} stones.")
    return 0


def _writable(name: str) -> Path:
    """The path of a file that can be written, as far as can be seen before. Raises BadOption."""
    path = Path(name)
    if "\0" in name or path.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
        raise BadOption(f"{quoted(name, 200)} cannot be written. Name a file in a folder of yours that exists.")
    return path


def _proofs(positions: Sequence[Position], pool: "Workers | None") -> Generator[tuple[Position, Bounds], None, None]:
    from solver.proofs.book import proved  # noqa: PLC0415 - likewise
    from solver.proofs.workers import narrowing_by  # noqa: PLC0415
    from solver.search.budget import UNLIMITED, Meter  # noqa: PLC0415
    from solver.search.exact import at_first  # noqa: PLC0415

    if pool is None:
        yield from proved(positions)
        return
    known = {position: at_first(position) for position in positions}
    with closing(narrowing_by(pool, known, Meter(UNLIMITED))) as answers:
        for position, bounds in answers:
            if bounds.score is not None:
                yield position, bounds
