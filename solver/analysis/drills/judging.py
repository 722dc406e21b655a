"""Judge answers to a drill, with a grade and the reason, and give hints.

Hints give an idea first, then a clue, then a place. They never name the square itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from solver.analysis.drills.drill import Drill
from solver.analysis.drills.kinds import DrillKind
from solver.analysis.review import ReasonOf, reason_at_once
from solver.board.notation import format_cell, format_line, list_words
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


def hints(drill: Drill) -> tuple[str, ...]:
    """Return the hints of a drill in the order in which they are given."""
    clues = _Clues(drill)
    return tuple(sentence.format_map(clues) for sentence in drill.kind.hints)


class _Clues(dict[str, str]):
    """The words that hints ask for, each found when it is asked for."""

    def __init__(self, drill: Drill) -> None:
        super().__init__()
        self._drill = drill

    def __missing__(self, name: str) -> str:
        return _CLUES[name](self._drill)


def _line(drill: Drill) -> Bits:
    """Return the line that the first right square completes or blocks."""
    position, cell = drill.position, drill.answers[0]
    return next(line for mark in (position.mover, position.mover.other) for line in _completed(position, mark, cell))


def _threatened_lines(drill: Drill) -> list[str]:
    """Return the names of the lines that the first right square threatens to complete."""
    after, rules = drill.position.after(drill.answers[0]), drill.position.rules
    return [format_line(_completed(after, drill.position.mover, cell)[0], rules) for cell in after.threats()]


def _completed(position: Position, mark: Mark, cell: Cell) -> list[Bits]:
    """Return the lines that `mark` completes on a square."""
    stones = position.stones(mark) | 1 << cell
    return [line for line in position.rules.lines_through[cell] if stones & line == line]


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


def _forks(drill: Drill) -> str:
    """List the squares on which the opponent would make two threats."""
    position = drill.position
    return list_words((format_cell(cell, position.rules) for cell in forks(position, position.mover.other)), "or")


def _share(drill: Drill) -> str:
    squares, what = drill.prediction.squares, "moves" if drill.position.rules.is_wild else "squares"
    return f"Of {len(squares)} {what}" if drill.prediction.valued == len(squares) else "As far as is proved"


_CLUES: Final[Mapping[str, Callable[[Drill], str]]] = {
    "me": lambda drill: drill.position.mover,
    "you": lambda drill: drill.position.rules.player(drill.position.mover.other),
    "line": lambda drill: format_line(_line(drill), drill.position.rules),
    "direction": lambda drill: _direction(_line(drill), drill.position.rules),
    "one_line": lambda drill: _threatened_lines(drill)[0],
    "another_line": lambda drill: _threatened_lines(drill)[1],
    "open": lambda drill: str(drill.position.plies_left),
    "forks": _forks,
    "escapes": lambda drill: "escapes" if drill.outcome.value is Value.WIN else "can force a win",
    "bound": lambda drill: "can't force a win" if drill.outcome.value is Value.LOSS else "doesn't have to lose",
    "best": lambda drill: format_cell(drill.answers[0], drill.position.rules),
    "character": _character,
    "region": lambda drill: f"column {drill.position.rules.name(drill.answers[0] % drill.position.rules.size)[0]}",
    "it_is": lambda drill: "It's" if len(drill.answers) == 1 else "One answer is",
    "number": lambda drill: "one holds" if len(drill.answers) == 1 else f"{len(drill.answers)} hold",
    "share": _share,
}
"""The words that the hints of `kinds.toml` ask for, by their names."""
