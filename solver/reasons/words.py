"""Puts what was checked into words, and nothing else: plain ones, with the marks for the players."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

from solver.board.notation import format_cell, format_line
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.reasons.grounds import (
    AllLose,
    Among,
    Blocks,
    Completes,
    Elsewhere,
    FillsBoard,
    ForcesReply,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    LimitsReplies,
    Loses,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    Slower,
    StopsFork,
    StopsWin,
    Twin,
    Unblocked,
    Wins,
)
from solver.reasons.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat

FEW = 4
"""Squares that a sentence names one by one; more are counted."""


def text(position: Position, outcome: Outcome, grounds: Sequence[Ground]) -> str:
    """The outcome of a square and what it rests on, in one or two sentences."""
    names = _Names(position.rules, position.mover, position.mover.other)
    sentences: list[str] = []
    for number, ground in enumerate(grounds):
        said = _said(ground, names)
        if number and grounds[number - 1] == OnlyMove():
            sentences[-1] += f": it {said}"
        else:
            sentences.append(said[:1].upper() + said[1:] if sentences else said)
    return f"{verdict(outcome)}: {'. '.join(sentences)}."


def guarded(position: Position, outcome: Outcome, grounds: Sequence[Ground]) -> str:
    """The same, but for what names a better square; empty where nothing is left."""
    rest = [
        replace(ground, race=None) if isinstance(ground, Loses) else ground
        for ground in grounds
        if not isinstance(ground, GivesWinAway | Elsewhere | Slower)
    ]
    return text(position, outcome, rest) if rest else ""


def verdict(outcome: Outcome) -> str:
    """The outcome as a reason begins with it: a win with its moves, where it takes more than one."""
    if outcome.value is Value.WIN and outcome.plies is not None and outcome.plies > 1:
        return f"Wins in {(outcome.plies + 1) // 2}"
    return {Value.WIN: "Wins", Value.DRAW: "Draws", Value.LOSS: "Loses"}[outcome.value]


@dataclass(frozen=True, slots=True)
class _Names:
    """What a board's squares and lines are called; the mover is `me`, the opponent `you`."""

    rules: Rules
    me: Mark
    you: Mark

    def cell(self, cell: Cell) -> str:
        """A square's name."""
        return format_cell(cell, self.rules)

    def cells(self, cells: Iterable[Cell], word: str = "and") -> str:
        """Squares as a list in words."""
        return _listed([self.cell(cell) for cell in cells], word)

    def one_of(self, cells: Sequence[Cell]) -> str:
        """Squares of which one is played, or how many they are."""
        return self.cells(cells, "or") if len(cells) <= FEW else f"one of {len(cells)} squares"

    def line(self, line: Bits) -> str:
        """A line's name, by its ends: a1–c3, or a single square's."""
        return format_line(line, self.rules)

    def lines(self, lines: Iterable[Bits]) -> str:
        """Lines as a list in words."""
        return _listed([self.line(line) for line in lines], "and")


def _listed(words: Sequence[str], word: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


@singledispatch
def _said(ground: Ground, _names: _Names) -> str:
    """A ground as a clause, which begins with a small letter unless a mark comes first."""
    raise TypeError(f"{ground!r} is no ground.")


@_said.register
def _(ground: Completes, names: _Names) -> str:
    return f"completes {names.lines(ground.lines)}"


@_said.register
def _(ground: Wins, names: _Names) -> str:
    return _course(ground.plan, names, names.me)


@_said.register
def _(ground: Slower, names: _Names) -> str:
    when = "at once" if ground.plies == 1 else f"in {(ground.plies + 1) // 2}"
    return f"slower than {names.cell(ground.best)}, which wins {when}"


@_said.register
def _(ground: Unblocked, names: _Names) -> str:
    if len(ground.threats) > 1:
        return f"{names.you} threatens {names.cells(ground.threats)}, and {names.me} can block only one of them"
    return f"{names.you} plays {names.cell(ground.move)} and {names.line(ground.line)} is full"


@_said.register
def _(ground: Loses, names: _Names) -> str:
    how = _punishment(ground.plan, names, "blocks on" if ground.blocking else "plays")
    if ground.race is None:
        return how
    race = f"{names.me} could force a win by {names.cell(ground.race.move)} if it moved again"
    return f"{race}, but {names.you} is faster: {how}"


@_said.register
def _(ground: AllLose, _: _Names) -> str:
    return "every square loses" + (", and none holds out longer" if ground.longest else "")


@_said.register
def _(ground: Elsewhere, names: _Names) -> str:
    return _only(ground.drawing, names, "holds the draw", "hold the draw")


@_said.register
def _(_ground: FillsBoard, _: _Names) -> str:
    return "fills the board, and nobody has a line"


@_said.register
def _(_ground: NoLineLeft, _: _Names) -> str:
    return "leaves nobody a line: each holds both marks"


@_said.register
def _(ground: Blocks, names: _Names) -> str:
    return f"blocks {names.lines(ground.lines)}"


@_said.register
def _(ground: OnlyMove, names: _Names) -> str:
    only = "the only square that does not lose"
    if ground.example is None or ground.plan is None:
        return only
    return f"{only}; after {names.cell(ground.example)}, for one, {_punishment(ground.plan, names, 'plays')}"


@_said.register
def _(ground: GainsTime, names: _Names) -> str:
    return (
        f"threatens {names.cell(ground.answer)}, so {names.you} must answer there and cannot play"
        f" {names.cell(ground.fork)}, which would threaten {names.cells(ground.targets)} at once"
    )


@_said.register
def _(ground: StopsFork, names: _Names) -> str:
    return f"takes the square from which {names.you} would threaten {names.cells(ground.targets)} at once"


@_said.register
def _(ground: StopsWin, names: _Names) -> str:
    return f"stops {names.you}'s {names.cell(ground.plan.move)}, which would {_would(ground.plan, names, names.you)}"


@_said.register
def _(ground: ForcesReply, names: _Names) -> str:
    return f"threatens {names.cell(ground.answer)}, so {names.you} must answer there"


@_said.register
def _(ground: LimitsReplies, names: _Names) -> str:
    what = f"prepares {names.cell(ground.plan.move)}, which would {_would(ground.plan, names, names.me)}"
    return f"{what}, so {names.you} must reply {names.one_of(list(cells_of(ground.replies)))}"


@_said.register
def _(ground: Pairing, names: _Names) -> str:
    each = [f"{names.cell(one)} with {names.cell(other)}" for one, other in ground.pairs]
    how = f"{', '.join(each)}, and the other way round"
    if len(each) >= FEW:
        how = f"each square of {len(each)} pairs with the other one"
    return f"{names.you} gets no line: {names.me} answers {how}"


@_said.register
def _(_ground: Harmless, names: _Names) -> str:
    return f"{names.you} can get no line any more: {names.me} stands on each"


@_said.register
def _(ground: GivesWinAway, names: _Names) -> str:
    return _only(ground.winning, names, "wins", "win")


@_said.register
def _(ground: Replies, names: _Names) -> str:
    me, you = names.me, names.you
    if not ground.losing:
        return f"whatever {you} replies, it stays a draw"
    if len(ground.drawing) <= len(ground.losing):
        return f"{you} has to reply {names.cells(ground.drawing, 'or')}; after any other square {me} wins"
    return f"{you} may reply anywhere but on {names.cells(ground.losing, 'or')}, where {me} wins"


@_said.register
def _(ground: Among, names: _Names) -> str:
    if not ground.losing:
        return "so does every other square"
    losing = (
        f"the other {len(ground.losing)} lose" if len(ground.losing) > 1 else f"{names.cell(ground.losing[0])} loses"
    )
    return f"one of {len(ground.drawing) + 1} squares that hold the draw; {losing}"


@_said.register
def _(ground: Twin, names: _Names) -> str:
    return f"by symmetry as good as {names.cell(ground.cell)}"


def _only(cells: Sequence[Cell], names: _Names, does: str, do: str) -> str:
    """That other squares do what no more than these do."""
    if len(cells) > FEW:
        return f"only {len(cells)} other squares {do}"
    return f"only {names.cells(cells)} {does if len(cells) == 1 else do}"


def _course(plan: Plan, names: _Names, attacker: Mark) -> str:
    """What the first move of an attacker's plan does, and how the plan goes on."""
    match plan:
        case Completion():
            return "completes a line"
        case DoubleThreat():
            return f"threatens {names.cells(plan.targets)} at once"
        case SingleThreat():
            moves, last = _sequence(plan.then)
            first = f"threatens {names.cell(plan.answer)}, so {attacker.other} must answer there"
            if not moves:
                return f"{first}; then {_move(last, names, attacker)}"
            onward = names.cells([each.move for each in moves])
            return f"{first}; more threats follow from {onward}; then {_move(last, names, attacker)}"
        case QuietMove():
            return f"prepares {_prepared(plan, names, attacker)}"


def _move(plan: Plan, names: _Names, attacker: Mark) -> str:
    return f"{names.cell(plan.move)} {_course(plan, names, attacker)}"


def _punishment(plan: Plan, names: _Names, plays: str) -> str:
    """How the opponent wins."""
    what = f"{names.you} {plays} {names.cell(plan.move)}"
    match plan:
        case DoubleThreat():
            return f"{what}, threatening {names.cells(plan.targets)} at once"
        case SingleThreat():
            moves, last = _sequence(plan.then)
            what += f" and {names.me} must answer {names.cell(plan.answer)}"
            if moves:
                what += f"; more threats follow from {names.cells([each.move for each in moves])}"
            return f"{what}; then {_move(last, names, names.you)}"
        case _:
            return f"{what} and {_course(plan, names, names.you)}"


def _prepared(plan: QuietMove, names: _Names, attacker: Mark) -> str:
    """What a quiet move prepares, and that there is no defence."""
    if plan.threat is None:
        return f"a win against each of {attacker.other}'s replies"
    what = f"{names.cell(plan.threat.move)}, which would {_would(plan.threat, names, attacker)}"
    tries = list(cells_of(union([plan.rest, *(replies for replies, _ in plan.defences)])))
    if not tries:
        return what
    moves = list(dict.fromkeys(then.move for _, then in plan.defences))
    how = "all the same" if plan.rest or len(moves) > FEW else f"by {names.cells(moves, 'or')}"
    return f"{what}. {attacker.other} could only try {names.one_of(tries)}, but then {attacker} wins {how}"


def _would(plan: Plan, names: _Names, attacker: Mark) -> str:
    """What the first move of a plan would do."""
    match plan:
        case DoubleThreat():
            return f"threaten {names.cells(plan.targets)} at once"
        case SingleThreat() if not isinstance(_sequence(plan)[1], QuietMove):
            return f"force {attacker.other} to {names.cell(plan.answer)} and win by threats"
        case SingleThreat():
            return f"force {attacker.other} to {names.cell(plan.answer)} and win"
        case _:
            return f"leave {attacker.other} no defence"


def _sequence(plan: Plan) -> tuple[list[SingleThreat], Plan]:
    """The single threats that a plan begins with, and what follows them."""
    moves: list[SingleThreat] = []
    while isinstance(plan, SingleThreat):
        moves.append(plan)
        plan = plan.then
    return moves, plan
