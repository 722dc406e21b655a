"""The commands that prove: `predict` within a budget, `solve` to the end, `book` for all openings."""

import time
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from solver.board.game import Game
from solver.board.notation import format_cell
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.cli.command import (
    INTERRUPTED,
    WORKERS,
    Answer,
    argument,
    budget_argument,
    on_boards,
    on_positions,
    parse_budget,
    pool_of,
    writable,
)
from solver.cli.output import position_text, progress, squares_text
from solver.errors import BadOption
from solver.proofs.predict import predict, solution
from solver.proofs.prediction import Prediction
from solver.report import predict_report, solve_report

if TYPE_CHECKING:
    from solver.proofs.workers import Workers


@on_positions(
    "predict",
    "Says soon what perfect play makes of every open square.",
    "noughts predict X.O/.X./..O",
    budget_argument("200ms"),
)
def predict_command(game: Game, options: Namespace) -> Answer:
    """Return the squares of a position, looked up or searched within the budget."""
    prediction = predict(game.last, parse_budget(options.budget))
    return Answer(predict_report(prediction), [*position_text(game.last), *squares_text(prediction)])


@on_positions(
    "solve",
    "Proves the outcome of a position and of every open square, however long it takes.",
    "noughts solve 4x3x3 --moves b2c2",
    budget_argument(""),
    *WORKERS,
)
def solve_command(game: Game, options: Namespace) -> Answer:
    """Prove the squares of a position one by one; after Ctrl-C return those that are proved."""
    from solver.proofs.study import proving, study_of

    if options.position is options.start is options.board is None:
        raise BadOption("Name what is to be proved: a position or a board, for example 4x3x3.")
    position = game.last
    study, budget, pool = study_of(position), parse_budget(options.budget), pool_of(options)
    search = None
    if pool is not None:
        from solver.proofs.workers import narrowing_by

        search = partial(narrowing_by, pool)
    line: tuple[Cell, ...] = ()
    code, began = 0, time.monotonic()
    try:
        with closing(proving(position, budget, search=search)) as predictions, progress("squares proved") as show:
            for prediction in predictions:
                show(prediction.proved, len(prediction.squares))
        line = solution(position).line
    except KeyboardInterrupt:
        code = INTERRUPTED
    prediction = study.prediction()
    return Answer(solve_report(prediction, line, time.monotonic() - began), _solved(prediction, line), code)


def _solved(prediction: Prediction, line: tuple[Cell, ...]) -> list[str]:
    position = prediction.position
    lines = position_text(position)
    if position.result is None:
        lines.append(f"Perfect play: {prediction.outcome.words(position.mover)}.")
    if line:
        lines.append(f"Best line: {' '.join(format_cell(cell, position.rules) for cell in line)}")
    return lines + squares_text(prediction)


@on_boards(
    "book",
    "Proves all positions with few stones and writes them to a file, a book that proofs are looked up in.",
    "noughts book 4x3x3 --stones 1",
    argument("--stones", type=int, required=True, metavar="N", help="how many stones a position may have"),
    argument("--output", metavar="FILE", help="the file to write (BOARD.sqlite in the current folder)"),
    *WORKERS,
)
def book_command(rules: Rules, options: Namespace) -> Answer:
    """Write the file once all is proved."""
    from solver.proofs.file import TROUBLE, openings, write_book

    if options.on is options.board is None:
        raise BadOption("Name the board of the book, for example 4x3x3.")
    path = writable(options.output or f"{rules}.sqlite")
    positions, pool = openings(rules, options.stones), pool_of(options)
    found: dict[Position, Bounds] = {}
    with closing(_proofs(positions, pool)) as answers, progress("positions proved") as show:
        for position, bounds in answers:
            found[position] = bounds
            show(len(found), len(positions))
    try:
        write_book(path, found)
    except TROUBLE as error:
        raise OSError(f"{path} cannot be written: {error}") from error
    report = {"file": str(path), "stones": options.stones, "positions": len(found)}
    return Answer(report, [f"{path}: {len(found)} positions of {rules} with up to {options.stones} stones."])


def _proofs(positions: Sequence[Position], pool: "Workers | None") -> Generator[tuple[Position, Bounds], None, None]:
    from solver.proofs.file import proofs_of
    from solver.proofs.workers import narrowing_by
    from solver.search.budget import UNLIMITED, Meter
    from solver.search.exact import at_first

    if pool is None:
        yield from proofs_of(positions)
        return
    known = {position: at_first(position) for position in positions}
    with closing(narrowing_by(pool, known, Meter(UNLIMITED))) as answers:
        for position, bounds in answers:
            if bounds.score is not None:
                yield position, bounds
