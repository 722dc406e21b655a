"""Lists of rules from the handbook on 3×3: the shortest that reach an aim, what mends a list, and the proof of one.

A list is walked through its own games, as X and as O, every square that its rule names and every reply being a branch.
Positions that no rule of a list decides yet are left open, so what the rules decide is decided the same in every longer
list that begins with them: a beginning that errs is never gone on with, and the rest is tried exhaustively. The rules
prefer no side of the board, so of positions that a symmetry turns into each other one is looked at for all.

One list of rules looked at from all sides, on 3×3: its proof, its chances against everybody, what each rule does.

Everything is exact. The proof and the changes that mend a list are those of `solver.articles.rulebooks`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from math import perm
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.analysis.trial import Ply, Refutation, Trial, trial
from solver.articles.crosstable import Chances, score
from solver.board.game import Game
from solver.board.outcome import DRAWN, sign
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.decision import Decision, Rule, Strategy, any_of, deciding
from solver.players.handbook import HANDBOOK, REST, listed
from solver.players.lists import MOST_RULES, player_of
from solver.players.match import results
from solver.search.tablebase import looked_up

RuleNames: TypeAlias = tuple[str, ...]
"""A list of rules by their names in the handbook; after them any square is played."""

Number: TypeAlias = int
"""A position's number among those of the board that no symmetry turns into each other."""

Numbers: TypeAlias = int
"""A set of positions, one bit a number."""

START: Final[Number] = 0


class Aim(StrEnum):
    """What is asked of a list of rules."""

    UNBEATABLE = "never loses a game, on either side"
    KEEPS_WINS = "never loses a game and never lets a win slip in its own games"
    KEEPS_EVERY_WIN = "never lets a win slip, in any position"
    SOUND = "never loses a game, and never lets a win slip in any position"
    PERFECT = "never gives away a win or a draw, in any position"


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest lists that reach an aim, in the handbook's order of preference.

    `shorter` is how many lists there are with fewer rules, and `examined` how many beginnings of lists were walked
    through to know that none of them does: the others begin with one of these that errs.
    """

    lists: tuple[RuleNames, ...]
    shorter: int
    examined: int

    @property
    def length(self) -> int:
        """How many rules these lists have."""
        return len(self.lists[0])


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a list: in words, with how far the rule that comes in looks ahead, and the list it makes."""

    words: str
    sight: int
    names: RuleNames


@dataclass(frozen=True, slots=True)
class Proof:
    """The trials of a list as X and as O, and in how many won positions of all it may let the win slip.

    `slip` is such a move with the fewest stones.
    """

    trials: tuple[Trial, ...]
    won: int
    slips: int
    slip: Ply | None


@dataclass(frozen=True, slots=True)
class Without:
    """A list without one of its rules: the shortest game it then loses and as which mark, or else a win it misses."""

    mark: Mark | None
    refutation: Refutation | None
    slip: Ply | None


def reaches(names: Sequence[str], aim: Aim) -> bool:
    """Whether the list of rules reaches the aim."""
    rules = [_judged(rule, aim) for rule in listed(names)]
    walked: _Walked | None = _start()
    for place, rule in enumerate(rules):
        walked = walked and _walked_on(walked, rules[:place], rule)
    return walked is not None


@cache
def shortest(aim: Aim, sight: int = 4, most: int = 6) -> Shortest | None:
    """The shortest lists, of up to `most` rules that look at most `sight` plies ahead; None if none reaches the aim."""
    library = {rule.name: _judged(rule, aim) for rule in HANDBOOK.values() if rule.sight <= sight}
    anything = _judged(REST, aim)
    sound: dict[RuleNames, _Walked] = {(): _start()}
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


def changes(names: Sequence[str]) -> Iterator[Change]:
    """Every single change of a list; those that come to the same list once."""
    seen = {tuple(names)}
    for change in _changes(tuple(names)):
        if change.names not in seen:
            seen.add(change.names)
            yield change


def mending(names: Sequence[str], aim: Aim = Aim.UNBEATABLE) -> tuple[Change, ...]:
    """The single changes after which the list reaches the aim."""
    return tuple(change for change in changes(names) if reaches(change.names, aim))


@lru_cache(maxsize=64)
def proof(names: RuleNames) -> Proof:
    """Plays a list out on both sides, and looks at all its decisions in won positions."""
    decide, board = player_by_classes(names).decide, _board()
    won = [position for position, value in zip(board.positions, board.values, strict=True) if value == 1]
    moves = ((position, cell) for position in won for cell in decide(position).choices)
    slips = [Ply(position, cell) for position, cell in moves if looked_up(position.after(cell)) >= DRAWN]
    first = min(slips, key=lambda slip: (-slip.position.plies_left, slip.position.x, slip.cell), default=None)
    trials = tuple(trial(player_by_classes(names), mark, TIC_TAC_TOE) for mark in Mark)
    return Proof(trials, _count(won), _count({slip.position for slip in slips}), first)


@lru_cache(maxsize=64)
def without(names: RuleNames, name: str) -> Without:
    """What goes wrong if a list lacks one of its rules; nothing, if the rule does not matter."""
    rest = proof(tuple(each for each in names if each != name))
    lost = [(len(tried.refutation.plies), tried) for tried in rest.trials if tried.refutation is not None]
    if not lost:
        return Without(None, None, rest.slip)
    _, shortest = min(lost, key=lambda found: found[0])
    return Without(shortest.mark, shortest.refutation, None)


@lru_cache(maxsize=64)
def example(names: RuleNames, name: str) -> tuple[Position, tuple[Cell, ...]]:
    """A position in which a rule of a list decides, with its squares: one with few stones and fewest squares."""
    rules = listed(names)
    unfinished = (position for position in _board().positions if position.result is None)
    decisions = ((position, *deciding(rules, position)) for position in unfinished)
    found = ((position, cells) for position, rule, cells in decisions if rule.name == name)
    return min(found, key=lambda each: (len(each[1]), -each[0].plies_left, each[0].x, each[0].o))


def decisions(names: RuleNames) -> Iterator[tuple[Position, Rule, tuple[Cell, ...]]]:
    """Every unfinished one of `position_classes` with the rule of a list that decides there and its squares."""
    rules = [(rule, _named_by(rule)) for rule in listed(names)]
    for number, position in enumerate(position_classes()):
        if position.result is None:
            yield position, *next((rule, named[number]) for rule, named in rules if named[number])


@lru_cache(maxsize=64)
def player_by_classes(names: RuleNames) -> Strategy:
    """The player of a list, which knows beforehand what it decides in `position_classes`."""
    player = player_of(names)
    known = {position: any_of(cells, rule.reason(position)) for position, rule, cells in decisions(names)}

    def decide(position: Position) -> Decision:
        return known.get(position) or player.decide(position)

    return replace(player, decide=decide)


def position_classes() -> tuple[Position, ...]:
    """Every position of 3×3, finished ones too, one of those that a symmetry turns into each other."""
    return _board().positions


def _count(distinct: Iterable[Position]) -> int:
    """How many positions these are, with those that are like them."""
    return sum(position.images() for position in distinct)


def _changes(names: RuleNames) -> Iterator[Change]:
    for place, name in enumerate(names):
        yield Change(f"drop “{name}”", 0, names[:place] + names[place + 1 :])
    for place, name in enumerate(names):
        others = names[:place] + names[place + 1 :]
        for to in range(len(names)):
            where = f"before “{others[to]}”" if to < len(others) else "to the end"
            yield Change(f"move “{name}” {where}", 0, (*others[:to], name, *others[to:]))
    for place, old in enumerate(names):
        for new in HANDBOOK:
            if new not in names:
                words = f"“{new}” instead of “{old}”"
                yield Change(words, HANDBOOK[new].sight, (*names[:place], new, *names[place + 1 :]))
    for place in range(len(names) + 1):
        where = f"before “{names[place]}”" if place < len(names) else "at the end"
        for new in HANDBOOK:
            if new not in names:
                yield Change(f"“{new}” {where}", HANDBOOK[new].sight, (*names[:place], new, *names[place:]))


@dataclass(frozen=True, slots=True)
class _Board:
    """Every position of 3×3 up to symmetry: what it is worth for its mover, 1, 0 or -1, and where moves lead.

    No move leads anywhere from a finished one. The empty board is the first.
    """

    positions: tuple[Position, ...]
    values: tuple[int, ...]
    children: tuple[frozenset[Number], ...]
    numbers: Mapping[Position, Number]


@cache
def _board() -> _Board:
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
    return _Board(tuple(order), tuple(sign(looked_up(position)) for position in order), tuple(children), numbers)


@cache
def _named_by(rule: Rule) -> tuple[tuple[Cell, ...], ...]:
    """The squares that a rule names in each position; none in a finished one."""
    return tuple(tuple(rule.cells(position)) if position.result is None else () for position in position_classes())


@cache
def _led_by(rule: Rule) -> tuple[frozenset[Number], ...]:
    """Where a rule leads from each position; nowhere where it does not apply."""
    board = _board()
    return tuple(
        frozenset(board.numbers[position.after(cell).canonical()] for cell in cells)
        for position, cells in zip(board.positions, _named_by(rule), strict=True)
    )


_Error: TypeAlias = Callable[[int, int], bool]


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
def _judged(rule: Rule, aim: Aim) -> _Judged:
    values, children, chosen = _board().values, _board().children, _led_by(rule)
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
    first = _bits((START, *_board().children[START]))
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


KEPT: Final = 64
"""Lists of which all this is remembered."""


@dataclass(frozen=True, slots=True)
class Met:
    """How games of a list against an opponent end, with the list's player as X and as O."""

    opponent: Strategy
    chances: Mapping[Mark, Chances]

    @property
    def score(self) -> Fraction:
        """The expected score of a game, once from each side: a win counts 1, a draw ½."""
        return sum((score(self.chances[mark], mark) for mark in Mark), Fraction(0)) / len(Mark)


@lru_cache(maxsize=KEPT)
def against_everyone(names: RuleNames) -> tuple[Met, ...]:
    """The list against every opponent, in the order of the dropdown."""
    player = player_by_classes(names)
    return tuple(
        Met(
            each,
            MappingProxyType(
                {
                    Mark.X: results(TIC_TAC_TOE, player, remembering),
                    Mark.O: results(TIC_TAC_TOE, remembering, player),
                }
            ),
        )
        for each, remembering in _opponents()
    )


@cache
def _opponents() -> tuple[tuple[Strategy, Strategy], ...]:
    """Every opponent, and the same again, which remembers what it has decided."""
    playing = (each for each in STRATEGIES.values() if each.plays_on(TIC_TAC_TOE))
    return tuple((each, each.remembering()) for each in playing)


@lru_cache(maxsize=KEPT)
def examples(names: RuleNames) -> Mapping[str, tuple[Position, tuple[Cell, ...]]]:
    """For each rule of a list that ever decides, a position in which it does, with its squares.

    It is one with few stones and few squares, so that it is seen what the rule means.
    """
    found: dict[str, tuple[Position, tuple[Cell, ...]]] = {}
    for position, rule, cells in decisions(names):
        if rule.name not in found or _plainness(position, cells) < _plainness(*found[rule.name]):
            found[rule.name] = position, cells
    return MappingProxyType(found)


def _plainness(position: Position, cells: tuple[Cell, ...]) -> tuple[int, int, int, int]:
    return len(cells) - 2 * position.plies_left, len(cells), position.x, position.o


@lru_cache(maxsize=KEPT)
def mended_by(names: RuleNames) -> tuple[Change, ...]:
    """The single changes after which the list never loses, those with rules that look least far first.

    None of them makes the list longer than lists may be.
    """
    fitting = (change for change in mending(names) if len(change.names) <= MOST_RULES)
    return tuple(sorted(fitting, key=lambda change: change.sight))


@lru_cache(maxsize=KEPT)
def lost_game(player: Strategy, mark: Mark) -> Refutation | None:
    """A shortest game that an opponent loses as `mark`; None if it loses none."""
    return trial(player, mark, TIC_TAC_TOE).refutation


@lru_cache(maxsize=KEPT)
def sample_game(player: Strategy, mark: Mark) -> Game:
    """A game of a player by rules as `mark` against the Rulebook, in which both take the first of their squares."""
    game = Game.starting(Position(TIC_TAC_TOE))
    while game.last.result is None:
        mover = player if game.last.mover is mark else STRATEGIES["rulebook"]
        game = game.play(min(mover.decide(game.last).choices))
    return game
