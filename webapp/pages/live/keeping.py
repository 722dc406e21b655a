"""The application's store of live games, opened when it is first needed: other pages do without its library."""

import os
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Final
from weakref import finalize

from flask import current_app

from solver.errors import NoughtsError
from webapp.pages.live.file import FILE, live_file

if TYPE_CHECKING:
    from webapp.pages.live.store import LiveStore

DATABASE_VARIABLE: Final = "NOUGHTS_DATABASE"
"""The environment variable that names the database of live games."""

MOST_VARIABLE: Final = "NOUGHTS_LIVE_GAMES"
"""The environment variable for the most live games at a time."""

MOST_GAMES: Final = 10_000
"""The most live games at a time by default."""


class Keeping:
    """The database of live games at an address, or in a file without one; `most` games at a time."""

    def __init__(self, database: str = "", most: int = MOST_GAMES) -> None:
        self._database, self._most = database, most
        self._lock = Lock()
        self._store: LiveStore | None = None

    @classmethod
    def as_the_environment_says(cls) -> "Keeping":
        """Return the database that the first process of a server has set up."""
        return cls(os.environ.get(DATABASE_VARIABLE, ""), int(os.environ.get(MOST_VARIABLE, MOST_GAMES)))

    @property
    def is_open(self) -> bool:
        """Whether the store has been needed yet."""
        return self._store is not None

    def store(self) -> "LiveStore":
        """Return the store. Raises BadOption for an address that names no database."""
        with self._lock:
            if self._store is None:
                from webapp.pages.live.store import LiveStore  # noqa: PLC0415 - SQLAlchemy

                self._store = LiveStore(self._database or self._file(), self._most)
                finalize(self, self._store.close)
            return self._store

    def trouble(self) -> str:
        """Return the reason why writes fail now, or an empty string."""
        try:
            return self.store().trouble()
        except (NoughtsError, OSError) as error:
            return f"the database of live games cannot be used ({error})"

    def notice(self) -> str:
        """Return a note on damage to the file of live games or its removal, or an empty string."""
        return self._store.notice() if self._store is not None else ""

    def _file(self) -> Path:
        """Return the file of live games, in a temporary folder where games are kept for this run only."""
        path = live_file()
        if path is None:
            folder = Path(mkdtemp(prefix="noughts-live-"))
            finalize(self, rmtree, folder, ignore_errors=True)
            path = folder / FILE
        return path


def keeping() -> Keeping:
    """Return the database of the application that answers the request."""
    kept: Keeping = current_app.extensions["live"]
    return kept
