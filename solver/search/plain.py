"""Exact scores where one more stone can harm its owner, as in misère and on cylinders with gravity: plain alpha-beta.

A question has a window of no width: is the score at least this much? As scores tell distances, the window also limits
the depth. The transposition table keeps the bounds of each position, which stand for all its images.
"""

from collections.abc import Callable, Iterator, Mapping
from threading import Lock

from solver.board.outcome import DRAWN, LOST, WIN, Bounds, Score, to_child
from solver.board.position import Position, Result
from solver.board.rules import Bits, Marking, Rules, cells_of, image
from solver.search.budget import BudgetExhausted, Meter

ENTRIES = 1 << 18
"""The most entries of a table. Entries are Python objects, 300 bytes each."""

PAUSE = 256
"""Nodes between two looks at the meter."""


class PlainSearch:
    """A search for one game, with its transposition table of up to `max_entries` positions."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        self.rules, self.nodes, self._max_entries = rules, 0, max_entries
        self._known: dict[tuple[Bits, Bits], tuple[Score, Score]] = {}
        self._own_marks = rules.marks is Marking.OWN
        self._over = WIN if rules.completing_loses else LOST
        """The score of a player whose opponent has just completed a line."""
        self._on_pause: Callable[[], None] = lambda: None
        self._lock = Lock()

    def team(self, _threads: int) -> "tuple[PlainSearch, ...]":
        """Return this search alone: it lets no other thread run."""
        return (self,)

    def narrowing(self, known: Mapping[Position, Bounds], meter: Meter) -> Iterator[tuple[Position, Bounds]]:
        """Narrow the bounds of these positions in turns, with questions about more and more plies."""
        bounds = dict(known)
        try:
            for plies in range(self.rules.squares + 1):
                for position, each in bounds.items():
                    narrower = each
                    score = plies + 1 - WIN if self._lost_in(plies) else WIN - plies
                    if each.lower < score <= each.upper:
                        narrower = each.narrowed(self._answered(plies, self._asked(position, score, meter)))
                    if plies >= position.plies_left and not narrower.closed:
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
        """Return whether a position's score is at least `score`, and count the nodes. Raises BudgetExhausted."""
        with self._lock:
            return self._counted(position, score, meter)

    def _counted(self, position: Position, score: Score, meter: Meter) -> bool:
        counted = self.nodes

        def pause() -> None:
            nonlocal counted
            meter.count(self.nodes - counted)
            counted = self.nodes
            if meter.exhausted:
                raise BudgetExhausted

        self._on_pause = pause
        pause()
        own, other = position.own, position.other
        if not self._own_marks:
            own, other = position.x, 0
        try:
            return self._at_least(own, other, score)
        finally:
            meter.count(self.nodes - counted)

    def _at_least(self, own: Bits, other: Bits, score: Score) -> bool:
        """Return whether the score of an unfinished position is at least `score` for its mover."""
        if score <= 1 - WIN or score >= WIN:
            return score < 0
        key = min((image(own, table), image(other, table)) for table in self.rules.images)
        lower, upper = self._known.get(key, (1 - WIN, WIN - 1))
        if score <= lower or score > upper:
            return score <= lower
        self.nodes += 1
        if not self.nodes % PAUSE:
            self._on_pause()
        found = self._some_move(own, other, to_child(score) + 1)
        if len(self._known) >= self._max_entries:
            self._known.clear()
        # The search below may have narrowed them.
        lower, upper = self._known.get(key, (lower, upper))
        self._known[key] = (max(lower, score), upper) if found else (lower, min(upper, score - 1))
        return found

    def _some_move(self, own: Bits, other: Bits, below: Score) -> bool:
        """Return whether after some move the score is less than `below` for the player who replies."""
        empty = self.rules.full & ~(own | other)
        quiet: list[Bits] = []
        for cell in cells_of(self.rules.playable(empty)):
            stones = own | 1 << cell
            if any(stones & line == line for line in self.rules.lines_through[cell]):
                if self._over < below:
                    return True
            elif empty == 1 << cell:
                return below > DRAWN
            else:
                quiet.append(stones)
        for stones in quiet:
            if not (self._at_least(other, stones, below) if self._own_marks else self._at_least(stones, 0, below)):
                return True
        return False


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
