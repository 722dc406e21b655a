"""The atlas as it is shipped: one entry for every board up to 8×8 and every number in a row up to 8."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.atlas.entry import Entry, read, sizes, without_search
from solver.board.notation import parse_size, quoted
from solver.board.outcome import Outcome, Value
from solver.board.rules import MAX_SIDE, Rules
from solver.errors import BadRules

DATA: Final = Path(__file__).parent / "boards.jsonl"
"""The shipped file: a line for each board on which a line fits."""

Size: TypeAlias = tuple[int, int, int]
"""Columns, rows and k."""


@cache
def atlas() -> Mapping[Size, Entry]:
    """Every board by columns, rows and k, none with more rows than columns, in this order."""
    with DATA.open(encoding="ascii") as lines:
        shipped = {(entry.columns, entry.rows, entry.k): entry for entry in read(lines)}
    return MappingProxyType({size: shipped.get(size) or without_search(*size) for size in sizes()})


def entry_of(columns: int, rows: int, k: int) -> Entry:
    """The entry of a board of the atlas, or that of its mirror image, turned."""
    if columns < rows:
        return entry_of(rows, columns, k).turned()
    return atlas()[columns, rows, k]


def entry_named(text: str) -> Entry:
    """The entry of a board as it is written, e.g. 7x4x4; here more may be in a row than fit. Raises BadRules."""
    size = parse_size(text)
    if not all(1 <= number <= MAX_SIDE for number in size):
        raise BadRules(
            f"{quoted(text)} is no board of the atlas. Write columns x rows x how many in a row win, each from 1 to"
            f" {MAX_SIDE}, for example 7x4x4."
        )
    return entry_of(*size)


def known_value(rules: Rules) -> str:
    """What is known of a board in words: "draw", "X wins in 6 moves", or what is published of one not proved here."""
    entry = entry_of(rules.columns, rules.rows, rules.k)
    if entry.proof is not None:
        return _in_words(entry.outcome)
    said = entry.published
    return f"{_in_words(Outcome(said.value, said.plies))}: published, not proved here" if said else ""


def _in_words(outcome: Outcome) -> str:
    if outcome.value is Value.DRAW:
        return "draw"
    return "X wins" if outcome.plies is None else f"X wins in {(outcome.plies + 1) // 2} moves"
