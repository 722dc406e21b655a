"""Lists of rules from the handbook on 3×3: their proofs, changes and chances, and the shortest lists for an aim.

A search for the shortest lists begins with short lists and adds rules. It explores the games of each list, as X and as
O, with a branch for every square that a rule names and for every reply. Positions that no rule decides stay open. A
rule that is added decides only in these, so it cannot mend a list that errs, and the search drops such a list. Rules
treat images of a position alike, so one position of each symmetry class is visited.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
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
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of
from solver.players import STRATEGIES, playing_on
from solver.players.decision import Decision, Rule, Strategy, any_of
from solver.players.handbook import HANDBOOK, REST, listed
from solver.players.lists import MOST_RULES, player_of
from solver.players.match import results
from solver.search.tablebase import looked_up

RuleNames: TypeAlias = tuple[str, ...]
"""A list of rules by their names in the handbook. If none applies, any square is played."""

Number: TypeAlias = int
"""The number of a symmetry class of positions of the board."""

Numbers: TypeAlias = int
"""A set of numbers of positions, as bits."""

START: Final[Number] = 0
"""The number of the empty board."""

MAX_KEPT: Final = 64
"""The number of lists whose results are cached."""


class Aim(StrEnum):
    """A requirement on a list of rules."""

    UNBEATABLE = "never loses a game, on either side"
    KEEPS_WINS = "never loses a game and never lets a win slip in its own games"
    KEEPS_EVERY_WIN = "never lets a win slip, in any position"
    SOUND = "never loses a game, and never lets a win slip in any position"
    PERFECT = "never gives away a win or a draw, in any position"


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest lists that reach an aim, in the handbook's order of rules.

    `shorter` is the number of lists with fewer rules, none of which reaches the aim. The search explored `examined` of
    them. All others begin with an explored list that errs.
    """

    lists: tuple[RuleNames, ...]
    shorter: int
    examined: int

    @property
    def length(self) -> int:
        """The number of rules in these lists."""
        return len(self.lists[0])


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a list in words, with the look-ahead of the new rule in plies (0 if none) and the changed list."""

    words: str
    sight: int
    names: RuleNames


@dataclass(frozen=True, slots=True)
class Proof:
    """The trials of a list as X and as O, and the positions where it can let a win slip.

    `won` counts all won positions, and `slips` the ones where the list can play a move that no longer wins. `slip` is
    such a move, on a board with the fewest stones.
    """

    trials: tuple[Trial, ...]
    won: int
    slips: int
    slip: Ply | None


@dataclass(frozen=True, slots=True)
class Without:
    """The failure of a list without one of its rules: the shortest lost game and the list's mark, else a missed win."""

    mark: Mark | None
    refutation: Refutation | None
    slip: Ply | None


def reaches(names: Sequence[str], aim: Aim) -> bool:
    """Return whether the list of rules reaches the aim."""
    rules = [_judged(rule, aim) for rule in listed(names)]
    explored: _Exploration | None = _start()
    for place, rule in enumerate(rules):
        explored = explored and _extended(explored, rules[:place], rule)
    return explored is not None


@cache
def shortest(aim: Aim, sight: int = 4, most: int = 6) -> Shortest | None:
    """Return the shortest lists that reach the aim; None if no list of `most` rules or fewer does.

    The rules look at most `sight` plies ahead.
    """
    library = {rule.name: _judged(rule, aim) for rule in HANDBOOK.values() if rule.sight <= sight}
    anything = _judged(REST, aim)
    sound: dict[RuleNames, _Exploration] = {(): _start()}
    tried, examined = 1, 0
    for length in range(most + 1):
        found, longer = [], {}
        shorter, examined, tried = examined, examined + tried, 0
        for names, explored in sound.items():
            rules = [library[name] for name in names]
            if _extended(explored, rules, anything):
                found.append(names)
            for name, rule in library.items() if length < most and not found else ():
                if name not in names:
                    tried += 1
                    if further := _extended(explored, rules, rule):
                        longer[*names, name] = further
        if found:
            return Shortest(tuple(found), sum(perm(len(library), fewer) for fewer in range(length)), shorter)
        sound = longer
    return None


def changes(names: RuleNames) -> tuple[Change, ...]:
    """Return every single change of a list; of changes with the same result, only the first."""
    found: dict[RuleNames, Change] = {}
    for change in _changes(names):
        if change.names != names:
            found.setdefault(change.names, change)
    return tuple(found.values())


def mending(names: RuleNames, aim: Aim = Aim.UNBEATABLE) -> tuple[Change, ...]:
    """Return the single changes after which the list reaches the aim."""
    return tuple(change for change in changes(names) if reaches(change.names, aim))


@lru_cache(maxsize=MAX_KEPT)
def proof(names: RuleNames) -> Proof:
    """Play a list out on both sides, and check all its decisions in won positions."""
    decide, board = player_by_classes(names).decide, _board()
    won = [position for position, value in zip(board.positions, board.values, strict=True) if value == 1]
    moves = ((position, cell) for position in won for cell in decide(position).choices)
    slips = [Ply(position, cell) for position, cell in moves if looked_up(position.after(cell)) >= DRAWN]
    first = min(slips, key=lambda slip: (-slip.position.plies_left, slip.position.x, slip.cell), default=None)
    trials = tuple(trial(player_by_classes(names), mark, TIC_TAC_TOE) for mark in Mark)
    return Proof(trials, _count(won), _count({slip.position for slip in slips}), first)


@lru_cache(maxsize=MAX_KEPT)
def without(names: RuleNames, name: str) -> Without:
    """Return the failure of a list without one of its rules; all fields are None if the list does not fail."""
    rest = proof(tuple(each for each in names if each != name))
    lost = [(len(tried.refutation.plies), tried) for tried in rest.trials if tried.refutation is not None]
    if not lost:
        return Without(None, None, rest.slip)
    _, shortest = min(lost, key=lambda found: found[0])
    return Without(shortest.mark, shortest.refutation, None)


def _decisions(names: RuleNames) -> Iterator[tuple[Position, Rule, tuple[Cell, ...]]]:
    """Yield one unfinished position of each symmetry class, with the rule that decides there and its squares."""
    rules = [(rule, _cells_of(rule)) for rule in listed(names)]
    for number, position in enumerate(_board().positions):
        if position.result is None:
            yield position, *next((rule, named[number]) for rule, named in rules if named[number])


@lru_cache(maxsize=MAX_KEPT)
def player_by_classes(names: RuleNames) -> Strategy:
    """Return the player of a list, with its decisions in one position of each class computed beforehand."""
    player = player_of(names)
    known = {position: any_of(cells, rule.reason(position)) for position, rule, cells in _decisions(names)}

    def decide(position: Position) -> Decision:
        return known.get(position) or player.decide(position)

    return replace(player, decide=decide)


@dataclass(frozen=True, slots=True)
class MatchChances:
    """The chances of a list against an opponent, with the list's player as X and as O."""

    opponent: Strategy
    chances: Mapping[Mark, Chances]

    @property
    def score(self) -> Fraction:
        """The expected score of a game, once from each side: a win counts 1, a draw ½."""
        return sum((score(self.chances[mark], mark) for mark in Mark), Fraction(0)) / len(Mark)


@lru_cache(maxsize=MAX_KEPT)
def against_everyone(names: RuleNames) -> tuple[MatchChances, ...]:
    """Return the chances of a list against every opponent, in the order of the dropdown."""
    player = player_by_classes(names)
    return tuple(
        MatchChances(
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
    """Return every opponent, paired with a copy that caches its decisions."""
    return tuple((each, each.remembering()) for each in playing_on(TIC_TAC_TOE))


@lru_cache(maxsize=MAX_KEPT)
def rule_examples(names: RuleNames) -> Mapping[str, tuple[Position, tuple[Cell, ...]]]:
    """Return a position in which each rule of a list decides, with its squares; leave out rules that never decide.

    Positions with few stones and few squares are preferred, since they are the clearest.
    """

    def order(decision: tuple[Position, Rule, tuple[Cell, ...]]) -> tuple[int, ...]:
        position, _, cells = decision
        return len(cells) - 2 * position.plies_left, len(cells), position.x, position.o

    plainest_last = sorted(_decisions(names), key=order, reverse=True)
    return MappingProxyType({rule.name: (position, cells) for position, rule, cells in plainest_last})


def example(names: RuleNames, name: str) -> tuple[Position, tuple[Cell, ...]]:
    """Return the example of one rule, as in `rule_examples`. Raise KeyError if the rule never decides."""
    return rule_examples(names)[name]


@lru_cache(maxsize=MAX_KEPT)
def mended_by(names: RuleNames) -> tuple[Change, ...]:
    """Return the single changes after which the list never loses and is not too long, by the new rule's look-ahead."""
    fitting = (change for change in mending(names) if len(change.names) <= MOST_RULES)
    return tuple(sorted(fitting, key=lambda change: change.sight))


@lru_cache(maxsize=MAX_KEPT)
def lost_game(player: Strategy, mark: Mark) -> Refutation | None:
    """Return a shortest game that a player loses as `mark`; None if it loses none."""
    return trial(player, mark, TIC_TAC_TOE).refutation


@lru_cache(maxsize=MAX_KEPT)
def sample_game(player: Strategy, mark: Mark) -> Game:
    """Return a game of a player as `mark` against the Rulebook; both take the first of their squares."""
    game = Game.starting(Position(TIC_TAC_TOE))
    while game.last.result is None:
        mover = player if game.last.mover is mark else STRATEGIES["rulebook"]
        game = game.play(min(mover.decide(game.last).choices))
    return game


def _count(distinct: Iterable[Position]) -> int:
    """Count the positions in the classes of these representatives."""
    return sum(position.images() for position in distinct)


def _changes(names: RuleNames) -> Iterator[Change]:
    """Yield every way to drop, move, replace or add one rule, including changes with the same result."""
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
    """The positions of 3×3 up to symmetry, by number: their values for the mover (1, 0 or -1), and their children.

    The empty board is the first; finished positions have no children.
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
def _cells_of(rule: Rule) -> tuple[tuple[Cell, ...], ...]:
    """Return the squares that a rule names in each position; none in a finished one."""
    return tuple(tuple(rule.cells(position)) if position.result is None else () for position in _board().positions)


@cache
def _targets_of(rule: Rule) -> tuple[frozenset[Number], ...]:
    """Return the positions to which a rule leads from each position; none if the rule does not apply there."""
    board = _board()
    return tuple(
        frozenset(board.numbers[position.after(cell).canonical()] for cell in cells)
        for position, cells in zip(board.positions, _cells_of(rule), strict=True)
    )


_Errors: TypeAlias = Set[tuple[int, int]]
"""Errors of a move, each as the mover's values before and after the move."""

_NONE: Final[_Errors] = frozenset()
_LOSSES: Final = {(1, -1), (0, -1)}
_SLIPS: Final = {(1, 0), (1, -1)}

_ERRORS: Final[Mapping[Aim, tuple[_Errors, _Errors]]] = {
    Aim.UNBEATABLE: (_LOSSES, _NONE),
    Aim.KEEPS_WINS: (_LOSSES | _SLIPS, _NONE),
    Aim.KEEPS_EVERY_WIN: (_NONE, _SLIPS),
    Aim.SOUND: (_LOSSES, _SLIPS),
    Aim.PERFECT: (_NONE, _LOSSES | _SLIPS),
}
"""The errors that each aim forbids: in the list's own games, and in any position."""


@dataclass(frozen=True, slots=True)
class _JudgedRule:
    """A rule judged by an aim: the set of positions to which it applies, and the set in which it errs."""

    applies: Numbers
    errs_in_games: Numbers
    errs_anywhere: Numbers
    next: tuple[Numbers, ...]
    """For each position, the unfinished positions after the rule's moves and all replies."""


@cache
def _judged(rule: Rule, aim: Aim) -> _JudgedRule:
    values, children, chosen = _board().values, _board().children, _targets_of(rule)
    in_games, anywhere = _ERRORS[aim]

    def errs(errors: _Errors) -> Numbers:
        return bits_of(
            number
            for number, leads in enumerate(chosen)
            if any((values[number], -values[after]) in errors for after in leads)
        )

    return _JudgedRule(
        bits_of(number for number, leads in enumerate(chosen) if leads),
        errs(in_games),
        errs(anywhere),
        tuple(bits_of(number for after in leads for number in children[after] if children[number]) for leads in chosen),
    )


@dataclass(frozen=True, slots=True)
class _Exploration:
    """The games of a list so far, as sets of positions: decided by its rules, reached, and still open."""

    decided: Numbers
    reached: Numbers
    open: Numbers


def _start() -> _Exploration:
    """Return the exploration of an empty list, which reaches the empty board as X and every first move as O."""
    first = bits_of((START, *_board().children[START]))
    return _Exploration(0, first, first)


def _extended(explored: _Exploration, earlier: Sequence[_JudgedRule], last: _JudgedRule) -> _Exploration | None:
    """Extend the exploration of the earlier rules by one more rule; return None if the list errs with it."""
    waiting = explored.open & last.applies
    if last.errs_anywhere & ~explored.decided or last.errs_in_games & waiting:
        return None
    decided, reached, still_open = explored.decided | last.applies, explored.reached, explored.open & ~last.applies
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
    return _Exploration(decided, reached, still_open)
