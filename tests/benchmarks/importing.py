"""What it costs to import the library, beside an interpreter that imports nothing."""

import subprocess
import sys
import time
from collections.abc import Iterator

TRIES = 15


def figures() -> Iterator[str]:
    """The least of several tries, of either kind in turn."""
    nothing, library = [], []
    for _ in range(TRIES):
        nothing.append(_seconds("pass"))
        library.append(_seconds("import solver"))
    alone, more = min(nothing) * 1000, (min(library) - min(nothing)) * 1000
    yield f"import solver: {more:.0f} ms above the {alone:.0f} ms of an interpreter"


def _seconds(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began
