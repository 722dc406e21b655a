"""What a lesson is: a page of its own under /learn, made by a pure function from what its address asks for."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from solver.board.position import Position
from solver.proofs.prediction import Prediction, predict

Query: TypeAlias = Mapping[str, str]
"""The parts of an address after the question mark, the first of each name."""

Known: TypeAlias = Mapping[Position, Prediction]
"""The predictions of positions, looked up once a page: on larger boards more may be proved a moment later."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: `name` is the end of its address and the name of its template, `view` makes what the template sees.

    The view is a frozen object that depends on the query alone, and on what is known of the positions that `shows`
    names, so that pages can be kept. Either may raise NoughtsError: the page of an empty query is then shown with what
    was wrong. `parts` are the names the lesson reads; others are ignored.
    """

    name: str
    title: str
    summary: str
    view: Callable[[Query, Known], object]
    parts: tuple[str, ...] = ()
    shows: Callable[[Query], Iterable[Position]] = lambda _: ()

    @classmethod
    def settled(
        cls, name: str, title: str, summary: str, view: Callable[[Query], object], parts: tuple[str, ...] = ()
    ) -> "Lesson":
        """A lesson that shows nothing of which more may be proved."""
        return cls(name, title, summary, lambda query, _: view(query), parts)

    def known(self, query: Query) -> Known:
        """What is known now of the positions that the page shows. Raises NoughtsError."""
        return {position: predict(position) for position in self.shows(query)}
