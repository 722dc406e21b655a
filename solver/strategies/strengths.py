"""How strong each opponent is on 3×3: its expected score against all others, in percent.

A win counts 1 and a draw ½; every other opponent is met once from each side, with exact chances. The figures are those
of `solver.theory.crosstable`, which takes too long for the first page somebody opens; a test computes them anew and
compares.
"""

from types import MappingProxyType
from typing import Final

from solver.rules import Rules, rules_of

PERCENT: Final = MappingProxyType(
    {
        "easy": 11,
        "medium": 43,
        "hard": 54,
        "impossible": 65,
        "pyfl-program": 55,
        "minimax": 65,
        "alphabeta-1": 15,
        "alphabeta-2": 43,
        "alphabeta-3": 45,
        "alphabeta-4": 46,
        "alphabeta-5": 51,
        "alphabeta-6": 65,
        "alphabeta-7": 65,
        "alphabeta-8": 65,
        "alphabeta-9": 65,
    }
)


def strength_words(name: str, rules: Rules) -> str:
    """The measured strength of an opponent in a sentence; empty on boards where none is measured."""
    percent = PERCENT.get(name)
    if percent is None or rules != rules_of(3, 3, 3):
        return ""
    return f"Scores {percent} % against all others (a draw counts half)."
