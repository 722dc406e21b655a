"""Which single change of a list of rules makes it unbeatable: a rule dropped, moved, added or replaced."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from solver.strategies.handbook import HANDBOOK
from solver.theory.rulebooks import Aim, reaches

SEVEN_RULES: Final = ("win", "block", "centre", "threatened corner", "side", "corner")
"""The rules of Hard by their names in the handbook; its seventh, any square, ends every list."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a list: in words, with how far the rule that comes in looks ahead, and the list it makes."""

    words: str
    sight: int
    names: tuple[str, ...]


def changes(names: Sequence[str]) -> Iterator[Change]:
    """Every single change of a list; those that come to the same list once."""
    seen = {tuple(names)}
    for change in _changes(tuple(names)):
        if change.names not in seen:
            seen.add(change.names)
            yield change


def mending(names: Sequence[str], aim: Aim = Aim.UNBEATABLE) -> tuple[Change, ...]:
    """The single changes after which the list reaches the aim."""
    return tuple(change for change in changes(names) if reaches(change.names, aim))


def _changes(names: tuple[str, ...]) -> Iterator[Change]:
    for place, name in enumerate(names):
        yield Change(f"drop “{name}”", 0, names[:place] + names[place + 1 :])
    for place, name in enumerate(names):
        others = names[:place] + names[place + 1 :]
        for to in range(len(names)):
            where = f"before “{others[to]}”" if to < len(others) else "to the end"
            yield Change(f"move “{name}” {where}", 0, (*others[:to], name, *others[to:]))
    for place, old in enumerate(names):
        for new in HANDBOOK:
            if new not in names:
                words = f"“{new}” instead of “{old}”"
                yield Change(words, HANDBOOK[new].sight, (*names[:place], new, *names[place + 1 :]))
    for place in range(len(names) + 1):
        where = f"before “{names[place]}”" if place < len(names) else "at the end"
        for new in HANDBOOK:
            if new not in names:
                yield Change(f"“{new}” {where}", HANDBOOK[new].sight, (*names[:place], new, *names[place:]))
