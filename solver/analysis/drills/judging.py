"""Judge answers to a drill, with a grade and the reason, and give hints.

Hints give first an idea, then a clue, then a place; never the square itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.analysis.drills.drill import Drill
from solver.analysis.drills.kinds import DrillKind
from solver.analysis.drills.known import prediction_of
from solver.analysis.review import ReasonOf, reason_at_once
from solver.board.notation import COLUMNS, format_cell, format_line
from solver.board.outcome import Grade, Outcome, Value, graded
from solver.board.position import Mark, Position, Result
from solver.board.rules import Bits, Cell, Rules, cells_of
from solver.errors import BadOption
from solver.players.threats import forks
from solver.reasons import Reason

DrillAnswer: TypeAlias = Cell | Outcome
"""A square; in a drill that asks who wins, the outcome for the mover, as `evaluation` returns it."""


@dataclass(frozen=True, slots=True)
class DrillJudgement:
    """The judgement of an answer.

    `cell` is the square that was given, with its grade and reason. Where the answer was an outcome, it is the first
    square of best play: its reason explains the position.
    """

    right: bool
    cell: Cell
    grade: Grade
    reason: Reason


def evaluation(position: Position, result: Result, moves: int | None = None) -> Outcome:
    """Return the outcome for the mover if the game ends in `result` after `moves` moves of the winner's own.

    A draw needs no number: it takes until the board is full. Raises BadOption for a win whose number of moves
    is missing or less than 1.
    """
    if result is Result.DRAW:
        return Outcome(Value.DRAW, position.plies_left)
    if moves is None or moves < 1:
        raise BadOption("Say in how many moves of the winner's own, 1 or more.")
    if result == Result(position.mover):
        return Outcome(Value.WIN, 2 * moves - 1)
    return Outcome(Value.LOSS, 2 * moves)


def judged(drill: Drill, answer: DrillAnswer, why: ReasonOf = reason_at_once) -> DrillJudgement:
    """Judge an answer: a square, or an outcome if the drill asks who wins.

    A square is right if it is among the drill's answers; a square that wins later is not, and has the grade `SLOWER`.
    An outcome is right if its distance is right too, except for a draw. Raises IllegalMove for a square that is not
    open, and BadOption for an answer to another question.
    """
    if isinstance(answer, Outcome) != (drill.kind is DrillKind.EVALUATE):
        asked = "who wins, and in how many moves" if drill.kind is DrillKind.EVALUATE else "for a square"
        raise BadOption(f"This drill asks {asked}.")
    prediction = prediction_of(drill.position)
    if isinstance(answer, Outcome):
        cell, right = drill.answers[0], _agree(answer, drill.outcome)
    else:
        drill.position.play(answer)
        cell, right = answer, answer in drill.answers
    grade = graded(drill.outcome, prediction.squares[cell])
    return DrillJudgement(right, cell, grade, why(prediction, cell))


def _agree(answer: Outcome, outcome: Outcome) -> bool:
    return answer.value is outcome.value and (answer.value is Value.DRAW or answer.plies == outcome.plies)


Hints: TypeAlias = tuple[str, ...]
"""Sentences that give away more and more."""


def hints(drill: Drill) -> Hints:
    """Return the hints of a drill in the order in which they are given."""
    return _HINTS[drill.kind](drill)


def _completion(drill: Drill, mark: Mark, idea: str, place: str) -> Hints:
    """Return the hints of a drill whose answer completes a line of this mark."""
    rules, line = drill.position.rules, _completed(drill.position, mark, drill.answers[0])
    return idea, f"{place} a {_direction(line, rules)}.", f"It is {format_line(line, rules)}."


def _win_now(drill: Drill) -> Hints:
    me = drill.position.mover
    return _completion(drill, me, f"Look for a line that lacks a single stone of {me}.", "There is such")


def _block(drill: Drill) -> Hints:
    you = drill.position.mover.other
    return _completion(drill, you, f"Where would {you} complete a line, if it were {you}'s turn?", "It would be")


def _fork(drill: Drill) -> Hints:
    position, rules = drill.position, drill.position.rules
    me, after = position.mover, position.after(drill.answers[0])
    one, other, *_ = (_completed(after, me, cell) for cell in cells_of(_threats(after)))
    return (
        f"A line that lacks two stones of {me} and holds none of {me.other} becomes a threat by one more. Look for a"
        " square on two such lines.",
        f"One of the lines is {format_line(one, rules)}.",
        f"Another one is {format_line(other, rules)}.",
    )


def _stop_fork(drill: Drill) -> Hints:
    position, you = drill.position, drill.position.mover.other
    squares = _either([format_cell(cell, position.rules) for cell in forks(position, you)])
    return (
        f"Where would {you} make two threats at once, if it were {you}'s turn?",
        "A stone there may stop it, or one on a line that it needs, or a threat that has to be answered first. Of"
        f" {position.plies_left} open squares {_count(drill)}.",
        f"{you} would make two threats on {squares}.",
    )


def _only_move(drill: Drill) -> Hints:
    you = drill.position.mover.other
    wins = drill.outcome.value is Value.WIN
    return (
        f"After every other square {you} {'gets away' if wins else 'wins by force'}: ask of each how {you} replies.",
        _character(drill),
        f"It is in {_region(drill)}.",
    )


def _win_in_n(drill: Drill) -> Hints:
    you = drill.position.mover.other
    return (
        f"A threat leaves {you} a single reply: look at those first, and at what they lead to.",
        _character(drill),
        f"{'It is' if len(drill.answers) == 1 else 'One of the squares is'} in {_region(drill)}.",
    )


def _evaluate(drill: Drill) -> Hints:
    me = drill.position.mover
    bound = f"{me} cannot win by force." if drill.outcome.value is Value.LOSS else f"{me} need not lose."
    return (
        "Look at squares that complete a line, then at those that have to be blocked, then at threats.",
        bound,
        f"{me} can do no better than {format_cell(drill.answers[0], drill.position.rules)}.",
    )


_HINTS: Final[Mapping[DrillKind, Callable[[Drill], Hints]]] = MappingProxyType(
    {
        DrillKind.WIN_NOW: _win_now,
        DrillKind.BLOCK: _block,
        DrillKind.FORK: _fork,
        DrillKind.STOP_FORK: _stop_fork,
        DrillKind.ONLY_MOVE: _only_move,
        DrillKind.WIN_IN_N: _win_in_n,
        DrillKind.EVALUATE: _evaluate,
    }
)


def _completed(position: Position, mark: Mark, cell: Cell) -> Bits:
    """Return a line that `mark` completes on a square."""
    stones = position.stones(mark) | 1 << cell
    return next(line for line in position.rules.lines_through[cell] if stones & line == line)


def _threats(after: Position) -> Bits:
    """Return the squares on which the player who has just moved threatens to complete a line."""
    return after.rules.completing(after.other, after.own)


def _direction(line: Bits, rules: Rules) -> str:
    first, second, *_ = cells_of(line)
    return {1: "row", rules.columns: "column"}.get(second - first, "diagonal")


def _character(drill: Drill) -> str:
    """Say what threats the first right square makes."""
    you, threats = drill.position.mover.other, _threats(drill.position.after(drill.answers[0])).bit_count()
    if threats > 1:
        return f"The move makes two threats, of which {you} can block only one."
    return (
        f"The move makes a threat that {you} has to block."
        if threats
        else "The move is a quiet one: it makes no threat."
    )


def _region(drill: Drill) -> str:
    return f"column {COLUMNS[drill.position.rules.column_row(drill.answers[0])[0]]}"


def _count(drill: Drill) -> str:
    return "one holds" if len(drill.answers) == 1 else f"{len(drill.answers)} hold"


def _either(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
