"""The reason for the outcome of a square."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from solver.board.outcome import Outcome
from solver.board.position import Mark
from solver.board.rules import Bits, Cell

DrawnLine: TypeAlias = tuple[Mark, Bits]
"""A line to draw on the board, with the player that has it or threatens it."""


class ReasonKind(StrEnum):
    """The kind of fact that decides a square's outcome, seen by the player who would move there."""

    COMPLETES_LINE = "completes-line"
    MAKES_TWO_THREATS = "makes-two-threats"
    FORCES_TWO_THREATS = "forces-two-threats"
    PREPARES_TWO_THREATS = "prepares-two-threats"
    LOSES_TO_LINE = "loses-to-line"
    CANNOT_BLOCK_BOTH = "cannot-block-both"
    LOSES_TO_TWO_THREATS = "loses-to-two-threats"
    LOSES_TO_FORCING = "loses-to-forcing"
    LOSES_TO_PREPARING = "loses-to-preparing"
    LOSES_RACE = "loses-race"
    MUST_PLAY_ELSEWHERE = "must-play-elsewhere"
    FILLS_BOARD = "fills-board"
    NO_LINE_LEFT = "no-line-left"
    BLOCKS = "blocks"
    ONLY_MOVE = "only-move"
    GAINS_TIME = "gains-time"
    STOPS_TWO_THREATS = "stops-two-threats"
    STOPS_WIN = "stops-win"
    FORCES_REPLY = "forces-reply"
    LIMITS_REPLIES = "limits-replies"
    PAIRING = "pairing"
    MISSES_WIN = "misses-win"
    REPLIES = "replies"
    AMONG_OTHERS = "among-others"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a square wins, draws or loses.

    `text` gives it in words, and is empty if no reason passed the check. `guarded` is the part of the
    text that names no better square. `refutation` is best play after the square, as far as it was found: after a losing
    square, it shows how the opponent wins. `lines` are the lines that the text mentions, and `pairs` the squares of a
    pairing.
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
        """True where there is a text, all of which passed the check."""
        return bool(self.text)

    @property
    def discreet(self) -> "Reason":
        """The reason without the names of better squares, for a player who is still looking for one."""
        return replace(self, text=self.guarded)

    @property
    def sentence(self) -> str:
        """The text without the outcome at its beginning."""
        return self.clause[:1].upper() + self.clause[1:]

    @property
    def clause(self) -> str:
        """The text as it follows "because": without the outcome, and in small letters."""
        return self.text.partition(": ")[2]
