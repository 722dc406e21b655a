"""The benefit of the Erlang article's tie-breaks to a perfect player: per square, per position, and in games."""

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
from solver.players.tiebreaks import Opportunities, Paths, opportunities, paths
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.search.tablebase import has_table, unfinished

TIE_BREAKS: Final = ("impossible-opportunities", "impossible-paths")
PLAYERS: Final = ("impossible", *TIE_BREAKS)
OPPONENTS: Final = ("easy", "medium", "seven-rules")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A square with its outcome; on boards with a table, also its tie-breaks and the players that take it."""

    cell: Cell
    outcome: Outcome
    opportunities: Opportunities | None
    paths: Paths | None
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchUp:
    """The probabilities of a win and a draw for each of the players, with one mark against one opponent."""

    opponent: str
    mark: Mark
    wins: Mapping[str, Fraction]
    draws: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Ties:
    """The numbers of unfinished positions, of ties between best squares, and of ties that each tie-break narrows."""

    unfinished: int
    tied: int
    narrowed: Mapping[str, int]


def weighed(prediction: Prediction) -> tuple[Weighed, ...]:
    """Weigh every open square of the predicted position, in reading order."""
    position = prediction.position
    known = has_table(position.rules)
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
    """Return the exact chances of perfect play against imperfect opponents, with no tie-break and with each one."""
    found = []
    for opponent in OPPONENTS:
        for mark in Mark:
            chances = {}
            for name in PLAYERS:
                x, o = (name, opponent) if mark is Mark.X else (opponent, name)
                chances[name] = results(rules, STRATEGIES[x], STRATEGIES[o])
            wins = {name: chance[Result(mark)] for name, chance in chances.items()}
            draws = {name: chance[Result.DRAW] for name, chance in chances.items()}
            found.append(MatchUp(opponent, mark, MappingProxyType(wins), MappingProxyType(draws)))
    return tuple(found)


@cache
def ties(rules: Rules) -> Ties:
    """Count the positions of a board with several best squares, and the ones where a tie-break leaves fewer."""
    asked = unfinished(rules)
    tied = {position: len(best) for position in asked if len(best := predict(position).best) > 1}
    narrowed = {
        name: sum(len(STRATEGIES[name].decide(position).choices) < best for position, best in tied.items())
        for name in TIE_BREAKS
    }
    return Ties(len(asked), len(tied), MappingProxyType(narrowed))
