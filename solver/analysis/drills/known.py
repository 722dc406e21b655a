"""The positions that drills are made of, with the outcomes of their squares.

On boards of up to nine squares these are all unfinished positions, one of each symmetry class, and outcomes are looked
up; any such game in which a stone never harms has drills. On larger boards `solver.analysis.drills.make` found
positions in games and proved them. Each such board has a text file with a position in each line, followed by the
outcomes of its open squares in reading order: `D` is a draw, `W5` a win in five plies and `L4` a loss in four.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from solver.board.families import ANIMALS, Surface
from solver.board.notation import format_outcomes, format_position, parse_outcomes, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Rules, rules_of
from solver.errors import NoSuchDrill
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.search.tablebase import MAX_CELLS, has_table, unfinished

DATA: Final = Path(__file__).parent / "data"
"""The folder of the shipped positions."""

LADDER: Final = tuple(map(parse_rules, ("3x3x3", "4x4x4", "5x4x4", "5x5x4", "6x5x4", "6x6x5")))
"""The boards of the ladder and of the daily drills, small ones first."""

BOARDS: Final = (
    *LADDER,
    *(rules_of(3, 3, 3, surface) for surface in Surface if surface is not Surface.FLAT),
    *(rules_of(3, 3, ANIMALS[name].squares, shape=ANIMALS[name]) for name in ("el", "elly", "tippy", "knobby")),
    *map(parse_rules, ("4x4x4-torus", "4x4x4-klein", "5x5-tippy", "3x3x3x3")),
)
"""The boards that pages offer drills on. On those that are not on the ladder, edges meet, an animal wins or lines run
through layers."""


@cache
def positions(rules: Rules) -> tuple[Position, ...]:
    """Return the canonical positions that make a board's drills. Raises NoSuchDrill for a board without drills."""
    _refuse_other(rules)
    if has_table(rules):
        return tuple(dict.fromkeys(each.canonical() for each in unfinished(rules)))
    return tuple(_shipped(rules))


def prediction_of(position: Position) -> Prediction:
    """Return the outcome of every open square of one of these positions. Raises NoSuchDrill for any other."""
    rules = position.rules
    _refuse_other(rules)
    canonical = position.canonical()
    if canonical != position:
        raise NoSuchDrill(
            f"Positions that can be turned or mirrored into each other share one drill: {format_position(canonical)}"
            f" stands for {format_position(position)}."
        )
    if has_table(rules):
        return predict(position)
    if position not in _shipped(rules):
        raise NoSuchDrill(f"{format_position(position)} is not among the positions of {rules} that have drills.")
    return _shipped(rules)[position]


def format_known(prediction: Prediction) -> str:
    """Return a position with its outcomes as a line of a file."""
    return f"{format_position(prediction.position)} {format_outcomes(prediction.squares.values())}"


def parse_known(lines: Iterable[str], rules: Rules) -> Iterator[Prediction]:
    """Parse the lines of a file that `format_known` wrote; skip lines that begin with #."""
    for line in lines:
        if not line.startswith("#"):
            text, outcomes = line.split()
            position = parse_position(text, rules)
            proved = parse_outcomes(outcomes, position.plies_left)
            squares = dict(zip(position.legal_moves, proved, strict=True))
            yield Prediction(position, MappingProxyType(squares), 0)


@cache
def _shipped(rules: Rules) -> Mapping[Position, Prediction]:
    with (DATA / f"{rules}.txt").open(encoding="ascii") as lines:
        return {prediction.position: prediction for prediction in parse_known(lines, rules)}


def _refuse_other(rules: Rules) -> None:
    if rules not in BOARDS and not (has_table(rules) and rules.stones_never_harm):
        raise NoSuchDrill(
            f"There are no drills on {rules}. Choose one of: {', '.join(map(str, BOARDS))}; or another game of up to"
            f" {MAX_CELLS} squares in which a stone never harms."
        )
