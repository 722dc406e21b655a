"""The application's database of live games. It is opened at its first use, so other pages do not load SQLAlchemy."""

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING
from weakref import finalize

from flask import current_app

from solver.errors import NoughtsError
from webapp.config import AppConfig
from webapp.pages.live.file import FILE, live_file

if TYPE_CHECKING:
    from webapp.pages.live.store import LiveStore


class LiveDatabase:
    """The database of live games that the settings name, or a SQLite file in their `data_folder`."""

    def __init__(self, config: AppConfig) -> None:
        self._config = config
        self._lock = Lock()
        self._store: LiveStore | None = None

    def store(self) -> "LiveStore":
        """Return the store. Raises BadOption for an address that names no database."""
        with self._lock:
            if self._store is None:
                from webapp.pages.live.store import LiveStore  # noqa: PLC0415 - SQLAlchemy

                self._store = LiveStore(self._config.database or self._file(), self._config.live_games)
                finalize(self, self._store.close)
            return self._store

    def trouble(self) -> str:
        """Return the reason why writes fail now, or an empty string."""
        try:
            return self.store().trouble()
        except (NoughtsError, OSError) as error:
            return f"the database of live games cannot be used ({error})"

    def notice(self) -> str:
        """Return a note for operators if the file of games was damaged or removed, or else an empty string."""
        return self._store.notice() if self._store is not None else ""

    def _file(self) -> Path:
        """Return the file of live games. If `data_folder` is "off", the file is temporary."""
        path = live_file(self._config.data_folder)
        if path is None:
            folder = Path(mkdtemp(prefix="noughts-live-"))
            finalize(self, rmtree, folder, ignore_errors=True)
            path = folder / FILE
        return path


def live_database() -> LiveDatabase:
    """Return the database of the application that answers the request."""
    database: LiveDatabase = current_app.extensions["live"]
    return database
