"""Rulebook and Short rulebook: lists of rules of thumb that are proved on 3×3, and followed on any board.

No shorter list of the handbook's rules does what they do (`solver.theory.rulebooks` examines all). On 3×3 either never
loses, on either side. The longer one never lets a win slip either, from whatever position it is set to play; the
shorter one from those of its own games only. On every other board of up to nine cells the longer one loses only what is
lost from the start, and lets no win slip in its games; on larger ones it may do both.
"""

from typing import Final

from solver.strategies.handbook import following

RULEBOOK: Final = ("win", "block", "fork", "force a fork", "guard", "live lines")
SHORT_RULEBOOK: Final = ("win", "block", "guard", "live lines")

rulebook = following(RULEBOOK)
short_rulebook = following(SHORT_RULEBOOK)
