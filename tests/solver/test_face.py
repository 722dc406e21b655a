"""The library's face: the names that `import solver` offers."""

import copy
import doctest
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import solver
from solver import Mark, Position, Rules, parse_position, parse_rules

PACKAGES = ("solver", "webapp")


@pytest.mark.parametrize(
    "name", ["Rules", "Position", "Game", "parse_rules", "parse_position", "predict", "solve", "STRATEGIES"]
)
def test_the_library_has_a_face(name: str) -> None:
    assert name in solver.__all__


@pytest.mark.parametrize("name", solver.__all__)
def test_whatever_is_offered_is_there_and_no_module_takes_its_name(name: str) -> None:
    assert hasattr(solver, name)
    assert find_spec(f"solver.{name}") is None


def test_the_example_of_the_library_is_true() -> None:
    failed, tried = doctest.testmod(solver)
    assert (failed, tried) == (0, 7)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_types_are_for_others_too(package: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).with_name("py.typed").is_file()


@pytest.mark.parametrize("module", ["solver.kernel.engine", "solver.kernel.kernel", "sqlite3", "flask", "webapp"])
def test_the_import_loads_no_kernel_and_no_store(module: str) -> None:
    code = f"import sys, solver; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("rules", [parse_rules("5x4x4"), Rules(3, 3, 3, ()), Rules(3, 3, 3, (0b111,))], ids=str)
def test_copied_rules_are_the_same_rules(rules: Rules) -> None:
    for other in (copy.copy(rules), pickle.loads(pickle.dumps(rules))):  # noqa: S301 - just written
        assert other == rules
        assert other.lines == rules.lines


def test_a_position_of_the_usual_board_needs_no_rules() -> None:
    assert parse_position("X.O/.X./..O") == Position(parse_rules("3x3x3"), 0b10001, 0b100000100)
    assert parse_position("X../.../...").mover is Mark.O
