"""The command that writes positions with their outcomes, as data for other programs."""

import csv
import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final

import solver
from solver.board.rules import Rules
from solver.cli.command import (
    BOARD,
    SEED,
    UNFINISHED,
    argument,
    budget_argument,
    command,
    parse_budget,
    rules_named,
    writable,
)
from solver.cli.output import progress
from solver.errors import BadOption

FORMATS: Final = ("jsonl", "csv")


@command(
    "dataset",
    "Writes the positions of a board with their outcomes and best squares, one a line, as data.",
    "noughts dataset 3x3x3 --format csv",
    *BOARD,
    argument("--sample", type=int, metavar="N", help="take N different positions of random games (all positions)"),
    SEED,
    argument("--format", choices=FORMATS, default="jsonl", help="JSON lines, or CSV with titles (%(default)s)"),
    argument("--card", metavar="FILE", help="write a Markdown file that says what the data are and how they were made"),
    budget_argument("20000n"),
)
def dataset_command(options: Namespace) -> int:
    """Print each position as soon as it is searched. The budget is for one position."""
    from solver.analysis.dataset import COLUMNS, every_position, row_of, sampled_positions
    from solver.proofs.predict import predict

    rules, budget = rules_named(options), parse_budget(options.budget)
    if options.sample is None and options.seed is not None:
        raise BadOption("A seed belongs to a sample: name its size with --sample.")
    card = writable(options.card) if options.card else None
    sample = options.sample
    positions = every_position(rules) if sample is None else sampled_positions(rules, sample, options.seed)
    digest, outcomes = sha256(), Counter[str]()
    write: Callable[[dict[str, Any]], str] = json.dumps if options.format == "jsonl" else _csv_line

    def lines() -> Iterator[str]:
        if options.format == "csv":
            yield _csv_line({name: name for name in COLUMNS})
        with progress("positions") as show:
            for position in positions:
                row = row_of(predict(position, budget))
                outcomes[row["outcome"]] += 1
                show(outcomes.total(), sample)
                yield write(row)

    for line in lines():
        print(line)
        digest.update(f"{line}\n".encode())
    sys.stdout.flush()
    if card is not None:
        card.write_text(_card(rules, options, outcomes, digest.hexdigest()), encoding="utf-8")
    if sample is not None and outcomes.total() < sample:
        print(f"noughts: only {outcomes.total():,} different positions of {rules} were found.", file=sys.stderr)
        return UNFINISHED
    return 0


class _Line:
    """A file of one line, which `csv` writes to."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text


def _csv_line(row: dict[str, Any]) -> str:
    line = _Line()
    csv.writer(line, lineterminator="").writerow(map(_field, row.values()))
    return line.text


def _field(value: object) -> object:
    """Return a value as CSV writes it: words side by side, and true and false as in JSON."""
    match value:
        case list():
            return " ".join(value)
        case bool():
            return json.dumps(value)
        case _:
            return value


def _card(rules: Rules, options: Namespace, outcomes: Counter[str], digest: str) -> str:
    """Return the card as Markdown."""
    from solver.analysis.dataset import COLUMNS

    chosen, again = "Every position that games on this board reach, those with fewer stones first.", ""
    if options.sample is not None:
        again = f" --sample {options.sample}" + (f" --seed {options.seed}" if options.seed is not None else "")
        chosen = "A sample of different positions: each ends a random number of random moves from the empty board."
    counts = ", ".join(f"{outcome} {number:,}" for outcome, number in sorted(outcomes.items()))
    return "\n".join(
        (
            f"# Positions of {rules} with their outcomes",
            "",
            f"{chosen} {outcomes.total():,} positions: {counts}.",
            "",
            "Every outcome is proved; what could not be proved within the budget of one position is `unknown`, and"
            " `complete` is false.",
            "",
            *(f"- `{name}`: {meaning}" for name, meaning in COLUMNS.items()),
            "",
            f"Made by Noughts {solver.__version__}:",
            "",
            f"    noughts dataset {rules}{again} --format {options.format} --budget {options.budget}",
            "",
            f"SHA-256 of the data: `{digest}`",
            "",
        )
    )
