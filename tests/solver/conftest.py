"""What several tests of the solver need: commands run in this process, and places for files of proofs."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with some standard input and returns its exit code, output and error output."""

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
def refuse(run: Run) -> Callable[..., None]:
    """Runs a command that must refuse its input: with one line on the standard error, and the exit code 2."""

    def run_command(*arguments: str) -> None:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith("noughts")
        assert "Traceback" not in err

    return run_command


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may keep its cache; not even the folder is there yet."""
    return tmp_path / "cache" / "proofs.sqlite"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Where a book may be written."""
    return tmp_path / "openings.sqlite"
