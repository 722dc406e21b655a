"""The store of proofs: bounds that are worth keeping, shared by all processes and runs.

It reads the shipped books, which never change, and a cache in the user's folder. It writes only to the cache. Trouble
with a file costs speed and logs a warning. It never costs an answer.
"""

import atexit
import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Self, TypeVar
from weakref import WeakSet

from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.proofs.file import (
    MAX_BYTES,
    TROUBLE,
    Key,
    NewerFile,
    boards_between,
    by_key,
    bytes_used,
    contradictory,
    is_damage,
    key_of,
    make_room,
    merge,
    open_book,
    open_cache,
    open_cache_to_read,
    read,
    write_version,
)
from solver.system import cache_folder, identity

T = TypeVar("T")

BOOKS = Path(__file__).parent / "books"
"""The folder of the shipped books."""

NOTHING = Bounds()
"""The bounds of a position of which nothing is known."""

FULL = "the file of proofs is full: what is proved from now on is not kept"
"""The message for a full cache, which keeps its old proofs."""


class Store:
    """The proved bounds of positions. Any thread and any forked process may use it.

    `path` is the cache, created with the first proof; None stands for no cache. `books` are only read. No method raises
    errors of files: each kind of trouble is logged once, as a warning of the logger "noughts". Files by a newer Noughts
    are left alone.
    """

    def __init__(self, path: Path | None, books: Sequence[Path] = ()) -> None:
        self._books = tuple(_Book(book, open_book) for book in books)
        # Two connections: while the writer waits for the file, readers go on.
        self._reader = None if path is None else _File(path, open_cache_to_read)
        self._writer = None if path is None else _File(path, open_cache)
        self._told: set[str] = set()
        self._left_alone = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files until the next use of the store."""
        for file in (*self._books, self._reader, self._writer):
            if file is not None:
                file.close()

    def bounds(self, position: Position) -> Bounds:
        """Return the known bounds of the position's score for its mover; `Bounds()` if nothing is known."""
        return self.bounds_of((position,))[position]

    def bounds_of(self, positions: Iterable[Position]) -> dict[Position, Bounds]:
        """Return the known bounds of many positions, looked up together; `Bounds()` where nothing is known."""
        keys = {position: key_of(position) for position in positions}
        known: dict[Key, Bounds] = {}
        for file in (*self._books, self._reader):
            for key, bounds in self._read(file, set(keys.values())).items():
                known[key] = bounds.narrowed(known.get(key, NOTHING))
        contradicted = {key for key, bounds in known.items() if contradictory(bounds)}
        self._warn_of(contradicted)
        return {position: NOTHING if key in contradicted else known.get(key, NOTHING) for position, key in keys.items()}

    def keep(self, proofs: Mapping[Position, Bounds]) -> None:
        """Narrow the bounds in the cache in one transaction. Proofs that contradict each other are removed."""
        filed = by_key(proofs)
        if self._writer is not None and filed:
            self._warn_of(self._use(self._writer, lambda connection: merge(connection, filed), ()))

    def trouble(self) -> str:
        """Return why proofs cannot be kept now. The text is empty if they can, or if there is no cache."""
        writer = self._writer
        if writer is None:
            return self._left_alone
        try:
            with writer.connection() as connection:
                write_version(connection)
        except TROUBLE as error:
            return f"the file of proofs cannot be written ({error})"
        return FULL if self.is_full() else ""

    def is_full(self) -> bool:
        """Return whether the cache takes no new positions."""
        if self._writer is None:
            return False
        try:
            with self._writer.connection() as connection:
                return bytes_used(connection) >= MAX_BYTES
        except TROUBLE:
            return False

    def make_room(self) -> None:
        """Delete some proofs of a full cache, for a server that has to keep new ones."""
        if self._writer is not None and self.is_full():
            self._use(self._writer, make_room, None)

    def size(self) -> int:
        """Return the size of the cache in bytes."""
        writer = self._writer
        try:
            return 0 if writer is None else writer.path.stat().st_size
        except OSError:
            return 0

    def _read(self, file: "_File | None", keys: Collection[Key]) -> dict[Key, Bounds]:
        if file is None or identity(file.path) is None:
            return {}
        return self._use(file, lambda connection: read(connection, keys) if file.may_hold(keys) else {}, {})

    def _use(self, file: "_File", action: Callable[[sqlite3.Connection], T], without: T) -> T:
        """Return the result of an action on a file, or `without` if there is trouble with the file."""
        try:
            with file.connection() as connection:
                return action(connection)
        except TROUBLE as error:
            self._do_without(file, error)
            return without

    def _do_without(self, file: "_File", error: Exception) -> None:
        """Warn of an error. Stop using a newer file or a damaged book, and put a damaged cache aside."""
        if isinstance(error, NewerFile):
            self._leave_alone(file)
            self._warn(f"{file.path} was written by a newer Noughts (version {error.version}); it is left alone")
        elif not is_damage(error):
            self._warn(f"{file.path} cannot be used for now", error)
        elif file in self._books:
            self._leave_alone(file)
            self._warn(f"the book {file.path} is left out", error)
        else:
            file.put_aside()
            self._warn(f"{file.path} is put aside and begun anew", error)

    def _leave_alone(self, file: "_File") -> None:
        """Stop reading and writing a book or the cache."""
        if file in self._books:
            self._books = tuple(book for book in self._books if book is not file)
            return
        self._left_alone = "the file of proofs was written by a newer Noughts"
        unused, self._reader, self._writer = (self._reader, self._writer), None, None
        for connected in filter(None, unused):
            connected.close()

    def _warn_of(self, contradicted: Collection[Key]) -> None:
        for key in contradicted:
            self._warn("proofs contradict each other and are left out", key)

    def _warn(self, trouble: str, *details: object) -> None:
        if trouble not in self._told:
            self._told.add(trouble)
            logging.getLogger("noughts").warning("%s", ": ".join(map(str, (trouble, *details))))


@cache
def shipped_books() -> Store:
    """Return a store of the shipped books alone, whose content is the same in every installation."""
    store = Store(None, sorted(BOOKS.glob("*.sqlite")))
    atexit.register(store.close)
    return store


@cache
def default_store() -> Store:
    """Return the store of this installation, the same object each time."""
    store = installed_store()
    atexit.register(store.close)
    return store


def installed_store() -> Store:
    """Open a store of the shipped books and the cache in `cache_folder`."""
    folder = cache_folder()
    return Store(folder and folder / "proofs.sqlite", sorted(BOOKS.glob("*.sqlite")))


class _File:
    """A file of proofs, with a connection that is opened when needed and serves one thread at a time."""

    def __init__(self, path: Path, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self.path = path
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._boards: tuple[str, str] | None = None
        self._lock = Lock()
        _files.add(self)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection to the file that is at the path now. Close it after an error."""
        with self._lock:
            try:
                if self._connection is None or self._identity != identity(self.path):
                    self._disconnect()
                    self._identity = identity(self.path)
                    self._connection = self._connect(self.path)
                    self._identity = identity(self.path)
                yield self._connection
            except BaseException:
                self._disconnect()
                raise

    def may_hold(self, keys: Collection[Key]) -> bool:  # noqa: ARG002 - a book knows better
        """Return False if the file that is open holds none of these keys' boards."""
        return True

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Keep the connection closed for all threads."""
        with self._lock:
            self._disconnect()
            yield

    def close(self) -> None:
        """Close the connection."""
        with self.closed():
            pass

    def put_aside(self) -> None:
        """Rename the file that was last open here, unless another process has already replaced it."""
        if self._identity == identity(self.path):
            with suppress(OSError):
                os.replace(self.path, f"{self.path}.old")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = self._boards = None


class _Book(_File):
    """A file that no process writes to, so that its boards are looked up once for each connection."""

    def may_hold(self, keys: Collection[Key]) -> bool:
        if self._boards is None and self._connection is not None:
            self._boards = boards_between(self._connection)
        first, last = self._boards or ("", "")
        return any(first <= board <= last for board, _, _ in keys)


_files: WeakSet[_File] = WeakSet()
_at_fork = ExitStack()


def _close_all() -> None:
    for file in tuple(_files):
        _at_fork.enter_context(file.closed())


if sys.platform != "win32":
    # SQLite forbids a child even to close a connection of its parent, so none is open while a process forks.
    os.register_at_fork(before=_close_all, after_in_parent=_at_fork.close, after_in_child=_at_fork.close)
