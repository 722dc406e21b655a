"""Puts what was checked into words, and nothing else: plain ones, with the marks for the players."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solver.board.notation import format_cell
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of
from solver.explain.grounds import (
    AllLose,
    Blocks,
    Completes,
    FillsBoard,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    Loses,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    Slower,
    StopsFork,
    Unblocked,
    Wins,
)
from solver.explain.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat

FEW = 4
"""Squares that a sentence names one by one; more are counted."""


def text(position: Position, outcome: Outcome, grounds: Sequence[Ground]) -> str:
    """The outcome of a square and what it rests on, in one or two sentences."""
    words = _Words(position.rules, position.mover, position.mover.other)
    sentences: list[str] = []
    for ground in grounds:
        said = words.say(ground)
        if sentences and sentences[-1] == words.say(OnlyMove()):
            sentences[-1] += f": it {said}"
        elif sentences:
            sentences.append(said[:1].upper() + said[1:])
        else:
            sentences.append(said)
    return f"{verdict(outcome)}: {'. '.join(sentences)}."


def verdict(outcome: Outcome) -> str:
    """The outcome as a reason begins with it: a win with its moves, where it takes more than one."""
    if outcome.value is Value.WIN and outcome.plies is not None and outcome.plies > 1:
        return f"Wins in {(outcome.plies + 1) // 2}"
    return {Value.WIN: "Wins", Value.DRAW: "Draws", Value.LOSS: "Loses"}[outcome.value]


@dataclass(frozen=True, slots=True)
class _Words:
    """Words about a square of the mover's, `me`; `you` is the opponent."""

    rules: Rules
    me: Mark
    you: Mark

    def say(self, ground: Ground) -> str:
        """A ground as a clause, which begins with a small letter unless a mark comes first."""
        match ground:
            case Completes() | Wins() | Slower():
                return self._of_a_win(ground)
            case Unblocked() | Loses() | AllLose():
                return self._of_a_loss(ground)
            case _:
                return self._of_a_draw(ground)

    def _of_a_win(self, ground: Completes | Wins | Slower) -> str:
        match ground:
            case Completes():
                return f"completes {self.lines(ground.lines)}"
            case Slower():
                when = "at once" if ground.plies == 1 else f"in {(ground.plies + 1) // 2}"
                return f"slower than {self.cell(ground.best)}, which wins {when}"
            case Wins():
                return self._course(ground.plan, self.me, self.you)

    def _course(self, plan: Plan, attacker: Mark, defender: Mark) -> str:
        """How a plan goes after its first move."""
        match plan:
            case Completion():
                return "completes a line"
            case DoubleThreat():
                return f"threatens {self.cells(plan.targets)} at once"
            case SingleThreat():
                moves, last = _sequence(plan.then)
                first = f"threatens {self.cell(plan.answer)}, so {defender} must answer there"
                if not moves:
                    return f"{first}; then {self._blow(last, attacker, defender)}"
                onward = self.cells([each.move for each in moves])
                return f"{first}, and then to {onward} as well; at last {self._blow(last, attacker, defender)}"
            case QuietMove():
                return f"prepares {self._threat(plan, attacker, defender)}"

    def _blow(self, plan: Plan, attacker: Mark, defender: Mark) -> str:
        """What ends a sequence of threats."""
        move = self.cell(plan.move)
        if isinstance(plan, QuietMove):
            return f"{move} prepares {self._threat(plan, attacker, defender)}"
        return f"{move} {self._course(plan, attacker, defender)}"

    def _threat(self, plan: QuietMove, attacker: Mark, defender: Mark) -> str:
        """What a quiet move prepares, and that there is no defence."""
        replies = [reply for some, _ in plan.defences for reply in cells_of(some)]
        if plan.threat is None:
            return f"a win against each of {defender}'s replies"
        what = f"{self.cell(plan.threat.move)}, which would {self._would(plan.threat, defender)}"
        if not replies:
            return what
        moves = list(dict.fromkeys(then.move for _, then in plan.defences))
        where = f"on {self.cells(replies, 'or')}" if len(replies) <= FEW else f"on {len(replies)} squares"
        how = f" by {self.cells(moves, 'or')}" if len(moves) <= FEW else ""
        return f"{what}. {defender} can prevent that {where}, but then {attacker} wins{how}"

    def _would(self, plan: Plan, defender: Mark) -> str:
        match plan:
            case DoubleThreat():
                return f"threaten {self.cells(plan.targets)} at once"
            case SingleThreat():
                return f"force {defender} to {self.cell(plan.answer)} and win by threats"
            case _:
                return "win"

    def _of_a_loss(self, ground: Unblocked | Loses | AllLose) -> str:
        match ground:
            case Unblocked():
                full = f"{self.you} plays {self.cell(ground.move)} and {self.line(ground.line)} is full"
                if len(ground.threats) == 1:
                    return full
                return f"{self.you} threatens {self.cells(ground.threats)}, and {self.me} can block only one of them"
            case AllLose():
                return "every square loses" + (", and none holds out longer" if ground.longest else "")
            case Loses():
                how = self._punishment(ground.plan, ground.blocking)
                if ground.race is None:
                    return how
                return f"{self.me} would win by {self.cell(ground.race.move)} next, but {self.you} is faster: {how}"

    def _punishment(self, plan: Plan, blocking: bool) -> str:
        """How the opponent wins."""
        me, you, move = self.me, self.you, self.cell(plan.move)
        plays = f"{you} blocks on {move}" if blocking else f"{you} plays {move}"
        match plan:
            case Completion():
                return f"{plays} and completes a line"
            case DoubleThreat():
                return f"{plays}, threatening {self.cells(plan.targets)} at once"
            case SingleThreat():
                moves, last = _sequence(plan.then)
                first = f"{plays} and {me} must answer {self.cell(plan.answer)}"
                if moves:
                    first += f"; more threats follow from {self.cells([each.move for each in moves])}"
                return f"{first}; then {self._blow(last, you, me)}"
            case QuietMove():
                return f"{plays} and prepares {self._threat(plan, you, me)}"

    def _of_a_draw(self, ground: Ground) -> str:
        me, you = self.me, self.you
        match ground:
            case FillsBoard():
                return "fills the board, and nobody has a line"
            case NoLineLeft():
                return "leaves nobody a line: each holds both marks"
            case Blocks():
                return f"blocks {self.lines(ground.lines)}"
            case OnlyMove(example=example, plan=plan):
                only = "the only square that holds"
                if example is None or plan is None:
                    return only
                return f"{only}; after {self.cell(example)}, for one, {self._punishment(plan, False)}"
            case GainsTime():
                return (
                    f"threatens {self.cell(ground.answer)}, so {you} must answer there and cannot play"
                    f" {self.cell(ground.fork)}, which would threaten {self.cells(ground.targets)} at once"
                )
            case StopsFork():
                return f"takes the square from which {you} would threaten {self.cells(ground.targets)} at once"
            case Pairing():
                each = [f"{self.cell(one)} with {self.cell(other)}" for one, other in ground.pairs]
                if len(each) < FEW:
                    return f"{you} gets no line: {me} answers {', '.join(each)}, and the other way round"
                return f"{you} gets no line: {me} answers each square of {len(each)} pairs with the other one"
            case Harmless():
                return f"{you} can get no line any more: {me} stands on each"
            case _:
                return self._of_choices(ground)

    def _of_choices(self, ground: Ground) -> str:
        me, you = self.me, self.you
        match ground:
            case GivesWinAway():
                return f"misses the win by {self.cells(ground.winning, 'or')}"
            case Replies(drawing=drawing, losing=losing):
                if not losing:
                    return f"whatever {you} replies, it stays a draw"
                if len(drawing) <= len(losing):
                    return f"{you} has to reply {self.cells(drawing, 'or')}; after any other square {me} wins"
                return f"{you} may reply anywhere but on {self.cells(losing, 'or')}, where {me} wins"
        raise TypeError(f"{ground!r} is no ground.")

    def cell(self, cell: Cell) -> str:
        """A square's name."""
        return format_cell(cell, self.rules)

    def cells(self, cells: Iterable[Cell], word: str = "and") -> str:
        """Squares as a list in words."""
        return _listed([self.cell(cell) for cell in cells], word)

    def line(self, line: Bits) -> str:
        """A line's name, by its ends: a1–c3, or a single square's."""
        rules = self.rules
        ends = sorted(cells_of(line), key=lambda cell: (rules.column_row(cell)[0], -rules.column_row(cell)[1]))
        return self.cell(ends[0]) if len(ends) == 1 else f"{self.cell(ends[0])}–{self.cell(ends[-1])}"

    def lines(self, lines: Iterable[Bits]) -> str:
        """Lines as a list in words."""
        return _listed([self.line(line) for line in lines], "and")


def _listed(words: Sequence[str], word: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def _sequence(plan: Plan) -> tuple[list[SingleThreat], Plan]:
    """The single threats that a plan begins with, and what follows them."""
    moves: list[SingleThreat] = []
    while isinstance(plan, SingleThreat):
        moves.append(plan)
        plan = plan.then
    return moves, plan
