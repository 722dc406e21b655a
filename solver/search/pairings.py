"""Pairings: disjoint pairs of squares, such that each line holds a pair.

With a pairing, a player stops every line: when the opponent takes one square of a pair, the player takes the other.
"""

from collections.abc import Iterable
from typing import Final

from solver.board.rules import Bits, Pairs, ends_of

ROUNDS: Final = 6
"""The number of rounds before the search for a pairing gives up."""


def pairing(lines: Iterable[Bits]) -> Pairs | None:
    """Return disjoint pairs of squares, one within each of these lines; None if the search finds none.

    None does not prove that no pairing exists.
    """
    from solver.kernel.engine import kernel  # noqa: PLC0415 - what needs no search needs no kernel

    pairs = kernel.Pairings(tuple(dict.fromkeys(lines))).search(ROUNDS)
    return None if pairs is None else tuple(map(ends_of, pairs))
