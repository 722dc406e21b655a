"""Decisions, the strategies and rules of thumb that make them, and the moves drawn from them by chance."""

import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from solver.board.position import Position
from solver.board.rules import Cell, Rules

FINISHED = "A finished game has no decision."


@dataclass(frozen=True, slots=True)
class Decision:
    """The cells a strategy may play, each with its exact probability, and the reason in words.

    `reason` names the rule. `value` is the outcome that the strategy foresees, or an empty text. Pages that hide
    predictions leave it out.

    >>> from solver import STRATEGIES, parse_position
    >>> decision = STRATEGIES["rulebook"].decide(parse_position("X.O/.X./..O"))
    >>> decision.choices, decision.reason
    (mappingproxy({5: Fraction(1, 1)}), 'block: stop the opponent from completing a line')
    """

    choices: Mapping[Cell, Fraction]
    reason: str
    value: str = ""

    @property
    def explanation(self) -> str:
        """The reason, with the value that decided."""
        return f"{self.reason}: {self.value}" if self.value else self.reason


Decide: TypeAlias = Callable[[Position], Decision]
"""A function that decides any unfinished position. Raises ValueError for a finished one."""


def any_of(cells: Iterable[Cell], reason: str, value: str = "") -> Decision:
    """Return the decision that plays each of the cells with the same probability. Raise ValueError if there is none."""
    equals = tuple(cells)
    if not equals:
        raise ValueError(FINISHED)
    return Decision(MappingProxyType(dict.fromkeys(equals, Fraction(1, len(equals)))), reason, value)


Squares: TypeAlias = Callable[[Position], Iterable[Cell]]
"""A function that names open squares of a position, in reading order."""


class Need(NamedTuple):
    """A condition of a rule, and the words for a position where the condition does not hold."""

    holds: Callable[[Position], object]
    otherwise: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of thumb for the player to move.

    If all its `needs` hold in a position, the rule names its `squares`. `lacks` says why no square fits. `sight` says
    how many plies the rule looks ahead: 0 if it looks only at the stones on the board, 1 if it looks at threats, 2 at
    the reply, 3 at a fork after the reply, 4 at everything that the opponent could force. The texts may contain {me}
    and {you} for the mover's mark and the opponent's.
    """

    name: str
    words: str
    squares: Squares
    lacks: str = "no square is as it asks for"
    needs: tuple[Need, ...] = ()
    sight: int = 0
    by_place: bool = False
    """True for a rule about places such as corners, which mean something only on a flat board where rows win."""

    def cells(self, position: Position) -> tuple[Cell, ...]:
        """Return the open squares that the rule names, in reading order; none if it does not apply."""
        for need in self.needs:
            if not need.holds(position):
                return ()
        return tuple(self.squares(position))

    def title(self, position: Position) -> str:
        """Return the rule's name, or its words if it has no name."""
        return (self.name or self.words).format(me=position.mover, you=position.mover.other)

    def reason(self, position: Position) -> str:
        """Return the reason for a move by this rule: its name, its words, or both."""
        said = f"{self.name}: {self.words}" if self.name and self.words else self.name or self.words
        return said.format(me=position.mover, you=position.mover.other)

    def lacking(self, position: Position) -> str:
        """Return why the rule names no square in a position. Call it only where the rule names none."""
        lacks = next((need.otherwise for need in self.needs if not need.holds(position)), self.lacks)
        return lacks.format(me=position.mover, you=position.mover.other)


def find_rule(rules: Iterable[Rule], position: Position) -> tuple[Rule, tuple[Cell, ...]]:
    """Return the first of these rules that names a square, and its squares. Raise ValueError if none does."""
    for rule in rules:
        if cells := rule.cells(position):
            return rule, cells
    raise ValueError("No rule of the list names a square.")


@dataclass(frozen=True, slots=True)
class Consulted:
    """A rule in a position: its squares, or why it has none. `asked` is True if no earlier rule has decided."""

    rule: Rule
    cells: tuple[Cell, ...]
    asked: bool
    lacking: str

    @property
    def decides(self) -> bool:
        """True for the one rule that is followed."""
        return self.asked and bool(self.cells)


def consult(rules: Sequence[Rule], position: Position) -> tuple[Consulted, ...]:
    """Return every rule of a list, in its order, with its squares. Raise ValueError for a finished position."""
    if position.result is not None:
        raise ValueError(FINISHED)
    consulted: list[Consulted] = []
    asked = True
    for rule in rules:
        cells = rule.cells(position)
        consulted.append(Consulted(rule, cells, asked, "" if cells else rule.lacking(position)))
        asked = asked and not cells
    return tuple(consulted)


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """An opponent: its name in links, its texts for people, and its decisions.

    >>> from solver import STRATEGIES, Position
    >>> STRATEGIES["hard"].title, STRATEGIES["hard"].decide(Position("3x3x3")).reason
    ('Hard', 'it plays where most lines are open')
    """

    name: str
    title: str
    idea: str
    """Its way to play, in a sentence."""
    group: str
    kind: Literal["level", "rules", "perfect", "search", "function"]
    decide: Decide
    plays_on: Callable[[Rules], bool] = lambda _: True
    settled: bool = True
    """False for an opponent whose decisions rest on proofs, since later proofs may change them."""
    symmetric: Callable[[Rules], bool] = lambda _: True
    """Returns True for boards on which it decides alike in symmetric positions."""
    quick: Callable[[Rules], bool] = lambda _: True
    """Returns True for boards on which every decision is quick."""
    reproducible: Decide | None = None
    """A version of `decide` that gives the same decision on every machine; None if `decide` itself does."""
    idea_on: Callable[[Rules], str] = lambda _: ""
    """Returns its way to play a game on which it plays in another way, else an empty text."""
    sound_from: Callable[[Rules], int | None] = lambda _: None
    """Returns the number of stones from which on it plays perfectly in a game with a table; None if it may err."""
    depth: int | None = None
    """The number of plies it looks ahead. Only opponents that differ in nothing else have it."""
    follows: tuple[Rule, ...] = ()
    """The rules that it goes by, in their order; empty for an opponent without rules."""
    strength: int | None = None
    """Its expected score on 3×3 in percent, from `strengths.toml`; None if it is not measured."""

    def __repr__(self) -> str:
        return f"<Strategy {self.name}: {self.title}>"

    def description(self, rules: Rules) -> str:
        """Return the idea on this board."""
        return self.idea_on(rules) or self.idea

    def decider(self, seed: str | None) -> Decide:
        """Return the function that decides. With a seed, its decisions are the same on every machine.

        Use one decision to draw the move and to explain it, since a second decision may differ.
        """
        return (None if seed is None else self.reproducible) or self.decide

    def remembering(self) -> "Strategy":
        """Return the opponent with a cache of its last decisions, unless they may change, or a function draws them."""
        return replace(
            self,
            decide=lru_cache(maxsize=2048)(self.decide) if self.settled and self.kind != "function" else self.decide,
            reproducible=self.reproducible and lru_cache(maxsize=256)(self.reproducible),
        )


def by_function(choose: Callable[[Position], Any], name: str) -> Strategy:
    """Return the player of a function from a position to a decision, or to a square by its number or name.

    Its decision raises NoughtsError for a square that can't be played.
    """

    def decide(position: Position) -> Decision:
        answer = choose(position)
        if isinstance(answer, Decision):
            return answer
        cell = position.move_of(answer)
        position.play(cell)
        return any_of((cell,), "its choice")

    return Strategy(name, name, "", "Your own", "function", decide, symmetric=lambda _: False)


def following(rules: Sequence[Rule]) -> Decide:
    """Return the decision by these rules, in their order of priority."""

    def decide(position: Position) -> Decision:
        if position.result is not None:
            raise ValueError(FINISHED)
        rule, cells = find_rule(rules, position)
        return any_of(cells, rule.reason(position))

    return decide


def by_rules(name: str, title: str, idea: str, group: str, rules: Sequence[Rule], **more: Any) -> Strategy:
    """Return the opponent who follows these rules; `more` are further fields of `Strategy`."""
    by_place = any(rule.by_place for rule in rules)
    more = {"plays_on": lambda board: board.is_standard or (board.stones_never_harm and not by_place)} | more
    return Strategy(name, title, idea, group, "rules", following(rules), follows=tuple(rules), **more)


_CHANCE = random.Random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_CHANCE.seed)  # worker processes must not all draw the same moves


def generator_for(seed: str | None, game: int, ply: int) -> random.Random:
    """Return the random generator for one move of a seeded series. Without a seed, all moves share one generator."""
    return _CHANCE if seed is None else random.Random(f"{seed}/{game}/{ply}".encode(errors="surrogateescape"))


def whole_weights(decision: Decision) -> tuple[int, ...]:
    """Return whole numbers proportional to the chances of a decision's squares."""
    chances = decision.choices.values()
    unit = lcm(*(chance.denominator for chance in chances))
    return tuple(chance.numerator * (unit // chance.denominator) for chance in chances)


def place_of(ticket: int, weights: Sequence[int]) -> int:
    """Return the place of the weight that a ticket falls on.

    Tickets are numbered from 0, one for each unit of weight.
    """
    for place, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return place
    raise ValueError("A ticket is below the sum of the weights.")


def choose(decision: Decision, rng: random.Random) -> Cell:
    """Draw one of a decision's cells, with exactly the decision's probabilities."""
    weights = whole_weights(decision)
    return tuple(decision.choices)[place_of(rng.randrange(sum(weights)), weights)]
