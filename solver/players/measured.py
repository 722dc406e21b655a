"""What the levels are worth in the games of the shelf: a shipped file, made by `noughts levels --make`.

On small boards it has the exact chance with which the best possible player beats each level, and how often a level errs
where its chance was set by that. On larger boards it has the results of matches between the levels.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

DATA: Final = Path(__file__).with_name("levels.jsonl")


class MatchScore(NamedTuple):
    """The games between a level and a weaker one, half of them with each mark, counted for the stronger."""

    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """The points of the stronger level: a win counts 1, a draw a half."""
        return (self.won + self.drawn / 2) / sum(self)


class Measured(NamedTuple):
    """What is measured of a game: either the chances `beaten` or the `scores`.

    `rates` says how often a level errs as X and as O, by its name. `beaten` has, by the level and the best possible
    player's mark, the chance of beating the level, for marks that cannot force a win; all numbers are fractions.
    `scores` has the score of a level against a weaker one, by both names with a space between them.
    """

    game: str
    rates: Mapping[str, tuple[str, str]] = MappingProxyType({})
    beaten: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    scores: Mapping[str, MatchScore] = MappingProxyType({})


def parse_measured(lines: Iterable[str]) -> dict[str, Measured]:
    """Read the lines of the file, by the board of their game."""
    found = (Measured(**json.loads(line)) for line in lines)
    return {
        each.game: each._replace(
            rates={level: (x, o) for level, (x, o) in each.rates.items()},
            scores={pair: MatchScore(*counts) for pair, counts in each.scores.items()},
        )
        for each in found
    }


def format_measured(measured: Measured) -> str:
    """Write a game as a line of the file, without what is empty."""
    line: dict[str, Any] = {name: value for name, value in measured._asdict().items() if value}
    return json.dumps(line)


@cache
def measured_games() -> Mapping[str, Measured]:
    """Return the shipped measures, by the board of their game."""
    if not DATA.exists():
        return MappingProxyType({})
    with DATA.open(encoding="ascii") as lines:
        return MappingProxyType(parse_measured(lines))
