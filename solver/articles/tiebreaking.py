"""The benefit of the Erlang article's tie-breaks to a perfect player."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from solver.board.outcome import Outcome
from solver.board.position import Mark, Result
from solver.board.rules import Cell, Rules
from solver.players import STRATEGIES
from solver.players.match import results
from solver.players.searching import Opportunities, Paths, opportunities, paths
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.search.tablebase import unfinished

TIE_BREAKS: Final = ("impossible-opportunities", "impossible-paths")
PLAYERS: Final = ("impossible", *TIE_BREAKS)
OPPONENTS: Final = ("easy", "medium", "seven-rules")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A square with its outcome and, on boards with a table, the figures that break ties.

    `players` are the perfect players that may choose the square.
    """

    cell: Cell
    outcome: Outcome
    opportunities: Opportunities | None
    paths: Paths | None
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchUp:
    """The probabilities that each perfect player wins on its side against an opponent."""

    opponent: str
    side: Mark
    wins: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Ties:
    """Numbers of positions on a board.

    `unfinished` counts all unfinished positions, and `tied` the positions with several best squares. `narrowed` counts,
    for each tie-break, the tied positions where it leaves fewer squares.
    """

    unfinished: int
    tied: int
    narrowed: Mapping[str, int]


def weighed(prediction: Prediction) -> tuple[Weighed, ...]:
    """Return every open square of the predicted position with its figures."""
    position = prediction.position
    known = position.rules.is_small
    chosen = {
        name: set(STRATEGIES[name].decide(position).choices) for name in PLAYERS if known and position.legal_moves
    }
    return tuple(
        Weighed(
            cell,
            outcome,
            opportunities(position, cell) if known else None,
            paths(position, cell) if known else None,
            tuple(name for name, cells in chosen.items() if cell in cells),
        )
        for cell, outcome in prediction.squares.items()
    )


@cache
def match_ups(rules: Rules) -> tuple[MatchUp, ...]:
    """Return the exact chances of perfect play against each imperfect opponent, without and with each tie-break."""
    matches = []
    for opponent in OPPONENTS:
        for mark in Mark:
            wins = {}
            for name in PLAYERS:
                x, o = (name, opponent) if mark is Mark.X else (opponent, name)
                wins[name] = results(rules, STRATEGIES[x], STRATEGIES[o])[Result(mark)]
            matches.append(MatchUp(opponent, mark, MappingProxyType(wins)))
    return tuple(matches)


@cache
def ties(rules: Rules) -> Ties:
    """Count the positions with several best squares, and the positions where a tie-break leaves fewer of them."""
    asked = unfinished(rules)
    tied = {position: len(best) for position in asked if len(best := predict(position).best) > 1}
    narrowed = {
        name: sum(len(STRATEGIES[name].decide(position).choices) < best for position, best in tied.items())
        for name in TIE_BREAKS
    }
    return Ties(len(asked), len(tied), MappingProxyType(narrowed))
