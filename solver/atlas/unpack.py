"""Read the lines of a certificate's file within bounds, since anybody may have sent it."""

import gzip
import zlib
from collections.abc import Iterator
from math import inf
from pathlib import Path
from time import monotonic
from typing import Final

from solver.errors import BadCertificate

LONGEST_LINE: Final = 10_000
"""The most bytes of a line. The longest name of a board has about 4,000."""


def read_lines(path: Path, most: float, deadline: float = inf) -> Iterator[str]:
    """Yield the lines of a file, unpacked if its name ends in `.gz`: `most` bytes, until the deadline by `monotonic`.

    Raises BadCertificate, also for a file that cannot be read.
    """
    left, number = most, 0
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                left, number = left - len(line), number + 1
                if len(line) > LONGEST_LINE:
                    raise BadCertificate(f"Line {number} has more than {LONGEST_LINE:,} bytes.")
                if left < 0:
                    raise BadCertificate(f"The file has more than {most:,} bytes when unpacked; --limit allows more.")
                if monotonic() > deadline:
                    raise BadCertificate(
                        f"Reading is given up after {number:,} lines. It can take longer by --seconds."
                    )
                yield line.decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error) as error:
        raise BadCertificate(f"The file cannot be read: {error}.") from error
