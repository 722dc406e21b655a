"""The command `menace`: a learner's games against an opponent, and its exact chances after each."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from solver.board.notation import format_cell, format_moves, format_position, rounded_share
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.cli.command import JSON, Answer, Interruptible, argument, command, within
from solver.cli.output import progress, table_text
from solver.players import OFFERED, Strategy, playing_on, strategy_named
from solver.report import start_report

if TYPE_CHECKING:
    from solver.players.learning.exam import Odds
    from solver.players.learning.learners import Learner, Memory, Row
    from solver.players.learning.training import TrainingGame

MAX_GAMES: Final = 100_000
"""The most games that a learner plays, which takes some minutes."""

ROWS, WIDTH = 20, 40
"""The rows of the graph, about as many as the games it shows, and the letters of a row."""

LEAST: Final = 0.001
"""The least chance that is printed as a number."""


class _Trained(NamedTuple):
    """A learner after its games, the opponents of its exam, its chances after each game, and its resignations."""

    learner: "Learner"
    memory: "Memory"
    opponents: Mapping[str, Strategy]
    odds: "Sequence[Odds[float]]"
    resigned: int


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
    """Print a graph and an exam against all opponents; as JSON, an object for each game and one for the exam."""
    from solver.players.learning.exam import learning_curve
    from solver.players.learning.learners import learner_named

    learner, opponent = learner_named(options.learner), strategy_named(options.opponent, TIC_TAC_TOE)
    number = within(options.games, 0, MAX_GAMES, "games")
    asked = {"learner": learner.name, "opponent": opponent.name, "seed": options.seed}
    about = start_report(Position(TIC_TAC_TOE)) | asked
    odds, memory, resigned = list["Odds[float]"](), learner.start, 0
    with Interruptible() as work, progress("games played") as show:
        for done, learnt in enumerate(islice(learning_curve(learner, opponent, options.seed), number + 1)):
            game, memory, chances = learnt
            odds.append(chances)
            resigned += game is not None and game.resigned
            if options.json:
                report = about | {"games": done} | _game_report(game) | {"chances": chances._asdict()}
                Answer(report, ()).show(as_json=True)
            show(done, number)
    opponents = {each.name: each for each in (*playing_on(TIC_TAC_TOE), opponent)}
    trained = _Trained(learner, memory, opponents, odds, resigned)
    head = f"{learner.title} learns as X against {opponent.title}, seed {options.seed}: {len(odds) - 1} games."
    exam = about | _exam_report(trained) if options.json else {}
    return Answer(exam, chain([head], _exam_text(trained)), work.code).show(options.json)


def _exam_report(trained: _Trained) -> dict[str, Any]:
    """Return the result of learning as plain data: the exact chances against each opponent."""
    from solver.players.learning.exam import exam, holding_from

    learner, memory, opponents, odds, resigned = trained
    exact = {name: exam(learner, memory, each)._asdict() for name, each in opponents.items()}
    exams = {name: {part: str(chance) for part, chance in found.items()} for name, found in exact.items()}
    return {"games": len(odds) - 1, "resigned": resigned, "holds_from": holding_from(odds), "exam": exams}


def _exam_text(trained: _Trained) -> Iterator[str]:
    """Return the result of learning in lines, after a graph of the chances from game to game."""
    from solver.players.learning.exam import HOLDS, holding_from, quick_exam

    learner, memory, opponents, odds, resigned = trained
    holds = holding_from(odds)
    yield from _graph(odds)
    if resigned:
        yield f"It resigned {resigned} of them, since the box to open was empty."
    if holds is not None:
        yield f"After {holds} games, and from then on, it loses less than {HOLDS:.0%} of its games."
    yield ""
    yield f"The exam after {len(odds) - 1} games, against everybody:"
    rows = ((name, *map(_percent, quick_exam(learner, memory, each))) for name, each in opponents.items())
    yield from table_text([("opponent", "wins", "draws", "loses"), *rows], words=(0,))


def _game_report(game: "TrainingGame | None") -> dict[str, Any]:
    """Return a game as plain data; nothing before the first game."""
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
    """Return the chances after some of the games, with bars: W for wins, - for draws, L for losses."""
    step = max(1, (len(odds) - 1) // ROWS)
    shown = sorted({*range(0, len(odds), step), len(odds) - 1})
    rows = ((str(games), *map(_percent, odds[games]), _bar(odds[games])) for games in shown)
    yield from table_text([("games", "wins", "draws", "loses", "W wins, - draws, L loses"), *rows], words=(4,))


def _bar(odds: "Odds[float]") -> str:
    wins, holds = round(odds.win * WIDTH), round((odds.win + odds.draw) * WIDTH)
    return "W" * wins + "-" * (holds - wins) + "L" * (WIDTH - holds)


def _percent(chance: float) -> str:
    """Return a chance in percent, never rounded to a certainty."""
    share = rounded_share(chance)
    if 0 < share < LEAST:
        return f"<{LEAST:.1%}"
    return f">{1 - LEAST:.1%}" if 1 - LEAST < share < 1 else f"{float(share):.1%}"
