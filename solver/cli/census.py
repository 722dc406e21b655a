"""`noughts census`: how large the game tree is, ply by ply and stage by stage."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.board.notation import parse_rules, quoted
from solver.cli.options import add_board, add_json
from solver.cli.texts import table_text
from solver.errors import BadOption

if TYPE_CHECKING:
    from solver.theory.census import Census


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
    """One stage: its number of nodes, what it counts, and a line a ply."""
    from solver.theory.census import census_table  # noqa: PLC0415 - other commands do without

    titles, rows = census_table(counted)
    heading = f"{counted.stage} on {counted.rules}: {counted.nodes:,} nodes. {counted.stage.meaning}"
    return "\n".join((heading, *table_text((titles, *rows))))
