"""Can one player, the attacker, force a line within so many plies, whatever the other, the defender, does?

Outcomes and distances follow from such questions (see `exact`). An answer is yes or no, so a search needs no bounds on
scores, only the reasons why most moves cannot matter:

- Win now, forced block: who can complete a line does; else who would lose to one must block it.
- Stones still needed: a line that misses more stones than its owner has moves left in the time is dead.
- Forks still possible: a single threat is blocked, so an attack ends with one stone that makes two. Two lines that
  share a square and miss |union| squares need |union| - 1 stones; without such a pair in time there is no win, and a
  stone outside all such pairs and outside the defender's lines is as good as none.
- Parries: against a fork that the attacker has ready the defender plays on its lines, or makes a threat.
- Pairings: no win against a pairing strategy, nor after a move that leaves one; see `pairing`.
- Dominance: a square all of whose lines run through another square too is no better than that one.
- Keys without dead squares: positions are remembered by the stones and squares that living lines still use, turned to
  the least of their symmetric images.

The tests hold the answers against the plain reference, with all of Techniques and with each of them left out.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from solver.rules import Bits, Cell, Rules, cells_of, mapped, union
from solver.search.alphabeta import BudgetExhausted
from solver.search.pairing import find_pairing

Key: TypeAlias = tuple[Bits, Bits, Bits, bool]

REPLIES = 8
"""Replies that are tried for a pairing before the attacker's moves are searched."""

NEVER = 1 << 16
"""More plies than any game has."""


@dataclass(frozen=True, slots=True)
class Techniques:
    """Which of the reasons a search uses. All by default; switching one off changes the work and no answer."""

    forks: bool = True
    parries: bool = True
    pairings: bool = True
    dominance: bool = True


ALL = Techniques()


@dataclass(slots=True)
class _Proved:
    """What is proved of a position: no win within `fails` plies, a win within `wins`. Always fails < wins."""

    fails: int = 0
    wins: int = NEVER


@dataclass(frozen=True, slots=True)
class _Node:
    """A position seen by the attacker, with its living lines as the squares they still miss."""

    attacker: Bits
    defender: Bits
    attacking: bool
    plies: int
    empty: Bits
    lines: list[Bits]
    answers: list[Bits]
    """The defender's lines that could be completed in time, and so make threats that count."""
    threats: Bits
    """Squares where the attacker completes a line with the next stone."""
    counter: Bits
    """Squares where the defender does."""
    used: tuple[Bits, Bits, Bits]
    """The attacker's stones, the defender's stones and the empty squares that living lines and answers use."""


class Prover:
    """Answers questions about one board and remembers the answers.

    `nodes` counts the positions searched; where one more would exceed `max_nodes`, a question raises BudgetExhausted.
    """

    def __init__(self, rules: Rules, max_nodes: int | None = None, techniques: Techniques = ALL) -> None:
        self.rules = rules
        self.max_nodes = max_nodes
        self.techniques = techniques
        self.nodes = 0
        self._proved: dict[Key, _Proved] = {}

    def wins(self, attacker: Bits, defender: Bits, attacking: bool, plies: int) -> bool:
        """Whether the attacker can force a line within `plies` plies; `attacking` says that the attacker is to move.

        Neither player has a line yet. Raises BudgetExhausted.
        """
        node = self._look(attacker, defender, attacking, plies)
        if node is None:
            return False
        if attacking:
            if node.threats:
                return True
            if plies < 3 or node.counter.bit_count() > 1:
                return False
            forced = node.counter
        else:
            if plies < 2 or node.counter:
                return False
            if node.threats.bit_count() > 1:
                return True
            forced = node.threats
            if not forced and plies < 4:
                return False
        useful = node.used[2]
        if not forced and self.techniques.forks:
            fork_squares = _fork_squares(node)
            if not fork_squares:
                return False
            useful = fork_squares | union(node.answers)
        return self._remembered(node, forced, useful)

    def _look(self, attacker: Bits, defender: Bits, attacking: bool, plies: int) -> _Node | None:
        """The position with its living lines; None if the attacker has none."""
        own_moves, other_moves = ((plies + 1) // 2, plies // 2) if attacking else (plies // 2, (plies + 1) // 2)
        lines: list[Bits] = []
        answers: list[Bits] = []
        threats = counter = attacker_used = defender_used = 0
        for line in self.rules.lines:
            if not line & defender:
                missing = line & ~attacker
                if (count := missing.bit_count()) <= own_moves:
                    lines.append(missing)
                    attacker_used |= line & attacker
                    if count == 1:
                        threats |= missing
            if not line & attacker:
                missing = line & ~defender
                if (count := missing.bit_count()) <= other_moves:
                    answers.append(missing)
                    defender_used |= line & defender
                if count == 1:
                    counter |= missing
        if not lines:
            return None
        used = (attacker_used, defender_used, union(lines) | union(answers))
        empty = self.rules.full & ~(attacker | defender)
        return _Node(attacker, defender, attacking, plies, empty, lines, answers, threats, counter, used)

    def _remembered(self, node: _Node, forced: Bits, useful: Bits) -> bool:
        """The answer from memory, or else by search.

        The key holds the stones and empty squares that living lines use. A line is living exactly if all its squares
        are among them, so positions with the same key have the same answer within the same plies.
        """
        key = (*_canonical(self.rules, node.used), node.attacking)
        proved = self._proved.setdefault(key, _Proved())
        if node.plies <= proved.fails:
            return False
        if node.plies >= proved.wins:
            return True
        if self.nodes == self.max_nodes:
            raise BudgetExhausted
        self.nodes += 1
        if self._search(node, forced, useful):
            proved.wins = min(proved.wins, node.plies)
            return True
        proved.fails = max(proved.fails, node.plies)
        return False

    def _search(self, node: _Node, forced: Bits, useful: Bits) -> bool:
        if self.techniques.pairings and not forced and find_pairing(node.lines, node.empty) is not None:
            return False
        moves = list(cells_of(forced)) if forced else self._moves(node, useful)
        if node.attacking:
            if self.techniques.pairings and not forced:
                moves = _pairing_breakers(node, moves)
            return any(self.wins(node.attacker | 1 << cell, node.defender, False, node.plies - 1) for cell in moves)
        if self.techniques.pairings and any(_pairing_after(node, cell) is not None for cell in moves):
            return False
        return all(self.wins(node.attacker, node.defender | 1 << cell, True, node.plies - 1) for cell in moves)

    def _moves(self, node: _Node, useful: Bits) -> list[Cell]:
        """The moves that can matter, the most promising first. None for a defender who has no parry left."""
        if not node.attacking and self.techniques.parries:
            useful &= _parries(node)
        running = _lines_by_cell(node, useful)
        moves = sorted(running, key=lambda cell: -running[cell].worth)
        if not self.techniques.dominance:
            return moves
        kept: list[Cell] = []
        for cell in moves:
            lines = running[cell].lines
            if not any(lines | running[better].lines == running[better].lines for better in kept):
                kept.append(cell)
        return kept


@dataclass(slots=True)
class _Running:
    """The living lines through a square, as a set of their numbers, and what they are worth together."""

    lines: int = 0
    worth: int = 0


def _lines_by_cell(node: _Node, cells: Bits) -> dict[Cell, _Running]:
    running = {cell: _Running() for cell in cells_of(cells)}
    for number, missing in enumerate([*node.lines, *node.answers]):
        worth = 4 ** (8 - missing.bit_count())
        for cell in cells_of(missing & cells):
            running[cell].lines |= 1 << number
            running[cell].worth += worth
    return running


def _fork_squares(node: _Node) -> Bits:
    """The squares of all pairs of lines that the attacker could still make threats of with one stone, in time."""
    moves = (node.plies + 1) // 2 if node.attacking else node.plies // 2
    lines = sorted(set(node.lines), key=int.bit_count)
    squares = 0
    for index, one in enumerate(lines):
        if one.bit_count() > moves:
            break
        for other in lines[index + 1 :]:
            both = one | other
            if one & other and both != other and both.bit_count() <= moves + 1:
                squares |= both
    return squares


def _parries(node: _Node) -> Bits:
    """The defender's moves that answer every fork the attacker has ready, by a stone on its lines or a threat."""
    nearly = [line for line in set(node.lines) if line.bit_count() == 2]
    parries = node.empty
    for index, one in enumerate(nearly):
        for other in nearly[index + 1 :]:
            if one & other:
                parries &= one | other
    return parries | union(line for line in node.answers if line.bit_count() == 2)


def _pairing_after(node: _Node, cell: Cell) -> Bits | None:
    """The squares of a pairing against all lines that outlive the defender's stone on `cell`, or None."""
    lines = [line for line in node.lines if not line >> cell & 1]
    if any(line.bit_count() < 2 for line in lines):
        return None
    return find_pairing(lines, node.empty & ~(1 << cell))


def _pairing_breakers(node: _Node, moves: list[Cell]) -> list[Cell]:
    """The attacker's moves that a reply and a pairing ready for it do not answer: those on the reply or the pairs.

    After any other move the defender's reply still leaves every pair whole.
    """
    for reply in moves[:REPLIES]:
        if (pairing := _pairing_after(node, reply)) is not None:
            breakers = pairing | 1 << reply
            moves = [cell for cell in moves if breakers >> cell & 1]
    return moves


def _canonical(rules: Rules, sets: tuple[Bits, Bits, Bits]) -> tuple[Bits, Bits, Bits]:
    """The least image of three sets of cells under the symmetries of the board."""
    return min(
        (_image(table, sets[0]), _image(table, sets[1]), _image(table, sets[2])) for table in _image_tables(rules)
    )


def _image(table: tuple[tuple[Bits, ...], ...], bits: Bits) -> Bits:
    image = 0
    for part in table:
        image |= part[bits & 255]
        bits >>= 8
    return image


@lru_cache(maxsize=64)
def _image_tables(rules: Rules) -> tuple[tuple[tuple[Bits, ...], ...], ...]:
    """For each symmetry and each eight cells, the image of every set of them."""
    return tuple(
        tuple(
            tuple(mapped(byte << start & rules.full, symmetry) for byte in range(256))
            for start in range(0, rules.size, 8)
        )
        for symmetry in rules.symmetries
    )
