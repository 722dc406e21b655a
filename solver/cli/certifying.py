"""The commands `certify`, which writes how a board's outcome is brought about, and `check`, which verifies that."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from solver.board.notation import quoted
from solver.cli.command import Answer, command
from solver.cli.options import JSON, argument, budget_argument, parse_budget, within, writable
from solver.cli.progress import progress
from solver.errors import BadOption
from solver.search.budget import BudgetExhausted

MEGABYTES: Final = 50
"""The largest certificate that is written by default."""

UNFINISHED: Final = 3
"""The exit code where the limit or the budget ended before the certificate did, as that of `verify`."""


class _TooLong(Exception):
    """The certificate would be longer than is wished."""


@command(
    "certify",
    "Writes a certificate of a board's outcome: what its strategies play, for `noughts check` to verify.",
    "noughts certify 4x4x4",
    argument("board", metavar="BOARD", help="a board that the atlas has proved, for example 5x5x4"),
    argument("--output", metavar="FILE", help="the file to write (BOARD.jsonl in the current folder)"),
    argument("--limit", type=int, default=MEGABYTES, metavar="MB", help="how many megabytes it may have (%(default)s)"),
    budget_argument(""),
    JSON,
)
def certify_command(options: Namespace) -> int:
    """Writes the file, and puts it in its place once it is whole."""
    from solver.atlas.boards import entry_named
    from solver.atlas.certify import certificate

    entry, budget = entry_named(options.board), parse_budget(options.budget)
    if entry.rules is None:
        raise BadOption(f"No line fits on {entry}: it is a draw, and there is nothing to certify.")
    if entry.proof is None:
        raise BadOption(f"{entry} is not proved here, so that nothing of it can be certified.")
    path = writable(options.output or f"{entry}.jsonl")
    most = within(options.limit, 1, 1_000_000, "megabytes") * 1_000_000
    beside = path.with_name(f"{path.name}.new")
    lines = size = 0
    try:
        with beside.open("w", encoding="ascii") as file, progress("steps written") as show:
            for line in certificate(entry.rules, entry.outcome, entry.pairs, budget):
                size += file.write(f"{line}\n")
                lines += 1
                if size > most:
                    raise _TooLong
                show(lines, None)
        beside.replace(path)
    except (_TooLong, BudgetExhausted) as stop:
        spent = f"larger than {most // 1_000_000} MB" if isinstance(stop, _TooLong) else "not done within the budget"
        print(
            f"noughts: the certificate of {entry} is {spent}; after {lines:,} lines it was given up.", file=sys.stderr
        )
        return UNFINISHED
    finally:
        beside.unlink(missing_ok=True)
    report = {"board": str(entry), "file": str(path), "lines": lines, "bytes": size}
    return Answer(report, [f"{path}: the certificate of {entry}, {lines:,} lines, {size:,} bytes."]).show(options.json)


@command(
    "check",
    "Verifies a certificate by the rules of the game alone.",
    "noughts check 4x4x4.jsonl",
    argument("file", metavar="FILE", help="what `noughts certify` has written, or any other program"),
    JSON,
)
def check_command(options: Namespace) -> int:
    """Exits with 0 where the file proves its claim, and with 1 where it does not."""
    from solver.atlas.check import Flaw, checked

    path = Path(options.file)
    if not path.is_file():
        raise BadOption(f"There is no file {quoted(options.file, 200)}.")
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            verdict, code = checked(lines), 0
    except Flaw as flaw:
        verdict, code = f"Not proved: {flaw}", 1
    return Answer({"file": options.file, "proved": not code, "verdict": verdict}, [verdict], code).show(options.json)
