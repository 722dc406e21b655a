"""What a list of rules is worth on 3×3, shown by its games: its proof, and what goes wrong without each of its rules.

The rules prefer no side of the board, so of positions that a symmetry turns into each other one is looked at for all.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from solver.board.outcome import DRAWN
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.search.tablebase import looked_up
from solver.strategies.decision import Strategy
from solver.strategies.handbook import first_advice, following
from solver.theory.rulebooks import board
from solver.theory.trial import Refutation, Trial, trial

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A position that its mover wins by perfect play, and a square a list may take there that wins no more."""

    position: Position
    cell: Cell


@dataclass(frozen=True, slots=True)
class Proof:
    """The trials of a list as X and as O, and in how many won positions of all it may let the win slip."""

    names: Names
    trials: tuple[Trial, ...]
    won: int
    slips: int
    slip: Slip | None


@dataclass(frozen=True, slots=True)
class Without:
    """A list without one of its rules: the shortest game it then loses and as which mark, or else a win it misses."""

    name: str
    mark: Mark | None
    refutation: Refutation | None
    slip: Slip | None


@cache
def player(names: Names) -> Strategy:
    """The player who follows these rules."""
    return Strategy("list", f"a list of {len(names)} rules", ", ".join(names), "Lists", following(names))


@cache
def proof(names: Names) -> Proof:
    """Plays a list out on both sides, and looks at all its decisions in won positions."""
    slips = list(_slips(names))
    slipping = {slip.position for slip in slips}
    first = min(slips, key=lambda slip: (-slip.position.plies_left, slip.position.x, slip.cell), default=None)
    trials = tuple(trial(player(names), mark, TIC_TAC_TOE) for mark in Mark)
    return Proof(names, trials, _count(_won()), _count(slipping), first)


@cache
def without(names: Names, name: str) -> Without:
    """What goes wrong if a list lacks one of its rules; nothing, if the rule does not matter."""
    rest = proof(tuple(each for each in names if each != name))
    lost = [tried for tried in rest.trials if tried.refutation is not None]
    if not lost:
        return Without(name, None, None, rest.slip)
    shortest = min(lost, key=lambda tried: len(tried.refutation.plies if tried.refutation else ()))
    return Without(name, shortest.mark, shortest.refutation, None)


@cache
def example(names: Names, name: str) -> tuple[Position, tuple[Cell, ...]]:
    """A position in which a rule of a list decides, with its squares: one with few stones and fewest squares."""
    deciding = (
        (position, cells)
        for position in board().positions
        if position.result is None
        for decided_by, cells in (first_advice(position, names),)
        if decided_by == name
    )
    return min(deciding, key=lambda found: (len(found[1]), -found[0].plies_left, found[0].x, found[0].o))


def _won() -> list[Position]:
    """The positions that their mover wins by perfect play."""
    return [position for position in board().positions if position.result is None and looked_up(position) > DRAWN]


def _slips(names: Names) -> Iterator[Slip]:
    for position in _won():
        for cell in first_advice(position, names)[1]:
            if looked_up(position.after(cell)) >= DRAWN:
                yield Slip(position, cell)


def _count(distinct: Iterable[Position]) -> int:
    """How many positions these are, with those that are like them."""
    return sum(position.images() for position in distinct)
