"""The atlas of other games: who wins where edges meet, a shape wins or a line loses, as far as that is proved."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final

from solver.atlas.entry import ProvedBy
from solver.board.families import ANIMALS, Surface
from solver.board.names import parse_rules
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark
from solver.board.rules import Goal, Marking, Pairs, Rules, rules_of
from solver.errors import BadRules

DATA: Final = Path(__file__).with_name("games.jsonl")

SURFACE_SIDES: Final = range(2, 7)
"""The sides of the surfaces."""

SHAPE_SIDES: Final = range(2, 8)
"""The sides of the flat boards for shapes."""

LOSING_SIDES: Final = range(2, 5)
"""The sides of the flat boards on which a line loses."""

TURNED: Final = (Surface.FLAT, Surface.TORUS, Surface.PROJECTIVE)
"""The surfaces that are the same game with columns and rows swapped: of two such boards one is in the atlas."""


@dataclass(frozen=True)
class ProvedGame:
    """The proved outcome of an empty board for X, or an unknown one with `proof` None. The search took `nodes`."""

    rules: Rules
    outcome: Outcome
    proof: ProvedBy | None
    nodes: int = 0
    seconds: float = 0.0
    published: ClassVar = None
    differs: ClassVar = False

    def __str__(self) -> str:
        return str(self.rules)

    @property
    def pairs(self) -> Pairs:
        """The pairs that prove a draw by pairing; none for another proof."""
        from solver.search.pairings import pairing  # noqa: PLC0415 - only certificates need it

        return pairing(self.rules.lines) or () if self.proof is ProvedBy.PAIRING else ()

    @property
    def words(self) -> str:
        """The outcome in words, e.g. "X wins in 4 moves (7 plies)"; "unknown" if nothing is proved."""
        return self.outcome.words(Mark.X) if self.proof else "unknown"


def games() -> Iterator[Rules]:
    """Yield every game of the atlas that has a line and can be searched."""
    for surface in Surface:
        if surface is not Surface.FLAT:
            for columns, rows in _boards(surface, SURFACE_SIDES):
                for k in range(3, max(columns, rows) + 1):
                    yield rules_of(columns, rows, k, surface)
    for surface, sides in ((Surface.FLAT, SHAPE_SIDES), (Surface.TORUS, SURFACE_SIDES)):
        for shape, (columns, rows) in product(ANIMALS.values(), _boards(surface, sides)):
            try:
                yield rules_of(columns, rows, shape.squares, surface, shape)
            except BadRules:  # it does not fit, or in too many ways
                continue
    for loses in ({"goal": Goal.MISERE}, {"marks": Marking.NOTAKTO}):
        for columns, rows in _boards(Surface.FLAT, LOSING_SIDES):
            for k in range(2, columns + 1):
                yield rules_of(columns, rows, k, **loses)
        for surface in Surface:
            if surface is not Surface.FLAT:
                yield rules_of(3, 3, 3, surface, **loses)


def _boards(surface: Surface, sides: range) -> Iterator[tuple[int, int]]:
    return ((columns, rows) for columns, rows in product(sides, sides) if rows <= columns or surface not in TURNED)


@cache
def proved_games() -> Mapping[str, ProvedGame]:
    """Return the games of the shipped file by their names."""
    with DATA.open(encoding="ascii") as lines:
        return MappingProxyType({str(each.rules): each for each in parse_games(lines)})


def game_named(text: str) -> ProvedGame:
    """Return what is known of a game such as `3x3x3-torus`. Raises BadRules."""
    rules = parse_rules(text)
    return proved_games().get(str(rules)) or unknown_game(rules)


def unknown_game(rules: Rules) -> ProvedGame:
    """Return a game of which nothing is proved."""
    return ProvedGame(rules, Outcome(Value.UNKNOWN, None), None)


def parse_games(lines: Iterable[str]) -> Iterator[ProvedGame]:
    """Read the lines of the file. Raises ValueError if one is damaged."""
    for text in lines:
        line: dict[str, Any] = json.loads(text)
        proof = line["proof"]
        yield ProvedGame(
            parse_rules(line["game"]),
            Outcome(Value(line["outcome"]), line["plies"]),
            proof and ProvedBy(proof),
            line["nodes"],
            line["seconds"],
        )


def format_game(game: ProvedGame) -> str:
    """Write a game as a line of the file."""
    return json.dumps(
        {
            "game": str(game.rules),
            "outcome": str(game.outcome.value),
            "plies": game.outcome.plies,
            "nodes": game.nodes,
            "seconds": round(game.seconds, 3),
            "proof": game.proof,
        }
    )
