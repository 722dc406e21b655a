"""Styles and scripts without comments, as browsers get them."""

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
"""The type of a file and the function that removes its comments, by suffix; in scripts, only whole lines."""

FOREIGN: Final = "vendor/"
"""The folder of foreign files, which are served byte by byte."""


@lru_cache(maxsize=128)
def lean(path: Path) -> tuple[bytes, str] | None:
    """Return a file without its comments, and its type; None for a file that is served as it is."""
    if path.suffix not in LEAN or not path.is_file():
        return None
    mimetype, without_comments = LEAN[path.suffix]
    return without_comments(path.read_text(encoding="utf-8")).encode(), mimetype
