"""Chances: the probability of winning against an opponent whose decisions are known.

Perfect play assumes an opponent that never errs. Against an opponent whose decisions are known, the best squares are
those after which it errs most often. The chance of a square, its *trap value*, is the greatest probability of winning
that the mover can have after it. It follows from the exact probabilities of the opponent's decisions. A draw counts as
a loss.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, perm
from types import MappingProxyType
from typing import Final

from solver.analysis.review import NO_CHANCES, ChancesOf
from solver.board.outcome import DRAWN
from solver.board.pasted import Given, as_position
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.errors import BadOption, TooLarge
from solver.players import Player, as_strategy
from solver.players.decision import Strategy
from solver.players.match import after_in_class
from solver.proofs.predict import IN_PASSING
from solver.proofs.tables import score_at_hand

MAX_POSITIONS: Final = 10_000
"""The most positions that are visited. It is enough for any position with up to nine open squares."""

NEVER, SURELY = Fraction(0), Fraction(1)


def chances(position: Given, strategy: Player, most: int = MAX_POSITIONS) -> Mapping[Cell, Fraction]:
    """Return the mover's chance of winning against an opponent after each open square, in reading order.

    The position can be a text, and the opponent a name. A finished game has no chances. Before any work, raises
    BadOption if the opponent may decide differently another time, TooLarge if more than `most` positions may have to
    be visited, UnknownPlayer, and NoughtsError for a text that isn't a position.

    >>> from solver import format_cell
    >>> {format_cell(cell, "3x3x3"): str(chance) for cell, chance in chances("X.O/.X./..O", "easy").items()}
    {'b3': '1/2', 'a2': '3/4', 'c2': '7/8', 'a1': '1/2', 'b1': '5/8'}
    """
    position = as_position(position)
    rules = position.rules
    strategy = as_strategy(strategy, rules)
    if not is_certain(strategy, rules):
        why = "may err for ever" if rules.endless else "goes by what is proved so far"
        raise BadOption(f"{strategy.title} {why} on {rules}, so that no chance is certain.")
    if positions_below(position) > most:
        raise TooLarge(
            f"With {position.empty.bit_count()} open squares there may be more than {most:,} positions, too many to go"
            " through. Name a later position."
        )
    win = (_remembering if rules.is_small else _winning)(strategy, position.mover, rules)
    after = _after(strategy, rules)
    return MappingProxyType({cell: win(after(position, cell)) for cell in position.legal_moves})


def is_certain(strategy: Strategy, rules: Rules) -> bool:
    """Return whether the chances against an opponent are certain: it always decides alike, and errs not for ever."""
    return (
        rules.is_small and _sound_from(strategy, rules) is not None
        if rules.endless
        else (strategy.settled or rules.is_small)
    )


def _sound_from(strategy: Strategy, rules: Rules) -> int | None:
    """Return the number of stones from which on an opponent plays perfectly in a game with a table; None if never."""
    return 0 if strategy.kind == "perfect" else strategy.sound_from(rules)


def chances_between(x: Strategy | None, o: Strategy | None) -> ChancesOf:
    """Return the function for a person's chances against a computer; None stands for a person."""

    def chances_of(position: Position) -> Mapping[Cell, Fraction]:
        mover, opponent = (x, o) if position.mover is Mark.X else (o, x)
        if mover is not None or opponent is None:
            return NO_CHANCES
        try:
            return chances(position, opponent)
        except (BadOption, TooLarge):
            return NO_CHANCES

    return chances_of


def positions_below(position: Position) -> int:
    """Return the most positions that play from here can reach, this one included.

    Where stones vanish, they are those until one leaves: from then on the chances are looked up.
    """
    if position.rules.endless:
        stones, most = len(position.ages), 2 * position.rules.k
        return sum(perm(position.empty.bit_count(), placed) for placed in range(most - stones + 1))
    empty = position.plies_left
    if position.rules.is_wild:
        return int(3**empty)
    return sum(comb(empty, plies) * comb(plies, plies // 2) for plies in range(empty + 1))


def _winning(strategy: Strategy, mark: Mark, rules: Rules) -> Callable[[Position], Fraction]:
    """Return a function that gives the chance of `mark` in positions that `_after` makes."""
    after = _after(strategy, rules)
    known: dict[Position, Fraction] = {}
    shared: dict[Fraction, Fraction] = {}

    def win(position: Position) -> Fraction:
        if position not in known:
            chance = compute(position)
            known[position] = shared.setdefault(chance, chance)
        return known[position]

    def compute(position: Position) -> Fraction:
        certain = _certain(position, strategy, mark)
        if certain is not None:
            return certain
        if position.mover is mark:
            return max(win(after(position, cell)) for cell in position.legal_moves)
        choices = strategy.decide(position).choices
        return sum((chance * win(after(position, cell)) for cell, chance in choices.items()), NEVER)

    return win


_remembering = lru_cache(maxsize=48)(_winning)
"""A cache of the functions that `_winning` returns, for boards with a table of all positions.

Each function remembers the chances of a few thousand positions at most. The cache has room for every opponent on both
sides of 3×3.
"""


def _after(strategy: Strategy, rules: Rules) -> Callable[[Position, Cell], Position]:
    """Return the function that makes a move. On small boards its result may be an image of the position reached."""
    return after_in_class if rules.is_small and strategy.symmetric(rules) else Position.after


def _certain(position: Position, strategy: Strategy, mark: Mark) -> Fraction | None:
    """Return the chance if it is known without asking the strategy, else None.

    A forced win wins against every opponent, and nobody wins without an open line. On boards with a table of all
    positions, nobody wins against a perfect player except by a forced win.
    """
    score = score_at_hand(position, IN_PASSING)
    if score is not None and (score if position.mover is mark else -score) > DRAWN:
        return SURELY
    if position.rules.is_small:
        sound = _sound_from(strategy, position.rules)
        if sound is not None and (sound == 0 or len(position.ages) >= sound):
            return NEVER
    if (result := position.result) is not None:
        return SURELY if str(result) == mark else NEVER
    if not position.rules.stones_never_harm:
        return None
    if not position.rules.is_small and position.mover is mark and position.threats(mark):
        return SURELY
    others = position.stones(mark.other)
    return NEVER if all(line & others for line in position.rules.lines) else None
