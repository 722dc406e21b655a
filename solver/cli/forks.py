"""`noughts forks`: every forked position of a board up to symmetry, whose it is, and where it threatens."""

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from solver.board.notation import format_cell, format_position, parse_rules
from solver.cli.options import add_board, add_json

if TYPE_CHECKING:
    from solver.theory.forks import Fork


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("forks", help="list every position with two threats at once")
    add_board(command)
    command.add_argument("--forced", action="store_true", help="only of play in which both win or block where they can")
    add_json(command)
    command.set_defaults(run=_forks)


def _forks(options: argparse.Namespace) -> int:
    from solver.theory.forks import forks  # noqa: PLC0415 - the theory, for those who ask for it

    rules = parse_rules(options.board)
    found = forks(rules, options.forced)
    if options.json:
        print(json.dumps({"board": str(rules), "forced": options.forced, "forks": [_report(each) for each in found]}))
    else:
        print("\n".join(_text(found)))
    return 0


def _report(fork: "Fork") -> dict[str, Any]:
    """A fork as plain data; `ply` is the number of stones, and `side` has made the threats."""
    return {
        "ply": fork.ply,
        "side": str(fork.owner),
        "position": format_position(fork.position),
        "threats": [format_cell(cell, fork.position.rules) for cell in fork.threats],
    }


def _text(found: tuple["Fork", ...]) -> Iterator[str]:
    from solver.theory.forks import by_ply  # noqa: PLC0415 - the theory, for those who ask for it

    yield f"{len(found):,} forks up to symmetry; no order of moves, and no turned or mirrored board, counts twice."
    for ply, group in by_ply(found).items():
        yield f"Ply {ply}: {len(group):,} of {group[0].owner}"
        for fork in map(_report, group):
            yield f"  {fork['position']}  {' '.join(fork['threats'])}"
