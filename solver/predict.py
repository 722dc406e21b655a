"""Predictions: what perfect play makes of every open square of a position."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from solver.outcome import UNKNOWN, Outcome, Value, to_parent
from solver.position import Position
from solver.rules import Cell
from solver.search.exact import SHORT, prove_moves
from solver.search.table import has_table, looked_up

DEFAULT_WORK = 20_000
"""Nodes times lines of the board that a prediction may cost where there is no table, so that a page need not wait."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The outcome of each legal move for the player who makes it, in reading order, and the nodes searched for it.

    `nodes` is 0 where every outcome was looked up. A finished game has no squares.
    """

    position: Position
    squares: Mapping[Cell, Outcome]
    nodes: int

    @property
    def best(self) -> tuple[Cell, ...]:
        """The squares with the best outcome. Empty where that is not proved."""
        return best_of(self.squares)


@lru_cache(maxsize=4096)
def predict(position: Position, max_nodes: int | None = None) -> Prediction:
    """Every open square's outcome, exact on boards of up to nine cells.

    On larger boards what `max_nodes` nodes, by default as many as DEFAULT_WORK allows, do not prove is UNKNOWN.
    Squares that a symmetry of the position turns into each other are searched once, so they always agree. Answers are
    kept: a page asks for the same one several times.
    """
    plies_left = position.plies_left
    if has_table(position.rules):
        squares = {
            cell: Outcome.of_score(to_parent(looked_up(position.after(cell))), plies_left)
            for cell in position.legal_moves
        }
        return Prediction(position, MappingProxyType(squares), 0)
    if max_nodes is None:
        max_nodes = DEFAULT_WORK // len(position.rules.lines)
    orbits = position.orbits()
    proofs = prove_moves(position, [orbit[0] for orbit in orbits], max_nodes)
    outcomes = {
        cell: Outcome.of_score(proofs.scores[orbit[0]], plies_left) if orbit[0] in proofs.scores else UNKNOWN
        for orbit in orbits
        for cell in orbit
    }
    return Prediction(position, MappingProxyType({cell: outcomes[cell] for cell in sorted(outcomes)}), proofs.nodes)


def best_of(squares: Mapping[Cell, Outcome]) -> tuple[Cell, ...]:
    """The squares whose proved outcome no other square's can beat; empty where an unproved one might.

    A win within SHORT plies stands against unproved squares: none of them wins sooner, since every square is asked for
    its wins in the order of their distance up to there.
    """
    proved = {cell: outcome.rank for cell, outcome in squares.items() if outcome.plies is not None}
    top = max(proved.values(), default=0)
    if len(proved) < len(squares) and top < Outcome(Value.WIN, SHORT).rank:
        return ()
    return tuple(cell for cell, rank in proved.items() if rank == top)
