"""Grounds: the facts about a square on which a reason rests, and their words.

Each ground is one class: `holds` checks the fact, `says` or `words` put it into words, `kind` names it for programs,
and `lines_to_draw` gives its lines. The check uses nothing but the rules and the known outcomes, whatever search the
ground comes from. `winning` has the grounds of squares that win or lose, `holding` those of draws, and `harming` those
of games in which a stone can harm its owner.

The mover, `me`, is the player who would play on the square; the opponent is `you`. "After the move" means after the
mover has played there.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from solver.board.notation import format_cell, format_line, list_words
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, bits_of, cells_of, union
from solver.reasons.planning import Completion, DoubleThreat, OutcomesOf, Plan, QuietMove, SingleThreat

DrawnLine: TypeAlias = tuple[Mark, Bits]
"""A line to draw on the board, and the player it belongs to."""

FEW = 4
"""The most squares that a sentence names one by one; more are counted."""


class ReasonKind(StrEnum):
    """The kind of fact that decides a square's outcome, seen by the player who would move there."""

    COMPLETES_LINE = "completes-line"
    MAKES_TWO_THREATS = "makes-two-threats"
    FORCES_TWO_THREATS = "forces-two-threats"
    PREPARES_TWO_THREATS = "prepares-two-threats"
    LOSES_TO_LINE = "loses-to-line"
    CANNOT_BLOCK_BOTH = "cannot-block-both"
    LOSES_TO_TWO_THREATS = "loses-to-two-threats"
    LOSES_TO_FORCING = "loses-to-forcing"
    LOSES_TO_PREPARING = "loses-to-preparing"
    LOSES_RACE = "loses-race"
    MUST_PLAY_ELSEWHERE = "must-play-elsewhere"
    FILLS_BOARD = "fills-board"
    NO_LINE_LEFT = "no-line-left"
    BLOCKS = "blocks"
    ONLY_MOVE = "only-move"
    GAINS_TIME = "gains-time"
    STOPS_TWO_THREATS = "stops-two-threats"
    STOPS_WIN = "stops-win"
    FORCES_REPLY = "forces-reply"
    LIMITS_REPLIES = "limits-replies"
    PAIRING = "pairing"
    MISSES_WIN = "misses-win"
    REPLIES = "replies"
    BREAKS_UP = "breaks-up"
    BUILDS = "builds"
    WAITS = "waits"
    COMPLETES_LOSING_LINE = "completes-losing-line"
    LEAVES_NO_SAFE_SQUARE = "leaves-no-safe-square"
    RUNS_OUT_OF_SAFE_SQUARES = "runs-out-of-safe-squares"
    FORCES_LINE = "forces-line"
    EVERY_REPLY_LOSES = "every-reply-loses"
    LOSES_TO_REPLY = "loses-to-reply"
    NO_REPLY_WINS = "no-reply-wins"
    ALL_SQUARES_LOSE = "all-squares-lose"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class SquareCase:
    """An open square of a position, and a function that returns the known outcomes of a position's squares."""

    position: Position
    cell: Cell
    known: OutcomesOf

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def squares(self) -> Mapping[Cell, Outcome]:
        """The known outcomes of the position's open squares."""
        return self.known(self.position)

    @property
    def own(self) -> Bits:
        """The mover's stones after the move."""
        return self.position.own | 1 << self.cell

    @property
    def other(self) -> Bits:
        """The opponent's stones."""
        return self.position.other

    @property
    def empty(self) -> Bits:
        """The squares that are still open after the move."""
        return self.position.empty & ~(1 << self.cell)

    @property
    def after(self) -> Position:
        """The position after the move."""
        return self.position.after(self.cell)

    @property
    def threats(self) -> tuple[Cell, ...]:
        """The squares on which the mover threatens to complete a line after the move."""
        return self.after.threats()

    @property
    def counters(self) -> tuple[Cell, ...]:
        """The squares on which the opponent can complete a line after the move."""
        return self.after.threats(self.position.mover.other)

    @property
    def blocked(self) -> tuple[Bits, ...]:
        """The lines that the opponent would complete on the square if it were its turn, where a line wins."""
        position, rules = self.position, self.rules
        if rules.completing_loses:
            return ()
        cell = self.cell % rules.size
        if rules.is_wild:
            sides = [position.x, position.o]
        else:
            stones = position.stones(position.mover.other)
            own = [age for age in position.ages if stones >> age & 1]
            sides = [stones ^ 1 << own[0] if rules.vanishes and len(own) == rules.k else stones]
        return tuple(
            line for line in rules.lines_through[cell] if any(not line & ~(side | 1 << cell) for side in sides)
        )

    @property
    def forks(self) -> tuple[Cell, ...]:
        """The squares that the opponent would threaten if it had played on this square instead."""
        return tuple(cells_of(self.rules.threats(self.other | 1 << self.cell, self.position.own)))

    @property
    def replies(self) -> Mapping[Cell, Outcome]:
        """The known outcomes of the opponent's replies."""
        return self.known(self.after) if self.empty else {}

    @property
    def outcome(self) -> Outcome:
        """The outcome of the square."""
        return self.squares[self.cell]

    def of_value(self, value: Value) -> tuple[Cell, ...]:
        """Return the squares that are known to have this value, in reading order."""
        return tuple(cell for cell, outcome in self.squares.items() if outcome.value is value)

    def lasts(self, plies: int) -> bool:
        """Return whether the game can last exactly this many plies, with the move. An unproved length may be any."""
        return self.outcome.plies in (None, plies)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a board's squares, lines and players."""

    rules: Rules
    mover: Mark

    @property
    def me(self) -> str:
        """The name of the mover."""
        return self.rules.player(self.mover)

    @property
    def you(self) -> str:
        """The name of the opponent."""
        return self.rules.player(self.mover.other)

    @property
    def turned(self) -> "Names":
        """The names as the opponent would say them."""
        return Names(self.rules, self.mover.other)

    def cell(self, cell: Cell) -> str:
        """Return a square's name."""
        return format_cell(cell, self.rules)

    def cells(self, cells: Iterable[Cell], word: str = "and") -> str:
        """List squares in words, with `word` before the last one."""
        return list_words(map(self.cell, cells), word)

    def one_of(self, cells: Sequence[Cell]) -> str:
        """List squares with "or", or give only their number if there are more than `FEW`."""
        return self.cells(cells, "or") if len(cells) <= FEW else f"one of {len(cells)} squares"

    def only(self, cells: Sequence[Cell], singular: str, plural: str) -> str:
        """Say that only these squares do what the verb says; give their number if there are more than `FEW`."""
        if len(cells) > FEW:
            return f"{len(cells)} other squares {plural}"
        return f"only {self.cells(cells)} {singular if len(cells) == 1 else plural}"

    def line(self, line: Bits) -> str:
        """Return a line's name by its ends, such as a1–c3; a line of one square has that square's name."""
        return format_line(line, self.rules)

    def lines(self, lines: Iterable[Bits]) -> str:
        """List lines in words."""
        return list_words(map(self.line, lines))


class Ground(ABC):
    """A fact about a square."""

    __slots__ = ()

    proves: ClassVar[tuple[Value, ...]] = ()
    """The values that this ground proves. A ground that proves none is only added to another ground."""
    has_subject: ClassVar[bool] = False
    """True if the words are a whole sentence, false if they go on from the square, as in "blocks a1–c1"."""
    says: ClassVar[str] = ""
    """The clause. In braces it has parts of the ground, and the players: {me} is the mover."""

    @property
    def kind(self) -> ReasonKind:
        """The kind of a reason that begins with this ground."""
        return ReasonKind.UNEXPLAINED

    @abstractmethod
    def holds(self, case: SquareCase) -> bool:
        """Return whether the fact is true of the square, given the known outcomes."""

    def words(self, names: Names) -> str:
        """Return the fact as a clause, which begins with a small letter unless a player's mark comes first."""
        return self.says.format_map(_Parts(self, names))

    def without_hints(self) -> "Ground | None":
        """Return this ground without what it says about better squares, or None if nothing is left."""
        return self

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:  # noqa: ARG002 - for those that override it
        """Return the lines that the words mention."""
        return ()


class _Parts(dict[str, str]):
    """The names of a ground's parts: `line` and `lines` are lines, all others are squares."""

    def __init__(self, ground: Ground, names: Names) -> None:
        super().__init__(me=names.me, you=names.you)
        self._ground, self._names = ground, names

    def __missing__(self, part: str) -> str:
        value, names = getattr(self._ground, part), self._names
        match part:
            case "line":
                return names.line(value)
            case "lines":
                return names.lines(value)
        return names.cells(value) if isinstance(value, tuple) else names.cell(value)


class DrawGround(Ground):
    """A fact that proves a draw."""

    __slots__ = ()

    proves = (Value.DRAW,)


def lines_completed(rules: Rules, stones: Bits, cell: Cell) -> tuple[Bits, ...]:
    """Return the lines that a player with these stones completes on a cell."""
    with_it = stones | 1 << cell
    return tuple(line for line in rules.lines_through[cell] if line & with_it == line)


def ends(mark: Mark, rules: Rules, own: Bits, other: Bits, plan: Plan) -> Iterable[DrawnLine]:
    """Return the lines that the attacker threatens at the end of a plan.

    For a quiet move, return the lines at the end of its threat.
    """
    own |= 1 << plan.move
    match plan:
        case SingleThreat():
            return ends(mark, rules, own, other | 1 << plan.answer, plan.then)
        case DoubleThreat():
            return threatened_lines(mark, rules, own, other, plan.targets)
        case QuietMove(threat=threat) if threat is not None:
            return ends(mark, rules, own, other, threat)
    return ()


def threatened_lines(mark: Mark, rules: Rules, own: Bits, other: Bits, targets: Iterable[Cell]) -> Iterable[DrawnLine]:
    """Return the lines that one more stone on one of these squares completes."""
    targeted = bits_of(targets)
    missing = ((line, line & ~own) for line in rules.lines if not line & other)
    return [(mark, line) for line, left in missing if left & targeted and not left & (left - 1)]


def does(plan: Plan, names: Names) -> str:
    """Say what the first move of the mover's plan does, and how the plan goes on."""
    match plan:
        case Completion():
            return "completes a line"
        case DoubleThreat():
            return f"threatens {names.cells(plan.targets)} at once"
        case SingleThreat():
            return f"threatens {names.cell(plan.answer)}, so {names.you} must block{_say_rest(plan, names)}"
        case QuietMove():
            return f"prepares {_say_prepared(plan, names)}"


def punishment(plan: Plan, names: Names, plays: str) -> str:
    """Say how the opponent wins by a plan; `plays` is the verb for its first move."""
    first = f"{names.you} {plays} {names.cell(plan.move)}"
    match plan:
        case DoubleThreat():
            return f"{first}, threatening {names.cells(plan.targets)} at once"
        case SingleThreat():
            return f"{first} and forces {names.cell(plan.answer)}{_say_rest(plan, names.turned)}"
        case _:
            return f"{first} and {does(plan, names.turned)}"


def would(plan: Plan, names: Names) -> str:
    """Say what the first move of the mover's plan would do, in words that follow "would"."""
    match plan:
        case DoubleThreat():
            return f"threaten {names.cells(plan.targets)} at once"
        case SingleThreat() if not isinstance(_sequence(plan)[1], QuietMove):
            return f"force {names.you} to {names.cell(plan.answer)} and win by threats"
        case SingleThreat():
            return f"force {names.you} to {names.cell(plan.answer)} and win"
        case _:
            return f"leave {names.you} no defence"


def _say_rest(plan: SingleThreat, names: Names) -> str:
    """Say what follows the answer to a threat: further threats, and the move that ends their sequence."""
    moves, last = _sequence(plan.then)
    onward = f". More threats follow from {names.cells([threat.move for threat in moves])}" if moves else ""
    return f"{onward}. Then {names.cell(last.move)} {does(last, names)}"


def _say_prepared(plan: QuietMove, names: Names) -> str:
    """Say what a quiet move prepares, and that there is no defence."""
    if plan.threat is None:
        return f"a win against each of {names.you}'s replies"
    prepared = f"{names.cell(plan.threat.move)}, which would {would(plan.threat, names)}"
    tries = list(cells_of(union([plan.rest, *(replies for replies, _ in plan.defences)])))
    if not tries:
        return prepared
    moves = list(dict.fromkeys(then.move for _, then in plan.defences))
    how = "all the same" if plan.rest or len(moves) > FEW else f"with {names.cells(moves, 'or')}"
    return f"{prepared}. {names.you} can only try {names.one_of(tries)}, but then {names.me} wins {how}"


def _sequence(plan: Plan) -> tuple[list[SingleThreat], Plan]:
    """Return the single threats that a plan begins with, and the plan that follows them."""
    moves: list[SingleThreat] = []
    while isinstance(plan, SingleThreat):
        moves.append(plan)
        plan = plan.then
    return moves, plan
