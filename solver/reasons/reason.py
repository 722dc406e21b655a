"""The answer to why a square has its outcome."""

from dataclasses import dataclass, replace

from solver.board.outcome import Outcome
from solver.board.rules import Cell
from solver.reasons.kinds import ReasonKind
from solver.reasons.shown import DrawnLine


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a square is what it is.

    `text` says so in words, and is empty where nothing was found that passed the check; `guarded` is as much of it as
    names no better square. `refutation` is best play after the square, as far as it was found: after a losing one, how
    the opponent wins. `lines` are those that the text speaks of, and `pairs` the squares of a pairing.
    """

    kind: ReasonKind
    outcome: Outcome
    text: str = ""
    guarded: str = ""
    refutation: tuple[Cell, ...] = ()
    lines: tuple[DrawnLine, ...] = ()
    pairs: tuple[tuple[Cell, Cell], ...] = ()

    @property
    def verified(self) -> bool:
        """Whether there is a text, all of which passed the check."""
        return bool(self.text)

    @property
    def discreet(self) -> "Reason":
        """The same for a player that still looks for a better square, which it does not name."""
        return replace(self, text=self.guarded)

    @property
    def sentence(self) -> str:
        """The text without the outcome that it begins with, for where that is said already."""
        return self.clause[:1].upper() + self.clause[1:]

    @property
    def clause(self) -> str:
        """The same as it goes on after "because", in small letters."""
        return self.text.partition(": ")[2]
