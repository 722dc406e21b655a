"""The shortest lists of rules from the handbook that reach an aim on 3×3, by examining all that could.

A list is walked through its own games, as X and as O, every square that its rule names and every reply being a branch.
Positions that no rule of a list decides yet are left open, so what the rules decide is decided the same in every longer
list that begins with them: a beginning that errs is never gone on with, and the rest is tried exhaustively.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import perm
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.outcome import sign
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.search.tablebase import looked_up
from solver.strategies.handbook import HANDBOOK

Number: TypeAlias = int
"""A position's number among those of the board that no symmetry turns into each other."""

Numbers: TypeAlias = int
"""A set of positions, one bit a number."""

Children: TypeAlias = frozenset[Number]

START: Final[Number] = 0

ANY: Final = ""
"""The end of every list: any open square."""

_Error: TypeAlias = Callable[[int, int], bool]


class Aim(StrEnum):
    """What is asked of a list of rules."""

    UNBEATABLE = "never loses a game, on either side"
    KEEPS_WINS = "never loses a game and never lets a win slip in its own games"
    KEEPS_EVERY_WIN = "never lets a win slip, in any position"
    SOUND = "never loses a game, and never lets a win slip in any position"
    PERFECT = "never gives away a win or a draw, in any position"


@dataclass(frozen=True, slots=True)
class _Stones:
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
def board() -> _Stones:
    """The positions of 3×3, the empty board first."""
    numbers: dict[Position, Number] = {}
    order: list[Position] = []

    def number(position: Position) -> Number:
        position = position.canonical()
        if position not in numbers:
            numbers[position] = len(order)
            order.append(position)
        return numbers[position]

    number(Position(TIC_TAC_TOE))
    children = [frozenset(number(position.after(cell)) for cell in position.legal_moves) for position in order]
    return _Stones(tuple(order), tuple(sign(looked_up(position)) for position in order), tuple(children))


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
    rules = [_judged(name, aim) for name in (*names, ANY)]
    walked: _Walked | None = _start()
    for place, rule in enumerate(rules):
        walked = walked and _walked_on(walked, rules[:place], rule)
    return walked is not None


@cache
def shortest(aim: Aim, sight: int = 4, most: int = 6) -> Shortest | None:
    """The shortest lists, of up to `most` rules that look at most `sight` plies ahead; None if none reaches the aim."""
    library = {name: _judged(name, aim) for name, advice in HANDBOOK.items() if advice.sight <= sight}
    anything = _judged(ANY, aim)
    sound: dict[tuple[str, ...], _Walked] = {(): _start()}
    tried, examined = 1, 0
    for length in range(most + 1):
        found, longer = [], {}
        shorter, examined, tried = examined, examined + tried, 0
        for names, walked in sound.items():
            rules = [library[name] for name in names]
            if _walked_on(walked, rules, anything):
                found.append(names)
            for name, rule in library.items() if length < most and not found else ():
                if name not in names:
                    tried += 1
                    if further := _walked_on(walked, rules, rule):
                        longer[*names, name] = further
        if found:
            return Shortest(tuple(found), sum(perm(len(library), fewer) for fewer in range(length)), shorter)
        sound = longer
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
    """A rule as an aim sees it. Sets of positions are bits, one a number."""

    applies: Numbers
    errs_in_games: Numbers
    errs_anywhere: Numbers
    next: tuple[Numbers, ...]
    """From each position, the unfinished ones after the rule's moves and all replies."""


@cache
def _judged(name: str, aim: Aim) -> _Judged:
    """The rule of that name, or that any square will do."""
    values, children = board().values, board().children
    chosen = children if name == ANY else advised(name)
    in_games, anywhere = _ERRORS[aim]

    def errs(errors: tuple[_Error, ...]) -> Numbers:
        return _bits(
            number
            for number, leads in enumerate(chosen)
            if any(error(values[number], -values[after]) for error in errors for after in leads)
        )

    return _Judged(
        _bits(number for number, leads in enumerate(chosen) if leads),
        errs(in_games),
        errs(anywhere),
        tuple(_bits(number for after in leads for number in children[after] if children[number]) for leads in chosen),
    )


@dataclass(frozen=True, slots=True)
class _Walked:
    """How far the games of a list have been followed: what its rules decide, what was reached, what is still open."""

    decided: Numbers
    reached: Numbers
    open: Numbers


def _start() -> _Walked:
    """Nothing decided: the empty board for X, and every first move for O."""
    first = _bits((START, *board().children[START]))
    return _Walked(0, first, first)


def _walked_on(walked: _Walked, earlier: Sequence[_Judged], last: _Judged) -> _Walked | None:
    """The games of the earlier rules followed farther by one more rule; None where the list errs with it."""
    waiting = walked.open & last.applies
    if last.errs_anywhere & ~walked.decided or last.errs_in_games & waiting:
        return None
    decided, reached, still_open = walked.decided | last.applies, walked.reached, walked.open & ~last.applies
    while waiting:
        number = waiting.bit_length() - 1
        waiting ^= 1 << number
        rule = next((each for each in earlier if each.applies >> number & 1), last)
        if rule.errs_in_games >> number & 1:
            return None
        new = rule.next[number] & ~reached
        reached |= new
        waiting |= new & decided
        still_open |= new & ~decided
    return _Walked(decided, reached, still_open)


def _bits(numbers: Iterable[Number]) -> Numbers:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def _number(position: Position) -> Number:
    return _numbers()[position.canonical()]


@cache
def _numbers() -> Mapping[Position, Number]:
    return MappingProxyType({position: number for number, position in enumerate(board().positions)})
