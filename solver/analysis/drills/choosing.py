"""Which drills there are, and choosing among them: all from easy to hard, some by a seed, one by the day."""

from datetime import date
from functools import cache, lru_cache
from hashlib import sha256
from typing import Final

from solver.analysis.drills.drill import Drill, drill_for, drill_of
from solver.analysis.drills.kinds import DrillKind, Sight
from solver.analysis.drills.known import BOARDS, positions, prediction_of
from solver.board.rules import Rules
from solver.errors import BadOption

DAILY: Final = tuple(kind for kind in DrillKind if kind is not DrillKind.EVALUATE)
"""The kinds that days take turns with."""


def drills(
    rules: Rules, kind: DrillKind | None = None, seed: int | str | None = None, count: int | None = None
) -> tuple[Drill, ...]:
    """The drills of a board, of one kind or of all, or the first `count` of them.

    Without a seed they go from easy to hard. With one they are shuffled, always in the same way, so that fewer of them
    are the beginning of more; of all kinds there then are equally many, as far as they reach. Raises NoSuchDrill for a
    board without drills, and BadOption for a count less than 1.
    """
    if count is not None and count < 1:
        raise BadOption(f"There can be 1 drill or more, not {count}.")
    return (_of_kind(rules, kind) if seed is None else _shuffled(rules, kind, str(seed)))[:count]


def daily(day: date) -> Drill:
    """The drill of a day, the same for everyone: one with a square to find, of another kind and board from day to day.

    No drill comes back until all of its board and kind have had their day.
    """
    number = day.toordinal()
    kind, turn = DAILY[number % len(DAILY)], number // len(DAILY)
    found = drills(BOARDS[(number + turn) % len(BOARDS)], kind, seed="daily")
    return found[turn // len(BOARDS) % len(found)]


@cache
def _of_kind(rules: Rules, kind: DrillKind | None) -> tuple[Drill, ...]:
    """The drills of a kind, or of all, from easy to hard; those of other kinds are not made for it."""
    if kind is None:
        found = [drill for each in DrillKind for drill in _of_kind(rules, each)]
    else:
        found = [drill for seen in _sights(rules) if (drill := drill_for(kind, seen))]
    return tuple(sorted(found, key=lambda drill: (drill.difficulty, drill.id)))


@cache
def _sights(rules: Rules) -> tuple[Sight, ...]:
    return tuple(Sight(prediction_of(position)) for position in positions(rules))


@lru_cache(maxsize=64)
def _shuffled(rules: Rules, kind: DrillKind | None, seed: str) -> tuple[Drill, ...]:
    """Shuffled by digests, which are the same in every version of Python; the n-th of each kind come side by side."""
    found = _of_kind(rules, kind)
    place = {drill.id: sha256(f"{seed}/{drill.id}".encode(errors="surrogateescape")).digest() for drill in found}
    rounds: dict[str, int] = {}
    met = dict.fromkeys(DrillKind, 0)
    for drill in sorted(found, key=lambda drill: place[drill.id]):
        rounds[drill.id] = met[drill.kind]
        met[drill.kind] += 1
    return tuple(sorted(found, key=lambda drill: (rounds[drill.id], place[drill.id])))


__all__ = ["BOARDS", "daily", "drill_of", "drills"]
