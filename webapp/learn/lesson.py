"""What a lesson is: a page of its own under /learn, made by a pure function from what its address asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Query: TypeAlias = Mapping[str, str]
"""The parts of an address after the question mark, the first of each name."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: `name` is the end of its address and the name of its template, `view` makes what the template sees.

    The view is a frozen object that depends on the query alone, so that pages can be kept. It may raise NoughtsError:
    the page of an empty query is then shown with what was wrong. `parts` are the names it reads; others are ignored.
    """

    name: str
    title: str
    summary: str
    view: Callable[[Query], object]
    parts: tuple[str, ...] = ()
