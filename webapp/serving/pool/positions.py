"""The positions that visitors look at, which the pool proves in turns when it has no task.

A position is worked on while somebody watches it and a moment longer, up to a limit of seconds. All its visitors share
the work. The position that a visitor looks at now is in view and comes first. Beyond the limits, positions out of view
are given up, those of the heaviest client first. If none is out of view, a new position is refused as busy.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Final

from solver.proofs.prediction import ProofState, ProofStatus, ProvedMoves
from webapp.config import GateLimits
from webapp.serving.pool.messages import Asker, Packed
from webapp.serving.pool.usage import Usage

OUT_OF_VIEW_LATER: Final = 1.0
"""Seconds added to the rank of the first turn of a position out of view."""


@dataclass(slots=True)
class _Study:
    """A position's state: the client that watched it last, and whether it is in that client's view now."""

    client: str
    wanted_until: float
    in_view: bool = False
    spent: float = 0.0
    at_work: bool = False
    done: bool = False
    found: ProvedMoves = ()
    askers: dict[Asker, float] = field(default_factory=dict)
    """The requests that wait for the first turn, and the time when each began to."""


class Positions:
    """The gate's records of watched positions."""

    def __init__(self, limits: GateLimits, clock: Callable[[], float], usage: Usage) -> None:
        self._limits, self._clock, self._usage = limits, clock, usage
        self._open: OrderedDict[Packed, _Study] = OrderedDict()
        """Positions that are worked on or waited for, and for a moment some that no longer are; the next turn first."""
        self._remembered: OrderedDict[Packed, _Study] = OrderedDict()
        """The state of other positions, the one that was watched longest ago first. Only `watch` looks them up."""

    def watch(self, asker: Asker, position: Packed, wait: bool, in_view: bool) -> ProofStatus | None:
        """Return the state of the position's proof, and have it worked on for a while if the limits allow it.

        With `wait`, return None for a new position: the asker gets its answer after the first turn. A new position has
        this turn even if nothing else is proved in the background. With `in_view`, the client looks at this position
        now and at no other.
        """
        if not self._limits.provers and not wait:
            return ProofStatus(ProofState.OFF)
        now = self._clock()
        self._usage.count_request(asker.client)
        self._put_away()
        study = self._open.get(position) or self._remembered.get(position)
        if position in self._remembered:
            self._remembered.move_to_end(position)
        if in_view:  # the client no longer looks at any other position
            for each in self._open.values():
                each.in_view = each.in_view and each.client != asker.client
        if study is None or (study.wanted_until < now and not study.done):
            if not self._make_room(asker.client):
                return ProofStatus(ProofState.BUSY)
            study = self._open.setdefault(position, study or _Study(asker.client, inf))
            self._remembered.pop(position, None)
            study.spent = 0.0  # a visitor who comes back later gets the full time again
            study.client, study.in_view = asker.client, False
        if in_view:
            study.client, study.in_view = asker.client, True
        study.wanted_until = now + self._limits.lease
        if wait and not study.spent and not study.done:
            study.askers[asker] = now
            self._usage.hold(asker.client)
            return None
        return self._look(position, study)

    def release(self, position: Packed) -> None:
        """Note that a visitor has stopped watching: the work ends unless another visitor watches soon."""
        if (study := self._open.get(position)) is not None:
            study.wanted_until = min(study.wanted_until, self._clock() + 3 * self._limits.turn)

    def drop(self, gone: Callable[[Asker], bool]) -> None:
        """Forget the askers that do not wait any longer."""
        for study in self._open.values():
            for asker in [asker for asker in study.askers if gone(asker)]:
                self._leave(study, asker)

    def late(self) -> Iterator[tuple[Asker, ProofStatus]]:
        """Yield each asker that has waited too long or whose position is given up, with its answer."""
        first = self._clock() - self._limits.patience
        for position, study in self._open.items():
            given_up = not (self._is_open(study) or study.at_work)
            for asker in [asker for asker, since in study.askers.items() if given_up or since < first]:
                self._leave(study, asker)
                yield asker, self._look(position, study)

    def waited_for(self) -> Packed | None:
        """Return the next position whose first turn somebody waits for."""
        first = [
            position
            for position, study in self._open.items()
            if study.askers and not study.at_work and not study.spent and self._is_open(study)
        ]
        return min(first, key=self.rank, default=None)

    def rank(self, position: Packed) -> float:
        """Return the rank of a position's first turn; the smallest comes first."""
        study = self._open[position]
        waits = [(asker.client, since) for asker, since in study.askers.items()]
        return self._usage.rank(waits) + (0 if study.in_view else OUT_OF_VIEW_LATER)

    def next(self) -> Packed | None:
        """Return the position that has waited longest for a turn. Positions in view come before all others."""
        each = [position for position, study in self._open.items() if self._is_open(study) and not study.at_work]
        return min(each, key=lambda position: not self._open[position].in_view, default=None)

    def begin(self, position: Packed) -> None:
        """Note that a turn begins."""
        self._open[position].at_work = True
        self._open.move_to_end(position)

    def turned(
        self, position: Packed, seconds: float, done: bool, found: ProvedMoves
    ) -> list[tuple[Asker, ProofStatus]]:
        """Note the end of a turn, whether all is proved, and what is. Return the waiting askers with their answers."""
        study = self._open[position]
        # A turn costs at least this much, so that a position is given up in the end.
        study.spent += max(seconds, self._limits.first_turn)
        study.at_work, study.done = False, done
        study.found = found or study.found
        askers = list(study.askers)
        for asker in askers:
            self._leave(study, asker)
        return [(asker, self._look(position, study)) for asker in askers]

    @property
    def open(self) -> int:
        """The number of positions that are worked on."""
        return sum(map(self._is_open, self._open.values()))

    def _make_room(self, client: str) -> bool:
        """Give up a position out of view if one more would be too many. Return whether the client may have one more."""
        own = [study for study in self._open.values() if self._is_open(study) and study.client == client]
        if len(own) >= self._limits.positions_per_client and not self._give_up(own):
            return False
        everyone = [study for study in self._open.values() if self._is_open(study)]
        return len(everyone) < self._limits.positions or self._give_up(everyone)

    def _leave(self, study: _Study, asker: Asker) -> None:
        """Remove an asker from a position."""
        del study.askers[asker]
        self._usage.release(asker.client)

    def _give_up(self, studies: list[_Study]) -> bool:
        """Give up a position out of view, the heaviest client's first. Return False if there is none."""
        out_of_view = [study for study in studies if not study.in_view]
        used = self._usage.each(study.client for study in out_of_view)
        study = max(out_of_view, key=lambda study: used[study.client], default=None)
        if study is not None:
            study.wanted_until = -inf
        return study is not None

    def _is_open(self, study: _Study) -> bool:
        return not study.done and study.spent < self._limits.seconds and study.wanted_until > self._clock()

    def _look(self, position: Packed, study: _Study) -> ProofStatus:
        if study.done:
            return ProofStatus(ProofState.DONE, proved=study.found)
        if not self._limits.provers:
            return ProofStatus(ProofState.OFF, proved=study.found)
        if study.spent >= self._limits.seconds:
            return ProofStatus(ProofState.SPENT, proved=study.found)
        if study.at_work or study.spent:
            return ProofStatus(ProofState.PROVING, proved=study.found)
        ahead = 0
        for other, each in self._open.items():
            if other == position:
                break
            ahead += each.in_view and self._is_open(each)
        return ProofStatus(ProofState.WAITING, ahead)

    def _put_away(self) -> None:
        """Remember the positions that are neither worked on nor waited for, and forget the oldest of those."""
        for position, study in tuple(self._open.items()):
            if not (study.askers or study.at_work or self._is_open(study)):
                self._remembered[position] = self._open.pop(position)
        while len(self._remembered) > self._limits.kept:
            self._remembered.popitem(last=False)
