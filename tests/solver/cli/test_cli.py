"""The command line as a process: streams of bytes, files, and the version. `tests/golden` has what commands print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from solver.kernel.engine import KERNEL
from tests.solver.conftest import Run


@pytest.mark.usefixtures("without_books")
def test_hint_is_honest_where_nothing_is_proved(run: Run) -> None:
    _, out, _ = run("play", "--board", "8x8x5", "--o", "human", stdin="hint\nquit\n")
    assert "The best move is not proved here." in out


def test_the_version_is_printed_with_the_kernel_in_use(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(rf"noughts 1\.[\d.]+ \({KERNEL} kernel\)\n", out)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("predict --json > /dev/full", 1),
        ("predict >&-", 0),
        ("predict - <&-", 0),
        ("play <&-", 0),
        ("match easy easy --games 1 --seed \"$(printf '\\377')\"", 0),
        ("printf '\\377\\n' | PYTHONIOENCODING=utf-8:strict noughts predict -", 2),
        ("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 noughts play --x easy --o easy", 0),
        ("PYTHONIOENCODING=latin-1 noughts play --x pyfl-program --o easy", 0),
    ],
)
def test_odd_streams_and_bytes_never_end_in_a_traceback(command: str, code: int) -> None:
    module = f"{sys.executable} -m solver"
    line = command.replace("noughts", module) if "noughts" in command else f"{module} {command}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=120)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def test_the_module_runs_as_the_command_and_survives_a_closed_pipe() -> None:
    command = f"{sys.executable} -m solver predict - | head -n 1"
    lines = "X.O/.X./..O\n" * 5000
    done = subprocess.run(["sh", "-c", command], input=lines, capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "centre.svg"
    command = [sys.executable, "-m", "solver", "picture", "forced-centre", "--output", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"noughts: {file}: No such file or directory\n")
