"""`noughts census`: how large the game tree is, ply by ply and stage by stage."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.commands.options import add_board, add_json
from solver.errors import BadOption
from solver.notation import parse_rules, quoted

if TYPE_CHECKING:
    from solver.theory.census import Census

COLUMNS = {
    "internal": "internal",
    "forks": "of them forks",
    "x_wins": "X wins",
    "o_wins": "O wins",
    "draws": "draws",
    "total": "total",
    "duplicates": "duplicates",
    "symmetric": "symmetric",
}
"""What is printed of each ply, by the names of the JSON."""


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("census", help="count the nodes of the game tree by ply")
    add_board(command)
    command.add_argument(
        "--stage",
        dest="stages",
        action="append",
        metavar="STAGE",
        help="upper-bound, won-cut, duplicates, symmetry or forced; may be given several times (all)",
    )
    add_json(command)
    command.set_defaults(run=_census)


def _census(options: argparse.Namespace) -> int:
    from solver.theory.census import Stage, census, census_report  # noqa: PLC0415 - other commands do without

    rules = parse_rules(options.board)
    names = options.stages or list(Stage)
    for name in names:
        if name not in list(Stage):
            raise BadOption(f"There is no stage {quoted(name)}. The stages are {', '.join(Stage)}.")
    counted = [census(rules, Stage(name)) for name in names]
    if options.json:
        print(json.dumps({"board": str(rules), "stages": [census_report(each) for each in counted]}))
    else:
        print("\n\n".join(_table(each) for each in counted))
    return 0


def _table(counted: "Census") -> str:
    """One stage: its title and number of nodes, what it counts, a line a ply; columns that say nothing are left out."""
    from solver.theory.census import Stage, distinct_upper_bound, duplication  # noqa: PLC0415

    rows = [[getattr(tally, name) for name in COLUMNS] for tally in (*counted.plies, counted.sum)]
    labels = [*(str(tally.ply) for tally in counted.plies), "all"]
    shown = [number for number, name in enumerate(COLUMNS) if _is_shown(counted, name)]
    titles = ["ply", *(list(COLUMNS.values())[number] for number in shown)]
    lines = [[label, *(row[number] for number in shown)] for label, row in zip(labels, rows, strict=True)]
    if counted.stage is Stage.UPPER_BOUND:
        distinct = distinct_upper_bound(counted.rules)
        titles += ["orders a position", "positions"]
        for line, ply, positions in zip(lines, range(len(distinct)), distinct, strict=False):
            line += [duplication(ply), positions]
        lines[-1] += ["", sum(distinct)]
    cells = [titles, *([f"{cell:,}" if isinstance(cell, int) else cell for cell in line] for line in lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    table = ("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in cells)
    heading = f"{counted.stage} on {counted.rules}: {counted.nodes:,} nodes. {counted.stage.meaning}"
    return "\n".join((heading, *table))


def _is_shown(counted: "Census", name: str) -> bool:
    """Whether a column is printed: where nobody wins, only the total says anything."""
    return name == "total" if counted.stage == "upper-bound" else any(getattr(each, name) for each in counted.plies)
