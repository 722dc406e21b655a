"""The two walks that count the game tree: layer by layer with multiplicities, and depth first as the article's.

Both work on one position of each symmetry class, as a pair of sets of cells, and share what they tally a ply.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from solver.board.rules import Bits, Rules, cells_of, image
from solver.errors import TooLarge
from solver.theory.tactics import FORK

MAX_WALKED_CELLS: Final = 16
"""The most squares of a board whose positions are walked: more than a million up to symmetry, a minute or two."""

Stones: TypeAlias = tuple[Bits, Bits]
"""X's cells and O's."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What the nodes of one ply are. `forks` are among the `internal` ones; `total` is what is no repetition.

    `duplicates` are the moves that led to a board already visited, `symmetric` those to another image of one.
    """

    ply: int
    internal: int = 0
    forks: int = 0
    x_wins: int = 0
    o_wins: int = 0
    draws: int = 0
    duplicates: int = 0
    symmetric: int = 0

    @property
    def total(self) -> int:
        """All nodes."""
        return self.internal + self.x_wins + self.o_wins + self.draws


_ON, _WON, _FULL, _FORK, _DUPLICATE, _SYMMETRIC = range(6)
"""What a walk counts in a list: nodes where play goes on, won ones, full boards; forks among the first; repetitions."""


@dataclass(slots=True)
class _Class:
    """A symmetry class of positions: how many games lead to it, and how many positions it has."""

    paths: int
    members: int
    won: bool


def layers(rules: Rules) -> Iterator[tuple[Tally, Tally]]:
    """Ply by ply, the nodes of the tree that ends where somebody has won: counted as games, and as positions.

    Each class of positions is looked at once, however many games lead to it: the moves of its representative stand for
    those of its other members. Of games nothing is a duplicate; of positions, every further move to the same one is.
    Raises TooLarge beyond 16 squares.
    """
    _feasible(rules)
    layer = {(0, 0): _Class(1, 1, won=False)}
    arrivals = 1
    for ply in range(rules.size + 1):
        games, positions = [0] * 4, [0] * 4
        following: dict[Stones, _Class] = {}
        for (x, o), each in layer.items():
            own, other = (o, x) if ply % 2 else (x, o)
            wins, threats = 0, 0
            for cell in cells_of(0 if each.won else rules.full & ~(x | o)):
                after = own | 1 << cell
                won = rules.wins_at(after, cell)
                wins += won
                threats += rules.wins_at(other | 1 << cell, cell)
                images = _images(rules, (other, after) if ply % 2 else (after, other))
                found = following.get(key := min(images))
                if found is None:
                    following[key] = _Class(each.paths, len(set(images)), won)
                else:
                    found.paths += each.paths
            kind = _WON if each.won else _FULL if ply == rules.size else _ON
            fork = kind == _ON and threats == FORK and not wins
            for counts, weight in ((games, each.paths), (positions, each.members)):
                counts[kind] += weight
                counts[_FORK] += weight * fork
        total = sum(positions[:_FORK])
        yield _tally(ply, games), _tally(ply, positions, arrivals - total)
        arrivals = positions[_ON] * (rules.size - ply)
        layer = following


def _tally(ply: int, counts: list[int], duplicates: int = 0, symmetric: int = 0) -> Tally:
    x_wins, o_wins = (counts[_WON], 0) if ply % 2 else (0, counts[_WON])
    return Tally(ply, counts[_ON], counts[_FORK], x_wins, o_wins, counts[_FULL], duplicates, symmetric)


def depth_first(rules: Rules, forced: bool) -> tuple[Tally, ...]:
    """The article's walk: depth first, moves in reading order, images of visited boards left out.

    With `forced`, only the first winning move is played, else only the first blocking one, else all. Raises TooLarge
    beyond 16 squares.
    """
    _feasible(rules)
    tallies = [[0] * 6 for _ in range(rules.size + 1)]
    visited: dict[Stones, Stones] = {}

    def visit(x: Bits, o: Bits, ply: int, won: bool) -> None:
        key = min(_images(rules, (x, o)))
        counts = tallies[ply]
        if (first := visited.get(key)) is not None:
            counts[_DUPLICATE if first == (x, o) else _SYMMETRIC] += 1
            return
        visited[key] = x, o
        if won or ply == rules.size:
            counts[_WON if won else _FULL] += 1
            return
        own, other = (o, x) if ply % 2 else (x, o)
        moves = list(cells_of(rules.full & ~(x | o)))
        wins = [cell for cell in moves if rules.wins_at(own | 1 << cell, cell)]
        threats = [cell for cell in moves if rules.wins_at(other | 1 << cell, cell)]
        counts[_ON] += 1
        counts[_FORK] += len(threats) == FORK and not wins
        if forced:
            moves = (wins or threats)[:1] or moves
        for cell in moves:
            after = own | 1 << cell
            visit(*((other, after) if ply % 2 else (after, other)), ply + 1, cell in wins)

    visit(0, 0, 0, won=False)
    return tuple(_tally(ply, counts, *counts[_DUPLICATE:]) for ply, counts in enumerate(tallies))


def _images(rules: Rules, stones: Stones) -> list[Stones]:
    x, o = stones
    return [(image(x, table), image(o, table)) for table in rules.images]


def _feasible(rules: Rules) -> None:
    if rules.size > MAX_WALKED_CELLS:
        raise TooLarge(
            f"{rules} has too many positions to count: that is done one by one on up to {MAX_WALKED_CELLS} squares."
            " Only the upper bound is a formula, for every board."
        )
