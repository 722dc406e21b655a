"""Styles and scripts as browsers get them: without the comments."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

_BLOCK: Final = re.compile(r"[ \t]*/\*.*?\*/", re.DOTALL)
_LINE: Final = re.compile(r"^[ \t]*(?://.*|/\*.*\*/)\n", re.MULTILINE)

LEAN: Final[dict[str, tuple[str, Callable[[str], str]]]] = {
    ".css": ("text/css", lambda text: _BLOCK.sub("", text)),
    ".js": ("text/javascript", lambda text: _LINE.sub("", text)),
}
"""By how a file's name ends: its type, and what leaves its comments out; in scripts, those with a line of their own."""

FOREIGN: Final = "vendor/"
"""The folder of files that are not ours, and go out to the byte."""


@lru_cache(maxsize=128)
def lean(path: Path) -> tuple[bytes, str] | None:
    """A file as it goes out, with its type; None for one that goes out as it is."""
    if path.suffix not in LEAN or not path.is_file():
        return None
    mimetype, without_comments = LEAN[path.suffix]
    return without_comments(path.read_text(encoding="utf-8")).encode(), mimetype
