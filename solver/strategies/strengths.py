"""How strong each opponent is on 3×3: its expected score against all others, in percent.

A win counts 1 and a draw ½; every other opponent is met once from each side, with exact chances. The figures are those
of `solver.theory.crosstable`, which takes too long for the first page somebody opens; a test computes them anew and
compares.
"""

from types import MappingProxyType
from typing import Final

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


def strength_words(name: str) -> str:
    """The measured strength of an opponent in a sentence; empty where none is measured."""
    return f"Scores {PERCENT[name]} % on 3×3 against all others (a draw counts half)." if name in PERCENT else ""
