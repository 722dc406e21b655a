"""Figures that take long to compute, as the file `figures.json` beside this module ships them.

`make golden` writes the file. Tests compute a sample of the figures again; `make exhaustive` computes all.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct, json

from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import Computation, Finding
from solver.articles.crosstable import Crosstable
from solver.board.position import Result
from solver.board.rules import TIC_TAC_TOE
from solver.players import playing_on

FILE: Final = Path(__file__).with_suffix(".json")


class Figures(Struct):
    """All figures that are shipped.

    `claims` are the computations of the claims by their identifiers. `pairs` are the chances that X wins, that O wins
    and that they draw, and the points of X and O, by the names of X's player and of O's. `programs` are the games that
    edited programs of the PyFL article lose as X and as O, by the titles of the programs.
    """

    claims: dict[str, Computation]
    pairs: dict[str, str]
    programs: dict[str, list[int]]

    def text(self) -> bytes:
        """Return the content of the file."""
        return json.format(json.encode(self), indent=1) + b"\n"


def finding_of(name: str) -> Finding:
    """Return what was found about the claim with this identifier, as it is shipped."""
    return Finding(CLAIMS[name], figures().claims[name])


@cache
def figures() -> Figures:
    """Return the figures that are shipped."""
    return json.decode(FILE.read_bytes(), type=Figures)


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
