"""Exact scores where one more stone can harm its owner, as in misère and on cylinders with gravity: plain alpha-beta.

A question has a window of no width: is the score at least this much? As scores tell distances, the window also limits
the depth. The kernel answers.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import partial
from threading import Lock

from solver.board.outcome import DRAWN, LOST, WIN, Bounds, Score
from solver.board.position import Position, Result
from solver.board.rules import Marking, Rules
from solver.search.budget import BudgetExhausted, Meter, NodeCounter, metered

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

    @abstractmethod
    def _at_least(self, position: Position, score: Score) -> bool:
        """Return whether the score of an unfinished position is at least `score` for its mover."""

    def team(self, _threads: int) -> "tuple[GameSearch, ...]":
        """Return this search alone: it lets no other thread run."""
        return (self,)

    def narrowing(self, known: Mapping[Position, Bounds], meter: Meter) -> Iterator[tuple[Position, Bounds]]:
        """Narrow the bounds of these positions in turns, with questions about more and more plies."""
        bounds = dict(known)
        try:
            for plies in range(max((each.plies_left for each in bounds), default=0) + 1):
                for position, each in bounds.items():
                    narrower = each
                    score = plies + 1 - WIN if self._lost_in(plies) else WIN - plies
                    if each.lower < score <= each.upper:
                        narrower = each.narrowed(self._answered(plies, self._asked(position, score, meter)))
                    if plies >= position.plies_left and not (narrower.closed or self.rules.endless):
                        narrower = Bounds(DRAWN, DRAWN)  # no win or loss is left
                    if narrower != each:
                        bounds[position] = narrower
                        yield position, narrower
        except BudgetExhausted:
            return

    def _lost_in(self, plies: int) -> bool:
        """Return whether it is losses that take this number of plies, not wins.

        By completing a line games are won in odd numbers of plies and lost in even ones; where that loses, it is the
        other way round.
        """
        return plies % 2 == self.rules.completing_loses

    def _answered(self, plies: int, yes: bool) -> Bounds:
        """Return the bounds that follow from the answer to a question about a win or a loss within `plies` plies."""
        if self._lost_in(plies):
            return Bounds(lower=plies + 2 - WIN) if yes else Bounds(upper=plies - WIN)
        return Bounds(lower=WIN - plies) if yes else Bounds(upper=WIN - plies - 2)

    def score(self, position: Position, meter: Meter) -> Score:
        """Return the score of a position for its mover. Raises BudgetExhausted."""
        known = {position: at_first(position)}
        known |= self.narrowing(known, meter)
        if (score := known[position].score) is None:
            raise BudgetExhausted
        return score

    def decided(self, position: Position, plies: int, meter: Meter) -> bool:
        """Return whether an unfinished position is decided within `plies` plies. Raises BudgetExhausted.

        The question is whether its mover loses, if losses take such a number of plies, else whether its mover wins.
        """
        if self._lost_in(plies):
            return not self._asked(position, plies + 1 - WIN, meter)
        return self._asked(position, WIN - plies, meter)

    def _asked(self, position: Position, score: Score, meter: Meter) -> bool:
        """Return whether a position's score is at least `score`, and count the cost. Raises BudgetExhausted."""
        with self._lock:
            return metered(self._searcher, PAUSE, meter, partial(self._at_least, position, score))


class PlainSearch(GameSearch):
    """The search by the kernel's plain alpha-beta, with a table of up to `max_entries` positions."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        from solver.kernel.engine import kernel  # noqa: PLC0415 - looking scores up needs no kernel

        self._prover = kernel.PlainProver(rules, kernel.TranspositionTable(max_entries))
        super().__init__(rules, self._prover)

    def _at_least(self, position: Position, score: Score) -> bool:
        own_marks = self.rules.marks is Marking.OWN
        first, second = (position.own, position.other) if own_marks else (position.x, position.o)
        if score > DRAWN:
            return self._prover.wins(first, second, True, WIN - score)
        return not self._prover.wins(first, second, False, WIN + score - 1)


def at_first(position: Position) -> Bounds:
    """Return the bounds of a position's score before any search."""
    match position.result:
        case None:
            soonest = position.rules.completing_loses
            return Bounds(2 - soonest - WIN, WIN - 1 - soonest)
        case Result.DRAW:
            return Bounds(DRAWN, DRAWN)
        case winner:
            score = WIN if str(winner) == position.mover else LOST
            return Bounds(score, score)
