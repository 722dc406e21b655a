"""What people read, on pages and in the terminal, is spelled one way."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for pattern in ("templates/**/*.html", "static/*.js", "webapp/**/*.py", "solver/**/*.py", "**/*.md")
    for path in ROOT.glob(pattern)
    if ".venv" not in path.parts
}


def with_spelling(pattern: str) -> list[str]:
    """Return the sources with a spelling, each with the words around it."""
    return [f"{name}: {found[0]}" for name, text in SOURCES.items() for found in re.finditer(pattern, text)]


def test_apostrophes_are_straight() -> None:
    assert with_spelling(r"\w*’\w*") == []


def test_no_space_is_before_a_percent_sign() -> None:
    assert with_spelling(r'[\d}] %(?=[.,)<"])') == []
