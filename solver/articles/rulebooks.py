"""Lists of rules from the handbook on 3×3: their proofs, changes and chances, and the shortest lists for an aim.

The search for the shortest lists starts from the empty list and adds one rule at a time. It plays the games of each
list as X and as O, with every square that a rule names and every reply. Where no rule applies, a position stays open.

An added rule decides only in open positions. So it cannot mend a list that makes a mistake, and the search drops this
list. Rules treat all images of a position alike, so the search visits one position of each symmetry class.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from math import perm
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.analysis.trial import Trial, trial
from solver.articles.crosstable import Chances, score
from solver.board.game import Game
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of
from solver.players import STRATEGIES, playing_on
from solver.players.decision import Decision, Rule, Strategy, any_of
from solver.players.handbook import HANDBOOK, MOST_RULES, REST, listed, player_of
from solver.players.match import results
from solver.search.tablebase import look_up

RuleNames: TypeAlias = tuple[str, ...]
"""The names of the rules in a list, as in the handbook. If no rule applies, the list plays any square."""

Numbers: TypeAlias = int
"""A set of positions: bit n stands for the symmetry class with number n. The empty board has number 0."""

MAX_KEPT: Final = 64
"""The number of lists whose results are cached."""


class Aim(StrEnum):
    """A goal for a list of rules."""

    UNBEATABLE = "never loses a game, on either side"
    KEEPS_WINS = "never loses a game and never lets a win slip in its own games"
    KEEPS_EVERY_WIN = "never lets a win slip, in any position"
    SOUND = "never loses a game, and never lets a win slip in any position"
    PERFECT = "never gives away a win or a draw, in any position"


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest lists that reach an aim, in the handbook's order of rules.

    `shorter` is the number of lists with fewer rules; none of these reaches the aim. The search explored `examined` of
    them. Every other shorter list begins with an explored list that makes a mistake.
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
    """A change of a list: its description, and the changed list.

    `sight` is the look-ahead of a new rule in plies, or 0 without a new rule.
    """

    words: str
    sight: int
    names: RuleNames


def reaches(names: Sequence[str], aim: Aim) -> bool:
    """Return whether the list of rules reaches the aim."""
    rules = [_judge(rule, aim) for rule in listed(names)]
    explored: _Exploration | None = _start()
    for place, rule in enumerate(rules):
        explored = explored and _extend(explored, rules[:place], rule)
    return explored is not None


@cache
def shortest(aim: Aim, sight: int = 4, most: int = 6) -> Shortest | None:
    """Return the shortest lists that reach the aim; None if no list of `most` rules or fewer does.

    The rules look at most `sight` plies ahead.
    """
    library = {rule.name: _judge(rule, aim) for rule in HANDBOOK.values() if rule.sight <= sight}
    anything = _judge(REST, aim)
    sound: dict[RuleNames, _Exploration] = {(): _start()}
    tried, examined = 1, 0
    for length in range(most + 1):
        reaching, longer = [], {}
        shorter, examined, tried = examined, examined + tried, 0
        for names, explored in sound.items():
            rules = [library[name] for name in names]
            if _extend(explored, rules, anything):
                reaching.append(names)
            for name, rule in library.items() if length < most and not reaching else ():
                if name not in names:
                    tried += 1
                    if further := _extend(explored, rules, rule):
                        longer[*names, name] = further
        if reaching:
            return Shortest(tuple(reaching), sum(perm(len(library), fewer) for fewer in range(length)), shorter)
        sound = longer
    return None


@lru_cache(maxsize=MAX_KEPT)
def trials(player: Strategy) -> tuple[Trial, ...]:
    """Return the trials of a player on both sides."""
    return tuple(trial(player, mark, TIC_TAC_TOE) for mark in Mark)


def _decisions(names: RuleNames) -> Iterator[tuple[Position, Rule, tuple[Cell, ...]]]:
    """Yield an unfinished position of each symmetry class, the rule that decides there, and the rule's squares."""
    rules = [(rule, _cells_of(rule)) for rule in listed(names)]
    for number, position in enumerate(_board().positions):
        if position.result is None:
            yield position, *next((rule, named[number]) for rule, named in rules if named[number])


@lru_cache(maxsize=MAX_KEPT)
def player_by_classes(names: RuleNames) -> Strategy:
    """Return the player of a list. Its decisions are computed beforehand, in one position of each symmetry class."""
    player = player_of(names)
    known = {position: any_of(cells, rule.reason(position)) for position, rule, cells in _decisions(names)}

    def decide(position: Position) -> Decision:
        return known.get(position) or player.decide(position)

    return replace(player, decide=decide)


@dataclass(frozen=True, slots=True)
class MatchChances:
    """The chances of a list against an opponent. The keys of `chances` are the sides of the list."""

    opponent: Strategy
    chances: Mapping[Mark, Chances]

    @property
    def score(self) -> Fraction:
        """The list's average score over both sides. A win counts 1, a draw ½."""
        return sum((score(self.chances[mark], mark) for mark in Mark), Fraction(0)) / len(Mark)


@lru_cache(maxsize=MAX_KEPT)
def against_everyone(names: RuleNames) -> tuple[MatchChances, ...]:
    """Return the chances of a list against every opponent, in the order of the dropdown."""
    player = player_by_classes(names)
    matches = []
    for opponent, remembering in _opponents():
        as_x, as_o = results(TIC_TAC_TOE, player, remembering), results(TIC_TAC_TOE, remembering, player)
        matches.append(MatchChances(opponent, MappingProxyType({Mark.X: as_x, Mark.O: as_o})))
    return tuple(matches)


@cache
def _opponents() -> tuple[tuple[Strategy, Strategy], ...]:
    """Return every opponent, paired with a copy that caches its decisions."""
    return tuple((each, each.remembering()) for each in playing_on(TIC_TAC_TOE))


@lru_cache(maxsize=MAX_KEPT)
def rule_examples(names: RuleNames) -> Mapping[str, tuple[Position, tuple[Cell, ...]]]:
    """Return an example for each rule of a list: a position where the rule decides, and its squares there.

    Examples with few stones and few squares are preferred. Rules that never decide are left out.
    """

    def order(decision: tuple[Position, Rule, tuple[Cell, ...]]) -> tuple[int, ...]:
        position, _, cells = decision
        return len(cells) - 2 * position.plies_left, len(cells), position.x, position.o

    plainest_last = sorted(_decisions(names), key=order, reverse=True)
    return MappingProxyType({rule.name: (position, cells) for position, rule, cells in plainest_last})


@lru_cache(maxsize=MAX_KEPT)
def find_mending(names: RuleNames) -> tuple[Change, ...]:
    """Return the changes of one rule after which the list never loses, ordered by the new rule's look-ahead.

    Leave out changes that make the list too long.
    """
    fitting = (change for change in changes(names) if len(change.names) <= MOST_RULES)
    mending = (change for change in fitting if reaches(change.names, Aim.UNBEATABLE))
    return tuple(sorted(mending, key=lambda change: change.sight))


def changes(names: RuleNames) -> tuple[Change, ...]:
    """Return every change of one rule in a list. If several give the same list, return only the first of them."""
    distinct = {names: Change("", 0, names)}
    for change in _changes(names):
        distinct.setdefault(change.names, change)
    return tuple(distinct.values())[1:]


@lru_cache(maxsize=MAX_KEPT)
def sample_game(player: Strategy, mark: Mark) -> Game:
    """Return a game of a player as `mark` against the Rulebook. Both always play the first of their squares."""
    game = Game.starting(Position(TIC_TAC_TOE))
    while game.last.result is None:
        mover = player if game.last.mover is mark else STRATEGIES["rulebook"]
        game = game.play(min(mover.decide(game.last).choices))
    return game


def _changes(names: RuleNames) -> Iterator[Change]:
    """Yield every way to drop, move, replace or add one rule. Several of them can give the same list."""
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
    """The positions of 3×3 up to symmetry. All tuples are indexed by the number of a position.

    The value of a position is 1, 0 or -1 for its mover. Finished positions have no children.
    """

    positions: tuple[Position, ...]
    values: tuple[int, ...]
    children: tuple[frozenset[int], ...]
    numbers: Mapping[Position, int]


@cache
def _board() -> _Board:
    numbers: dict[Position, int] = {}
    order: list[Position] = []

    def number(position: Position) -> int:
        position = position.canonical()
        if position not in numbers:
            numbers[position] = len(order)
            order.append(position)
        return numbers[position]

    number(Position(TIC_TAC_TOE))
    children = [frozenset(number(position.after(cell)) for cell in position.legal_moves) for position in order]
    return _Board(tuple(order), tuple(sign(look_up(position)) for position in order), tuple(children), numbers)


@cache
def _cells_of(rule: Rule) -> tuple[tuple[Cell, ...], ...]:
    """Return, for each position, the squares that a rule names. A finished position has none."""
    return tuple(tuple(rule.cells(position)) if position.result is None else () for position in _board().positions)


_LOSSES: Final = frozenset({(1, -1), (0, -1)})
_SLIPS: Final = frozenset({(1, 0), (1, -1)})
_NONE: Final = frozenset[tuple[int, int]]()

_ERRORS: Final = {
    Aim.UNBEATABLE: (_LOSSES, _NONE),
    Aim.KEEPS_WINS: (_LOSSES | _SLIPS, _NONE),
    Aim.KEEPS_EVERY_WIN: (_NONE, _SLIPS),
    Aim.SOUND: (_LOSSES, _SLIPS),
    Aim.PERFECT: (_NONE, _LOSSES | _SLIPS),
}
"""The errors that each aim forbids, as pairs of values for the mover before and after the move.

The first set applies to the list's own games, the second to any position.
"""


@dataclass(frozen=True, slots=True)
class _JudgedRule:
    """The positions to which a rule applies, and the positions in which it errs by an aim."""

    applies: Numbers
    errs_in_games: Numbers
    errs_anywhere: Numbers
    next: tuple[Numbers, ...]
    """For each position, the unfinished positions after a move by the rule and any reply."""


@cache
def _judge(rule: Rule, aim: Aim) -> _JudgedRule:
    board, (in_games, anywhere) = _board(), _ERRORS[aim]
    values, children = board.values, board.children
    chosen = [
        {board.numbers[position.after(cell).canonical()] for cell in cells}
        for position, cells in zip(board.positions, _cells_of(rule), strict=True)
    ]

    def errs(errors: frozenset[tuple[int, int]]) -> Numbers:
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
    """The part of a list's games that its rules determine.

    The rules apply to the `decided` positions. The games reach the `reached` positions. No rule applies to the `open`
    positions among these.
    """

    decided: Numbers
    reached: Numbers
    open: Numbers


def _start() -> _Exploration:
    """Return the exploration of an empty list. It reaches the empty board as X, and as O the board after any move."""
    first = bits_of((0, *_board().children[0]))
    return _Exploration(0, first, first)


def _extend(explored: _Exploration, earlier: Sequence[_JudgedRule], last: _JudgedRule) -> _Exploration | None:
    """Add a rule to the exploration of the earlier rules. Return None if the longer list makes a mistake."""
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
