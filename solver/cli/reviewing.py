"""The commands that look back on a game: `review` of all its moves, `replay` with each move's grade in one word."""

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from solver.board.game import Game
from solver.board.notation import few_cells, format_cell, format_position
from solver.cli.command import Answer, answered, command
from solver.cli.options import BOARD_OPTION, JSON, POSITION, argument, game_named, is_board
from solver.cli.texts import table_text
from solver.errors import BadOption
from solver.report import outcome_report, review_report

if TYPE_CHECKING:
    from solver.review.turns import Review, Turn


@command(
    "review",
    "Holds every move of a game against the best one, and says where the game turned.",
    "noughts review c1b2a1b1a3a2c3b3",
    argument("moves", metavar="MOVES", help="the moves of the game, for example b2a1c3"),
    BOARD_OPTION,
    argument("--from", dest="start", metavar="POSITION", help="the position the game began from (the empty board)"),
    JSON,
)
def review_command(options: Namespace) -> int:
    """The object of the web API's `review`."""
    from solver.review.turns import review

    found = review(game_named(options.board, options.start, options.moves))
    return Answer(review_report(found), _reviewed(found)).show(options.json)


def _reviewed(review: "Review") -> Iterator[str]:
    from solver.review.words import story

    if review.turns:
        yield from table_text(
            [("ply", "move", "mark", "left", "could have", "best"), *map(_row, review.turns)], words=(1, 2, 3, 4, 5)
        )
        yield ""
    yield story(review)


def _row(turn: "Turn") -> tuple[str, ...]:
    rules = turn.position.rules
    return (
        str(turn.ply),
        f"{turn.mover} {format_cell(turn.cell, rules)}",
        f"{turn.grade}{', missed' if turn.missed else ''}",
        turn.after.words(turn.mover),
        turn.before.words(turn.mover),
        few_cells(turn.best, rules) or "not proved",
    )


@command(
    "replay",
    "Goes through a game with the outcome of each move and what would have been better.",
    "noughts replay --moves c1b2a1b1a3a2c3b3",
    *POSITION,
    JSON,
)
def replay_command(options: Namespace) -> int:
    """The moves of the game may be the argument too."""
    given = options.position or ""
    if any(map(str.isdigit, given)) and not is_board(given):  # a position has no digits
        if options.moves:
            raise BadOption("Give the moves once: as an argument or with --moves.")
        options = Namespace(**vars(options) | {"position": None, "moves": given})
    return answered(_replayed, options)


def _replayed(game: Game, _: Namespace) -> Answer:
    from solver.review.turns import review

    if not game.moves:
        raise BadOption("Give the moves of the game, for example --moves b2a1c3.")
    rules = game.last.rules
    moves, rows = [], [("ply", "move", "grade", "left", "could have", "better")]
    for turn in review(game).turns:
        name = format_cell(turn.cell, rules)
        best = [format_cell(cell, rules) for cell in turn.best]
        moves.append(
            {
                "player": str(turn.mover),
                "move": name,
                "before": outcome_report(turn.before),
                "after": outcome_report(turn.after),
                "grade": turn.word,
                "best": best,
            }
        )
        better = "" if turn.word == "best" else ", ".join(best) or "not proved"
        left, had = turn.after.words(turn.mover), turn.before.words(turn.mover)
        rows.append((str(turn.ply), f"{turn.mover} {name}", turn.word, left, had, better))
    report = {"from": format_position(game.positions[0]), "moves": moves}
    return Answer(report, table_text(rows, words=(1, 2, 3, 4, 5)))
