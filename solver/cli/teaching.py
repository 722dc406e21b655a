"""The commands that teach: reasons for each square, games reviewed, and drills."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from solver.board.game import Game
from solver.board.notation import few_cells, format_cell, parse_cell
from solver.board.outcome import Grade, counted
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.cli.command import (
    BOARD_OPTION,
    JSON,
    POSITION,
    Answer,
    answer_positions,
    answering,
    argument,
    budget_argument,
    command,
    game_named,
    is_board,
    on_positions,
    parse_budget,
    rules_named,
    writable,
)
from solver.cli.output import line_text, position_text, table_text
from solver.errors import BadOption
from solver.players import HUMANS, player_named
from solver.proofs.prediction import UNPROVED, Prediction
from solver.report import drills_report, explain_report, replay_report, review_report, start_report

if TYPE_CHECKING:
    from solver.analysis.drills import Drill
    from solver.analysis.review import Review, SideNames, Turn
    from solver.reasons import Reason


@on_positions(
    "why",
    "Says why each open square of a position, or one of them, wins, draws or loses.",
    "noughts why X.O/.X./..O a2",
    budget_argument("200ms"),
    after=(argument("square", nargs="?", metavar="SQUARE", help="the square that is asked about (all)"),),
)
def why_command(game: Game, options: Namespace) -> Answer:
    """Return the reason for each square that is proved within the budget."""
    from solver.proofs.predict import predict
    from solver.reasons import explain, reasons

    position, cell = game.last, None
    if options.square is not None:
        cell = parse_cell(options.square, position.rules)
        position.play(cell)
    prediction = predict(position, parse_budget(options.budget))
    found = reasons(position, prediction) if cell is None else {cell: explain(position, cell, prediction)}
    return Answer(explain_report(prediction, found), [*position_text(position), *_reasons_text(prediction, found)])


def _reasons_text(prediction: Prediction, found: "Mapping[Cell, Reason]") -> Iterator[str]:
    position, rules = prediction.position, prediction.position.rules
    for cell, reason in found.items():
        yield f"{format_cell(cell, rules)}  {reason.text or reason.outcome.words(position.mover, rules)}"
        if reason.refutation:
            ends = reason.line_complete and not reason.outcome.is_endless
            yield f"    best play: {line_text(reason.refutation, rules, ends)}"
    if not prediction.complete:
        yield UNPROVED


@answering(
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
)
def review_command(options: Namespace) -> Answer:
    """Return the same report as the web API's `review`, with a person's chances if they can be computed."""
    from solver.analysis.chances import chances_between
    from solver.analysis.review import review

    game = game_named(options.board, options.start, options.moves)
    x, o = (player_named(name, game.last.rules) for name in (options.x, options.o))
    found = review(game, chances_of=chances_between(x, o))
    named = {mark: game.last.rules.player(mark) for mark in Mark}
    names = {
        mark: f"{named[mark]} ({player.title})" if player else named[mark]
        for mark, player in zip(Mark, (x, o), strict=True)
    }
    return Answer(review_report(found), _review_text(found, names))


def _review_text(review: "Review", names: "SideNames") -> Iterator[str]:
    from solver.analysis.review import story

    if review.turns:
        chances = any(turn.chances for turn in review.turns)
        titles = ("ply", "move", "mark", "left", "could have", "best", *(("chance", "could be") if chances else ()))
        yield from table_text([titles, *(_row(turn, chances) for turn in review.turns)], words=range(1, 8))
        yield ""
    yield story(review, names)
    if not review.complete:
        yield UNPROVED


def _row(turn: "Turn", with_chances: bool) -> tuple[str, ...]:
    chances = (str(turn.chance_after), str(turn.chance_before)) if turn.chances else ("-", "-")
    best = few_cells(turn.best, turn.position.rules) or "not proved"
    grade = f"{turn.grade}{', missed' if turn.missed else ''}"
    return *_columns(turn, grade), best, *(chances if with_chances else ())


def _columns(turn: "Turn", grade: str) -> tuple[str, ...]:
    """Return a row of texts: ply, move, grade, the outcome after the move, and the best outcome before it."""
    mover, rules = turn.mover, turn.position.rules
    move = f"{mover} {format_cell(turn.cell, rules)}"
    return str(turn.ply), move, grade, turn.after.words(mover, rules), turn.before.words(mover, rules)


@command(
    "replay",
    "Goes through a game with the outcome of each move and what would have been better.",
    "noughts replay --moves c1b2a1b1a3a2c3b3",
    *POSITION,
    JSON,
)
def replay_command(options: Namespace) -> int:
    """Print each move of a game with its grade; the moves may also be the first argument."""
    given = options.position or ""
    if any(map(str.isdigit, given)) and not is_board(given):  # a position has no digits
        if options.moves:
            raise BadOption("Give the moves once: as an argument or with --moves.")
        options = Namespace(**vars(options) | {"position": None, "moves": given})
    return answer_positions(_replay, options)


def _replay(game: Game, _: Namespace) -> Answer:
    from solver.analysis.review import review

    if not game.moves:
        raise BadOption("Give the moves of the game, for example --moves b2a1c3.")
    found = review(game)
    rows: list[tuple[str, ...]] = [("ply", "move", "grade", "left", "could have", "better")]
    for turn in found.turns:
        best = ", ".join(format_cell(cell, game.last.rules) for cell in turn.best) or "not proved"
        rows.append((*_columns(turn, turn.grade.word), "" if turn.grade is Grade.BEST else best))
    return Answer(replay_report(found), table_text(rows, words=(1, 2, 3, 4, 5)))


@answering(
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
    argument("--count", type=int, metavar="N", help="the most drills to set (all)"),
    argument("--answers", action="store_true", help="print the answers too; JSON has them always"),
    argument(
        "--make",
        metavar="FILE",
        help="set none, but search for positions of this board that make drills, and write them to a file",
    ),
)
def drills_command(options: Namespace) -> Answer:
    """Return the drills of a board, or the drill with an id; with `--make`, write the file of a board's positions."""
    if options.make is not None:
        return _make_drills(options)
    found = _drills_named(options)
    rules = found[0].position.rules if found else rules_named(options)
    return Answer(drills_report(rules, found), _drills_text(found, options.answers))


def _drills_named(options: Namespace) -> "Sequence[Drill]":
    from solver.analysis.drills import drill_of, drills, kind_named

    if options.on is None or is_board(options.on):
        kind = None if options.kind is None else kind_named(options.kind)
        return drills(rules_named(options), kind, options.seed, options.count)
    if any(given is not None for given in (options.board, options.kind, options.seed, options.count)):
        raise BadOption("An id names one drill: leave --board, --kind, --seed and --count out.")
    return (drill_of(options.on),)


def _make_drills(options: Namespace) -> Answer:
    from solver.analysis.drills.make import lines

    if options.on is options.board is None:
        raise BadOption("Name the board, for example 4x4x4.")
    rules, path = rules_named(options), writable(options.make)
    made = [*lines(rules)]
    path.write_text("".join(f"{line}\n" for line in made), encoding="ascii")
    number = sum(not line.startswith("#") for line in made)
    report = start_report(Position(rules)) | {"file": str(path), "positions": number}
    return Answer(report, [f"{path}: {counted(number, 'position', 'positions')} of {rules} to make drills of."])


def _drills_text(found: "Iterable[Drill]", with_answers: bool) -> Iterator[str]:
    for number, drill in enumerate(found):
        if number:
            yield ""
        yield f"{drill.id}  ({drill.difficulty} of 100)"
        yield from str(drill.position).split("\n")
        yield drill.task
        if with_answers:
            yield f"Answer: {_drill_answer(drill)}"


def _drill_answer(drill: "Drill") -> str:
    from solver.analysis.drills import DrillKind

    if drill.kind is DrillKind.EVALUATE:
        return f"{drill.outcome.words(drill.position.mover)}."
    return f"{few_cells(drill.answers, drill.position.rules)}."
