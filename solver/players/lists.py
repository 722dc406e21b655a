"""The players that go by a list of rules of thumb: Easy, Medium, Hard, and the two rulebooks.

Hard are the seven rules that the prose of "Unbeatable? Tictactoe in PyFL" (B. Wadge) lists, played by either mark.

The rulebooks are proved on 3×3, and followed on any board. No shorter list of the handbook's rules does what they do
(`solver.articles.rulebooks` examines all). On 3×3 either never loses, on either side. The longer one never lets a win
slip either, from whatever position it is set to play; the shorter one from those of its own games only. On every other
board of up to nine cells the longer one loses only what is lost from the start, and lets no win slip in its games; on
larger ones it may do both.
"""

from dataclasses import replace
from typing import Final

from solver.players.handbook import HANDBOOK, REST

WIN, BLOCK = HANDBOOK["win"], HANDBOOK["block"]

EASY: Final = (replace(REST, name="", words="any open square will do"),)

MEDIUM: Final = (
    replace(WIN, name="", words="it wins at once"),
    replace(BLOCK, name="", words="it blocks a win of {you}"),
    replace(REST, name="", words="nothing to win or block, so any open square will do"),
)

HARD: Final = (
    replace(WIN, words="it completes a line"),
    replace(BLOCK, words="the opponent would win there"),
    replace(HANDBOOK["centre"], words="it is free"),
    replace(HANDBOOK["threatened corner"], words="the opponent stands on both sides of it"),
    replace(HANDBOOK["side"], words="the middle of an edge is free"),
    replace(HANDBOOK["corner"], words="one is free"),
    replace(REST, words="no other rule applies"),
)

SEVEN_RULES: Final = tuple(rule.name for rule in HARD[:-1])
"""Those of Hard by their names in the handbook, without the seventh, any square, which ends every list."""

RULEBOOK: Final = ("win", "block", "fork", "force a fork", "guard", "live lines")
SHORT_RULEBOOK: Final = ("win", "block", "guard", "live lines")
