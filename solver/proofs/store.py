"""The store of proofs: bounds of positions that are worth keeping, shared by all processes and all runs.

It reads books, which are shipped and never change, and a cache in the user's folder, the only file it writes to.
Trouble with a file costs speed and a warning, never an answer.
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
from typing import Self
from weakref import WeakSet

from platformdirs import user_cache_path

from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.proofs.file import (
    MAX_BYTES,
    TROUBLE,
    Key,
    NewerFile,
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
)

BOOKS = Path(__file__).parent / "books"
"""The folder of the shipped books."""


FULL = "the file of proofs is full: what is proved from now on is not kept"
"""The trouble that leaves all that is known as it is."""


class Store:
    """What is proved of positions, of mirror images alike. Any thread may use it, and any forked process.

    `path` is the cache, which is made with the first proof; None for none. `books` are only read. No method raises for
    the state of a file: each kind of trouble is logged once, as a warning of the logger "noughts". A file that a newer
    Noughts has written is left alone.
    """

    def __init__(self, path: Path | None, books: Sequence[Path] = ()) -> None:
        self._books = tuple(_File(book, open_book) for book in books)
        # Two connections, so that a reader never waits for a writer that waits for the file.
        self._reader = None if path is None else _File(path, open_cache_to_read)
        self._writer = None if path is None else _File(path, open_cache)
        self._told: set[str] = set()
        self._left_alone = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files; the next use of the store opens them again."""
        for file in (*self._books, self._reader, self._writer):
            if file is not None:
                file.close()

    def bounds(self, position: Position) -> Bounds:
        """What is known of the position's score for its mover; `Bounds()` if nothing."""
        return self.bounds_of((position,))[position]

    def bounds_of(self, positions: Iterable[Position]) -> dict[Position, Bounds]:
        """As `bounds`, of each of many positions in one go."""
        keys = {position: key_of(position) for position in positions}
        known: dict[Key, Bounds] = {}
        for file in (*self._books, self._reader):
            for key, bounds in self._read(file, set(keys.values())).items():
                known[key] = bounds.narrowed(known.get(key, Bounds()))
        contradicted = {key for key, bounds in known.items() if contradictory(bounds)}
        self._warn_of(contradicted)
        return {
            position: Bounds() if key in contradicted else known.get(key, Bounds()) for position, key in keys.items()
        }

    def keep(self, proofs: Mapping[Position, Bounds]) -> None:
        """Narrows the bounds in the cache, all or nothing. Proofs that contradict each other undo each other."""
        filed = by_key(proofs)
        writer = self._writer
        if writer is None or not filed:
            return
        try:
            with writer.connection() as connection:
                contradicted = merge(connection, filed)
        except TROUBLE as error:
            self._do_without(writer, error)
        else:
            self._warn_of(contradicted)

    def trouble(self) -> str:
        """Why proofs cannot be kept now, in words; empty where they can, or where none are meant to be."""
        writer = self._writer
        if writer is None:
            return self._left_alone
        try:
            with writer.connection() as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
        except TROUBLE as error:
            return f"the file of proofs cannot be written ({error})"
        return FULL if self.is_full() else ""

    def is_full(self) -> bool:
        """Whether the cache takes no further positions."""
        if self._writer is None:
            return False
        try:
            with self._writer.connection() as connection:
                return bytes_used(connection) >= MAX_BYTES
        except TROUBLE:
            return False

    def make_room(self) -> None:
        """Has a full cache forget some proofs, for a server that could keep nothing more otherwise."""
        if self._writer is not None and self.is_full():
            try:
                with self._writer.connection() as connection:
                    make_room(connection)
            except TROUBLE as error:
                self._do_without(self._writer, error)

    def size(self) -> int:
        """Bytes of the cache."""
        writer = self._writer
        try:
            return 0 if writer is None else writer.path.stat().st_size
        except OSError:
            return 0

    def _read(self, file: "_File | None", keys: Collection[Key]) -> dict[Key, Bounds]:
        if file is None or identity(file.path) is None:
            return {}
        try:
            with file.connection() as connection:
                return read(connection, keys)
        except TROUBLE as error:
            self._do_without(file, error)
            return {}

    def _do_without(self, file: "_File", error: Exception) -> None:
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
        """Has a book, or the cache, neither read nor written again by this store."""
        if file in self._books:
            self._books = tuple(book for book in self._books if book is not file)
            return
        self._left_alone = "the file of proofs was written by a newer Noughts"
        unused, self._reader, self._writer = (self._reader, self._writer), None, None
        for each in unused:
            if each is not None:
                each.close()

    def _warn_of(self, contradicted: Collection[Key]) -> None:
        for key in contradicted:
            self._warn("proofs contradict each other and are left out", key)

    def _warn(self, trouble: str, *details: object) -> None:
        if trouble not in self._told:
            self._told.add(trouble)
            logging.getLogger("noughts").warning("%s", ": ".join(map(str, (trouble, *details))))


@cache
def shipped_books() -> Store:
    """The shipped books without any cache: what it knows is the same in every installation, always."""
    store = Store(None, sorted(BOOKS.glob("*.sqlite")))
    atexit.register(store.close)
    return store


@cache
def default_store() -> Store:
    """The store of this installation, the same object each time."""
    store = installed_store()
    atexit.register(store.close)
    return store


def installed_store() -> Store:
    """The shipped books and the user's cache.

    See `cache_folder`.
    """
    folder = cache_folder()
    return Store(folder and folder / "proofs.sqlite", sorted(BOOKS.glob("*.sqlite")))


def cache_folder() -> Path | None:
    """The folder of all that is kept for later runs; everything in it can be found again.

    The environment variable NOUGHTS_CACHE names another than the user's, or is "off" for none.
    """
    folder = os.environ.get("NOUGHTS_CACHE") or user_cache_path("noughts", appauthor=False)
    return None if folder == "off" else Path(folder)


class _File:
    """A file of proofs through one connection, which is made when it is needed and serves one thread at a time."""

    def __init__(self, path: Path, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self.path = path
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._lock = Lock()
        _files.add(self)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """The connection to the file that is at the path now; an error gives it up."""
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

    @contextmanager
    def closed(self) -> Iterator[None]:
        """No connection, and no thread that could make one."""
        with self._lock:
            self._disconnect()
            yield

    def close(self) -> None:
        """Gives the connection up."""
        with self.closed():
            pass

    def put_aside(self) -> None:
        """Renames the file of the last connection, unless another process has done so and begun a new one."""
        if self._identity == identity(self.path):
            with suppress(OSError):
                os.replace(self.path, f"{self.path}.old")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, which tell it from one that takes its place; None without a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


_files: WeakSet[_File] = WeakSet()
_at_fork = ExitStack()


def _close_all() -> None:
    for file in tuple(_files):
        _at_fork.enter_context(file.closed())


if sys.platform != "win32":
    # A child must not even close a connection of its parent, so none is open while a process forks.
    os.register_at_fork(before=_close_all, after_in_parent=_at_fork.close, after_in_child=_at_fork.close)
