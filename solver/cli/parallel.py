"""`noughts parallel`: every square of a position one after another, and by several processes at once, timed."""

import argparse
import json
from typing import Any

from solver.board.game import parse_game
from solver.cli.options import MAX_JOBS, add_board, add_json, add_moves, add_start
from solver.errors import BadOption


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("parallel", help="time the evaluation of all squares, serial against parallel")
    command.add_argument("argument", metavar="BOARD", nargs="?", help="the board, as with --board")
    add_board(command)
    add_start(command)
    add_moves(command)
    command.add_argument("--jobs", type=int, default=2, metavar="N", help="so many processes (%(default)s)")
    add_json(command)
    command.set_defaults(run=_parallel)


def _parallel(options: argparse.Namespace) -> int:
    from solver.theory.parallel_squares import compare  # noqa: PLC0415 - the kernel and the processes

    position = parse_game(options.argument or options.board, options.start, options.moves).last
    if not 1 <= options.jobs <= MAX_JOBS:
        raise BadOption(f"There can be 1 to {MAX_JOBS} jobs, not {options.jobs}.")
    if position.result is not None:
        raise BadOption("The game is over; name a position with open squares.")
    found = compare(position, options.jobs)
    if options.json:
        report = {
            "board": str(position.rules),
            "squares": len(position.legal_moves),
            "jobs": found.jobs,
            "serial": {"nodes": found.serial.nodes, "seconds": found.serial.seconds},
            "parallel": {"nodes": found.parallel.nodes, "seconds": found.parallel.seconds},
            "starting": found.starting,
            "speedup": found.speedup,
            "speedup_with_start": found.speedup_with_start,
            "pays": found.pays,
        }
        print(json.dumps(report))
        return 0
    print(f"{len(position.legal_moves)} squares of {position.rules}")
    print(f"one after another: {found.serial.nodes:,} nodes, {found.serial.seconds:.2f} s")
    print(
        f"{found.jobs} processes: {found.parallel.nodes:,} nodes, {found.parallel.seconds:.2f} s,"
        f" {found.speedup:.2f} times as fast"
    )
    print(f"starting them: {found.starting:.2f} s; with that {found.speedup_with_start:.2f} times as fast")
    print("So it pays here." if found.pays else "So it does not pay here.")
    return 0
