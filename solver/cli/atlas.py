"""The commands on the atlas: `atlas` prints or makes it, `certify` writes a certificate, `check` verifies one."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from solver.board.notation import quoted
from solver.board.position import Position
from solver.board.rules import Rules
from solver.cli.command import (
    INTERRUPTED,
    JSON,
    UNFINISHED,
    Answer,
    argument,
    budget_argument,
    command,
    on_boards,
    parse_budget,
    within,
    writable,
)
from solver.cli.output import progress, table_text
from solver.errors import BadOption
from solver.report import atlas_report, start_report
from solver.search.budget import BudgetExhausted

if TYPE_CHECKING:
    from solver.atlas.entry import Entry


MEGABYTES: Final = 50
"""The default size limit of a certificate, in megabytes."""


class _TooLong(Exception):
    """The certificate is longer than its limit."""


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
    """Print the entries of the boards, or else make the atlas's file or complete it."""
    from solver.atlas.entry import atlas, entry_named

    entries = [entry_named(board) for board in options.boards] or [*atlas().values()]
    if options.make is not None:
        return _make_atlas(entries, options)
    return Answer(atlas_report(entries), _atlas_text(entries)).show(options.json)


def _make_atlas(entries: "Sequence[Entry]", options: Namespace) -> int:
    from solver.atlas.make import extend_atlas

    path, budget = writable(options.make), parse_budget(options.budget)
    listed = [each if each.rows <= each.columns else each.turned() for each in entries]
    wanted = dict.fromkeys((rules for each in listed if (rules := each.rules)), budget)
    tried: list[Entry] = []
    code = 0
    try:
        with progress("boards proved") as show:
            for entry in extend_atlas(path, wanted):
                tried.append(entry)
                show(len(tried), len(wanted))
    except ValueError as error:
        raise BadOption(f"{path} is no atlas that could be continued: {error}") from error
    except KeyboardInterrupt:
        code = INTERRUPTED
    unproved = [str(entry) for entry in tried if entry.proof is None]
    left = f", not proved within the budget: {', '.join(unproved)}" if unproved else ""
    text = f"{path}: {len(tried) - len(unproved)} more boards proved{left}."
    report = {"file": str(path)} | atlas_report(tried)
    return Answer(report, [text], code or (UNFINISHED if unproved else 0)).show(options.json)


def _atlas_text(entries: "Sequence[Entry]") -> list[str]:
    titles = ("board", "outcome", "proof", "nodes", "seconds", "published")
    return table_text([titles, *map(_row, entries)], words=(0, 1, 2, 5))


def _row(entry: "Entry") -> tuple[str, ...]:
    cost = (f"{entry.nodes:,}", f"{entry.seconds:.2f}") if entry.proof else ("", "")
    said, differs = entry.published, " (differs)" if entry.differs else ""
    published = f"{said.value}{differs}: {said.source}" if said else ""
    return str(entry), entry.words, entry.proof or "not proved here", *cost, published


@on_boards(
    "certify",
    "Writes a certificate of a board's outcome: what its strategies play, for `noughts check` to verify.",
    "noughts certify 4x4x4",
    argument("--output", metavar="FILE", help="the file to write (BOARD.jsonl in the current folder)"),
    argument("--limit", type=int, default=MEGABYTES, metavar="MB", help="how many megabytes it may have (%(default)s)"),
    budget_argument(""),
)
def certify_command(rules: Rules, options: Namespace) -> Answer:
    """Write the certificate, and move it into place once it is whole; `file` is null where it was given up."""
    from solver.atlas.certify import certificate
    from solver.atlas.entry import entry_of

    if options.on is options.board is None:
        raise BadOption("Name the board of the certificate, for example 4x4x4.")
    entry, budget = entry_of(rules.columns, rules.rows, rules.k), parse_budget(options.budget)
    if entry.proof is None:
        raise BadOption(f"{entry} is not proved here, so it cannot be certified.")
    path = writable(options.output or f"{entry}.jsonl")
    most = within(options.limit, 1, 1_000_000, "megabytes") * 1_000_000
    beside = path.with_name(f"{path.name}.new")
    lines = size = 0
    try:
        with beside.open("w", encoding="ascii") as file, progress("steps written") as show:
            for line in certificate(rules, entry.outcome, entry.pairs, budget):
                size += file.write(f"{line}\n")
                lines += 1
                if size > most:
                    raise _TooLong
                show(lines, None)
        beside.replace(path)
    except (_TooLong, BudgetExhausted) as stop:
        spent = f"larger than {most // 1_000_000} MB" if isinstance(stop, _TooLong) else "not done within the budget"
        given_up = f"the certificate of {rules} is {spent}; after {lines:,} lines it was given up."
        print(f"noughts: {given_up}", file=sys.stderr)
        return Answer({"file": None, "lines": lines, "bytes": size}, (), UNFINISHED)
    finally:
        beside.unlink(missing_ok=True)
    report = {"file": str(path), "lines": lines, "bytes": size}
    return Answer(report, [f"{path}: the certificate of {rules}, {lines:,} lines, {size:,} bytes."])


@command(
    "check",
    "Verifies a certificate by the rules of the game alone.",
    "noughts check 4x4x4.jsonl",
    argument("file", metavar="FILE", help="what `noughts certify` has written, or any other program"),
    JSON,
)
def check_command(options: Namespace) -> int:
    """Exit with 0 if the file proves its claim, else with 1."""
    from solver.atlas.check import Flaw, checked, read_certificate

    path = Path(options.file)
    if not path.is_file():
        raise BadOption(f"There is no file {quoted(options.file, 200)}.")
    with path.open(encoding="utf-8", errors="replace") as lines:
        certificate = read_certificate(lines)
    try:
        verdict, code = checked(certificate), 0
    except Flaw as flaw:
        verdict, code = f"Not proved: {flaw}", 1
    found = {"file": options.file, "proved": not code, "verdict": verdict}
    return Answer(start_report(Position(certificate.rules)) | found, [verdict], code).show(options.json)
