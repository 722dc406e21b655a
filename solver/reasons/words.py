"""Names of squares and lines, and plans in plain words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solver.board.notation import format_cell, format_line
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.reasons.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat

FEW = 4
"""The most squares that a sentence names one by one; more are counted."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a board's squares, lines and players: `me` is the mover's mark, `you` the opponent's."""

    rules: Rules
    me: Mark
    you: Mark

    @classmethod
    def of(cls, position: Position) -> "Names":
        """Return the names for a reason about one of this position's squares."""
        return cls(position.rules, position.mover, position.mover.other)

    def cell(self, cell: Cell) -> str:
        """Return a square's name."""
        return format_cell(cell, self.rules)

    def cells(self, cells: Iterable[Cell], word: str = "and") -> str:
        """List squares in words, the last after `word`."""
        return _listed([self.cell(cell) for cell in cells], word)

    def one_of(self, cells: Sequence[Cell]) -> str:
        """List squares with "or", or count them if they are more than a few."""
        return self.cells(cells, "or") if len(cells) <= FEW else f"one of {len(cells)} squares"

    def only(self, cells: Sequence[Cell], singular: str, plural: str) -> str:
        """Say that only these squares do what the verb says, or count them if they are more than a few."""
        if len(cells) > FEW:
            return f"only {len(cells)} other squares {plural}"
        return f"only {self.cells(cells)} {singular if len(cells) == 1 else plural}"

    def line(self, line: Bits) -> str:
        """Return a line's name by its ends, such as a1–c3; a line of one square has that square's name."""
        return format_line(line, self.rules)

    def lines(self, lines: Iterable[Bits]) -> str:
        """List lines in words."""
        return _listed([self.line(line) for line in lines], "and")


def _listed(words: Sequence[str], word: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def does(plan: Plan, names: Names, attacker: Mark) -> str:
    """Say what the first move of an attacker's plan does, and how the plan goes on."""
    match plan:
        case Completion():
            return "completes a line"
        case DoubleThreat():
            return f"threatens {names.cells(plan.targets)} at once"
        case SingleThreat():
            first = f"threatens {names.cell(plan.answer)}, so {attacker.other} must answer there"
            return first + _then(plan, names, attacker)
        case QuietMove():
            return f"prepares {_prepared(plan, names, attacker)}"


def punishment(plan: Plan, names: Names, plays: str) -> str:
    """Say how the opponent wins by a plan; `plays` is the verb for its first move."""
    first = f"{names.you} {plays} {names.cell(plan.move)}"
    match plan:
        case DoubleThreat():
            return f"{first}, threatening {names.cells(plan.targets)} at once"
        case SingleThreat():
            return f"{first} and {names.me} must answer {names.cell(plan.answer)}{_then(plan, names, names.you)}"
        case _:
            return f"{first} and {does(plan, names, names.you)}"


def would(plan: Plan, names: Names, attacker: Mark) -> str:
    """Say what the first move of a plan would do, to follow "would"."""
    match plan:
        case DoubleThreat():
            return f"threaten {names.cells(plan.targets)} at once"
        case SingleThreat() if not isinstance(_sequence(plan)[1], QuietMove):
            return f"force {attacker.other} to {names.cell(plan.answer)} and win by threats"
        case SingleThreat():
            return f"force {attacker.other} to {names.cell(plan.answer)} and win"
        case _:
            return f"leave {attacker.other} no defence"


def _then(plan: SingleThreat, names: Names, attacker: Mark) -> str:
    """Say what follows the answer to a threat: further threats, and the move that ends their sequence."""
    moves, last = _sequence(plan.then)
    onward = f"; more threats follow from {names.cells([each.move for each in moves])}" if moves else ""
    return f"{onward}; then {names.cell(last.move)} {does(last, names, attacker)}"


def _prepared(plan: QuietMove, names: Names, attacker: Mark) -> str:
    """Say what a quiet move prepares, and that there is no defence."""
    if plan.threat is None:
        return f"a win against each of {attacker.other}'s replies"
    prepared = f"{names.cell(plan.threat.move)}, which would {would(plan.threat, names, attacker)}"
    tries = list(cells_of(union([plan.rest, *(replies for replies, _ in plan.defences)])))
    if not tries:
        return prepared
    moves = list(dict.fromkeys(then.move for _, then in plan.defences))
    how = "all the same" if plan.rest or len(moves) > FEW else f"by {names.cells(moves, 'or')}"
    return f"{prepared}. {attacker.other} could only try {names.one_of(tries)}, but then {attacker} wins {how}"


def _sequence(plan: Plan) -> tuple[list[SingleThreat], Plan]:
    """Return the single threats that a plan begins with, and the plan that follows them."""
    moves: list[SingleThreat] = []
    while isinstance(plan, SingleThreat):
        moves.append(plan)
        plan = plan.then
    return moves, plan
