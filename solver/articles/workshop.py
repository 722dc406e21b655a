"""One list of rules looked at from all sides, on 3×3: its proof, its chances against everybody, what each rule does.

Everything is exact. The proof and the changes that mend a list are those of `solver.articles.rulebooks`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from solver.analysis.trial import Refutation, trial
from solver.articles.crosstable import Chances, score
from solver.articles.rulebooks import Change, RuleNames, decisions, mending, player_by_classes
from solver.board.game import Game
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES, Strategy
from solver.players.endings import results
from solver.players.own import MOST_RULES

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
