"""The worth of the Erlang article's tie-breaks beside perfect play: per square, per position, and in games, exactly."""

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
from solver.proofs.prediction import Prediction, predict
from solver.search.tablebase import has_table, positions

TIE_BREAKS: Final = ("impossible-opportunities", "impossible-paths")
PLAYERS: Final = ("impossible", *TIE_BREAKS)
OPPONENTS: Final = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A square: its outcome, both tie-breaks where every position is looked up, and which of the players take it."""

    cell: Cell
    outcome: Outcome
    opportunities: Opportunities | None
    paths: Paths | None
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchUp:
    """The probability with which each of the players wins and draws as one mark against an opponent."""

    opponent: str
    mark: Mark
    wins: Mapping[str, Fraction]
    draws: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Ties:
    """How many unfinished positions have several best squares, and how many of them each tie-break narrows down."""

    unfinished: int
    tied: int
    narrowed: Mapping[str, int]


def weighed(prediction: Prediction) -> tuple[Weighed, ...]:
    """Every open square of the predicted position, in reading order."""
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
    """How the perfect player fares without a tie-break and with each, against imperfect opponents, exactly."""
    found = []
    for opponent in OPPONENTS:
        for mark in Mark:
            chances = {}
            for name in PLAYERS:
                pair = STRATEGIES[name], STRATEGIES[opponent]
                chances[name] = results(rules, *(pair if mark is Mark.X else pair[::-1]))
            wins = {name: chance[Result(mark)] for name, chance in chances.items()}
            draws = {name: chance[Result.DRAW] for name, chance in chances.items()}
            found.append(MatchUp(opponent, mark, MappingProxyType(wins), MappingProxyType(draws)))
    return tuple(found)


@cache
def ties(rules: Rules) -> Ties:
    """Counts the positions of a board in which a tie-break has something to decide, and in which it does."""
    unfinished, tied, narrowed = 0, 0, dict.fromkeys(TIE_BREAKS, 0)
    for position in positions(rules):
        if position.result is not None:
            continue
        unfinished += 1
        best = predict(position).best
        tied += len(best) > 1
        for name in TIE_BREAKS if len(best) > 1 else ():
            narrowed[name] += len(STRATEGIES[name].decide(position).choices) < len(best)
    return Ties(unfinished, tied, MappingProxyType(narrowed))
