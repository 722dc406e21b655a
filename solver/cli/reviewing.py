"""The commands that look back on a game: `review` of all its moves, `replay` with each move's grade in one word."""

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from solver.board.game import Game
from solver.board.notation import few_cells, format_cell, format_position
from solver.board.position import Mark
from solver.cli.command import BOARD_OPTION, JSON, POSITION, Answer, answered, argument, command, game_named, is_board
from solver.cli.output import table_text
from solver.errors import BadOption
from solver.players import HUMANS, player_named
from solver.report import outcome_report, review_report

if TYPE_CHECKING:
    from solver.analysis.review.turns import Review, Turn
    from solver.analysis.review.words import SideNames


@command(
    "review",
    "Holds every move of a game against the best one, and says where the game turned.",
    "noughts review c1b2a1b1a3a2c3b3",
    argument("moves", metavar="MOVES", help="the moves of the game, for example b2a1c3, or its link"),
    BOARD_OPTION,
    argument("--from", dest="start", metavar="POSITION", help="the position the game began from (the empty board)"),
    argument(
        "--x",
        default=HUMANS[0],
        metavar="PLAYER",
        help="who played X; an opponent's name gives the chances that people had against it (%(default)s)",
    ),
    argument("--o", default=HUMANS[0], metavar="PLAYER", help="who played O (%(default)s)"),
    JSON,
)
def review_command(options: Namespace) -> int:
    """The object of the web API's `review`, with chances against computers where they are known."""
    from solver.analysis.chances import chances_between
    from solver.analysis.review.turns import review
    from solver.proofs.prediction import predict

    game = game_named(options.board, options.start, options.moves)
    x, o = (player_named(name, game.last.rules) for name in (options.x, options.o))
    found = review(game, predict, chances_between(x, o))
    names = {mark: f"{mark} ({player.title})" if player else str(mark) for mark, player in ((Mark.X, x), (Mark.O, o))}
    return Answer(review_report(found), _reviewed(found, names)).show(options.json)


def _reviewed(review: "Review", names: "SideNames") -> Iterator[str]:
    from solver.analysis.review.words import story

    if review.turns:
        chances = any(turn.chances for turn in review.turns)
        titles = ("ply", "move", "mark", "left", "could have", "best", *(("chance", "could be") if chances else ()))
        yield from table_text([titles, *(_row(turn, chances) for turn in review.turns)], words=range(1, 8))
        yield ""
    yield story(review, names)


def _row(turn: "Turn", with_chances: bool) -> tuple[str, ...]:
    rules = turn.position.rules
    chances = (str(turn.chance_after), str(turn.chance_before)) if turn.chances else ("-", "-")
    return (
        str(turn.ply),
        f"{turn.mover} {format_cell(turn.cell, rules)}",
        f"{turn.grade}{', missed' if turn.missed else ''}",
        turn.after.words(turn.mover),
        turn.before.words(turn.mover),
        few_cells(turn.best, rules) or "not proved",
        *(chances if with_chances else ()),
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
    from solver.analysis.review.turns import review

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
