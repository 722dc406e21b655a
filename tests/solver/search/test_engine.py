"""The choice of the kernel: compiled if possible, never from other sources, and interpreted on demand."""

import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import solver
from solver.board.rules import MAX_LINES, Rules
from solver.errors import BadRules
from solver.kernel.engine import KERNEL, MODULES, interpreted, kernel
from solver.search.solver import Solver
from tests.marked import exhaustive, sampled

if_compiled = pytest.mark.skipif(KERNEL == "interpreted", reason="no kernel is compiled here")


def test_no_game_is_searched_that_the_kernel_would_take_for_another() -> None:
    most = Rules(8, 8, 2)
    Solver(most)
    most.__dict__["lines"] = tuple(range(MAX_LINES + 1))
    with pytest.raises(BadRules, match="257 lines, more than 256"):
        Solver(most)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a copy of the package, with its compiled kernel."""
    return Path(shutil.copytree(Path(solver.__file__).parent, tmp_path / "solver"))


def run(package: Path, *arguments: str, demanded: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "solver", *arguments]
    environment = os.environ | {"NOUGHTS_KERNEL": demanded, "NOUGHTS_CACHE": "off"}
    return subprocess.run(
        command, cwd=package.parent, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def version(package: Path, demanded: str = "") -> tuple[int, str, str]:
    """Return the exit code of `--version`, the end of its output, and its error output."""
    done = run(package, "--version", demanded=demanded)
    return done.returncode, done.stdout.partition("(")[2], done.stderr


def remove_compiled(package: Path) -> None:
    for path in (package / "kernel" / "compiled").glob("*.so"):
        path.unlink()


@if_compiled
@pytest.mark.parametrize("demanded", ["", "compiled"])
def test_the_compiled_kernel_is_used(package: Path, demanded: str) -> None:
    assert version(package, demanded) == (0, "compiled kernel)\n", "")


def test_the_source_is_used_on_demand(package: Path) -> None:
    assert version(package, "interpreted") == (0, "interpreted kernel)\n", "")


def test_the_source_is_used_where_nothing_is_compiled(package: Path) -> None:
    remove_compiled(package)
    assert version(package) == (0, "interpreted kernel)\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_a_terminal_is_told_once_that_nothing_is_compiled(package: Path) -> None:
    remove_compiled(package)
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "solver", "solve", "4x3x3"]
    environment = os.environ | {"NOUGHTS_KERNEL": "", "NOUGHTS_CACHE": "off"}
    with subprocess.Popen(command, cwd=package.parent, env=environment, stdin=theirs, stderr=theirs) as process:
        assert process.wait(timeout=120) == 0
    assert os.read(ours, 9_999).count(b"The kernel is interpreted, many times slower than a compiled one") == 1
    os.close(ours)
    os.close(theirs)


@pytest.mark.slow
@if_compiled
@pytest.mark.parametrize("missing", sampled(sorted(MODULES), 4))
def test_a_kernel_of_which_a_part_is_missing_is_not_used(package: Path, missing: str) -> None:
    (compiled,) = (package / "kernel" / "compiled").glob(f"{missing}.*.so")
    compiled.unlink()
    code, printed, warning = version(package)
    assert (code, printed) == (0, "interpreted kernel)\n")
    assert "only a part" in warning


@if_compiled
@pytest.mark.parametrize("broken", sampled(sorted(MODULES), 5))
def test_where_the_compiled_kernel_cannot_be_loaded_its_source_proves(package: Path, broken: str) -> None:
    (compiled,) = (package / "kernel" / "compiled").glob(f"{broken}.*.so")
    compiled.unlink()  # and not written over, since this process has the same file loaded
    compiled.write_bytes(b"nonsense")
    done = run(package, "solve", "4x4x4", "--json")
    assert json.loads(done.stdout)["outcome"] == "draw"
    assert "interpreted" in done.stderr


@pytest.mark.slow
@if_compiled
@pytest.mark.parametrize(
    "changed", ["kernel.py", "compiled/transpositions.pxd", *exhaustive("compiled/kernel.pxd", "transpositions.py")]
)
def test_a_kernel_that_was_compiled_from_another_source_is_not_used(package: Path, changed: str) -> None:
    with (package / "kernel" / changed).open("a", encoding="utf-8") as source:
        source.write("# Changed.\n")
    code, printed, warning = version(package)
    assert (code, printed) == (0, "interpreted kernel)\n")
    assert "made from another source" in warning


def test_a_demand_that_cannot_be_met_is_refused_in_one_line(package: Path) -> None:
    remove_compiled(package)
    for demanded in ("compiled", "fast"):
        code, printed, error = version(package, demanded)
        assert (code, printed, error.count("\n")) == (2, "", 1)
        assert error.startswith("noughts: NOUGHTS_KERNEL ")


def test_the_interpreted_prover_can_be_had_whichever_is_chosen() -> None:
    assert inspect.isfunction(interpreted().Prover.wins)
    assert interpreted() is interpreted()


@if_compiled
def test_the_compiled_kernel_and_the_interpreted_one_share_no_module() -> None:
    assert not inspect.isfunction(kernel.Prover.wins)
    assert {module.__name__ for module in (kernel, interpreted())} == {
        "solver.kernel.compiled.kernel",
        "solver.kernel.kernel",
    }
    assert kernel.TranspositionTable.__module__ == "solver.kernel.compiled.transpositions"
    assert interpreted().TranspositionTable.__module__ == "solver.kernel.transpositions"
