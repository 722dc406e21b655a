"""The command `drills`: positions with a task, from easy to hard or chosen by a seed."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from solver.board.notation import few_cells, format_position
from solver.board.position import Position
from solver.cli.command import BOARD_OPTION, JSON, Answer, argument, command, is_board, rules_named, writable
from solver.errors import BadOption
from solver.report import drills_report, start_report

if TYPE_CHECKING:
    from solver.analysis.drills import Drill


@command(
    "drills",
    "Sets drills: positions with a task, such as the only move that holds, for either side.",
    "noughts drills --kind only-move --seed 1 --count 2 --answers",
    argument(
        "on",
        nargs="?",
        metavar="BOARD|ID",
        help="the board, as with --board, or one drill by its id, such as 3x3x3-X.O_.X._..O-block",
    ),
    BOARD_OPTION,
    argument("--kind", help="win-now, block, fork, stop-fork, only-move, win-in-n or evaluate (all)"),
    argument("--seed", help="shuffles them, the same way each time (from easy to hard)"),
    argument("--count", type=int, metavar="N", help="set so many at most (all)"),
    argument("--answers", action="store_true", help="print the answers too; JSON has them always"),
    argument(
        "--make",
        metavar="FILE",
        help="set none, but search for positions of this board that make drills, and write them to a file",
    ),
    JSON,
)
def drills_command(options: Namespace) -> int:
    """The drills of a board, or the one with an id; or else the file of a board's positions, made again."""
    if options.make is not None:
        return _make(options)
    found = _found(options)
    rules = found[0].position.rules if found else rules_named(options)
    return Answer(drills_report(rules, found), _printed(found, options.answers)).show(options.json)


def _found(options: Namespace) -> "Sequence[Drill]":
    from solver.analysis.drills import drill_of, drills, kind_named

    if options.on is None or is_board(options.on):
        kind = None if options.kind is None else kind_named(options.kind)
        return drills(rules_named(options), kind, options.seed, options.count)
    if any(given is not None for given in (options.board, options.kind, options.seed, options.count)):
        raise BadOption("An id names one drill: leave --board, --kind, --seed and --count out.")
    return (drill_of(options.on),)


def _make(options: Namespace) -> int:
    from solver.analysis.drills.make import lines

    if options.on is options.board is None:
        raise BadOption("Name the board, for example 4x4x4.")
    rules, path = rules_named(options), writable(options.make)
    made = [*lines(rules)]
    path.write_text("".join(f"{line}\n" for line in made), encoding="ascii")
    number = sum(not line.startswith("#") for line in made)
    report = start_report(Position(rules)) | {"file": str(path), "positions": number}
    return Answer(report, [f"{path}: {number} positions of {rules} that make drills."]).show(options.json)


def _printed(found: "Iterable[Drill]", with_answers: bool) -> Iterator[str]:
    for number, drill in enumerate(found):
        if number:
            yield ""
        yield f"{drill.id}  ({drill.difficulty} of 100)"
        yield from format_position(drill.position).split("/")
        yield drill.task
        if with_answers:
            yield f"Answer: {_answer(drill)}"


def _answer(drill: "Drill") -> str:
    from solver.analysis.drills import DrillKind

    if drill.kind is DrillKind.EVALUATE:
        return f"{drill.outcome.words(drill.position.mover)}."
    return f"{few_cells(drill.answers, drill.position.rules)}."
