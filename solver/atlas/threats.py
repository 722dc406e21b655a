"""Find wins by threats, for the check of certificates: by the lines alone.

The check trusts no search of the kernel or of the reasons, so it shares none with them.
"""

from collections.abc import Iterator

from solver.board.rules import Bits, Rules

MOST, QUICK = 100_000, 100
"""The most positions of one search, and of a quick one."""

MOST_FAILED = 4_000_000
"""The most positions that are remembered, in half a gigabyte or so."""


class ThreatSearch:
    """A search for wins in which each move leaves a line with one empty square, so that the opponent has one reply.

    It remembers the moves of the last win, in `plan`, since they often win again, and positions without such a win.
    """

    def __init__(self, rules: Rules) -> None:
        self.lines, self.lines_through = rules.lines, rules.lines_through
        self.failed = set[tuple[Bits, Bits]]()
        self.left = self.plan = 0

    def win(self, own: Bits, other: Bits, most: int = MOST) -> bool:
        """Return whether a search of `most` positions finds a win by threats for the player to move, who has `own`."""
        self.left = most
        rests = [line & ~own for line in self.lines if not line & other]
        if any(rest.bit_count() == 1 for rest in rests):
            return True
        return self._attack(own, other, rests, _missing(self.lines, other, own))

    def _attack(self, own: Bits, other: Bits, rests: list[Bits], feared: Bits) -> bool:
        """Return whether the attack goes on to a win.

        `rests` are what the player's lines lack, and `feared` the squares that complete one of the opponent.
        """
        self.left -= 1
        if self.left < 0 or feared & (feared - 1) or (own, other) in self.failed:
            return False
        replies, twice, allowed = dict[Bits, Bits](), 0, feared or -1  # anywhere
        for pair in {rest for rest in rests if rest.bit_count() == 2}:
            for move in _cells(pair & allowed):
                twice |= move if move in replies else 0
                replies[move] = pair ^ move
        if twice:  # two lines are threatened at once
            self.plan = twice
            return True
        for move in sorted(replies, key=lambda each: not each & self.plan):
            own_after, other_after, reply = own | move, other | replies[move], replies[move]
            left = [rest & ~move for rest in rests if not rest & reply]
            threats = _missing(self.lines_through[reply.bit_length() - 1], other_after, own_after)
            if self._attack(own_after, other_after, left, threats):
                self.plan |= move
                return True
            if self.left < 0:
                return False
        if len(self.failed) < MOST_FAILED:
            self.failed.add((own, other))
        return False


def _missing(lines: tuple[Bits, ...], own: Bits, other: Bits) -> Bits:
    """Return the squares that complete one of these lines for the player who has `own`."""
    found = 0
    for line in lines:
        if not line & other and (line & ~own).bit_count() == 1:
            found |= line & ~own
    return found


def _cells(cells: Bits) -> Iterator[Bits]:
    while cells:
        yield cells & -cells
        cells &= cells - 1
