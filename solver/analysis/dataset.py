"""Data sets: every position of a small board, or a sample of a larger one, each with its outcome and best squares.

>>> from solver import parse_rules, predict
>>> row_of(predict("X.O/.X./..O"))["best"]
['c2']
>>> len(list(every_position(parse_rules("3x3x3"))))
5478
"""

import random
import tomllib
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final

from solver.analysis.chances import positions_below
from solver.board.notation import format_cell, format_position
from solver.board.position import Position
from solver.board.rules import Marking, Rules, bits_of, cells_of
from solver.errors import BadOption, BadRules, ImpossiblePosition, TooLarge
from solver.proofs.prediction import Prediction

MOST_LISTED: Final = 1_000_000
"""The most positions of a data set."""

MOST_IN_VAIN: Final = 10_000
"""The number of games in a row that reach no new position, after which a sample is complete."""

COLUMNS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The fields of a row, each with its meaning."""


def row_of(prediction: Prediction) -> dict[str, Any]:
    """Return the fields of a position, in the order of `COLUMNS`."""
    position, rules = prediction.position, prediction.position.rules
    return {
        "board": str(rules),
        "position": format_position(position),
        "to_move": str(position.mover),
        "outcome": str(prediction.outcome.value),
        "plies": prediction.outcome.plies,
        "best": [format_cell(cell, rules) for cell in prediction.best],
        "complete": prediction.complete,
        "class": format_position(position.canonical()),
    }


def every_position(rules: Rules) -> Iterator[Position]:
    """Yield each position that games reach, those with fewer stones first, in little memory.

    Raises TooLarge at once for a board that may have more than `MOST_LISTED`, and BadRules where stones vanish.
    """
    _check_rows(rules)
    if (most := positions_below(Position(rules))) > MOST_LISTED:
        raise TooLarge(
            f"{rules} may have {most:,} positions, more than {MOST_LISTED:,}, too many to list."
            " Ask for a sample of them."
        )
    return _every(rules)


def _every(rules: Rules) -> Iterator[Position]:
    for plies in range(rules.squares + 1):
        for stones in combinations(cells_of(rules.full), plies):
            for xs in chain.from_iterable(combinations(stones, count) for count in _counts_of_x(rules, plies)):
                x = bits_of(xs)
                try:
                    yield Position.checked(rules, x, bits_of(stones) ^ x)
                except ImpossiblePosition:
                    continue


def _counts_of_x(rules: Rules, plies: int) -> range:
    """Return the numbers of X that can be on the board after some plies."""
    if rules.is_wild:
        return range(plies + 1)
    count = plies if rules.marks is Marking.NOTAKTO else plies - plies // 2
    return range(count, count + 1)


def sampled_positions(rules: Rules, count: int, seed: str | None = None) -> Iterator[Position]:
    """Yield different positions of random games: each game plays random squares, up to a random number of plies.

    With a seed, they are the same on every machine. Fewer than `count` come if new ones are no longer found. Raises
    BadOption at once for a count below 1 or above `MOST_LISTED`, and BadRules where stones vanish.
    """
    _check_rows(rules)
    if not 1 <= count <= MOST_LISTED:
        raise BadOption(f"A sample has 1 to {MOST_LISTED:,} positions, not {count:,}.")
    return _sample(rules, count, random.Random(seed))


def _check_rows(rules: Rules) -> None:
    """Raise BadRules if the rows of a position do not tell it from others."""
    if rules.vanishes:
        raise BadRules(f"Rows don't show which stone on {rules} is the oldest, so its positions make no data set.")


def _sample(rules: Rules, count: int, rng: random.Random) -> Iterator[Position]:
    seen: set[tuple[int, int]] = set()
    in_vain = 0
    while len(seen) < count and in_vain < MOST_IN_VAIN:
        position = Position(rules)
        for _ in range(rng.randrange(rules.squares + 1)):
            if position.result is not None:
                break
            position = position.after(rng.choice(position.legal_moves))
        in_vain += 1
        if (position.x, position.o) not in seen:
            seen.add((position.x, position.o))
            in_vain = 0
            yield position
