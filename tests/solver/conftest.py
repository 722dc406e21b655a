"""Fixtures of the solver's tests: commands run in this process or on a terminal, and places for files of proofs."""

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from solver.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with some standard input; return its exit code, output and error output."""

    def run_command(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run_command


@pytest.fixture
def reported(run: Run) -> Callable[..., Any]:
    """Run a command that succeeds with --json; return the object that it prints."""

    def run_command(*arguments: str) -> Any:
        code, out, err = run(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return run_command


@pytest.fixture
def refuse(run: Run) -> Callable[..., None]:
    """Run a command that must refuse its input with one line on the standard error and the exit code 2."""

    def run_command(*arguments: str) -> None:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith("noughts")
        assert "Traceback" not in err

    return run_command


def on_terminal(*arguments: str) -> tuple[str, str]:
    """Run a command in a process of its own; return its output, and what it shows on a terminal meanwhile."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "solver", *arguments]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, text=True, check=False
    )
    os.close(theirs)
    shown = ""
    with os.fdopen(ours, "rb", buffering=0) as terminal, suppress(OSError):  # a terminal's output ends with an error
        while part := terminal.read(4096):
            shown += part.decode()
    return done.stdout, shown


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a path for a store's cache, in a folder that does not exist yet."""
    return tmp_path / "cache" / "proofs.sqlite"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return a path for a book."""
    return tmp_path / "openings.sqlite"
