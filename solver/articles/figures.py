"""Figures that take long to compute, as the file `figures.json` beside this module ships them.

`make golden` writes the file. Tests compute a sample of the figures again; `make exhaustive` computes all.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct, json

from solver.analysis.trial import Counts, Ply, Refutation, Trial
from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import Computation, Finding
from solver.articles.crosstable import Crosstable
from solver.articles.rulebooks import Aim, Shortest
from solver.articles.trials import Tried, try_strategy
from solver.board.notation import format_cell, format_position, parse_cell, parse_position
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES, Strategy, playing_on

FILE: Final = Path(__file__).with_suffix(".json")


class ShippedTrial(Struct, omit_defaults=True):
    """A trial of an opponent.

    `lost` are the squares of a shortest lost game, each with the reason, and `erred` is the number of the ply with the
    error. `slip` has the rows of a position, the square that lets a win slip there, and the reason. If the games were
    not counted, `problem` says why.
    """

    counts: Counts = Counts(0, 0, 0)
    positions: int = 0
    slips: int = 0
    lost: tuple[tuple[str, str], ...] = ()
    erred: int | None = None
    slip: tuple[str, str, str] | None = None
    problem: str = ""

    @classmethod
    def of(cls, tried: Tried) -> "ShippedTrial":
        """Return a trial in the form that is shipped."""
        if tried.found is None:
            return cls(problem=tried.problem)
        found, lost, slip = tried.found, tried.found.refutation, tried.found.slip
        return cls(
            found.counts,
            found.positions,
            found.slips,
            tuple((format_cell(ply.cell, found.rules), ply.reason) for ply in lost.plies) if lost else (),
            lost.erred if lost else None,
            (format_position(slip.position), format_cell(slip.cell, found.rules), slip.reason) if slip else None,
        )

    def tried(self, strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
        """Return the trial, which is this strategy's, as it was computed."""
        if self.problem:
            return Tried(strategy, mark, problem=self.problem)
        refutation = Refutation(tuple(_plies(self.lost, rules)), self.erred) if self.lost else None
        slip = None
        if self.slip:
            rows, square, reason = self.slip
            slip = Ply(parse_position(rows, rules), parse_cell(square, rules), reason)
        found = Trial(strategy, mark, rules, self.counts, self.positions, refutation, self.slips, slip)
        return Tried(strategy, mark, found)


def _plies(moves: Iterable[tuple[str, str]], rules: Rules) -> Iterator[Ply]:
    position = Position(rules)
    for square, reason in moves:
        cell = parse_cell(square, rules)
        yield Ply(position, cell, reason)
        position = position.after(cell)


class Figures(Struct):
    """All figures that are shipped.

    `claims` are the computations of the claims by their identifiers. `shortest` are the shortest lists of rules by
    their aim and the plies that the rules may look ahead. `trials` are by `trial_key`. `pairs` are the chances that X
    wins, that O wins and that they draw, and the points of X and O, by the names of X's player and of O's.
    """

    claims: dict[str, Computation]
    shortest: tuple[tuple[Aim, int, Shortest], ...]
    trials: dict[str, ShippedTrial]
    pairs: dict[str, str]

    def text(self) -> bytes:
        """Return the content of the file."""
        return json.format(json.encode(self), indent=1) + b"\n"


def finding_of(name: str) -> Finding:
    """Return what was found about the claim with this identifier, as it is shipped."""
    return Finding(CLAIMS[name], figures().claims[name])


def trial_key(name: str, mark: Mark, rules: Rules) -> str:
    """Return the key of an opponent's trial, e.g. "3x3x3 hard X"."""
    return f"{rules} {name} {mark}"


@cache
def figures() -> Figures:
    """Return the figures that are shipped."""
    return json.decode(FILE.read_bytes(), type=Figures)


def tried(strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
    """Return an opponent's trial as it is shipped. Try a list of rules now, since there are too many to ship."""
    if STRATEGIES.get(strategy.name) is not strategy:
        return try_strategy(strategy, mark, rules)
    return figures().trials[trial_key(strategy.name, mark, rules)].tried(strategy, mark, rules)


@cache
def crosstable_of_3x3() -> Crosstable:
    """Return the chances and points of all opponents on 3×3 against each other, as they are shipped."""
    chances, points = {}, {}
    for key, text in figures().pairs.items():
        x, o = key.split()
        *results, x_points, o_points = map(Fraction, text.split())
        chances[x, o] = dict(zip(Result, results, strict=True))
        points[x, o] = x_points, o_points
    return Crosstable(TIC_TAC_TOE, playing_on(TIC_TAC_TOE), MappingProxyType(chances), MappingProxyType(points))
