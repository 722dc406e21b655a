"""The shortest lists of rules from the handbook that reach an aim on 3×3, by examining all that could.

A list is walked through its own games, as X and as O, every square that its rule names and every reply being a branch.
Positions that no rule of a list decides yet are left open, so what the rules decide is decided the same in every longer
list that begins with them: a beginning that errs is never gone on with, and the rest is tried exhaustively.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import perm
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.notation import parse_rules
from solver.position import Position
from solver.search.table import looked_up
from solver.strategies.handbook import HANDBOOK

BOARD: Final = parse_rules("3x3x3")

Number: TypeAlias = int
"""A position's number among those of the board that no symmetry turns into each other."""

Children: TypeAlias = frozenset[Number]

START: Final[Number] = 0

_Error: TypeAlias = Callable[[int, int], bool]


class Aim(StrEnum):
    """What is asked of a list of rules."""

    UNBEATABLE = "never loses a game, on either side"
    KEEPS_WINS = "never loses a game and never lets a win slip in its own games"
    KEEPS_EVERY_WIN = "never lets a win slip, in any position"
    SOUND = "never loses a game, and never lets a win slip in any position"
    PERFECT = "never gives away a win or a draw, in any position"


@dataclass(frozen=True, slots=True)
class Board:
    """Every position of the board up to symmetry: what it is worth for its mover, 1, 0 or -1, and where moves lead."""

    positions: tuple[Position, ...]
    values: tuple[int, ...]
    children: tuple[Children, ...]
    """Where the moves of an unfinished position lead; none from a finished one."""


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest lists that reach an aim, in the handbook's order of preference.

    `shorter` is how many lists there are with fewer rules, and `examined` how many beginnings of lists were walked
    through to know that none of them does: the others begin with one of these that errs.
    """

    lists: tuple[tuple[str, ...], ...]
    shorter: int
    examined: int

    @property
    def length(self) -> int:
        """How many rules these lists have."""
        return len(self.lists[0])


@cache
def board() -> Board:
    """The positions of 3×3, the empty board first."""
    numbers: dict[Position, Number] = {}
    order: list[Position] = []

    def number(position: Position) -> Number:
        position = position.canonical()
        if position not in numbers:
            numbers[position] = len(order)
            order.append(position)
        return numbers[position]

    number(Position(BOARD))
    children = [frozenset(number(position.after(cell)) for cell in position.legal_moves) for position in order]
    return Board(tuple(order), tuple((score > 0) - (score < 0) for score in map(looked_up, order)), tuple(children))


@cache
def advised(name: str) -> tuple[Children, ...]:
    """Where a rule leads from each position; nowhere where it does not apply."""
    rule = HANDBOOK[name].cells
    return tuple(
        frozenset(_number(position.after(cell)) for cell in rule(position)) if children else frozenset()
        for position, children in zip(board().positions, board().children, strict=True)
    )


def reaches(names: Sequence[str], aim: Aim) -> bool:
    """Whether the list of rules, after which any square is played, reaches the aim."""
    return not _errs([*(_judged(name, aim) for name in names), _judged("", aim)])


@cache
def shortest(aim: Aim, sight: int = 4, most: int = 6) -> Shortest | None:
    """The shortest lists, of up to `most` rules that look at most `sight` plies ahead; None if none reaches the aim."""
    library = [name for name, advice in HANDBOOK.items() if advice.sight <= sight]
    beginnings: list[tuple[str, ...]] = [()]
    examined = 0
    for length in range(most + 1):
        sound = [names for names in beginnings if not _errs([_judged(name, aim) for name in names])]
        if found := tuple(names for names in sound if reaches(names, aim)):
            return Shortest(found, sum(perm(len(library), fewer) for fewer in range(length)), examined)
        examined += len(beginnings)
        beginnings = [(*names, name) for names in sound for name in library if name not in names]
    return None


def _loses(before: int, after: int) -> bool:
    return before > -1 and after == -1


def _slips(before: int, after: int) -> bool:
    return before == 1 and after < 1


_ERRORS: Final[Mapping[Aim, tuple[tuple[_Error, ...], tuple[_Error, ...]]]] = {
    Aim.UNBEATABLE: ((_loses,), ()),
    Aim.KEEPS_WINS: ((_loses, _slips), ()),
    Aim.KEEPS_EVERY_WIN: ((), (_slips,)),
    Aim.SOUND: ((_loses,), (_slips,)),
    Aim.PERFECT: ((), (_loses, _slips)),
}
"""For each aim what is an error in a list's own games, and what in any position, by values before and after."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A rule as an aim sees it: by position, where it errs in games and anywhere, and what the player has next."""

    errs_in_games: tuple[bool, ...]
    errs_anywhere: frozenset[Number]
    next: tuple[frozenset[Number] | None, ...]
    """The unfinished positions after its moves and all replies; None where it does not apply."""


@cache
def _judged(name: str, aim: Aim) -> _Judged:
    """The rule of that name; that any square will do if the name is empty."""
    values, children = board().values, board().children
    chosen = advised(name) if name else children
    in_games, anywhere = _ERRORS[aim]

    def errs(errors: tuple[_Error, ...]) -> tuple[bool, ...]:
        return tuple(
            any(error(value, -values[after]) for error in errors for after in leads)
            for value, leads in zip(values, chosen, strict=True)
        )

    return _Judged(
        errs(in_games),
        frozenset(number for number, wrong in enumerate(errs(anywhere)) if wrong),
        tuple(
            frozenset(number for after in leads for number in children[after] if children[number]) if leads else None
            for leads in chosen
        ),
    )


def _errs(rules: Sequence[_Judged]) -> bool:
    """Whether the list errs where it decides; where it does not, it is left open."""
    for place, rule in enumerate(rules):
        if any(all(earlier.next[number] is None for earlier in rules[:place]) for number in rule.errs_anywhere):
            return True
    reached = {START, *board().children[START]}
    waiting = list(reached)
    while waiting:
        number = waiting.pop()
        for rule in rules:
            following = rule.next[number]
            if following is not None:
                if rule.errs_in_games[number]:
                    return True
                waiting.extend(following - reached)
                reached |= following
                break
    return False


def _number(position: Position) -> Number:
    return _numbers()[position.canonical()]


@cache
def _numbers() -> Mapping[Position, Number]:
    return MappingProxyType({position: number for number, position in enumerate(board().positions)})
