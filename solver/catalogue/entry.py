"""The atlas: the proved and the published outcomes of all boards up to 8×8, for lines of up to 8 squares.

A published outcome is one that a publication states; outcomes that only follow from it are left out. Tests compare
these outcomes with the proofs.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from solver.board.notation import format_outcomes, format_pairs, parse_outcomes, parse_pairs, parse_size, quoted
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark
from solver.board.rules import MAX_SIDE, Cell, Pairs, Rules, rules_of
from solver.board.symmetries import Permutation
from solver.errors import BadRules

DATA: Final = Path(__file__).parent / "boards.jsonl"
"""The shipped file: one line of text for each board on which a winning line fits."""

Size: TypeAlias = tuple[int, int, int]
"""Columns, rows and k."""

INITIATIVE: Final = "Uiterwijk and van den Herik, The advantage of the initiative, 2000"
FOUR_BY_FOUR: Final = "Uiterwijk, Set matching: an enhancement of the Hales-Jewett pairing strategy, arXiv 1703.10678"
STRONG_AND_WEAK: Final = "Uiterwijk, Solving strong and weak 4-in-a-row, 2019"
NINE_BY_FOUR: Final = "Charatsidis, Solving four-in-a-row on 9x4 and 10x4 boards, 2017"
EIGHT_BY_EIGHT: Final = "Hsu et al., On solving the 7,7,5-game and the 8,8,5-game, TCS 815, 2020"
EIGHT_IN_A_ROW: Final = "Uiterwijk, Set matching with applications, ICGA Journal 40, 2018"


@dataclass(frozen=True, slots=True)
class Published:
    """A published outcome of the empty board for X, its source, and the number of plies if the source gives it."""

    value: Value
    source: str
    plies: int | None = None

    def contradicts(self, found: Outcome) -> bool:
        """Return whether a proved outcome is another one."""
        return self.value is not found.value or self.plies not in (None, found.plies)


_won, _drawn = partial(Published, Value.WIN), partial(Published, Value.DRAW)

_SINGLE: Final = {
    (3, 3, 3): _drawn(INITIATIVE),
    (4, 3, 3): _won(INITIATIVE, 7),
    (4, 4, 3): _won(INITIATIVE, 5),
    (4, 4, 4): _drawn(FOUR_BY_FOUR),
    (5, 4, 4): _drawn(INITIATIVE),
    (5, 5, 4): _drawn(INITIATIVE),
    (5, 5, 5): _drawn(INITIATIVE),
    (6, 4, 4): _drawn(STRONG_AND_WEAK),
    (6, 5, 4): _won(STRONG_AND_WEAK, 11),
    (6, 6, 4): _won(STRONG_AND_WEAK, 11),
    (6, 6, 5): _drawn(EIGHT_BY_EIGHT),
    (7, 7, 5): _drawn(EIGHT_BY_EIGHT),
    (8, 8, 5): _drawn(EIGHT_BY_EIGHT),
}
"""Publications about single boards, by columns, rows and k."""


def published(columns: int, rows: int, k: int) -> Published | None:
    """Return the published outcome of a board or its mirror image; None if no publication is known."""
    columns, rows = max(columns, rows), min(columns, rows)
    if k > columns:
        return None
    if single := _SINGLE.get((columns, rows, k)):
        return single
    if k == 3 and rows >= 3:
        return _won(INITIATIVE)
    if k == 4 and 4 in (columns, rows):  # "Boards from 1×4 to 8×4 are draw"
        return _drawn(NINE_BY_FOUR)
    if k == 4 and rows >= 5:  # "a win for every board larger than 6×5"
        return _won(NINE_BY_FOUR)
    return _drawn(EIGHT_IN_A_ROW) if k >= 8 else None


class ProvedBy(StrEnum):
    """The method that proves an outcome."""

    SEARCH = "search"
    PAIRING = "pairing"
    """Disjoint pairs of squares, one in each line: a player who always completes the pair never loses."""
    NO_LINE = "no-line"
    """No line fits on the board."""
    THREATS = "threats"
    """A certificate of quiet moves, after which threats win: of a win without its number of plies."""
    BACKWARDS = "backwards"
    """The scores of all positions, computed from the ends of the game."""


@dataclass(frozen=True)
class Entry:
    """The proved outcome of an empty board for X; if nothing is proved, `proof` is None and the outcome unknown.

    The proof took `nodes` and `seconds` on one processor. `pairs` belong to a proof by pairing. `openings` has the
    outcomes of the first moves, as far as they are proved. `chances` has, for each opponent, the chance that X wins by
    best play after each first move. It is empty if the chances are too expensive to compute.
    """

    columns: int
    rows: int
    k: int
    outcome: Outcome
    proof: ProvedBy | None
    nodes: int = 0
    seconds: float = 0.0
    pairs: Pairs = ()
    openings: Mapping[Cell, Outcome] = field(default_factory=dict)
    chances: Mapping[str, Mapping[Cell, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}x{self.k}"

    @property
    def rules(self) -> Rules | None:
        """The rules; None if no line fits on the board."""
        return rules_of(self.columns, self.rows, self.k) if self.proof is not ProvedBy.NO_LINE else None

    @property
    def published(self) -> Published | None:
        """The published outcome of the board, or None."""
        return published(self.columns, self.rows, self.k)

    @property
    def differs(self) -> bool:
        """True if a publication contradicts the proof."""
        return bool(self.proof and self.published and self.published.contradicts(self.outcome))

    @property
    def words(self) -> str:
        """The outcome in words, e.g. "X wins in 6 moves (11 plies)"; "unknown" if nothing is proved."""
        return self.outcome.words(Mark.X) if self.proof else "unknown"

    @cached_property
    def keeping(self) -> tuple[Cell, ...]:
        """The first moves that keep the board's value."""
        return tuple(cell for cell, each in self.openings.items() if each.value is self.outcome.value)

    @cached_property
    def longest_wins(self) -> tuple[Cell, ...]:
        """The winning first moves that take longest; none if no first move wins."""
        wins = {cell: each.plies or 0 for cell, each in self.openings.items() if each.value is Value.WIN}
        longest = max(wins.values(), default=0)
        return tuple(cell for cell, plies in wins.items() if plies == longest)

    @cached_property
    def fair(self) -> tuple[Cell, ...]:
        """The first moves after which perfect play draws."""
        return tuple(cell for cell, each in self.openings.items() if each.value is Value.DRAW)

    def hardest_to_hold(self, opponent: str) -> tuple[Cell, ...]:
        """Return the fair first moves after which this opponent loses most often; none if it never loses."""
        chances = {cell: chance for cell, chance in self.chances.get(opponent, {}).items() if cell in self.fair}
        greatest = max(chances.values(), default=0.0)
        return tuple(cell for cell, chance in chances.items() if chance == greatest > 0)

    def turned(self) -> "Entry":
        """Return the entry of the mirror image, with columns and rows swapped."""
        if self.columns == self.rows:
            return self
        across: Permutation = tuple(
            row + column * self.rows for row in range(self.rows) for column in range(self.columns)
        )

        def moved(cells: Mapping[Cell, Any]) -> Mapping[Cell, Any]:
            return MappingProxyType(dict(sorted((across[cell], said) for cell, said in cells.items())))

        return replace(
            self,
            columns=self.rows,
            rows=self.columns,
            pairs=tuple((across[one], across[other]) for one, other in self.pairs),
            openings=moved(self.openings),
            chances={name: moved(chances) for name, chances in self.chances.items()},
        )


def format_entry(entry: Entry) -> str:
    """Write an entry as a line of the atlas's file: a JSON object, without the fields that are empty."""
    line: dict[str, Any] = {
        "board": str(entry),
        "outcome": str(entry.outcome.value),
        "plies": entry.outcome.plies,
        "nodes": entry.nodes,
        "seconds": round(entry.seconds, 3),
        "proof": entry.proof,
    }
    rules = entry.rules
    if rules and entry.pairs:
        line["pairs"] = format_pairs(entry.pairs, rules)
    if entry.openings:
        line["openings"] = format_outcomes(entry.openings.values())
    for name, chances in entry.chances.items():
        line[name] = [*chances.values()]
    return json.dumps(line)


def parse_entries(lines: Iterable[str]) -> Iterator[Entry]:
    """Read the lines of the atlas's file. Raises ValueError if one is damaged."""
    for text in lines:
        line: dict[str, Any] = json.loads(text)
        columns, rows, k = parse_size(line.pop("board"))
        rules, proof = rules_of(columns, rows, k), line.pop("proof")
        yield Entry(
            columns,
            rows,
            k,
            Outcome(Value(line.pop("outcome")), line.pop("plies")),
            proof and ProvedBy(proof),
            line.pop("nodes"),
            line.pop("seconds"),
            parse_pairs(line.pop("pairs", ""), rules),
            MappingProxyType(dict(enumerate(parse_outcomes(line.pop("openings", ""), rules.size)))),
            # Only the chances against opponents are left.
            {name: MappingProxyType(dict(enumerate(chances))) for name, chances in line.items()},
        )


def without_search(columns: int, rows: int, k: int) -> Entry:
    """Return the entry of a board before any search: a draw if no line fits, else unknown."""
    if k > max(columns, rows):
        return Entry(columns, rows, k, Outcome(Value.DRAW, columns * rows), ProvedBy.NO_LINE)
    return Entry(columns, rows, k, Outcome(Value.UNKNOWN, None), None)


def sizes() -> Iterator[Size]:
    """Yield the columns, rows and k of all boards of the atlas; of two mirror images, only the wider one."""
    return ((c, r, k) for c in range(1, MAX_SIDE + 1) for r in range(1, c + 1) for k in range(1, MAX_SIDE + 1))


@cache
def atlas() -> Mapping[Size, Entry]:
    """Return the entry of every board that `sizes` yields, in its order."""
    with DATA.open(encoding="ascii") as lines:
        shipped = {(entry.columns, entry.rows, entry.k): entry for entry in parse_entries(lines)}
    return MappingProxyType({size: shipped.get(size) or without_search(*size) for size in sizes()})


def entry_of(columns: int, rows: int, k: int) -> Entry:
    """Return the entry of a board; for a board with more rows than columns, turn the entry of its mirror image."""
    if columns < rows:
        return entry_of(rows, columns, k).turned()
    return atlas()[columns, rows, k]


def entry_named(text: str) -> Entry:
    """Return the entry of a board such as `7x4x4`. Here k may exceed the board's sides. Raises BadRules."""
    size = parse_size(text)
    if not all(1 <= number <= MAX_SIDE for number in size):
        raise BadRules(
            f"{quoted(text)} isn't a board of the atlas. Write columns x rows x how many in a row win, each from 1 to"
            f" {MAX_SIDE}, for example 7x4x4."
        )
    return entry_of(*size)
