"""The figures that the Clojure article's first part prints, verbatim in `printed.txt` beside this, with parsers."""

import re
from pathlib import Path

TABLES = dict(re.findall(r"^## (\w+): .*\n((?:.+\n)+)", Path(__file__).with_suffix(".txt").read_text(), re.MULTILINE))
"""The printed tables by their names in the file."""


def levels(text: str) -> list[dict[str, int]]:
    """Parse a printed map of maps: the counts of each level by their keys."""
    return [
        {key: int(count) for key, count in re.findall(r":(\w+) (\d+)", inner)}
        for inner in re.findall(r"\d+ \{([^}]*)\}", text)
    ]


def numbers(line: str) -> list[int]:
    """Parse the numbers of a line of the tracking table."""
    return [int(word.replace(",", "")) for word in re.findall(r"(?<!\S)\d[\d,]*", line)]
