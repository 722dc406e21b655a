"""`noughts openings`: the first two moves, what they are worth, and every way to punish a bad reply by force."""

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from solver.board.notation import format_cell, format_moves, format_position, parse_rules
from solver.board.rules import Rules
from solver.cli.options import add_board, add_json

if TYPE_CHECKING:
    from solver.theory.openings import Move, Opening

WINNERS = {1: "X", 0: "draw", -1: "O"}


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("openings", help="value the first two moves and list all forced wins after them")
    add_board(command)
    add_json(command)
    command.set_defaults(run=_openings)


def _openings(options: argparse.Namespace) -> int:
    from solver.theory.openings import openings  # noqa: PLC0415 - the theory, for those who ask for it

    rules = parse_rules(options.board)
    found = openings(rules)
    if options.json:
        print(json.dumps(_report(rules, found), ensure_ascii=False))
    else:
        print("\n".join(_text(rules, found)))
    return 0


def _report(rules: Rules, found: tuple["Opening", ...]) -> dict[str, Any]:
    """The openings as plain data. `outcome` is who wins by perfect play; `ways` are distinct, `moves` symmetric."""
    return {
        "board": str(rules),
        "openings": [
            {"name": opening.name, **_move(opening.move), "replies": [_reply(reply) for reply in opening.replies]}
            for opening in found
        ],
    }


def _move(move: "Move") -> dict[str, Any]:
    rules = move.position.rules
    return {
        "move": format_cell(move.cell, rules),
        "moves": [format_cell(cell, rules) for cell in move.cells],
        "position": format_position(move.position),
        "outcome": WINNERS[move.worth],
    }


def _reply(reply: "Move") -> dict[str, Any]:
    from solver.theory.openings import distinct_ways  # noqa: PLC0415 - the theory, for those who ask for it

    ways = distinct_ways(reply.position) if reply.worth == 1 else ()
    rules = reply.position.rules
    return _move(reply) | {
        "ways": [{"moves": format_moves(way.moves, rules), "fork": format_position(way.fork)} for way in ways]
    }


def _text(rules: Rules, found: tuple["Opening", ...]) -> Iterator[str]:
    for opening in found:
        yield f"{opening.name}: {len(opening.losing)} of {len(opening.replies)} distinct replies lose"
        for reply in map(_reply, opening.replies):
            outcome = "draw" if reply["outcome"] == "draw" else f"{reply['outcome']} wins"
            ways = ", ".join(way["moves"] for way in reply["ways"])
            yield f"  {format_cell(opening.move.cell, rules)} {reply['move']}  {outcome}{': ' if ways else ''}{ways}"
