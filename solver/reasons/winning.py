"""Grounds for a square's win or loss, and the search for them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from solver.board.outcome import Value, own_moves
from solver.board.rules import Bits, Cell
from solver.reasons.grounds import (
    DrawnLine,
    Ground,
    Names,
    ReasonKind,
    SquareCase,
    does,
    ends,
    lines_completed,
    punishment,
)
from solver.reasons.planning import (
    DoubleThreat,
    Effort,
    OpenLines,
    Plan,
    Planner,
    QuietMove,
    SingleThreat,
    forces,
    length,
    sequence,
    wins,
)

RACE = 200
"""The most steps of the search for the plan `Loses.race`."""


@dataclass(frozen=True, slots=True)
class Completes(Ground):
    """The move completes these lines, and no others."""

    lines: tuple[Bits, ...]

    proves = (Value.WIN,)
    kind = ReasonKind.COMPLETES_LINE
    says = "completes {lines}"

    def holds(self, case: SquareCase) -> bool:
        after = case.after
        is_won = str(after.result) == case.position.mover
        is_right = bool(self.lines) and set(self.lines) == set(after.winning_lines)
        return is_right and is_won == (Value.WIN in self.proves) and case.lasts(1)

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        mark = case.position.mark_placed(case.cell)
        return [(mark, line) for line in self.lines]


@dataclass(frozen=True, slots=True)
class Wins(Ground):
    """The mover wins by this plan, which begins with the square."""

    plan: Plan

    proves = (Value.WIN,)

    @property
    def kind(self) -> ReasonKind:
        return {
            DoubleThreat: ReasonKind.MAKES_TWO_THREATS,
            SingleThreat: ReasonKind.FORCES_TWO_THREATS,
            QuietMove: ReasonKind.PREPARES_TWO_THREATS,
        }[type(self.plan)]

    def holds(self, case: SquareCase) -> bool:
        return (
            self.plan.move == case.cell and wins(case.position, self.plan, case.known) and case.lasts(length(self.plan))
        )

    def words(self, names: Names) -> str:
        return does(self.plan, names)

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return ends(case.position.mover, case.rules, case.position.own, case.other, self.plan)


@dataclass(frozen=True, slots=True)
class Slower(Ground):
    """The square `best` wins in `plies` plies, sooner than this one. No other square wins sooner than `best`."""

    best: Cell
    plies: int

    def holds(self, case: SquareCase) -> bool:
        wins_in = {cell: outcome.plies for cell, outcome in case.squares.items() if outcome.value is Value.WIN}
        best, taken = wins_in.get(self.best), wins_in.get(case.cell)
        return (
            best == self.plies
            and taken is not None
            and best < taken
            and all(plies is not None and plies >= best for plies in wins_in.values())
        )

    def words(self, names: Names) -> str:
        when = "at once" if self.plies == 1 else f"in {own_moves(self.plies)}"
        return f"slower than {names.cell(self.best)}, which wins {when}"

    def without_hints(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Unblocked(Ground):
    """The opponent completes `line` with the reply `move`. Before the mover's move, it threatened exactly `threats`."""

    move: Cell
    line: Bits
    threats: tuple[Cell, ...]

    proves = (Value.LOSS,)

    @property
    def kind(self) -> ReasonKind:
        return ReasonKind.LOSES_TO_LINE if len(self.threats) == 1 else ReasonKind.CANNOT_BLOCK_BOTH

    def holds(self, case: SquareCase) -> bool:
        return (
            self.move != case.cell
            and self.move in self.threats
            and case.position.threats() == self.threats
            and self.line in lines_completed(case.rules, case.other, self.move)
            and case.lasts(2)
        )

    def words(self, names: Names) -> str:
        if len(self.threats) > 1:
            return f"{names.you} threatens {names.cells(self.threats)}, and {names.me} can block only one"
        return f"{names.you} fills {names.line(self.line)} with {names.cell(self.move)}"

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return [(case.position.mover.other, self.line)]


@dataclass(frozen=True, slots=True)
class Loses(Ground):
    """After the move, the opponent wins by this plan.

    `blocking` is True if the move threatens one square and the plan begins by blocking it. `race` is a plan by which
    the mover would win if it could move again at once. It is None if the move threatens a line.
    """

    plan: Plan
    blocking: bool
    race: Plan | None = None

    proves = (Value.LOSS,)

    @property
    def kind(self) -> ReasonKind:
        if self.race is not None:
            return ReasonKind.LOSES_RACE
        return {
            DoubleThreat: ReasonKind.LOSES_TO_TWO_THREATS,
            SingleThreat: ReasonKind.LOSES_TO_FORCING,
            QuietMove: ReasonKind.LOSES_TO_PREPARING,
        }[type(self.plan)]

    def holds(self, case: SquareCase) -> bool:
        return (
            wins(case.after, self.plan, case.known)
            and case.lasts(1 + length(self.plan))
            and (case.threats == (self.plan.move,)) == self.blocking
            and (self.race is None or (not case.threats and forces(case.rules, case.own, case.other, self.race)))
        )

    def words(self, names: Names) -> str:
        punished = punishment(self.plan, names, "blocks on" if self.blocking else "plays")
        if self.race is None:
            return punished
        return f"{punished}. {names.me} would win with {names.cell(self.race.move)}, but {names.you} gets there first"

    def without_hints(self) -> Ground:
        return replace(self, race=None)

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return ends(case.position.mover.other, case.rules, case.other, case.own, self.plan)


@dataclass(frozen=True, slots=True)
class AllLose(Ground):
    """There are several squares, and all of them lose. If `longest`, none lasts longer than this one."""

    longest: bool

    proves = (Value.LOSS,)
    kind = ReasonKind.ALL_SQUARES_LOSE

    def holds(self, case: SquareCase) -> bool:
        plies = [case.squares[cell].plies for cell in case.of_value(Value.LOSS)]
        lasts = case.squares[case.cell].plies
        if len(plies) != len(case.position.legal_moves) or len(plies) < 2 or lasts is None:
            return False
        return self.longest == all(length is not None and length <= lasts for length in plies)

    def words(self, names: Names) -> str:
        return "every square loses" + ("; none lasts longer" if self.longest else "")


@dataclass(frozen=True, slots=True)
class Elsewhere(Ground):
    """Exactly these squares draw, and all others lose."""

    drawing: tuple[Cell, ...]

    proves = (Value.LOSS,)
    kind = ReasonKind.MUST_PLAY_ELSEWHERE

    def holds(self, case: SquareCase) -> bool:
        draws, losses = set(case.of_value(Value.DRAW)), set(case.of_value(Value.LOSS))
        is_all = len(draws) + len(losses) == len(case.position.legal_moves)
        return bool(draws) and is_all and case.cell in losses and set(self.drawing) == draws

    def words(self, names: Names) -> str:
        return names.only(self.drawing, "holds the draw", "hold the draw")

    def without_hints(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class GivesWinAway(Ground):
    """Exactly these squares win, and this one is not among them."""

    winning: tuple[Cell, ...]

    proves = (Value.LOSS, Value.DRAW)
    kind = ReasonKind.MISSES_WIN

    def holds(self, case: SquareCase) -> bool:
        winning = set(case.of_value(Value.WIN))
        return bool(winning) and set(self.winning) == winning and case.cell not in winning

    def words(self, names: Names) -> str:
        return names.only(self.winning, "wins", "win")

    def without_hints(self) -> None:
        return None


def why_it_wins(case: SquareCase, planner: Planner) -> tuple[Ground, ...]:
    """Return the grounds of a win; none if no plan is found.

    They are the completed lines, or a plan and perhaps a quicker square.
    """
    if lines := case.after.winning_lines:
        return (Completes(lines),)
    outcome = case.outcome
    plan = planner.plan(case.position, outcome.plies or outcome.at_most or 1, case.cell)
    if plan is None:
        return ()
    plies_to_win = {cell: case.squares[cell].plies for cell in case.of_value(Value.WIN)}
    best = min(plies_to_win, key=lambda cell: plies_to_win[cell] or 0)
    plies = plies_to_win[best]
    slower = (Slower(best, plies),) if plies and outcome.plies and plies < outcome.plies else ()
    return Wins(plan), *slower


def why_it_loses(case: SquareCase, planner: Planner) -> tuple[Ground, ...]:
    """Return the grounds of a loss; none if nothing explains it.

    They are an open line or a plan, and perhaps better squares.
    """
    rules, outcome = case.rules, case.outcome
    winning, drawing = case.of_value(Value.WIN), case.of_value(Value.DRAW)
    missed = (GivesWinAway(winning),) if winning else ()
    if case.counters:
        move = case.counters[-1]
        line = lines_completed(rules, case.other, move)[0]
        return Unblocked(move, line, case.position.threats()), *missed
    plan = planner.plan(case.after, (outcome.plies or outcome.at_most or 1) - 1)
    if plan is None:
        return missed or ((Elsewhere(drawing),) if drawing else ())
    threats, plies = case.threats, length(plan)
    race = None if threats else sequence(OpenLines.of(rules, case.own, case.other, plies), plies, Effort(RACE))
    loses = Loses(plan, threats == (plan.move,), race)
    losses = [lasts for cell in case.of_value(Value.LOSS) if (lasts := case.squares[cell].plies)]
    if len(losses) < len(case.squares) or len(losses) < 2 or outcome.plies is None:
        return loses, *missed
    return loses, AllLose(longest=outcome.plies == max(losses))
