"""The commands `certify`, which writes how a board's outcome is brought about, and `check`, which verifies that."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from solver.board.notation import quoted
from solver.board.position import Position
from solver.board.rules import Rules
from solver.cli.command import (
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
from solver.cli.output import progress
from solver.errors import BadOption
from solver.report import start_report
from solver.search.budget import BudgetExhausted

MEGABYTES: Final = 50
"""The largest certificate that is written by default."""


class _TooLong(Exception):
    """The certificate would be longer than is wished."""


@on_boards(
    "certify",
    "Writes a certificate of a board's outcome: what its strategies play, for `noughts check` to verify.",
    "noughts certify 4x4x4",
    argument("--output", metavar="FILE", help="the file to write (BOARD.jsonl in the current folder)"),
    argument("--limit", type=int, default=MEGABYTES, metavar="MB", help="how many megabytes it may have (%(default)s)"),
    budget_argument(""),
)
def certify_command(rules: Rules, options: Namespace) -> Answer:
    """Writes the file, and puts it in its place once it is whole; `file` is null where it was given up."""
    from solver.atlas.boards import entry_of
    from solver.atlas.certify import certificate

    if options.on is options.board is None:
        raise BadOption("Name the board of the certificate, for example 4x4x4.")
    entry, budget = entry_of(rules.columns, rules.rows, rules.k), parse_budget(options.budget)
    if entry.proof is None:
        raise BadOption(f"{entry} is not proved here, so that nothing of it can be certified.")
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
    """Exits with 0 where the file proves its claim, and with 1 where it does not."""
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
