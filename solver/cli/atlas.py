"""The command `atlas`: what is proved and what is published of every board, and the file of it made again."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.cli.command import INTERRUPTED, Answer, command
from solver.cli.options import JSON, argument, budget_argument, parse_budget, writable
from solver.cli.progress import progress
from solver.cli.texts import table_text
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
    budget_argument("60s"),
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
    wanted = [rules for entry in entries if (rules := entry.rules)]
    code, proved, unproved = 0, 0, list[str]()
    try:
        with progress("boards proved") as show:
            for entry in made(path, wanted, budget):
                proved += entry.proof is not None
                unproved += [str(entry)] if entry.proof is None else []
                show(proved + len(unproved), len(wanted))
    except ValueError as error:
        raise BadOption(f"{path} is no atlas that one could go on with: {error}") from error
    except KeyboardInterrupt:
        code = INTERRUPTED
    report = {"file": str(path), "proved": proved, "unproved": unproved}
    left = f", not proved within the budget: {', '.join(unproved)}" if unproved else ""
    return Answer(report, [f"{path}: {proved} more boards proved{left}."], code).show(options.json)


def _printed(entries: "Sequence[Entry]") -> list[str]:
    titles = ("board", "outcome", "proof", "nodes", "seconds", "published")
    return table_text([titles, *map(_row, entries)], words=(0, 1, 2, 5))


def _row(entry: "Entry") -> tuple[str, ...]:
    from solver.board.position import Mark

    if entry.proof is None:
        found: tuple[str, ...] = ("unknown", "not proved here", "", "")
    else:
        found = (entry.outcome.words(Mark.X), str(entry.proof), f"{entry.nodes:,}", f"{entry.seconds:.2f}")
    said = entry.published
    differs = " (differs)" if entry.differs else ""
    return str(entry), *found, f"{said.value}{differs}: {said.source}" if said else ""
