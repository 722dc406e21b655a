"""The command `atlas`: what is proved and what is published of every board, and the file of it made again."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.cli.command import (
    INTERRUPTED,
    JSON,
    UNFINISHED,
    Answer,
    argument,
    budget_argument,
    command,
    parse_budget,
    writable,
)
from solver.cli.output import progress, table_text
from solver.errors import BadOption
from solver.report import atlas_report

if TYPE_CHECKING:
    from solver.atlas.entry import Entry


@command(
    "atlas",
    "Says who wins on every board up to 8x8, how that is proved, and what is published of it.",
    "noughts atlas 7x4x4 6x5x4 8x8x5",
    argument("boards", nargs="*", metavar="BOARD", help="the boards, as columns x rows x in a row (all of them)"),
    argument(
        "--make",
        metavar="FILE",
        help="print none, but prove the boards and write them to a file; what it has already is not proved again",
    ),
    budget_argument(""),
    JSON,
)
def atlas_command(options: Namespace) -> int:
    """The entries of the boards, or else the atlas's file, made again or gone on with."""
    from solver.atlas.boards import atlas, entry_named

    entries = [entry_named(board) for board in options.boards] or [*atlas().values()]
    if options.make is not None:
        return _make(entries, options)
    return Answer(atlas_report(entries), _printed(entries)).show(options.json)


def _make(entries: "Sequence[Entry]", options: Namespace) -> int:
    from solver.atlas.make import made

    path, budget = writable(options.make), parse_budget(options.budget)
    listed = [each if each.rows <= each.columns else each.turned() for each in entries]
    wanted = dict.fromkeys((rules for each in listed if (rules := each.rules)), budget)
    tried: list[Entry] = []
    code = 0
    try:
        with progress("boards proved") as show:
            for entry in made(path, wanted):
                tried.append(entry)
                show(len(tried), len(wanted))
    except ValueError as error:
        raise BadOption(f"{path} is no atlas that one could go on with: {error}") from error
    except KeyboardInterrupt:
        code = INTERRUPTED
    unproved = [str(entry) for entry in tried if entry.proof is None]
    left = f", not proved within the budget: {', '.join(unproved)}" if unproved else ""
    text = f"{path}: {len(tried) - len(unproved)} more boards proved{left}."
    report = {"file": str(path)} | atlas_report(tried)
    return Answer(report, [text], code or (UNFINISHED if unproved else 0)).show(options.json)


def _printed(entries: "Sequence[Entry]") -> list[str]:
    titles = ("board", "outcome", "proof", "nodes", "seconds", "published")
    return table_text([titles, *map(_row, entries)], words=(0, 1, 2, 5))


def _row(entry: "Entry") -> tuple[str, ...]:
    cost = (f"{entry.nodes:,}", f"{entry.seconds:.2f}") if entry.proof else ("", "")
    said, differs = entry.published, " (differs)" if entry.differs else ""
    published = f"{said.value}{differs}: {said.source}" if said else ""
    return str(entry), entry.words, entry.proof or "not proved here", *cost, published
