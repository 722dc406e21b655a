"""`noughts menace`: a learner's games against an opponent, and its exact chances after each."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from solver.board.notation import format_cell, format_moves, format_position
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.cli.command import INTERRUPTED, command
from solver.cli.options import JSON, argument, within
from solver.cli.progress import progress
from solver.cli.texts import table_text
from solver.report import start_report
from solver.strategies import OFFERED, STRATEGIES, strategy_named

if TYPE_CHECKING:
    from solver.learning.exam import Odds
    from solver.learning.learner import Row
    from solver.learning.training import TrainingGame

MAX_GAMES: Final = 100_000
"""Games that a learner plays at most: some minutes."""

ROWS, WIDTH = 20, 40
"""Of the graph: about how many games it shows, and the letters of a row."""

LEAST, ROUNDING = 0.001, 1e-9
"""The least chance that is written as a number, and what floating-point numbers may be wrong by."""


@command(
    "menace",
    "Lets Michie's matchboxes, or Q-learning, learn by games against an opponent; with exact chances after each game.",
    "noughts menace --opponent hard --games 60 --seed 1",
    argument("--opponent", default="hard", metavar="PLAYER", help=f"who plays O: {OFFERED} (%(default)s)"),
    argument("--games", type=int, default=200, metavar="N", help="how many games (%(default)s)"),
    argument("--seed", default="1", help="fixes every random choice, the same on every machine (%(default)s)"),
    argument("--learner", default="menace", metavar="NAME", help="who learns, as X: menace or q (%(default)s)"),
    JSON,
)
def menace_command(options: Namespace) -> int:
    """Prints a graph and an exam against everybody, or an object a game and one of the exam.

    After Ctrl-C these are of the games played by then.
    """
    from solver.learning.exam import HOLDS, course, exam, holding_from, quick_exam
    from solver.learning.training import learner_named

    learner, opponent = learner_named(options.learner), strategy_named(options.opponent, TIC_TAC_TOE)
    number = within(options.games, 0, MAX_GAMES, "games")
    asked = {"learner": learner.name, "opponent": opponent.name, "seed": options.seed}
    about, code = start_report(Position(TIC_TAC_TOE)) | asked, 0
    odds, memory, resigned = list["Odds[float]"](), learner.start, 0
    try:
        with progress("games played") as show:
            for done, learnt in enumerate(islice(course(learner, opponent, options.seed), number + 1)):
                game, memory, chances = learnt
                odds.append(chances)
                resigned += game is not None and game.resigned
                if options.json:
                    report = about | {"games": done} | _game_report(game) | {"chances": chances._asdict()}
                    print(json.dumps(report), flush=True)
                show(done, number)
    except KeyboardInterrupt:
        code = INTERRUPTED
    playing = {each.name: each for each in (*STRATEGIES.values(), opponent) if each.plays_on(TIC_TAC_TOE)}
    played, holds = len(odds) - 1, holding_from(odds)
    if options.json:
        exact = {name: exam(learner, memory, each)._asdict() for name, each in playing.items()}
        exams = {name: {part: str(chance) for part, chance in found.items()} for name, found in exact.items()}
        print(json.dumps(about | {"games": played, "resigned": resigned, "holds_from": holds, "exam": exams}))
        return code
    print(f"{learner.title} learns as X against {opponent.title}, seed {options.seed}: {played} games.")
    print(*_graph(odds), sep="\n")
    if resigned:
        print(f"It resigned {resigned} of them, since the box to open was empty.")
    if holds is not None:
        print(f"After {holds} games, and from then on, it loses less than {HOLDS:.0%} of its games.")
    print("", f"The exam after {played} games, against everybody:", sep="\n")
    rows = ((name, *map(_percent, quick_exam(learner, memory, each))) for name, each in playing.items())
    print(*table_text([("opponent", "wins", "draws", "loses"), *rows], words=(0,)), sep="\n")
    return code


def _game_report(game: "TrainingGame | None") -> dict[str, Any]:
    """A game as plain data; nothing before the first."""
    if game is None:
        return {}
    return {
        "moves": format_moves(game.moves, TIC_TAC_TOE),
        "result": str(game.result),
        "resigned": game.resigned,
        "boxes": [
            {
                "box": draw.box.number,
                "position": format_position(draw.position),
                "square": format_cell(draw.cell, TIC_TAC_TOE),
                "before": _row_report(draw.cells, draw.before),
                "after": _row_report(draw.cells, draw.after),
            }
            for draw in game.draws
        ],
    }


def _row_report(cells: Sequence[Cell], row: "Row") -> dict[str, float]:
    return {format_cell(cell, TIC_TAC_TOE): number for cell, number in zip(cells, row, strict=True)}


def _graph(odds: "Sequence[Odds[float]]") -> Iterator[str]:
    """The chances after some of the games, with bars: W for wins, - for draws, L for losses."""
    step = max(1, (len(odds) - 1) // ROWS)
    shown = sorted({*range(0, len(odds), step), len(odds) - 1})
    rows = ((str(games), *map(_percent, odds[games]), _bar(odds[games])) for games in shown)
    yield from table_text([("games", "wins", "draws", "loses", "W wins, - draws, L loses"), *rows], words=(4,))


def _bar(odds: "Odds[float]") -> str:
    wins, holds = round(odds.win * WIDTH), round((odds.win + odds.draw) * WIDTH)
    return "W" * wins + "-" * (holds - wins) + "L" * (WIDTH - holds)


def _percent(chance: float) -> str:
    """A chance in percent, none of them rounded to a certainty."""
    if 0 < chance < LEAST:
        return f"<{LEAST:.1%}"
    return f">{1 - LEAST:.1%}" if 1 - LEAST < chance < 1 - ROUNDING else f"{float(chance):.1%}"
