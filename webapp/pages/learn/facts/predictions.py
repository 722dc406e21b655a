"""Predictions, ties and processes, as in the Erlang article."""

from collections.abc import Iterator
from typing import Final

from solver.articles.parallel_squares import COLLIDE, processes_below
from solver.articles.tiebreaking import PLAYERS, TIE_BREAKS, match_ups, ties, weighed
from solver.board.notation import format_cell, format_cells, format_outcome
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import BadOption
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.search.tablebase import table
from webapp.pages.learn.content import Facts, Shown
from webapp.pages.play.forms import asked_game
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini, of_outcomes

ERRED: Final = "a1b1"
"""A move and O's mistake after it: the start of a line of best play."""

ARRIVALS: Final = ("a2, a3, c3, b2, a1, b1, b3, c2, c1", "a3, c2, a1, c1, b2, b1, b3, a2, c3")
"""The order in which the answers came in two runs of `tests/benchmarks/scattering.py`, on a machine with two cores."""


def list_answers(query: Query) -> Shown:
    """List the answers for every square of the position asked for. Raises NoughtsError.

    Each of the `slots` has the square's name, COLLIDE or an outcome in short, the same in words, and its style.
    """
    game = asked_game(query, {"moves": ERRED})
    position, rules = game.last, game.last.rules
    if not rules.is_small:
        raise BadOption("The list is for boards of up to nine squares.")
    squares = {} if position.result else predict(position).squares

    def slot(cell: int) -> tuple[str, str, str, str]:
        outcome, name = squares.get(cell), format_cell(cell, rules)
        if outcome is None:
            return name, COLLIDE if position.mark_at(cell) else "–", "taken", "collide"
        return name, format_outcome(outcome), outcome.words(position.mover, rules), str(outcome.value)

    return {"board": of_outcomes(position, squares), "slots": list(map(slot, range(rules.size)))}


def count_plies(_: Query) -> tuple[Outcome, ...]:
    """Return the outcomes that a search passes down, one a ply."""
    return tuple(Outcome(Value.WIN if ply % 2 else Value.LOSS, ply) for ply in range(1, TIC_TAC_TOE.size + 1))


def draw_rising(_: Query) -> tuple[Mini, ...]:
    """Draw a line of best play with the outcomes of all squares, to the end of the game."""
    return tuple(_rise(asked_game({"moves": ERRED}).last))


def draw_played(prediction: Prediction, cell: Cell, caption: str, kind: str = "") -> Mini:
    """Draw a position with the outcomes of its squares, each with its distance, and the square that is played."""
    squares = prediction.squares
    classes = {each: str(outcome.value) for each, outcome in squares.items()}
    texts = {each: format_outcome(outcome) for each, outcome in squares.items()}
    return mini(prediction.position, caption, kind, texts, classes | {cell: f"{classes[cell]} played"})


def _rise(position: Position) -> Iterator[Mini]:
    while position.result is None:
        prediction = predict(position)
        cell = prediction.best[0]
        said = format_outcome(prediction.squares[cell])
        caption = f"{position.mover} {format_cell(cell, position.rules)}: {said}"
        yield draw_played(prediction, cell, caption)
        position = position.after(cell)
    yield mini(position, "The end")


def draw_ties(_: Query) -> tuple[Mini, ...]:
    """Draw the empty board with its outcomes, and with the weights that each idea for ties gives its squares."""
    squares = weighed(predict(Position(TIC_TAC_TOE)))
    values = (
        {square.cell: f"{square.opportunities.value:+d}" for square in squares if square.opportunities},
        {square.cell: f"{float(square.paths.value):+.0f}" for square in squares if square.paths},
    )
    boards = [of_outcomes(Position(TIC_TAC_TOE), {square.cell: square.outcome for square in squares}, "Outcomes")]
    for title, name, texts in zip(("Opportunities", "Paths"), TIE_BREAKS, values, strict=True):
        taken = [square.cell for square in squares if name in square.players]
        caption = f"{title}: {format_cells(taken, TIC_TAC_TOE)}"
        boards.append(mini(Position(TIC_TAC_TOE), caption, texts=texts, classes=dict.fromkeys(taken, "new")))
    return tuple(boards)


def count_alive(_: Query) -> dict[str, int]:
    """Count the processes that are alive after each ply, if all processes advance together."""
    alive = processes_below(Position(TIC_TAC_TOE)).at_once
    return {f"ply {ply}": number for ply, number in enumerate(alive, start=1)}


def count_ties() -> Facts:
    """Count the positions with several best squares, and how often each idea narrows them down and wins more."""
    found, matches = ties(TIC_TAC_TOE), match_ups(TIC_TAC_TOE)
    ahead = {name: [match.wins[name] - match.wins[PLAYERS[0]] for match in matches] for name in TIE_BREAKS}
    return Facts.of(
        unfinished=found.unfinished,
        tied=found.tied,
        narrowed=[found.narrowed[name] for name in TIE_BREAKS],
        matches=len(matches),
        more=[sum(wins > 0 for wins in each) for each in ahead.values()],
        less=[sum(wins < 0 for wins in each) for each in ahead.values()],
    )


def judge_orders() -> Facts:
    """Judge the order in which processes answer, by recorded runs."""
    first, start = ARRIVALS[0].split(", "), Position(TIC_TAC_TOE)
    moves = {cell: processes_below(start.after(cell)).playing for cell in start.legal_moves}
    small = min(moves, key=moves.__getitem__)
    name = format_cell(small, TIC_TAC_TOE)
    return Facts.of(first=first[0], small=name, moves=moves[small], number=first.index(name) + 1, runs=ARRIVALS)


def count_processes() -> Facts:
    """Count the processes below the empty board, and the positions that they share."""
    processes, positions = processes_below(Position(TIC_TAC_TOE)), len(table(TIC_TAC_TOE))
    squares = predict(Position(TIC_TAC_TOE)).squares.values()
    return Facts.of(
        truth=processes.spawned,
        spawned=processes.spawned,
        playing=processes.playing,
        at_once=max(processes.at_once),
        positions=positions,
        times=(processes.playing + 1) // positions,
        drawn=sum(outcome.value is Value.DRAW for outcome in squares),
    )
