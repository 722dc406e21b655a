"""Exact scores where stones vanish, so that positions repeat: backwards from the ends, or questions of limited depth.

Up to nine squares the kernel makes a table of all positions. Beyond, `scores` goes backwards too, for the atlas.

A position is its `ages`: the cells of its stones, the oldest first. As the players take turns, every second stone is
the same player's, and the last one belongs to the player who has just moved. An image by a symmetry has the same score.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache, reduce
from math import perm
from typing import TYPE_CHECKING, TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Score, to_parent
from solver.board.position import Position
from solver.board.rules import Cell, Rules, bits_of, cells_of
from solver.search.plain import GameSearch

if TYPE_CHECKING:
    from solver.kernel.kernel import VanishingTable

Ages: TypeAlias = tuple[Cell, ...]

MOST_REMEMBERED = 1 << 18
"""The most positions that a search of limited depth remembers, as Python objects of 300 bytes each."""


@lru_cache(maxsize=512)
def orders(rules: Rules) -> int:
    """Return the number of orders in which stones can lie on the board: 79,210 for 3×3 and three in a row."""
    return sum(perm(rules.squares, stones) for stones in range(2 * rules.k + 1))


def seconds_of(rules: Rules) -> float:
    """Return the processor seconds that making a game's table takes, to within a factor of three."""
    from solver.kernel.engine import KERNEL  # noqa: PLC0415 - looking up other games needs no kernel

    return orders(rules) * (1.5e-7 if KERNEL == "compiled" else 1.5e-5)


@lru_cache(maxsize=8)
def table(rules: Rules) -> "VanishingTable":
    """Return the table of orders of stones in which one can leave: 623,530 at most on a small board."""
    from solver.kernel.engine import kernel  # noqa: PLC0415 - looking up other games needs no kernel

    return kernel.VanishingTable(rules)


def look_up(position: Position) -> Score:
    """Return the score of a position for its mover, in a game that is small or whose table is cheap."""
    plies = table(position.rules).plies(reduce(lambda ages, cell: ages << 6 | cell, position.ages, 1))
    if plies < 0:
        return DRAWN
    return plies - WIN if plies % 2 == position.rules.completing_loses else WIN - plies


@lru_cache(maxsize=8)
def scores(rules: Rules) -> dict[Ages, Score]:
    """Return the score of every position for its mover, by the least image of its ages.

    Positions are decided in the order of their distance from the end of the game. Those that are left are drawn, since
    both players can go on for ever.
    """
    scored: dict[Ages, Score] = {}
    before, undecided = defaultdict[Ages, list[Ages]](list), dict[Ages, int]()
    layer, reached, seen = list[Ages](), list[Ages]([()]), set[Ages]([()])
    while reached:
        ages = reached.pop()
        if completes(rules, ages):
            scored[ages] = WIN if rules.completing_loses else LOST
            layer.append(ages)
            continue
        following = {least(rules, after) for after in moves(rules, ages)}
        undecided[ages] = len(following) or -1  # without a move the game is drawn
        for after in following:
            before[after].append(ages)
        reached += following - seen
        seen |= following
    while layer:
        decided = list[Ages]()
        for after in layer:
            score = to_parent(scored[after])
            for ages in before[after]:
                undecided[ages] -= 1
                if ages not in scored and (score > DRAWN or not undecided[ages]):
                    scored[ages] = score
                    decided.append(ages)
        layer = decided
    return dict.fromkeys(seen, DRAWN) | scored


def moves(rules: Rules, ages: Ages) -> Iterator[Ages]:
    """Yield the positions after each move."""
    kept = ages[len(ages) == 2 * rules.k :]
    free = rules.full & ~bits_of(kept)
    for cell in cells_of(free if rules.takes_freed else free & ~bits_of(ages)):
        yield *kept, cell


def completes(rules: Rules, ages: Ages) -> bool:
    """Return whether the last stone completes a line."""
    own = bits_of(ages[::-2])
    return any(not line & ~own for line in rules.lines_through[ages[-1]]) if ages else False


def least(rules: Rules, ages: Ages) -> Ages:
    """Return the least image of a position."""
    return min(tuple([symmetry[cell] for cell in ages]) for symmetry in rules.symmetries)


class TableSearch(GameSearch):
    """The answers of a small game. It visits no node."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, DepthFirst(rules, 0))

    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        score = look_up(position)
        return score >= WIN - plies if won else score <= plies - WIN


class VanishingSearch(GameSearch):
    """A search of limited depth: it proves wins and losses, and draws only where the board is full before that."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        self._depth_first = DepthFirst(rules, min(max_entries, MOST_REMEMBERED))
        super().__init__(rules, self._depth_first)

    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        return self._depth_first.wins(position.ages, won, plies)


class DepthFirst:
    """The search itself, which remembers up to `max_entries` positions and counts nodes as the kernel's searches do."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        self.rules, self.nodes, self.pause_at, self._max_entries = rules, 0, 0, max_entries
        self.on_pause: Callable[[], int] = lambda: 1 << 62
        self._known: dict[tuple[Ages, bool], tuple[int, int]] = {}

    def wins(self, ages: Ages, attacking: bool, plies: int) -> bool:
        """Return whether the attacker, who is to move if `attacking`, wins an unfinished position within `plies`."""
        if (plies % 2 == attacking) == self.rules.completing_loses:
            plies -= 1
        if plies <= 0:
            return False
        key = least(self.rules, ages), attacking
        fails, won = self._known.get(key, (0, 1 << 10))
        if plies <= fails or plies >= won:
            return plies >= won
        if self.nodes >= self.pause_at:
            self.pause_at = self.on_pause()
        self.nodes += 1
        quiet, wins = list[Ages](), not attacking
        for after in moves(self.rules, ages):
            if not completes(self.rules, after):
                quiet.append(after)
            elif not self.rules.completing_loses:
                return attacking
        for after in quiet:
            if (wins := self.wins(after, not attacking, plies - 1)) == attacking:
                break
        if len(self._known) >= self._max_entries:
            self._known.clear()
        self._known[key] = (fails, plies) if wins else (plies, won)
        return wins
