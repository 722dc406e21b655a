"""The library's face: the names that `import solver` offers."""

import copy
import pickle
import re
import subprocess
import sys
from contextlib import suppress
from enum import Enum
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import solver
from solver import (
    NoughtsError,
    Position,
    Result,
    Rules,
    parse_rules,
)
from solver.pictures.svg import LOSS, WIN

PACKAGES = ("solver", "webapp")


@pytest.mark.parametrize("name", solver.__all__)
def test_whatever_is_offered_is_there_and_no_module_takes_its_name(name: str) -> None:
    assert hasattr(solver, name)
    spec = find_spec(f"solver.{name}")
    assert spec is None or spec.origin is None  # a folder without modules


QUESTIONS = ("atlas", "chances", "check", "drills", "explain", "match", "prove", "review")
MODULES = (
    "solver.analysis.chances",
    "solver.analysis.drills",
    "solver.catalogue.check",
    "solver.library",
    "solver.reasons",
)


@pytest.mark.parametrize("before", [True, False], ids=["modules first", "face first"])
def test_the_questions_are_functions_in_whatever_order_modules_are_imported(before: bool) -> None:
    face, modules = f"from solver import {', '.join(QUESTIONS)}", f"import {', '.join(MODULES)}"
    code = "; ".join((modules, face) if before else (face, modules))
    code += f"; import solver; assert all(callable(getattr(solver, name)) for name in {QUESTIONS})"
    code += f"; assert all(map(callable, ({', '.join(QUESTIONS)})))"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_version_is_the_installed_one() -> None:
    assert solver.__version__ == version("noughts")


def test_the_opponents_are_a_mapping_like_any_other() -> None:
    assert "hrad" not in solver.STRATEGIES
    assert solver.STRATEGIES.get("hrad") is None
    with pytest.raises(KeyError):
        solver.STRATEGIES["hrad"]


def test_the_questions_take_text() -> None:
    assert solver.explain("X.O/.X./..O", "c2").outcome == solver.predict("X.O/.X./..O").outcome
    assert [str(turn.grade) for turn in solver.review("b2 b3").turns] == ["best", "draw-to-loss"]
    assert solver.drills("3x3x3", "block")[0].kind == "block"
    assert solver.chances("X.O/.X./..O", "impossible") == dict.fromkeys(solver.predict("X.O/.X./..O").squares, 0)
    assert solver.match("impossible", "impossible", "3x3x3", games=3) == {Result.DRAW: 3}


@given(st.text("XO./abc123x, -", max_size=20))
@example("XXX/XXX/XXX")
@example("a0")
def test_any_text_is_understood_or_refused_with_a_reason(text: str) -> None:
    for ask in (Position, Position("3x3x3").play, solver.predict, solver.review, solver.STRATEGIES.__getitem__):
        with suppress(NoughtsError):
            ask(text)


EXPLAINED = [
    name
    for name in solver.__all__
    if callable(each := getattr(solver, name)) and not (isinstance(each, type) and issubclass(each, (Enum, Exception)))
]


@pytest.mark.parametrize("name", sorted({*EXPLAINED} - {"Cell", "Drill", "Reason", "Review"}))
def test_whatever_can_be_asked_has_an_example_that_doctest_runs(name: str) -> None:
    assert ">>> " in getattr(solver, name).__doc__


@pytest.mark.parametrize(
    "value", [Position("3x3x3"), solver.parse_game("3x3x3", None, "b2"), solver.predict("3x3x3"), solver.solve("3x3x3")]
)
def test_notebooks_show_a_picture(value: Any) -> None:
    root = ElementTree.fromstring(value._repr_svg_())  # noqa: S314 - our own picture
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_a_notebook_shows_which_stone_leaves_next_and_the_colours_of_outcomes() -> None:
    game = solver.parse_game("3x3x3-vanishing", None, "b2a1c3a3a2c2")
    assert game._repr_svg_().count("stroke-dasharray") == 1  # type: ignore[attr-defined]
    assert {WIN, LOSS} & set(re.findall("#[0-9a-f]{6}", solver.predict("4x3x3")._repr_svg_()))  # type: ignore[attr-defined]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_types_are_for_others_too(package: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).with_name("py.typed").is_file()


LATER = ["kernel.engine", "kernel.kernel", "players", "reasons", "analysis", "pictures", "rl"]


def test_the_import_loads_neither_kernel_nor_store_nor_what_is_asked_later() -> None:
    unwanted = {*(f"solver.{each}" for each in LATER), "sqlite3", "flask", "webapp"}
    code = f"import sys, solver; print(*{unwanted} & {{*sys.modules}})"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "\n"


@pytest.mark.parametrize("rules", [parse_rules("5x4x4"), Rules(3, 3, 3, ()), Rules(3, 3, 3, (0b111,))], ids=str)
def test_copied_rules_are_the_same_rules(rules: Rules) -> None:
    for other in (copy.copy(rules), pickle.loads(pickle.dumps(rules))):  # noqa: S301 - just written
        assert other == rules
        assert other.lines == rules.lines
