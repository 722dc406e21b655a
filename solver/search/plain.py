"""Questions about games in which one more stone can harm its owner, as in misère and on cylinders with gravity.

The kernel answers them by plain alpha-beta, in a window of no width. As scores tell distances, the window also limits
the depth.
"""

from abc import ABC, abstractmethod
from functools import partial
from threading import Lock

from solver.board.outcome import DRAWN, LOST, WIN, Bounds
from solver.board.position import Position, Result
from solver.board.rules import Marking, Rules
from solver.search.budget import Meter, NodeCounter, metered

PAUSE = 20_000
"""Nodes between two looks at the meter."""


class GameSearch(ABC):
    """A search for one game, which asks its searcher. The searcher remembers positions."""

    def __init__(self, rules: Rules, searcher: NodeCounter) -> None:
        self.rules, self._searcher, self._lock = rules, searcher, Lock()

    @property
    def nodes(self) -> int:
        """The positions searched so far."""
        return self._searcher.nodes

    def team(self, _threads: int) -> "tuple[GameSearch, ...]":
        """Return this search alone: it lets no other thread run."""
        return (self,)

    def decided(self, position: Position, plies: int, meter: Meter) -> bool:
        """Return whether an unfinished position is decided within `plies` plies. Raises BudgetExhausted.

        By completing a line games are won in odd numbers of plies and lost in even ones; where that loses, it is the
        other way round. The number so says whether the question is about a win or a loss of the mover.
        """
        won = plies % 2 != self.rules.completing_loses
        with self._lock:
            return metered(self._searcher, PAUSE, meter, partial(self._ends, position, won, plies))

    @abstractmethod
    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        """Return whether the mover of an unfinished position wins, or else loses, within `plies` plies."""


class PlainSearch(GameSearch):
    """The search by the kernel's plain alpha-beta, with a table of up to `max_entries` positions."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        from solver.kernel.engine import kernel  # noqa: PLC0415 - looking scores up needs no kernel

        self._prover = kernel.PlainProver(rules, kernel.TranspositionTable(max_entries))
        super().__init__(rules, self._prover)

    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        own_marks = self.rules.marks is Marking.OWN
        first, second = (position.own, position.other) if own_marks else (position.x, position.o)
        return self._prover.wins(first, second, won, plies)


def at_first(position: Position) -> Bounds:
    """Return the bounds of a position's score before any search."""
    match position.result:
        case None:
            loses = position.rules.completing_loses
            lower, upper = 2 - loses - WIN, WIN - 1 - loses
            if position.plies_left == 1:  # the other end of the game takes two plies
                return Bounds(lower, DRAWN) if loses else Bounds(DRAWN, upper)
            return Bounds(lower, upper)
        case Result.DRAW:
            return Bounds(DRAWN, DRAWN)
        case winner:
            score = WIN if str(winner) == position.mover else LOST
            return Bounds(score, score)
