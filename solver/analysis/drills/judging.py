"""Judge answers to a drill, with a grade and the reason, and give hints.

Hints give an idea first, then a clue, then a place. They never name the square itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.analysis.drills.drill import Drill
from solver.analysis.drills.kinds import DrillKind
from solver.analysis.review import ReasonOf, reason_at_once
from solver.board.notation import format_cell, format_line
from solver.board.outcome import Grade, Outcome, Value, graded
from solver.board.position import Mark, Position, Result
from solver.board.rules import Bits, Cell, Rules, cells_of
from solver.errors import BadOption
from solver.players.handbook import forks
from solver.reasons import Reason

DrillAnswer: TypeAlias = Cell | Outcome
"""A square; in a drill that asks who wins, the outcome for the mover, as `evaluation` returns it."""


@dataclass(frozen=True, slots=True)
class DrillJudgement:
    """The judgement of an answer.

    `cell` is the square that was given, or the first square of best play if the answer was an outcome, with its grade
    and reason. It wins `lost` own moves later than the best square.
    """

    right: bool
    cell: Cell
    grade: Grade
    reason: Reason
    lost: int


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


def judge_drill(drill: Drill, answer: DrillAnswer, why: ReasonOf = reason_at_once) -> DrillJudgement:
    """Judge an answer: a square, or an outcome if the drill asks who wins.

    A square is right if it is among the drill's answers. A square that wins later is wrong, with the grade `SLOWER`.
    For a win or a loss, the number of moves must be right too. Raises IllegalMove for a square that is not open, and
    BadOption for an answer to another question, or a square of which too little is proved.
    """
    if isinstance(answer, Outcome) != (drill.kind is DrillKind.EVALUATE):
        asked = "who wins, and in how many moves" if drill.kind is DrillKind.EVALUATE else "for a square"
        raise BadOption(f"This drill asks {asked}.")
    prediction = drill.prediction
    if isinstance(answer, Outcome):
        cell, right = drill.answers[0], _agree(answer, drill.outcome)
    else:
        drill.position.play(answer)
        cell, right = answer, answer in drill.answers
        if prediction.squares[cell].value is Value.UNKNOWN:
            name = format_cell(cell, drill.position.rules)
            raise BadOption(f"Too little is proved to judge {name}. Try another.")
    after = prediction.squares[cell]
    grade = graded(drill.outcome, after)
    lost = after.moves - best if grade is Grade.SLOWER and after.moves and (best := drill.outcome.moves) else 0
    return DrillJudgement(right, cell, grade, why(prediction, cell), lost)


def _agree(answer: Outcome, outcome: Outcome) -> bool:
    return answer.value is outcome.value and (answer.value is Value.DRAW or answer.plies == outcome.plies)


Hints: TypeAlias = tuple[str, ...]
"""Sentences, each of which gives away more than the one before."""


def hints(drill: Drill) -> Hints:
    """Return the hints of a drill in the order in which they are given."""
    return _HINTS[drill.kind](drill)


def _completion(drill: Drill, mark: Mark, idea: str) -> Hints:
    """Return the hints of a drill whose answer completes a line of this mark."""
    rules, line = drill.position.rules, _completed_line(drill.position, mark, drill.answers[0])
    return idea, f"Look for a {_direction(line, rules)}.", f"It's {format_line(line, rules)}."


def _win_now(drill: Drill) -> Hints:
    return _completion(drill, drill.position.mover, "Find a line where you need just one more.")


def _block(drill: Drill) -> Hints:
    you = drill.position.mover.other
    return _completion(drill, you, f"Where would {you} complete a line if it could move now?")


def _fork(drill: Drill) -> Hints:
    position, rules = drill.position, drill.position.rules
    me, after = position.mover, position.after(drill.answers[0])
    one, other, *_ = (_completed_line(after, me, cell) for cell in after.threats())
    return (
        f"Find two lines without {me.other} where you need two more. Play where they meet.",
        f"One line is {format_line(one, rules)}.",
        f"Another is {format_line(other, rules)}.",
    )


def _stop_fork(drill: Drill) -> Hints:
    position, you = drill.position, drill.position.mover.other
    squares = _either([format_cell(cell, position.rules) for cell in forks(position, you)])
    return (
        f"Where would {you} make two threats at once if it could move now?",
        f"Take that square, or one on a line {you} needs, or make a threat that {you} has to block. Of"
        f" {position.plies_left} open squares, {_count(drill)}.",
        f"{you} would fork on {squares}.",
    )


def _only_move(drill: Drill) -> Hints:
    you = drill.position.rules.player(drill.position.mover.other)
    escapes = "escapes" if drill.outcome.value is Value.WIN else "can force a win"
    return (
        f"After any other move, {you} {escapes}. For each square, ask what {you} would play next.",
        _character(drill),
        f"It's in {_region(drill)}.",
    )


def _win_in_n(drill: Drill) -> Hints:
    you = drill.position.mover.other
    return (
        f"Try threats first: {you} has to block each of them. What can you do next?",
        _character(drill),
        f"{_one(drill)} in {_region(drill)}.",
    )


def _keep(drill: Drill) -> Hints:
    idea = _only_move(drill)[0].replace("any other", "a wrong")
    squares, what = drill.prediction.squares, "moves" if drill.position.rules.is_wild else "squares"
    share = f"Of {len(squares)} {what}" if drill.prediction.valued == len(squares) else "As far as is proved"
    return idea, f"{share}, {_count(drill)}.", f"{_one(drill)} in {_region(drill)}."


def _evaluate(drill: Drill) -> Hints:
    me = drill.position.mover
    bound = f"{me} can't force a win." if drill.outcome.value is Value.LOSS else f"{me} doesn't have to lose."
    return (
        "Check for a win first, then for blocks, then for threats.",
        bound,
        f"{format_cell(drill.answers[0], drill.position.rules)} is one of {me}'s best moves.",
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
        DrillKind.KEEP: _keep,
    }
)


def _completed_line(position: Position, mark: Mark, cell: Cell) -> Bits:
    """Return a line that `mark` completes on a square."""
    stones = position.stones(mark) | 1 << cell
    return next(line for line in position.rules.lines_through[cell] if stones & line == line)


def _direction(line: Bits, rules: Rules) -> str:
    if rules.shape is not None:
        return "way to lay the shape"
    columns, rows = map(set, zip(*map(rules.column_row, cells_of(line)), strict=True))
    layers = {*map(rules.layer, cells_of(line))}
    if len(rows) == len(layers) == 1:
        return "row"
    if len(columns) == len(layers) == 1:
        return "column"
    return "diagonal" if rules.is_straight and not rules.in_space else "line that is neither a row nor a column"


def _character(drill: Drill) -> str:
    """Say what threats the first right square makes."""
    you, threats = drill.position.mover.other, drill.position.after(drill.answers[0]).threats()
    if len(threats) > 1:
        return f"It's a fork: {you} can block only one threat."
    return f"It makes a threat that {you} has to block." if threats else "It's a quiet move: it makes no threat."


def _region(drill: Drill) -> str:
    rules = drill.position.rules
    return f"column {rules.name(drill.answers[0] % rules.size)[0]}"


def _one(drill: Drill) -> str:
    return "It's" if len(drill.answers) == 1 else "One answer is"


def _count(drill: Drill) -> str:
    return "one holds" if len(drill.answers) == 1 else f"{len(drill.answers)} hold"


def _either(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
