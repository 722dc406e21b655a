"""What the program says, to the letter: the transcripts in `tests/golden`, and how they are made.

An entry begins with `$ noughts …`, a command, or with `>>> …`, an expression of Python. Below a command stand its
output, its error output with `! ` before each line, and its exit code, such as `= 2`, unless that is 0. Words after
`<<<` are the lines of its standard input, and ` && ` joins commands that share a folder. Below an expression stands the
text of its value or of its error. `make golden` writes all of it anew: read what has changed before you commit it.
"""

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import solver
from solver import Budget, explain, parse_position, players, predict, report
from solver.analysis import drills, review
from solver.board import families, names, notation, outcome, pasted
from solver.catalogue import entry, games, shelf
from solver.cli import command as cli_command
from solver.cli import main
from solver.errors import NoughtsError
from solver.players import decision, handbook

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.txt"))


def why(position: str, cell: str, board: str = "3x3x3") -> str:
    """Return the kind and the text of the reason for a square, and how that is put to somebody who still looks."""
    prediction = predict(parse_position(position, board), Budget(nodes=50_000))
    reason = explain(prediction.position, cell, prediction)
    discreet = "" if reason.discreet == reason else f"\n{reason.discreet.text}"
    return f"{reason.kind}: {reason.text}{discreet}"


BOARD = (families, names, notation, outcome, pasted)
MODULES = (review, cli_command, *BOARD, drills, decision, handbook, players, entry, games, shelf, report, solver)
NAMES = {name: getattr(module, name) for module in MODULES for name in dir(module)} | {"why": why}
"""The names that expressions may use: of two modules with the same one, the last counts."""


def entries(file: Path) -> dict[str, str]:
    """Read a transcript: what was asked, each with what was said."""
    parts = re.split(r"^((?:\$ |>>> ).*)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def said(asked: str) -> str:
    """Run a command or evaluate an expression; return what it says."""
    if asked.startswith(">>> "):
        return f"{_value_of(asked[4:])}\n"
    with TemporaryDirectory() as folder, chdir(folder):
        return "".join(part for line in asked[2:].split(" && ") for part in _run(line))


def _value_of(expression: str) -> str:
    try:
        return str(eval(expression, NAMES))  # noqa: S307 - written in our own file
    except NoughtsError as error:
        return f"{type(error).__name__}: {error}"


def _run(line: str) -> Iterator[str]:
    """Run a command in this process; yield its output, its error output and its exit code."""
    _, *words = shlex.split(line)
    words, typed = (words[: words.index("<<<")], words[words.index("<<<") + 1 :]) if "<<<" in words else (words, [])
    out, err = io.StringIO(), io.StringIO()
    stdin = patch("sys.stdin", io.StringIO("".join(f"{word}\n" for word in typed)))
    with stdin, redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
    yield out.getvalue()
    yield re.sub("^", "! ", err.getvalue().removesuffix("\n"), flags=re.MULTILINE) + "\n" if err.getvalue() else ""
    yield f"= {code}\n" if code else ""


if __name__ == "__main__":
    for each in FILES:
        each.write_text("".join(f"{asked}\n{said(asked)}" for asked in entries(each)), encoding="utf-8")
