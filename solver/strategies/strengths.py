"""How strong each opponent is on 3×3: its expected score against all others, in percent.

A win counts 1 and a draw ½; every other opponent is met once from each side, with exact chances. The figures are those
of `solver.theory.crosstable`, which takes too long for the first page somebody opens; a test computes them anew and
compares.
"""

from types import MappingProxyType
from typing import Final

PERCENT: Final = MappingProxyType(
    {
        "easy": 9,
        "medium": 41,
        "hard": 49,
        "impossible": 61,
        "rulebook": 61,
        "short-rulebook": 61,
        "pyfl-program": 54,
        "impossible-opportunities": 63,
        "impossible-paths": 61,
        "minimax": 61,
        "alphabeta-1": 13,
        "alphabeta-2": 40,
        "alphabeta-3": 42,
        "alphabeta-4": 43,
        "alphabeta-5": 47,
        "alphabeta-6": 61,
        "alphabeta-7": 61,
        "alphabeta-8": 61,
        "alphabeta-9": 61,
    }
)


def strength_words(name: str) -> str:
    """The measured strength of an opponent in a sentence; empty where none is measured."""
    return f"Scores {PERCENT[name]}% on 3×3 against all others (a draw counts half)." if name in PERCENT else ""
