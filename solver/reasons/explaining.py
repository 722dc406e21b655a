"""Explain the outcome of a square: find the grounds, check them, and only then put them into words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from solver.board.notation import SaidInNotebooks, capital
from solver.board.outcome import DRAWN, WIN, Outcome, Value, to_child
from solver.board.pasted import Given, as_position
from solver.board.position import Position
from solver.board.rules import Cell, Pairs, Rules
from solver.kernel.potential import promising
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.reasons.grounds import DrawnLine, Ground, Names, ReasonKind, SquareCase
from solver.reasons.harming import why
from solver.reasons.holding import Blocks, OnlyMove, Pairing, why_it_draws
from solver.reasons.planning import (
    Completion,
    DoubleThreat,
    Effort,
    Plan,
    Planner,
    QuietMove,
    SingleThreat,
    known_outcomes,
    length,
)
from solver.reasons.winning import GivesWinAway, Loses, Unblocked, Wins, why_it_loses, why_it_wins
from solver.search.budget import Budget, BudgetExhausted, Meter
from solver.search.solver import Decider, Solver, best_move, line_ends, principal_variation, shared_solver
from solver.search.tablebase import is_decided_by_table

NODES: Final = {"compiled": 4000, "interpreted": 60}
"""The most nodes of the search for the first move of a square's plan, by kernel."""

SMALL: Final = 0.1
"""The share of `NODES` for finding the plans after the first move."""

LINE: Final = 0.25
"""The share of `NODES` for the line of best play."""

LONE_LINE: Final = 4.0
"""The share of `NODES` for the line of best play where a stone can harm its owner. No plan takes nodes there."""

STEPS: Final = 300
"""The most steps of the search for plans for one square."""

LINES: Final = 45
"""The number of lines up to which a board gets all nodes and steps.

A board with twice as many lines gets half the nodes and a quarter of the steps. There a node takes twice as long, and a
step four times as long, since it also looks at more replies.
"""

REASON_ENTRIES: Final = 1 << 10
"""The number of positions that the search for one square remembers."""


@dataclass(frozen=True, slots=True)
class Reason(SaidInNotebooks):
    """The reason why a square wins, draws or loses.

    `text` gives it in words, and is empty if no reason passed the check. `guarded` is the part of the text that names
    no better square. `refutation` is best play after the square, as far as it was found, and agrees with the text;
    `line_complete` is true if it goes to the end of the game. `lines` are the lines that the text mentions, and `pairs`
    the squares of a pairing.
    """

    kind: ReasonKind
    outcome: Outcome
    text: str = ""
    guarded: str = ""
    refutation: tuple[Cell, ...] = ()
    line_complete: bool = False
    lines: tuple[DrawnLine, ...] = ()
    pairs: tuple[tuple[Cell, Cell], ...] = ()

    def __str__(self) -> str:
        return self.text or f"{self.outcome}, without a checked reason"

    @property
    def verified(self) -> bool:
        """True if there is a text. Every text has passed the check."""
        return bool(self.text)

    @property
    def discreet(self) -> "Reason":
        """The reason without the names of better squares, for a player who is still looking for one."""
        return replace(self, text=self.guarded)

    @property
    def sentence(self) -> str:
        """The text without the outcome at its beginning."""
        return capital(self.clause)

    @property
    def clause(self) -> str:
        """The text without the outcome, to follow "because"."""
        return self.text.partition(": ")[2]


def explain(
    position: Given, cell: Cell | str, prediction: Prediction | None = None, line: Budget | None = None
) -> Reason:
    """Return the reason for the predicted outcome of an open square.

    The position and the square can be texts. If no prediction is given, `predict` makes it.

    >>> print(explain("X.O/.X./..O", "a2"))
    Loses: O fills c1–c3 with c2.

    The reason depends only on the arguments, and the search for it is limited. If a budget `line` is given, the board's
    shared solver uses it to complete the refutation. A square without a proved value gets the kind UNEXPLAINED. Raises
    IllegalMove for a square that is not open, and NoughtsError for a bad text.
    """
    position = as_position(position)
    cell = position.move_of(cell)
    position.play(cell)  # raises IllegalMove
    prediction = prediction or predict(position)
    outcome = prediction.squares[cell]
    if outcome.value is Value.UNKNOWN:
        return Reason(ReasonKind.UNEXPLAINED, outcome)
    search = _Search.on(position.rules)
    if not position.rules.stones_never_harm:
        proved: dict[Position, dict[Cell, Outcome]] = {}
        case = SquareCase(position, cell, known_outcomes(prediction, proved))
        best_play = _best_play(case, (), *search.onward(line, LONE_LINE))
        if best_play:  # its first reply is proved to keep the square's score
            proved[case.after] = {best_play[0]: Outcome.of_score(to_child(outcome.rank), case.after.plies_to_draw)}
        return _reason(case, why(case, best_play), best_play)
    planner = Planner(search.decided, search.meter(), search.meter(SMALL), Effort(int(search.share**2 * STEPS)))
    case = SquareCase(position, cell, known_outcomes(prediction, planner.proved))
    grounds = {Value.WIN: why_it_wins, Value.LOSS: why_it_loses, Value.DRAW: why_it_draws}[outcome.value](case, planner)
    grounds = grounds if holds(case, grounds) else ()
    return _reason(case, grounds, _best_play(case, grounds, *search.onward(line)))


def _reason(case: SquareCase, grounds: Sequence[Ground], refutation: tuple[Cell, ...]) -> Reason:
    """Return the reason that rests on these grounds if they hold, with best play after the square."""
    position, outcome = case.position, case.outcome
    whole = line_ends(position.after(case.cell), refutation, outcome.is_endless)
    if not holds(case, grounds):
        return Reason(ReasonKind.UNEXPLAINED, outcome, refutation=refutation, line_complete=whole)
    return Reason(
        kind_of(grounds),
        outcome,
        text(position, outcome, grounds),
        without_hints(position, outcome, grounds),
        refutation,
        whole,
        tuple(dict.fromkeys(line for ground in grounds for line in ground.lines_to_draw(case))),
        _pairs(grounds),
    )


def holds(case: SquareCase, grounds: Sequence[Ground]) -> bool:
    """Return whether all these grounds are true of a square and one of them proves its outcome."""
    outcome = case.squares.get(case.cell)
    if outcome is None or not any(outcome.value in ground.proves for ground in grounds):
        return False
    return all(ground.holds(case) for ground in grounds)


def kind_of(grounds: Sequence[Ground]) -> ReasonKind:
    """Return the kind of the first ground, or BLOCKS if the only move is a block."""
    match grounds:
        case (OnlyMove(), Blocks(), *_):
            return ReasonKind.BLOCKS
        case _:
            return grounds[0].kind


def text(position: Position, outcome: Outcome, grounds: Sequence[Ground]) -> str:
    """Put the outcome of a square and its grounds into sentences."""
    names = Names(position.rules, position.mover)
    sentences: list[str] = []
    for number, ground in enumerate(grounds):
        clause = ground.words(names)
        if number and grounds[number - 1] == OnlyMove() and not ground.has_subject:
            clause = f"it {clause}"
        sentences.append(capital(clause) if sentences else clause)
    missed = ", but misses a win" if outcome.value is Value.DRAW and isinstance(grounds[0], GivesWinAway) else ""
    return f"{verdict(outcome, position.rules.completing_loses)}{missed}: {'. '.join(sentences)}."


def without_hints(position: Position, outcome: Outcome, grounds: Sequence[Ground]) -> str:
    """Return the text without the grounds that name a better square; it is empty if no ground is left."""
    rest = [part for ground in grounds if (part := ground.without_hints())]
    return text(position, outcome, rest) if rest else ""


def verdict(outcome: Outcome, by_losing_line: bool = False) -> str:
    """Return the first words of a reason, such as "Loses" or "Wins in 2"; where a line loses, the moves aren't told."""
    if outcome.value is Value.WIN and outcome.plies != 1 and outcome.moves and not by_losing_line:
        return f"Wins in {outcome.moves}"
    return {Value.WIN: "Wins", Value.DRAW: "Draws", Value.LOSS: "Loses"}[outcome.value]


@dataclass(frozen=True, slots=True)
class _Search:
    """The search for reasons on a board.

    `nodes` is its limit of nodes, 0 on a board with a table. `share` is the part of the nodes and steps that the board
    gets.
    """

    rules: Rules
    decided: Decider
    nodes: int
    share: float

    @classmethod
    def on(cls, rules: Rules) -> "_Search":
        """Return a search for a board, with an empty memory."""
        if rules.is_small:
            return cls(rules, is_decided_by_table, 0, 1.0)
        from solver.kernel.engine import KERNEL  # noqa: PLC0415 - the kernel, which small boards do without

        share = min(1.0, LINES / max(1, len(rules.lines)))
        return cls(rules, Solver(rules, max_entries=REASON_ENTRIES).decided, NODES[KERNEL], share)

    def meter(self, part: float = 1.0) -> Meter:
        """Return a meter for a part of the nodes."""
        return Meter(Budget(nodes=int(part * self.share * self.nodes)))

    def onward(self, line: Budget | None, part: float = LINE) -> tuple[Decider, Meter]:
        """Return the decider and the meter for a line of best play.

        If a budget `line` is given, the shared solver spends it.
        """
        if line is None or not self.nodes:
            return self.decided, self.meter(part)
        return shared_solver(self.rules).decided, Meter(line)


def _best_play(case: SquareCase, grounds: Sequence[Ground], decided: Decider, meter: Meter) -> tuple[Cell, ...]:
    """Return a line of best play after a square, as far as the nodes reach; empty if the distance is not proved.

    If the square wins or loses by a plan or draws by a pairing, the line follows the plan or the pairing.
    """
    if not case.outcome.is_exact:
        return ()
    after = case.after
    match grounds:
        case (Wins(plan=plan), *_):
            return _follow_plan(case.position, plan, decided, meter)[1:]
        case (Loses(plan=plan), *_):
            return _follow_plan(after, plan, decided, meter)
        case (Unblocked(move=move), *_):
            return (move,)
        case _ if pairs := _pairs(grounds):
            return _follow_pairing(after, pairs, decided, meter)
        case _:
            return principal_variation(decided, after, to_child(case.outcome.rank), meter)


def _pairs(grounds: Sequence[Ground]) -> Pairs:
    """Return the pairs of a pairing among the grounds."""
    return next((ground.pairs for ground in grounds if isinstance(ground, Pairing)), ())


def _follow_pairing(position: Position, pairs: Pairs, decided: Decider, meter: Meter) -> tuple[Cell, ...]:
    """Return a drawn line in which the second player follows a pairing.

    When the first player takes one square of a pair, the second takes the other.

    It ends early if the meter runs out.
    """
    other = dict(pairs) | {second: first for first, second in pairs}
    moves: list[Cell] = []
    while position.result is None:
        answer = other.get(moves[-1]) if len(moves) % 2 else None
        if answer is None or not position.empty >> answer & 1:
            try:
                answer = best_move(decided, position, DRAWN, meter)
            except BudgetExhausted:
                break
        moves.append(answer)
        position = position.after(answer)
    return tuple(moves)


def _follow_plan(position: Position, plan: Plan, decided: Decider, meter: Meter) -> tuple[Cell, ...]:
    """Return the line in which the attacker follows its plan and the defender holds out longest.

    It ends early if the meter runs out.
    """
    moves: list[Cell] = []
    while True:
        moves.append(plan.move)
        position = position.after(plan.move)
        match plan:
            case Completion():
                return tuple(moves)
            case DoubleThreat(targets=(blocked, completed, *_)):
                return (*moves, blocked, completed)
            case SingleThreat():
                reply, then = plan.answer, plan.then
            case QuietMove():
                try:
                    reply, onward = _longest_defence(position, plan, decided, meter)
                except BudgetExhausted:
                    return tuple(moves)
                if onward is None:
                    score = WIN - length(plan) + 2
                    return *moves, reply, *principal_variation(decided, position.after(reply), score, meter)
                then = onward
        moves.append(reply)
        position, plan = position.after(reply), then


def _longest_defence(after: Position, plan: QuietMove, decided: Decider, meter: Meter) -> tuple[Cell, Plan | None]:
    """Return the reply to a quiet move that holds out longest, and the plan against it. Raises BudgetExhausted."""
    most = length(plan) - 2
    plans = {reply: plan.against(reply) for reply in promising(after)}
    slow = [reply for reply, then in plans.items() if then is None or length(then) == most]
    reply = next((reply for reply in slow if not decided(after.after(reply), most - 2, meter)), slow[0])
    return reply, plans[reply]
