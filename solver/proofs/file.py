"""SQLite files of proved bounds: their format, and functions that open, read, extend and write them.

Every row has a checksum, because SQLite itself notices damage only where it breaks the structure of the file. All
trouble with a file is raised as one of `TROUBLE`; `is_damage` tells damage to the file itself from other trouble.

A book is a file of proofs with the exact scores of all openings. Openings are positions with few stones, which take
longest to prove.
"""

import json
import os
import sqlite3
from binascii import crc32, crc_hqx
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import groupby
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from solver.board.notation import format_moves
from solver.board.outcome import Bounds, Score
from solver.board.position import Position
from solver.board.rules import Bits, Rules
from solver.errors import BadOption
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import at_first, narrowing, narrowing_siblings
from solver.search.solver import HARD_ENTRIES, Solver

Key: TypeAlias = tuple[str, int, int]
"""A board as files name it, and the stones of X and of O in a canonical position as signed 64-bit numbers."""

MAX_BYTES = 64 << 20
"""The size at which a cache takes no more positions. The bounds in it can still be narrowed."""

LOCK_TIMEOUT = 5.0
"""Seconds to wait for a process that is writing."""

_TABLE = (
    "proof (board TEXT, x INTEGER, o INTEGER, lower INTEGER, upper INTEGER, seal INTEGER,"
    " PRIMARY KEY (board, x, o)) WITHOUT ROWID"
)
_APPLICATION = 0x4E6F7567
_VERSION = 1  # raise it when a column gets another meaning, or when kept proofs turn out to be false
_FORMAT = (_APPLICATION, _VERSION, f"CREATE TABLE {_TABLE}")
_BLANK = (0, 0, None)
"""The format of an empty file."""


class NewerFile(sqlite3.DatabaseError):
    """A file of proofs was written by a newer Noughts, whose columns may have another meaning."""

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version}")
        self.version = version
        """The version of the file, greater than `_VERSION`."""


TROUBLE = (sqlite3.Error, OSError, UnicodeDecodeError)
"""The errors that files cause. UnicodeDecodeError comes from messages in which SQLite quotes damaged text."""

# SQLITE_ERROR is here too: the statements in this module are correct, so the file must be damaged.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_UNWRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR}

# The result is a single row: after each row, another thread can hold the interpreter for milliseconds.
_SELECT = """
    SELECT json_group_array(json_array(board, x, o, lower, upper, seal))
    FROM json_each(?) AS key CROSS JOIN proof
    WHERE board = json_extract(key.value, '$[0]')
      AND x = json_extract(key.value, '$[1]')
      AND o = json_extract(key.value, '$[2]')
"""


@lru_cache(maxsize=1 << 13)  # a page that waits for proofs asks for the same positions again and again
def key_of(position: Position) -> Key:
    """Return the key of a position, which its symmetric images share. Where stones vanish, it has their order too."""
    canonical, board = position.canonical(), name_in_files(position.rules)
    if canonical.ages:
        board += f" {format_moves(canonical.ages, position.rules)}"
    return board, _to_signed(canonical.x), _to_signed(canonical.o)


@lru_cache(maxsize=64)
def name_in_files(rules: Rules) -> str:
    """Return the name of a board in files. A shape's name has a digest of its lines: only their proofs count."""
    if rules.shape is None:
        return str(rules)
    return f"{rules} {crc32(repr(sorted(rules.lines)).encode()):08x}"


def by_key(proofs: Mapping[Position, Bounds]) -> dict[Key, Bounds]:
    """Return the proofs by key. Combine the bounds of symmetric images.

    Bounds that say nothing are left out.
    """
    filed: dict[Key, Bounds] = {}
    for position, bounds in proofs.items():
        if bounds != Bounds():
            key = key_of(position)
            filed[key] = filed.get(key, Bounds()).narrowed(bounds)
    return filed


def contradictory(bounds: Bounds) -> bool:
    """Return whether no score lies within the bounds, so that one of their proofs must be false."""
    return bounds.lower > bounds.upper


def is_damage(error: Exception) -> bool:
    """Return whether an error means a damaged file. A file that is newer, locked or unreadable is not damaged."""
    return not isinstance(error, OSError | NewerFile) and _code(error) in _DAMAGED


def open_book(path: Path) -> sqlite3.Connection:
    """Open a file to read it, while no process writes to it."""
    with _connecting(path, "mode=ro&immutable=1") as connection:
        _check(connection)
        return connection


def open_cache(path: Path) -> sqlite3.Connection:
    """Open a file that many processes read and write; make it and its folder if they are missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _clear_leftovers(path)
    with _connecting(path, "mode=rwc") as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        if _format(connection) == _BLANK:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                _create(connection)
        _check(connection)
        # SQLite refuses while another process uses the file in the older mode, which is as safe, only slower.
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
        return connection


def open_cache_to_read(path: Path) -> sqlite3.Connection:
    """Open a cache to read it, even in a read-only folder.

    Raise the error if a log beside the file has a part of its content.
    """
    try:
        return open_cache(path)
    except sqlite3.OperationalError as error:
        if _code(error) not in _UNWRITABLE or Path(f"{path}-wal").exists():
            raise
        return open_book(path)


def read(connection: sqlite3.Connection, keys: Collection[Key]) -> dict[Key, Bounds]:
    """Return the bounds of the keys that are in the file."""
    ((rows,),) = connection.execute(_SELECT, (json.dumps(list(keys)),)).fetchall()
    known: dict[Key, Bounds] = {}
    for board, x, o, lower, upper, seal in json.loads(rows):
        if seal != _seal((board, x, o), lower, upper):
            raise sqlite3.DatabaseError("a row does not pass its check")
        known[board, x, o] = Bounds(lower, upper)
    return known


def boards_between(connection: sqlite3.Connection) -> tuple[str, str]:
    """Return the first and the last board of a file in the order of their names, which most books have only one of."""
    ((first, last),) = connection.execute("SELECT (SELECT min(board) FROM proof), (SELECT max(board) FROM proof)")
    return first or "", last or ""


def merge(connection: sqlite3.Connection, proofs: Mapping[Key, Bounds]) -> list[Key]:
    """Narrow the bounds in a cache in one transaction. Delete and return the keys that the new proofs contradict."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        known = read(connection, proofs.keys())
        merged = {key: bounds.narrowed(known.get(key, Bounds())) for key, bounds in proofs.items()}
        contradicted = [key for key, bounds in merged.items() if contradictory(bounds)]
        connection.executemany("DELETE FROM proof WHERE board = ? AND x = ? AND o = ?", contradicted)
        taken = merged.keys() if bytes_used(connection) < MAX_BYTES else known.keys()
        changed = {key for key in taken if merged[key] != known.get(key)} - set(contradicted)
        _write(connection, {key: merged[key] for key in changed})
    return contradicted


def bytes_used(connection: sqlite3.Connection) -> int:
    """Return the bytes that the proofs of a file take."""
    ((size,),) = connection.execute(
        "SELECT (page_count - freelist_count) * page_size"
        " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    )
    return int(size)


def make_room(connection: sqlite3.Connection) -> None:
    """Delete a random eighth of a full cache's proofs, since nothing tells which of them will be needed."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if bytes_used(connection) >= MAX_BYTES:
            connection.execute("DELETE FROM proof WHERE random() & 7 = 0")


def write_book(path: Path, proofs: Mapping[Position, Bounds]) -> None:
    """Write a book, whole or not at all, in place of an older one. Raises ValueError if proofs contradict each other.

    The same proofs give the same bytes, with the same version of SQLite.
    """
    rows = by_key(proofs)
    if any(map(contradictory, rows.values())):
        raise ValueError("The proofs contradict each other.")
    with TemporaryDirectory(dir=path.parent) as folder:
        draft = Path(folder, path.name)
        with closing(_connect(draft, "mode=rwc")) as connection:
            with connection:
                connection.execute("BEGIN")
                _create(connection)
                _write(connection, rows)
            connection.execute("VACUUM")  # packs the rows in the order of their keys
        os.replace(draft, path)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)


@contextmanager
def _connecting(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    connection = _connect(path, mode)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _code(error: Exception) -> int:
    """Return SQLite's primary result code, or the code of damage if the error is not SQLite's."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF


def _clear_leftovers(path: Path) -> None:
    """Remove the logs beside a deleted file, since SQLite would take them for logs of the next file."""
    # List the logs first: if another process makes the file meanwhile, its own logs are not in the list.
    leftovers = [left for part in ("-wal", "-shm") if (left := Path(f"{path}{part}")).exists()]
    if not path.exists():
        for left in leftovers:
            left.unlink(missing_ok=True)


def _format(connection: sqlite3.Connection) -> tuple[int, int, str | None]:
    """Return the application of a file, the version of its format, and its tables."""
    ((application, version, tables),) = connection.execute(
        "SELECT application_id, user_version, (SELECT group_concat(sql) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    )
    return application, version, tables


def write_version(connection: sqlite3.Connection) -> None:
    """Write the version of the format. As a probe it shows that the disk takes what is written."""
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def _create(connection: sqlite3.Connection) -> None:
    connection.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    write_version(connection)


def _check(connection: sqlite3.Connection) -> None:
    application, version, _ = written = _format(connection)
    if application == _APPLICATION and version > _VERSION:
        raise NewerFile(version)
    if written != _FORMAT:
        raise sqlite3.DatabaseError("this is no file of proofs, or one of an older version")


def _write(connection: sqlite3.Connection, proofs: Mapping[Key, Bounds]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?, ?)",
        ((*key, bounds.lower, bounds.upper, _seal(key, bounds.lower, bounds.upper)) for key, bounds in proofs.items()),
    )


def _seal(key: Key, lower: Score, upper: Score) -> int:
    """Return the checksum of a row. It detects all damage within 16 bits, and other changes except one in 65,536."""
    return crc_hqx(repr((*key, lower, upper)).encode(), 0)


def _to_signed(bits: Bits) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


MAX_OPENINGS = 200_000
"""The positions of the largest book."""


def openings(rules: Rules, stones: int) -> tuple[Position, ...]:
    """Return the unfinished positions with up to `stones` stones, those with most stones first.

    Of symmetric positions, return only one.

    Raises BadOption if the board has fewer squares, or if there are more positions than a book holds.
    """
    if not 0 <= stones <= rules.squares:
        raise BadOption(f"A position of {rules} has 0 to {rules.squares} stones, not {stones}.")
    layers = [{Position(rules).canonical(): None}]
    for layer in range(1, stones + 1):
        room = MAX_OPENINGS - sum(map(len, layers))
        if _at_least(rules, layer) > room:
            raise _too_many(rules, layer)
        layers.append({})
        for following in (position.after(cell) for position in layers[-2] for cell in position.legal_moves):
            if following.result is None:
                layers[-1][following.canonical()] = None
            if len(layers[-1]) > room:
                raise _too_many(rules, layer)
    return tuple(position for layer in reversed(layers) for position in layer)


def proofs_of(positions: Sequence[Position]) -> Iterator[tuple[Position, Bounds]]:
    """Yield each of these openings with its exact score, by proofs without a limit of nodes or time.

    Siblings are first asked about together, where an extra stone never harms. Openings with more stones come first,
    since their proofs help the others.
    """
    rules = positions[0].rules
    solver = Solver(rules, max_entries=HARD_ENTRIES)
    bounds = {position: at_first(position) for position in positions}
    for _, alike in groupby(positions, lambda position: (position.own, position.other.bit_count())):
        siblings = tuple(alike)
        for won in (True, False):
            bounds |= narrowing_siblings(
                solver, {sibling: bounds[sibling] for sibling in siblings}, Meter(UNLIMITED), won
            )
        for position in siblings:
            bounds |= narrowing(solver, {position: bounds[position]}, Meter(UNLIMITED))
            yield position, bounds[position]


def _at_least(rules: Rules, stones: int) -> int:
    """Return a lower bound of the number of openings with this many stones, without counting them.

    Where stones fall or vanish there are fewer: none is promised.
    """
    if rules.falls or rules.vanishes:
        return 0
    x, o = (stones + 1) // 2, stones // 2
    nobody_has_won = x < rules.k
    return comb(rules.squares, x) * comb(rules.squares - x, o) // len(rules.symmetries) if nobody_has_won else 0


def _too_many(rules: Rules, stones: int) -> BadOption:
    return BadOption(
        f"With up to {stones} stones {rules} has more positions than the {MAX_OPENINGS} of the largest book."
        f" Take {stones - 1} stones at most."
    )
