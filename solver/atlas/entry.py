"""An entry of the atlas: what is proved of one board, and how a line of its file says it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from solver.atlas.literature import Published, published
from solver.board.notation import format_moves, format_outcomes, parse_cell, parse_outcomes, parse_size, split_moves
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark
from solver.board.rules import MAX_SIDE, Cell, Permutation, Rules, rules_of
from solver.search.pairings import Pairs


class ProvedBy(StrEnum):
    """How an outcome is proved."""

    SEARCH = "search"
    PAIRING = "pairing"
    """Disjoint pairs of squares, one within each line: an answer on the other square of a pair keeps its lines."""
    NO_LINE = "no-line"
    """No line fits on the board."""


@dataclass(frozen=True)
class Entry:
    """What is proved of the empty board for X; `proof` is None and the outcome unknown where nothing is.

    `nodes` and `seconds`, those of one processor, are what the proof of the outcome took. `pairs` are those of a
    pairing. `openings` are the outcomes of the first moves, as far as they are proved. `chances` are, for opponents by
    name, those of X to win after each first move by best play against that opponent, where they could be computed.
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
        """The rules; None where no line fits, since there is nothing to play for."""
        return rules_of(self.columns, self.rows, self.k) if self.proof is not ProvedBy.NO_LINE else None

    @property
    def published(self) -> Published | None:
        """What is published of the board."""
        return published(self.columns, self.rows, self.k)

    @property
    def differs(self) -> bool:
        """Whether something else is published than what is proved here."""
        if self.published is None or self.proof is None:
            return False
        said, found = self.published, self.outcome
        return said.value is not found.value or said.plies not in (None, found.plies)

    @property
    def words(self) -> str:
        """The outcome in words, e.g. "X wins in 6 moves (11 plies)"; "unknown" where nothing is proved."""
        return self.outcome.words(Mark.X) if self.proof else "unknown"

    @cached_property
    def keeping(self) -> tuple[Cell, ...]:
        """The first moves that keep the board's value."""
        return tuple(cell for cell, each in self.openings.items() if each.value is self.outcome.value)

    @cached_property
    def longest_wins(self) -> tuple[Cell, ...]:
        """The first moves that win, but take the longest; none where nothing wins."""
        wins = {cell: each.plies or 0 for cell, each in self.openings.items() if each.value is Value.WIN}
        longest = max(wins.values(), default=0)
        return tuple(cell for cell, plies in wins.items() if plies == longest)

    @cached_property
    def fair(self) -> tuple[Cell, ...]:
        """The first moves after which perfect play draws."""
        return tuple(cell for cell, each in self.openings.items() if each.value is Value.DRAW)

    def hardest_to_hold(self, opponent: str) -> tuple[Cell, ...]:
        """The fair first moves after which this opponent loses most often; none where it never does, or unknown."""
        chances = {cell: chance for cell, chance in self.chances.get(opponent, {}).items() if cell in self.fair}
        greatest = max(chances.values(), default=0.0)
        return tuple(cell for cell, chance in chances.items() if chance == greatest > 0)

    def turned(self) -> "Entry":
        """The entry of the mirror image, with columns for rows."""
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


def written(entry: Entry) -> str:
    """The entry as a line of the atlas's file: a JSON object, with what it has of pairs, openings and chances."""
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
        line["pairs"] = " ".join(format_moves(pair, rules) for pair in entry.pairs)
    if entry.openings:
        line["openings"] = format_outcomes(entry.openings.values())
    for name, chances in entry.chances.items():
        line[name] = [*chances.values()]
    return json.dumps(line)


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of such lines. Raises ValueError where one is damaged."""
    for text in lines:
        line: dict[str, Any] = json.loads(text)
        columns, rows, k = parse_size(line.pop("board"))
        proof = line.pop("proof")
        entry = Entry(
            columns,
            rows,
            k,
            Outcome(Value(line.pop("outcome")), line.pop("plies")),
            proof and ProvedBy(proof),
            line.pop("nodes"),
            line.pop("seconds"),
        )
        yield _with_more(entry, line) if line else entry


def _with_more(entry: Entry, line: dict[str, Any]) -> Entry:
    rules = rules_of(entry.columns, entry.rows, entry.k)
    cells = [parse_cell(name, rules) for name in split_moves(line.pop("pairs", ""), rules)]
    told = parse_outcomes(line.pop("openings", ""), rules.size)
    return replace(
        entry,
        pairs=tuple(zip(cells[::2], cells[1::2], strict=True)),
        openings=MappingProxyType(dict(enumerate(told))),
        chances={name: MappingProxyType(dict(enumerate(chances))) for name, chances in line.items()},
    )


def without_search(columns: int, rows: int, k: int) -> Entry:
    """The entry of a board that was not looked at: a draw by a full board where no line fits, else unknown."""
    if k > max(columns, rows):
        return Entry(columns, rows, k, Outcome(Value.DRAW, columns * rows), ProvedBy.NO_LINE)
    return Entry(columns, rows, k, Outcome(Value.UNKNOWN, None), None)


def sizes() -> Iterator[tuple[int, int, int]]:
    """The boards of the atlas as columns, rows and k: each with no more rows than columns, as its mirror image says."""
    return ((c, r, k) for c in range(1, MAX_SIDE + 1) for r in range(1, c + 1) for k in range(1, MAX_SIDE + 1))
