"""What a lesson is: a page of its own under /learn, made by a pure function from what its address asks for."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from solver.board.position import Position

Query: TypeAlias = Mapping[str, str]
"""The parts of an address after the question mark, the first of each name."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: `name` is the end of its address and the name of its template, `view` makes what the template sees.

    The view is a frozen object that depends on the query alone, and on what is proved of the positions that `shows`
    names, so that pages can be kept. Either may raise NoughtsError: the page of an empty query is then shown with what
    was wrong. `parts` are the names the lesson reads; others are ignored.
    """

    name: str
    title: str
    summary: str
    view: Callable[[Query], object]
    parts: tuple[str, ...] = ()
    shows: Callable[[Query], Iterable[Position]] = lambda _: ()
