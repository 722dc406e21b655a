"""The atlas of other games: who wins on other surfaces, in space and by other rules, if that is proved."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations, product
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from solver.board.families import ANIMALS, Surface
from solver.board.names import parse_rules
from solver.board.outcome import Outcome, Value, won_in_time
from solver.board.position import Mark
from solver.board.rules import USUAL, Drop, Goal, Marking, Pairs, Rules, mapped, rules_of
from solver.board.shelf import SHELF, board_called
from solver.catalogue.entry import Entry, ProvedBy, Published, entry_named
from solver.errors import BadRules

DATA: Final = Path(__file__).with_name("games.jsonl")

SURFACE_SIDES: Final = range(2, 7)
"""The sides of the surfaces."""

SHAPE_SIDES: Final = range(2, 8)
"""The sides of the flat boards for shapes."""

LOSING_SIDES: Final = range(2, 6)
"""The sides of the flat boards on which a line loses, or marks are wild."""

VANISHING_SIDES: Final = range(2, 5)
"""The sides of the flat boards on which stones vanish."""

SPACE_SIDES: Final = range(2, 5)
"""The sides of the boards in space."""

LOSING: Final = (
    {"goal": Goal.MISERE},
    {"marks": Marking.NOTAKTO},
    {"marks": Marking.WILD},
    {"goal": Goal.MISERE, "marks": Marking.WILD},
)
VANISHING: Final = tuple(
    {"goal": goal, "marks": marks}
    for marks in (Marking.VANISHING, Marking.VANISHING_STRICT)
    for goal in (Goal.COMPLETE, Goal.MISERE)
)
"""The clauses of games in which a stone can harm its owner, by what they have in common."""

FALLING_COLUMNS: Final = range(3, 8)
FALLING_ROWS: Final = range(3, 7)
FALLING_LINES: Final = range(3, 6)
"""The columns and the rows of the flat boards on which stones fall, and how many in a row win."""

TURNED: Final = (Surface.FLAT, Surface.TORUS, Surface.PROJECTIVE)
"""The surfaces that are the same game with columns and rows swapped: of two such boards one is in the atlas."""

QUBIC: Final = "Patashnik, Qubic: 4x4x4 tic-tac-toe, Mathematics Magazine 53, 1980"
CONNECT_FOUR: Final = "Tromp, John's Connect Four Playground, 2015"
NOTAKTO: Final = "Plambeck and Whitehead, The secrets of notakto, arXiv 1301.1672, 2013"
ANIMAL: Final = "Gardner, Mathematical Games, Scientific American, April 1979"

_FALLING: Final = {4: "DDLD", 5: "DDDD", 6: "DDLW"}
"""The outcomes of four in a row where stones fall: by rows, then for 4 to 7 columns, won, drawn or lost for X."""

_WON_FROM: Final = {"domino": 2, "el": 3, "tic": 4, "elly": 4, "tippy": 3, "knobby": 5, "skinny": 7}
"""The side of the smallest square board on which X can force an animal."""


@dataclass(frozen=True)
class ProvedGame:
    """The proved outcome of an empty board for X, or an unknown one with `proof` None. The search took `nodes`."""

    rules: Rules
    outcome: Outcome
    proof: ProvedBy | None
    nodes: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return str(self.rules)

    @property
    def pairs(self) -> Pairs:
        """The pairs that prove a draw by pairing; none for another proof."""
        from solver.search.solver import pairing  # noqa: PLC0415 - only certificates need it

        return pairing(self.rules.lines) or () if self.proof is ProvedBy.PAIRING else ()

    @property
    def published(self) -> Published | None:
        """The published outcome of the game, or None."""
        return published_of(self.rules)

    @property
    def differs(self) -> bool:
        """True if a publication contradicts the proof."""
        return bool(self.proof and self.published and self.published.contradicts(self.outcome))

    @property
    def words(self) -> str:
        """The outcome in words, e.g. "X wins in 4 moves (7 plies)"; "unknown" if nothing is proved."""
        return self.outcome.words(Mark.X, self.rules) if self.proof else "unknown"


def games() -> Iterator[Rules]:
    """Yield every game of the atlas that has a line and can be searched."""
    yield from _on_surfaces()
    yield from _by_shape()
    yield from _turned(LOSING, LOSING_SIDES)
    yield from _falling()
    yield from _turned(VANISHING, VANISHING_SIDES)
    yield from _in_space()
    yield from (rules for game in SHELF if (rules := parse_rules(game.board)).holes)


def _on_surfaces() -> Iterator[Rules]:
    for surface in Surface:
        if surface is not Surface.FLAT:
            for columns, rows in _boards(surface, SURFACE_SIDES):
                for k in range(3, max(columns, rows) + 1):
                    yield rules_of(columns, rows, k, surface)


def _by_shape() -> Iterator[Rules]:
    for surface, sides in ((Surface.FLAT, SHAPE_SIDES), (Surface.TORUS, SURFACE_SIDES)):
        for shape, (columns, rows) in product(ANIMALS.values(), _boards(surface, sides)):
            try:
                yield rules_of(columns, rows, shape.squares, surface, shape)
            except BadRules:  # it does not fit, or in too many ways
                continue


def _turned(clauses: Iterable[Mapping[str, Any]], sides: range) -> Iterator[Rules]:
    for each in clauses:
        for columns, rows in _boards(Surface.FLAT, sides):
            for k in range(2, columns + 1):
                yield rules_of(columns, rows, k, **each)
        for surface in Surface:
            if surface is not Surface.FLAT:
                yield rules_of(3, 3, 3, surface, **each)


def _in_space() -> Iterator[Rules]:
    for columns, rows, layers in product(SPACE_SIDES, repeat=3):
        if columns >= rows >= layers:
            for k in range(2, columns + 1):
                try:
                    yield rules_of(columns, rows, k, layers=layers)
                except BadRules:  # it has too many lines
                    continue


def _falling() -> Iterator[Rules]:
    for columns, rows, k in product(FALLING_COLUMNS, FALLING_ROWS, FALLING_LINES):
        if k <= max(columns, rows):
            yield rules_of(columns, rows, k, drop=Drop.GRAVITY)


def _boards(surface: Surface, sides: range) -> Iterator[tuple[int, int]]:
    return ((columns, rows) for columns, rows in product(sides, sides) if rows <= columns or surface not in TURNED)


@cache
def proved_games() -> Mapping[str, ProvedGame]:
    """Return the games of the shipped file by their names."""
    with DATA.open(encoding="ascii") as lines:
        return MappingProxyType({str(each.rules): each for each in parse_games(lines)})


def game_named(text: str) -> ProvedGame:
    """Return the proof of a game such as `3x3x3-torus`, with its board turned in any way. Raises BadRules."""
    rules, proved = parse_rules(text), proved_games()
    found = next((proved[name] for name in map(str, turns(rules)) if name in proved), None)
    return replace(found, rules=rules) if found else unknown_game(rules)


def turns(rules: Rules) -> Iterator[Rules]:
    """Yield a game and then the same game with columns and rows swapped or, in space, with its sides in any order."""
    yield rules
    if rules.in_space:
        for columns, rows, layers in permutations((rules.columns, rules.rows, rules.layers)):
            yield rules_of(columns, rows, rules.k, *rules.clauses._replace(layers=layers))
    elif rules.surface in TURNED and not rules.falls:
        across = tuple(column * rules.rows + row for row in range(rules.rows) for column in range(rules.columns))
        winning = rules.winning and tuple(mapped(line, across) for line in rules.winning)
        clauses = rules.clauses._replace(holes=mapped(rules.holes, across), winning=winning)
        yield rules_of(rules.rows, rules.columns, rules.k, *clauses)


def board_or_game(text: str) -> Entry | ProvedGame:
    """Return the entry of a flat board such as `7x4x4`, or what is known of another game. Raises BadRules."""
    board = board_called(text) or text
    return game_named(board) if "-" in board or board.count("x") == 3 else entry_named(board)


def published_of(rules: Rules) -> Published | None:
    """Return the published outcome of a game; None if no publication is known."""
    if str(rules) == "3x3x3-notakto":
        return Published(Value.WIN, NOTAKTO)
    if str(rules) == "4x4x4x4":
        return Published(Value.WIN, QUBIC)
    if rules.shape in {*_WON_FROM, "fatty"} and rules.clauses == USUAL._replace(shape=rules.shape):
        won = rules.columns >= _WON_FROM.get(rules.shape, inf)
        return Published(Value.WIN if won else Value.DRAW, ANIMAL) if rules.columns == rules.rows else None
    if rules.clauses == USUAL._replace(drop=Drop.GRAVITY) and rules.k == 4 <= rules.columns and rules.rows in _FALLING:
        values = {"W": Value.WIN, "D": Value.DRAW, "L": Value.LOSS}
        found = _FALLING[rules.rows][rules.columns - 4 : rules.columns - 3]
        return Published(values[found], CONNECT_FOUR) if found else None
    return None


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
            _outcome(parse_rules(line["game"]), Value(line["outcome"]), line["plies"]),
            proof and ProvedBy(proof),
            line["nodes"],
            line["seconds"],
        )


def _outcome(rules: Rules, value: Value, plies: int | None) -> Outcome:
    """Return an outcome; a win of unknown length comes at the latest as the board is full."""
    if value is not Value.WIN or plies is not None:
        return Outcome(value, plies)
    return Outcome(value, None, won_in_time(rules.squares))


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
