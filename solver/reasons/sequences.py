"""Sequences of threats: wins in which every move of the attacker threatens a line, so that each answer is forced."""

from collections.abc import Iterable
from dataclasses import dataclass

from solver.board.rules import Bits, Cell, cells_of
from solver.reasons.open_lines import OpenLines, completing_squares
from solver.reasons.plan import Completion, DoubleThreat, Plan, SingleThreat


@dataclass(slots=True)
class Effort:
    """The steps that a search for plans may still take."""

    steps: int


def sequence(lines: OpenLines, plies: int, effort: Effort, first: Cell | None = None) -> Plan | None:
    """The shortest win of the attacker's, who is to move, by nothing but threats, within so many plies.

    With `first` it begins there. None where there is none, or where the effort does not reach.
    """
    search = _Search(effort)
    for limit in range(1, plies + 1, 2):
        search.cut = False
        found = search.win(lines, limit) if first is None else search.win_by(1 << first, lines, limit)
        if found or not search.cut or effort.steps <= 0:
            return found
    return None


@dataclass(slots=True)
class _Search:
    """A search within so many plies; `cut` says that it had to leave out later threats."""

    effort: Effort
    cut: bool = False

    def win(self, lines: OpenLines, plies: int) -> Plan | None:
        """A sequence of the player to move."""
        self.effort.steps -= 1
        if completing := completing_squares(lines.mine):
            return Completion(next(cells_of(completing)))
        counters = completing_squares(lines.theirs)
        if counters & (counters - 1):
            return None
        answers = _answers(lines.mine)
        if counters:
            answers = {counters: answers[counters]} if counters in answers else {}
        self.cut |= bool(answers) and plies < 5
        if plies < 3:
            return None
        for stone, squares in answers.items():
            if squares & (squares - 1):
                return DoubleThreat(stone.bit_length() - 1, tuple(cells_of(squares)))
        for stone, answer in answers.items() if plies >= 5 else ():
            if self.effort.steps <= 0:
                return None
            if then := self.win(lines.moved(stone).replied(answer), plies - 2):
                return SingleThreat(stone.bit_length() - 1, answer.bit_length() - 1, then)
        return None

    def win_by(self, stone: Bits, lines: OpenLines, plies: int) -> Plan | None:
        """A sequence of the player to move that begins with this stone."""
        move = stone.bit_length() - 1
        if stone in lines.mine:
            return Completion(move)
        lines = lines.moved(stone)
        threats = completing_squares(lines.mine)
        if not threats or completing_squares(lines.theirs):
            return None
        self.cut |= plies < 5
        if threats & (threats - 1):
            return DoubleThreat(move, tuple(cells_of(threats))) if plies >= 3 else None
        then = self.win(lines.replied(threats), plies - 2) if plies >= 5 else None
        return SingleThreat(move, threats.bit_length() - 1, then) if then else None


def _answers(lines: Iterable[Bits]) -> dict[Bits, Bits]:
    """The squares on which a stone makes threats, each with those where they have to be answered."""
    found: dict[Bits, Bits] = {}
    for line in lines:
        rest = line & (line - 1)
        if rest and not rest & (rest - 1):
            found[rest] = found.get(rest, 0) | line ^ rest
            found[line ^ rest] = found.get(line ^ rest, 0) | rest
    return found
