"""The SQLite file of live games: its place, the move from an old place, and the repair of a damaged or removed file.

All processes share a lock, so that only one of them moves or repairs the file.
"""

import errno
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from solver.system import cache_folder

LOGGER: Final = logging.getLogger("noughts")

FILE: Final = "live.sqlite"
"""The name of the file of live games."""

LOCK_SECONDS: Final = 2.0
"""Seconds to wait for another process that is at work on the file."""

DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The codes for a file that is malformed, or is no SQLite file."""

_BESIDE: Final = ("-wal", "-shm")
"""The suffixes of SQLite's files beside a database: the latest changes, and an index of them."""


def live_file(data_folder: str) -> Path | None:
    """Return the file of live games, and make its folder; None if `data_folder` is "off".

    An empty `data_folder` stands for the user's data folder. Earlier versions kept the file in the cache folder. A file
    found there is moved first. If it cannot be moved, it is used where it is.
    """
    if data_folder == "off":
        return None
    folder = Path(data_folder) if data_folder else user_data_path("noughts", appauthor=False)
    path, cache = folder / FILE, cache_folder()
    with suppress(OSError):  # opening the file reports the problem
        folder.mkdir(parents=True, exist_ok=True)
    if cache is not None and cache != folder and os.path.isfile(cache / FILE) and not _has_moved(cache / FILE, path):
        return cache / FILE
    return path


@contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Keep other processes from moving or replacing the file meanwhile. Raises sqlite3.Error.

    The lock is SQLite's own lock on an empty file beside the database. It works on every system, and ends with its
    process.
    """
    with closing(sqlite3.connect(f"{path}.lock", timeout=LOCK_SECONDS, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def remove_leftovers(path: Path) -> None:
    """Remove SQLite's files beside a file that is gone, since they would damage a new one."""
    for beside in _BESIDE:
        Path(f"{path}{beside}").unlink(missing_ok=True)


def is_damaged(path: Path) -> bool:
    """Return whether SQLite finds the file malformed."""
    try:
        with closing(sqlite3.connect(path, timeout=LOCK_SECONDS)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
    except sqlite3.Error as error:
        return code_of(error) in DAMAGE


def code_of(error: BaseException | None) -> int | str | None:
    """Return SQLite's primary result code or PostgreSQL's SQLSTATE; None for any other error."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return getattr(error, "sqlstate", None) if code is None else code & 0xFF


def set_aside(path: Path) -> Path:
    """Rename a damaged file and those beside it, so that somebody can repair them by hand. Raises OSError."""
    aside = Path(f"{path}.damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}")
    for beside in _BESIDE:
        with suppress(FileNotFoundError):
            os.replace(f"{path}{beside}", f"{aside}{beside}")
    os.replace(path, aside)
    return aside


def damaged_files(path: Path) -> list[str]:
    """Return the names of the files that were set aside and are still there."""
    files = path.parent.glob(f"{path.name}.damaged-*")
    return sorted(file.name for file in files if not file.name.endswith(_BESIDE))


def _has_moved(old: Path, new: Path) -> bool:
    """Move the file of an earlier version unless there is a new one; return whether to use the new place."""
    try:
        with alone_with(new):
            if not old.exists():
                return True  # another process has moved it meanwhile
            if new.exists():
                LOGGER.warning("Live games are kept in %s; those in %s are not used", new, old)
                return True
            with closing(sqlite3.connect(old, isolation_level=None)) as connection:
                connection.execute("PRAGMA journal_mode=DELETE")  # writes the latest changes into the file itself
            _move(old, new)
    except (OSError, sqlite3.Error) as error:
        LOGGER.warning("%s cannot be moved to %s, so it stays where it is: %s", old, new, error)
        return False
    LOGGER.info("Live games were moved from %s to %s", old, new)
    return True


def _move(old: Path, new: Path) -> None:
    """Move a file, even to another file system. An unfinished copy never has the new name. Raises OSError."""
    try:
        os.rename(old, new)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy = new.with_suffix(".copy")
        try:
            shutil.copy2(old, copy)
            with copy.open("rb+") as copied:
                os.fsync(copied.fileno())
            os.replace(copy, new)
        finally:
            copy.unlink(missing_ok=True)
        with suppress(OSError):  # the next start warns of it
            old.unlink()
