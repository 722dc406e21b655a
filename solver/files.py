"""The folder of the user's files, and the identity of a file."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path | None:
    """Return the folder for results that later runs can use again; None if nothing is to be kept.

    It is the user's cache folder, unless the environment variable NOUGHTS_CACHE names another one or is "off".
    """
    folder = os.environ.get("NOUGHTS_CACHE") or user_cache_path("noughts", appauthor=False)
    return None if folder == "off" else Path(folder)


def identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, which tell it from a replacement; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
