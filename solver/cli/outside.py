"""The command that proves players from outside: programs, web services and engines for Gomocup."""

import os
from argparse import Namespace
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from solver.board.notation import (
    format_cell,
    format_percent,
    listed_cells,
    parse_rules,
    quoted,
)
from solver.board.outcome import counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import DEFAULT_BOARD, Rules
from solver.cli.command import (
    BOARD_OPTION,
    UNFINISHED,
    Answer,
    answering,
    argument,
    budget_argument,
    parse_budget,
    within,
)
from solver.cli.output import progress, table_text
from solver.errors import BadOption
from solver.report import prove_report

if TYPE_CHECKING:
    from solver.analysis.proving import BotProof
    from solver.cli.bots import Bot

BEATEN: Final = 1
BROKEN: Final = 2
"""The exit codes of `prove` for a player that can be beaten, and for one without a legal answer to a position."""

WORST_FIRST: Final = (BROKEN, BEATEN, UNFINISHED, 0)

CERTAINTY: Final = 0.95
"""The certainty with which samples have seen every square that a player takes often enough."""

MOST_SECONDS: Final = 3600


@answering(
    "prove",
    "Proves that your own program is unbeatable, or finds the shortest game that beats it. Exits with 1 if it can be"
    " beaten, 3 if that is not decided, 2 if it breaks.",
    "noughts prove --side both -- python3 mybot.py",
    argument(
        "program",
        nargs="*",
        metavar="COMMAND",
        help="the program and its arguments, after --; it reads one line a position, such as `3x3x3 X.O/.X./..O X`"
        " (board, rows, the mark it plays), and answers one line, a square; the end of its input is the end",
    ),
    argument(
        "--side",
        choices=("X", "O", "both"),
        default="O",
        help="the mark that it plays (%(default)s); of both, the worse exit code counts: 2, then 1, then 3, then 0",
    ),
    BOARD_OPTION,
    argument("--samples", type=int, default=0, metavar="N", help="ask each position N times, if it draws by chance"),
    argument("--seconds", type=float, default=5.0, metavar="S", help="seconds for each answer (%(default)s)"),
    argument("--url", help="ask a web service: GET URL?board=3x3x3&position=X.O/.X./..O&mark=X answers a square"),
    argument("--gomocup", action="store_true", help="the program is an engine that speaks the protocol of Gomocup"),
    budget_argument("10m,200000n"),
)
def prove_command(options: Namespace) -> Answer:
    """Prove one side or both, each with a program of its own."""
    rules = parse_rules(DEFAULT_BOARD if options.board is None else options.board)
    if options.gomocup and not rules.is_standard:
        raise BadOption(f"The protocol of Gomocup knows rows on flat boards only, not {rules}.")
    marks = tuple(Mark) if options.side == "both" else (Mark(options.side),)
    proofs = {mark: _proved(mark, rules, options) for mark in marks}
    reports: dict[str, Any] = {str(mark): prove_report(proof) for mark, proof in proofs.items()}
    code = min(map(_code, proofs.values()), key=WORST_FIRST.index)
    lines = [line for proof in proofs.values() for line in _text(proof)]
    return Answer(reports if options.side == "both" else reports[options.side], lines, code)


def _proved(mark: Mark, rules: Rules, options: Namespace) -> "BotProof":
    from solver.analysis.proving import prove

    samples, budget = within(options.samples, 0, 10_000, "samples"), parse_budget(options.budget)
    asked = count(1)
    with _bot(rules, options) as answer, progress("positions asked") as show:

        def shown(position: Position) -> str:
            show(next(asked), None)
            return answer(position)

        return prove(shown, mark, rules, samples, budget)


def _bot(rules: Rules, options: Namespace) -> "Bot":
    if os.name != "posix":
        raise BadOption("Programs are proved on Linux and macOS only.")
    from solver.cli.bots import Gomocup, Program, Service

    if not 0 < options.seconds <= MOST_SECONDS:
        raise BadOption(f"An answer can take up to {MOST_SECONDS:,} seconds, not {options.seconds:g}.")
    if (options.url is None) == (not options.program):
        raise BadOption("Name your program after --, or give its --url, but not both.")
    if options.url is not None:
        if options.gomocup:
            raise BadOption("An engine for --gomocup is a program, and has no --url.")
        return Service(options.url, options.seconds)
    return (Gomocup if options.gomocup else Program)(options.program, options.seconds, rules)


def _code(proof: "BotProof") -> int:
    return {"unbeatable": 0, "beaten": BEATEN, "broken": BROKEN, "undecided": UNFINISHED}[proof.verdict]


def _text(proof: "BotProof") -> Iterator[str]:
    from solver.analysis.proving import asked_as

    mark, rules, counts = proof.mark, proof.rules, proof.counts
    games = counts and counted(counts.games, "game", "games")
    asked = f"{counted(proof.asked, 'position', 'positions')} asked"
    if proof.problem is not None:
        said = "no answer" if proof.problem.answer is None else f"the answer {quoted(proof.problem.answer)}"
        yield f"Broken as {mark}: {said} in {asked_as(proof.problem.position)}. {proof.problem.message}"
    elif proof.game is not None:
        lost = f"{counts.lost:,} of {games} lost" if counts else asked
        yield f"Beaten as {mark}: {lost}."
        yield f"The shortest game that beats it: {' '.join(format_cell(cell, rules) for cell in proof.game.moves)}"
        if proof.blame is not None:
            move, better = format_cell(proof.blame.cell, rules), listed_cells(proof.blame.better, rules)
            yield f"Its mistake: {move} in {asked_as(proof.blame.position)}. What holds there: {better}."
        elif counts:
            yield f"No move of it erred: perfect play beats {mark} from the start."
    elif not proof.samples and counts:
        yield f"Unbeatable as {mark}: {games}, none lost."
    elif counts:
        missed = 1 - (1 - CERTAINTY) ** (1 / proof.samples)
        yield f"Not beaten as {mark}: {games}, none lost. Each position was asked {proof.samples} times."
        yield (
            f"That is a bound, not a proof: a square that it takes with a chance of {format_percent(missed)} or more in"
            f" one of these positions has been seen with a certainty of {CERTAINTY:.0%}."
        )
    elif proof.verdict == "unbeatable":
        yield f"Unbeatable as {mark}: no line of play loses. Games can go on for ever; {asked}."
    else:
        yield f"Not decided as {mark}: {asked}, no game lost so far. A larger --budget goes farther."
    if counts:
        yield f"It wins {counts.won:,} and draws {counts.drawn:,}; {asked}."
    if proof.slips == 0:
        yield "It lets no win slip."
    elif proof.slip is not None:
        slip = f"{format_cell(proof.slip.cell, rules)} in {asked_as(proof.slip.position)}"
        yield f"It lets a win slip in {counted(proof.slips or 0, 'position', 'positions')}, for example by {slip}."
    yield from _chances(proof)


def _chances(proof: "BotProof") -> Iterator[str]:
    from solver.analysis.proving import results_against

    ends = (Result(proof.mark), Result.DRAW, Result(proof.mark.other))
    if found := results_against(proof):
        rows = ((title, *(format_percent(chances[end]) for end in ends)) for title, chances in found.items())
        yield from table_text([("chances against", "wins", "draws", "loses"), *rows], words=(0,))
