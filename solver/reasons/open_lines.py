"""The lines that the attacker and the defender may still complete, each as the set of the squares that it misses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solver.board.rules import Bits, Rules


@dataclass(frozen=True, slots=True)
class OpenLines:
    """What the attacker's lines and the defender's miss, and the open squares, when the attacker is to move."""

    mine: Sequence[Bits]
    theirs: Sequence[Bits]
    empty: Bits

    @classmethod
    def of(cls, rules: Rules, attacker: Bits, defender: Bits, plies: int) -> "OpenLines":
        """The lines that may be completed or threatened within so many plies, by these stones and the next ones.

        Of the defender's lines there are those too that one stone more makes so.
        """
        moves = (plies + 1) // 2
        mine, theirs = [], []
        for line in rules.lines:
            if not line & defender:
                left = line & ~attacker
                if left.bit_count() <= moves:
                    mine.append(left)
            if not line & attacker:
                left = line & ~defender
                if left.bit_count() <= moves + 1:
                    theirs.append(left)
        return cls(mine, theirs, rules.full & ~(attacker | defender))

    def moved(self, stone: Bits) -> "OpenLines":
        """The lines after a move of the attacker's."""
        theirs = [line for line in self.theirs if not line & stone]
        return OpenLines([line & ~stone for line in self.mine], theirs, self.empty & ~stone)

    def replied(self, stone: Bits) -> "OpenLines":
        """The lines after a reply of the defender's."""
        mine = [line for line in self.mine if not line & stone]
        return OpenLines(mine, [line & ~stone for line in self.theirs], self.empty & ~stone)


def completing_squares(lines: Iterable[Bits]) -> Bits:
    """The squares on which one of these lines is completed: those that one misses alone."""
    found = 0
    for line in lines:
        if not line & (line - 1):
            found |= line
    return found
