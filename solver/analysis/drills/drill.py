"""A drill, and the id that tells it."""

from dataclasses import dataclass

from solver.analysis.drills.difficulty import difficulty_of
from solver.analysis.drills.kinds import DrillKind, Sight
from solver.analysis.drills.known import prediction_of
from solver.board.notation import format_position, parse_position, parse_rules, quoted
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import BadNotation, NoSuchDrill


@dataclass(frozen=True, slots=True)
class Drill:
    """A position with something to find.

    `id` is the board, the position with `_` between its rows, and the kind: `3x3x3-X.O_.X._..O-block`. It says all, so
    that nothing about drills has to be stored, needs no escape in an address, and ends with a letter, since what makes
    links of texts leaves a point at their end out. `answers` are the right squares in reading order; where it is asked
    who wins, those of best play. `outcome` is the position's, for its mover; `difficulty` goes from 1 to 100.
    """

    id: str
    kind: DrillKind
    position: Position
    answers: tuple[Cell, ...]
    outcome: Outcome
    difficulty: int

    @property
    def task(self) -> str:
        """What is asked, as a sentence: "X to move: keep O from completing a line."."""
        return f"{self.position.mover} to move: {self.kind.task_in(self.position, self.outcome)}."


def drill_for(kind: DrillKind, seen: Sight) -> Drill | None:
    """The drill of this kind that a position has; None if it has none."""
    if kind.why_not(seen):
        return None
    answers, position = kind.answers(seen), seen.position
    difficulty = difficulty_of(seen.prediction, answers, outcome_asked=kind is DrillKind.EVALUATE)
    return Drill(written(kind, position), kind, position, answers, seen.outcome, difficulty)


def written(kind: DrillKind, position: Position) -> str:
    """The id of a drill."""
    return f"{position.rules}-{format_position(position).replace('/', '_')}-{kind}"


def drill_of(id: str) -> Drill:  # noqa: A002 - an id is what it is called everywhere
    """The drill of an id. Raises BadRules, BadNotation, ImpossiblePosition, or NoSuchDrill with what is wrong."""
    board, _, rest = id.strip().partition("-")
    stones, _, name = rest.partition("-")
    if name not in tuple(DrillKind):
        raise BadNotation(
            f"{quoted(id, 80)} is no drill. Write its board, its position and its kind, for example"
            f" 3x3x3-X.O_.X._..O-block; the kinds are {', '.join(DrillKind)}."
        )
    kind, position = DrillKind(name), parse_position(stones.replace("_", "/"), parse_rules(board))
    seen = Sight(prediction_of(position))
    drill = drill_for(kind, seen)
    if drill is None:
        raise NoSuchDrill(f"{format_position(position)} is no drill of the kind {kind}. {kind.why_not(seen)}")
    return drill
