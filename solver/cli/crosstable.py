"""`noughts crosstable`: every opponent against every other, exactly."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.board.notation import parse_rules
from solver.board.position import Result
from solver.cli.options import add_board, add_json

if TYPE_CHECKING:
    from solver.theory.crosstable import Crosstable


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("crosstable", help="the exact chances of every opponent against every other")
    add_board(command)
    add_json(command)
    command.set_defaults(run=_crosstable)


def _crosstable(options: argparse.Namespace) -> int:
    from solver.theory.crosstable import crosstable  # noqa: PLC0415 - with all opponents' decisions

    table = crosstable(parse_rules(options.board))
    if options.json:
        pairs = [
            {
                "x": x,
                "o": o,
                "x_wins": str(chances[Result.X]),
                "o_wins": str(chances[Result.O]),
                "draw": str(chances[Result.DRAW]),
            }
            | _points(table, (x, o))
            for (x, o), chances in table.chances.items()
        ]
        strengths = {player.name: str(table.strength(player.name)) for player in table.players}
        print(json.dumps({"board": str(table.rules), "pairs": pairs, "strengths": strengths}))
        return 0
    print("Expected score against all others, both sides: a win counts 1, a draw 1/2.")
    for player in sorted(table.players, key=lambda each: -table.strength(each.name)):
        strength = table.strength(player.name)
        print(f"{player.name:14} {float(strength):7.2%}  {strength}")
    return 0


def _points(table: "Crosstable", pair: tuple[str, str]) -> dict[str, str]:
    """What a pair expects where patterns are paid for; nothing on boards that have none."""
    from solver.board.rules import TIC_TAC_TOE  # noqa: PLC0415 - with all opponents' decisions

    if table.rules != TIC_TAC_TOE:
        return {}
    x, o = table.points[pair]
    return {"x_points": str(x), "o_points": str(o)}
