"""One SQLite file of proved bounds: its format, and how it is opened, read, added to and written.

Every row carries a check of its own, because SQLite itself notices damage only where it breaks the file's structure.
For any trouble with a file the functions raise one of `TROUBLE`, and `is_damage` says whether the file itself is bad.
"""

import json
import os
import sqlite3
from binascii import crc_hqx
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from solver.board.outcome import Bounds, Score
from solver.board.position import Position
from solver.board.rules import Bits

Key: TypeAlias = tuple[str, int, int]
"""A board and the X and O of a canonical position, each as the signed 64-bit number that SQLite stores."""

MAX_BYTES = 64 << 20
"""The size from which on a cache takes no further positions; those it has can still be narrowed."""

LOCK_TIMEOUT = 5.0
"""Seconds to wait for another process that is writing."""

_TABLE = (
    "proof (board TEXT, x INTEGER, o INTEGER, lower INTEGER, upper INTEGER, seal INTEGER,"
    " PRIMARY KEY (board, x, o)) WITHOUT ROWID"
)
_APPLICATION = 0x4E6F7567
_VERSION = 1  # of what the columns mean; also to be raised if proofs that were kept turn out to be false
_FORMAT = (_APPLICATION, _VERSION, f"CREATE TABLE {_TABLE}")
_BLANK = (0, 0, None)
"""The format of a file that nothing has been written to."""


class NewerFile(sqlite3.DatabaseError):
    """A file of proofs by a newer Noughts, whose columns may mean something else: sound, but not for this one."""

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version}")
        self.version = version
        """The version of the file, above the one that is written here."""


TROUBLE = (sqlite3.Error, OSError, UnicodeDecodeError)
"""The errors that files cause; the last where SQLite quotes damaged text in a message."""

# The statements here are right, so that an error in one comes from the file too.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_UNWRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR}

# All rows as one: after every row of a result a thread may lose the interpreter to another for milliseconds.
_SELECT = """
    SELECT json_group_array(json_array(board, x, o, lower, upper, seal))
    FROM json_each(?) AS key CROSS JOIN proof
    WHERE board = json_extract(key.value, '$[0]')
      AND x = json_extract(key.value, '$[1]')
      AND o = json_extract(key.value, '$[2]')
"""


def key_of(position: Position) -> Key:
    """What a position and all its mirror images are filed under."""
    canonical = position.canonical()
    return str(position.rules), _signed(canonical.x), _signed(canonical.o)


def by_key(proofs: Mapping[Position, Bounds]) -> dict[Key, Bounds]:
    """The proofs that say something as they are filed: those of mirror images are one."""
    filed: dict[Key, Bounds] = {}
    for position, bounds in proofs.items():
        if bounds != Bounds():
            key = key_of(position)
            filed[key] = filed.get(key, Bounds()).narrowed(bounds)
    return filed


def contradictory(bounds: Bounds) -> bool:
    """Whether no score lies within the bounds, so that one of the proofs behind them is false."""
    return bounds.lower > bounds.upper


def is_damage(error: Exception) -> bool:
    """Whether the file itself is bad, and not its surroundings: a full disk, a missing permission, a lock.

    A newer file is no damaged one.
    """
    return not isinstance(error, OSError | NewerFile) and _code(error) in _DAMAGED


def open_book(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes to while it is open."""
    with _connecting(path, "mode=ro&immutable=1") as connection:
        _check(connection)
        return connection


def open_cache(path: Path) -> sqlite3.Connection:
    """A connection to a file that many processes read and write; it and its folder are made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _clear_leftovers(path)
    with _connecting(path, "mode=rwc") as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        if _format(connection) == _BLANK:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                _create(connection)
        _check(connection)
        # Refused while another process uses the file in the other mode. That one is as safe, only slower.
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
        return connection


def open_cache_to_read(path: Path) -> sqlite3.Connection:
    """As `open_cache`, also where nothing can be written, unless the file is not whole without a log beside it."""
    try:
        return open_cache(path)
    except sqlite3.OperationalError as error:
        if _code(error) not in _UNWRITABLE or Path(f"{path}-wal").exists():
            raise
        return open_book(path)


def read(connection: sqlite3.Connection, keys: Collection[Key]) -> dict[Key, Bounds]:
    """What the file knows, of those keys that it knows."""
    ((found,),) = connection.execute(_SELECT, (json.dumps(list(keys)),)).fetchall()
    known: dict[Key, Bounds] = {}
    for board, x, o, lower, upper, seal in json.loads(found):
        if seal != _seal((board, x, o), lower, upper):
            raise sqlite3.DatabaseError("a row does not pass its check")
        known[board, x, o] = Bounds(lower, upper)
    return known


def merge(connection: sqlite3.Connection, proofs: Mapping[Key, Bounds]) -> list[Key]:
    """Narrows what a cache knows, all or nothing; where that contradicts the proofs, forgets it and gives the key."""
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
    """The bytes that a file's proofs take."""
    ((size,),) = connection.execute(
        "SELECT (page_count - freelist_count) * page_size"
        " FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    )
    return int(size)


def make_room(connection: sqlite3.Connection) -> None:
    """Forgets an eighth of a cache's proofs, by chance: which of them will be asked for, nobody knows."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if bytes_used(connection) >= MAX_BYTES:
            connection.execute("DELETE FROM proof WHERE random() & 7 = 0")


def write_book(path: Path, proofs: Mapping[Position, Bounds]) -> None:
    """Writes a book in place of any there, whole or not at all; the same proofs give the same bytes by the same SQLite.

    Raises ValueError if the proofs contradict each other.
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
    """SQLite's number for the kind of error; errors without one are raised here, or by text that cannot be decoded."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF


def _clear_leftovers(path: Path) -> None:
    """Removes what SQLite wrote beside a file that was deleted: it would take it for a part of the next one."""
    # In this order: those of a file that another process is just making come to be after it.
    leftovers = [left for part in ("-wal", "-shm") if (left := Path(f"{path}{part}")).exists()]
    if not path.exists():
        for left in leftovers:
            left.unlink(missing_ok=True)


def _format(connection: sqlite3.Connection) -> tuple[int, int, str | None]:
    """The application a file belongs to, the version of what its columns mean, and its tables."""
    ((application, version, tables),) = connection.execute(
        "SELECT application_id, user_version, (SELECT group_concat(sql) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    )
    return application, version, tables


def _create(connection: sqlite3.Connection) -> None:
    connection.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def _check(connection: sqlite3.Connection) -> None:
    application, version, _ = found = _format(connection)
    if application == _APPLICATION and version > _VERSION:
        raise NewerFile(version)
    if found != _FORMAT:
        raise sqlite3.DatabaseError("this is no file of proofs, or one of an older version")


def _write(connection: sqlite3.Connection, proofs: Mapping[Key, Bounds]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?, ?)",
        ((*key, bounds.lower, bounds.upper, _seal(key, bounds.lower, bounds.upper)) for key, bounds in proofs.items()),
    )


def _seal(key: Key, lower: Score, upper: Score) -> int:
    """The check of a row: of 65536 damaged ones it lets one pass, and none where only one run of 16 bits is wrong."""
    return crc_hqx(repr((*key, lower, upper)).encode(), 0)


def _signed(bits: Bits) -> int:
    return bits - (1 << 64) if bits >> 63 else bits
