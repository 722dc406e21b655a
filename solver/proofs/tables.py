"""The tables of whole games that this process holds: made at once where that is cheap, else loaded from the store.

A command makes an expensive table once and stores it beside the proofs, in a file of its own. Trouble with such a file
costs speed and logs a warning.
"""

import logging
import mmap
import os
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from solver.board.outcome import Score
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadRules, TooLarge
from solver.proofs.file import name_in_files
from solver.search import vanishing
from solver.search.tablebase import look_up
from solver.search.tables import bytes_of, make, open_table, seconds_of
from solver.system import cache_folder, identity

if TYPE_CHECKING:
    from solver.kernel.kernel import Tablebase

MOST_BYTES: Final = 1 << 30
"""The most bytes of a table, and of all that are stored."""

SOON: Final = 1.0
"""The most processor seconds of a table that is made for one answer: enough for 16 squares, but for wild games."""

FORMAT: Final = 1
"""The number of the files' format. Raise it when a byte gets another meaning, or when a table turns out to be false."""


def table_at_hand(rules: Rules, seconds: float = SOON) -> "Tablebase | None":
    """Return the table of a game if it is held, stored, or made within these processor seconds; else None."""
    if not has_table(rules):
        return None
    table: Tablebase | None = _held.get(rules)
    if table is None and seconds_of(rules) <= min(seconds, SOON):
        table = make(rules, memoryview(bytearray(bytes_of(rules))))
        _hold(rules, table)
    return table or (_load(rules, _identity(rules)) if seconds_of(rules) > SOON else None)


def scores_at_hand(rules: Rules, seconds: float = SOON) -> Callable[[Position], Score] | None:
    """Return the function that looks up the scores of positions that games reach, or None; see `table_at_hand`."""
    if rules.is_small:
        return look_up
    if rules.vanishes:
        if rules not in _held and vanishing.seconds_of(rules) > min(seconds, SOON):
            return None
        _hold(rules, vanishing.table(rules))
        return vanishing.look_up
    table = table_at_hand(rules, seconds)
    return None if table is None else lambda position: table.score(position.x, position.o)


def score_at_hand(position: Position, seconds: float = SOON) -> Score | None:
    """Return the score of a position that games reach, if its table is at hand."""
    score = scores_at_hand(position.rules, seconds)
    return None if score is None else score(position)


def whole_table(rules: Rules) -> "Tablebase":
    """Return the table of a game, stored if making it took long.

    Raises TooLarge for a table above `MOST_BYTES`, and BadRules where stones vanish, which have no table of this kind.
    """
    if rules.vanishes:
        raise BadRules(f"Stones vanish on {rules}, so that its positions are no table by their stones.")
    if not has_table(rules):
        raise TooLarge(
            f"The table of {rules} has {bytes_of(rules):,} bytes, and {MOST_BYTES:,} at most are made."
            " Take a smaller board, or prove single positions."
        )
    if (table := table_at_hand(rules)) is not None:
        return table
    memory = memoryview(bytearray(bytes_of(rules)))
    table = make(rules, memory)
    _hold(rules, table)
    try:
        _store(rules, memory)
    except OSError as error:
        logging.getLogger("noughts").warning("the table of %s cannot be stored: %s", rules, error)
    return table


def is_cheap(rules: Rules) -> bool:
    """Return whether the table of a game is made for one answer."""
    return has_table(rules) and seconds_of(rules) <= SOON


_held: dict[Rules, Any] = {}
"""The tables that this process made last, the oldest first."""

MOST_HELD: Final = 4
"""The most tables that are held: of 34 MB each at most, unless a command has made one."""


def forget_tables() -> None:
    """Forget the tables of this process; what is stored stays."""
    _held.clear()
    vanishing.table.cache_clear()


def _hold(rules: Rules, table: Any) -> None:
    while rules not in _held and len(_held) >= MOST_HELD:
        _held.pop(next(iter(_held)), None)  # another thread may have been faster
    _held[rules] = table


def has_table(rules: Rules) -> bool:
    """Return whether a game can have a table of no more than `MOST_BYTES`."""
    return not rules.vanishes and bytes_of(rules) <= MOST_BYTES


def _path(rules: Rules) -> Path | None:
    folder = cache_folder()
    return folder and folder / "tables" / f"{sha256(name_in_files(rules).encode()).hexdigest()[:32]}.table"


def _identity(rules: Rules) -> tuple[int, int] | None:
    path = _path(rules)
    return None if path is None else identity(path)


@lru_cache(maxsize=4)  # mapped, so that processes share the memory
def _load(rules: Rules, file: tuple[int, int] | None) -> "Tablebase | None":
    """Return the table that the store has in this file, if it passes its check."""
    path = _path(rules)
    if path is None or file is None:
        return None
    try:
        with path.open("rb") as opened:
            memory = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_COPY))
    except (OSError, ValueError) as error:
        logging.getLogger("noughts").warning("%s cannot be used: %s", path, error)
        return None
    scores = memory[: bytes_of(rules)]
    if bytes(memory[len(scores) :]) != _seal(rules, scores):
        logging.getLogger("noughts").warning("%s is damaged and left out", path)
        return None
    return open_table(rules, scores)


def _store(rules: Rules, scores: memoryview) -> None:
    """Write a table, whole or not at all, after the oldest ones that leave it no room."""
    path = _path(rules)
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = sorted(path.parent.glob("*.table"), key=lambda table: table.stat().st_mtime)
    while stored and sum(table.stat().st_size for table in stored) + len(scores) > MOST_BYTES:
        stored.pop(0).unlink()
    with NamedTemporaryFile(dir=path.parent, delete=False) as draft:
        draft.write(scores)
        draft.write(_seal(rules, scores))
    os.replace(draft.name, path)


def _seal(rules: Rules, scores: memoryview) -> bytes:
    """Return the end of a file: its format, its game, and a checksum of the scores."""
    return f"\nnoughts table {FORMAT} {name_in_files(rules)} {crc32(scores):08x}\n".encode()
