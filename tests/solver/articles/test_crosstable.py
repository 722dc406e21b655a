"""Every opponent against every other: chances that add up, and strengths that follow from them."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solver.articles.crosstable import PANEL, Crosstable, crosstable
from solver.articles.patterns import expected_points
from solver.board.position import Position, Result
from solver.cli import main
from solver.players import STRATEGIES, strengths
from solver.players.match import spread
from tests.strategies import TIC_TAC_TOE


@pytest.fixture(scope="module")
def table() -> Crosstable:
    return crosstable(TIC_TAC_TOE)


@pytest.mark.parametrize("name", ["easy", "hard", "pyfl-program", "alphabeta-3"])
def test_the_chances_of_a_pair_are_those_of_its_endings(name: str, table: Crosstable) -> None:
    ends = spread(Position(TIC_TAC_TOE), STRATEGIES[name], STRATEGIES["medium"])
    for result in Result:
        assert table.chances[name, "medium"][result] == sum(ends[each] for each in ends if each.result is result)


def test_a_new_opponent_changes_no_other_strength(table: Crosstable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.articles.crosstable.PANEL", PANEL[1:])  # as if the first opponent were a new one
    before = replace(table, players=table.players[1:])
    assert [before.strength(name) for name in PANEL[1:]] == [table.strength(name) for name in PANEL[1:]]


def test_the_shipped_strengths_are_those_that_the_command_makes(tmp_path: Path) -> None:
    made = tmp_path / "strengths.py"
    assert main(["crosstable", "--make", str(made)]) == 0
    assert made.read_bytes() == Path(strengths.__file__).read_bytes()
    assert {name: each.strength for name, each in STRATEGIES.items()} == strengths.STRENGTHS


def test_the_table_of_opponents_tells_their_strengths() -> None:
    table = (Path(strengths.__file__).parent / "README.md").read_text(encoding="utf-8")
    told = {name: int(percent) for name, percent in re.findall(r"^\| `([^`]+)` \| (\d+)% \|", table, re.MULTILINE)}
    assert told == {name: each for name, each in strengths.STRENGTHS.items() if "alphabeta" not in name}
    ahead = [each for name, each in strengths.STRENGTHS.items() if "alphabeta" in name]
    assert f"| `alphabeta-1` … `alphabeta-9` | {ahead[0]}% … {ahead[-1]}% |" in table


def test_the_command_prints_chances_and_points_as_fractions(reported: Callable[..., Any], table: Crosstable) -> None:
    printed = reported("crosstable")
    pairs = {(pair["x"], pair["o"]): pair for pair in printed["pairs"]}
    told = {names: [Fraction(pair[end]) for end in ("x_wins", "o_wins", "draw")] for names, pair in pairs.items()}
    assert told == {names: [chances[end] for end in Result] for names, chances in table.chances.items()}
    points = {names: (Fraction(pair["x_points"]), Fraction(pair["o_points"])) for names, pair in pairs.items()}
    assert points == {names: table.points[names] for names in table.chances}
    assert {name: Fraction(text) for name, text in printed["strengths"].items()} == {
        name: table.strength(name) for name in STRATEGIES
    }


@pytest.mark.parametrize("name", ["easy", "impossible", "pyfl-program"])
def test_the_points_of_a_pair_are_those_its_endings_are_paid(name: str, table: Crosstable) -> None:
    pair = STRATEGIES[name], STRATEGIES["hard"]
    assert table.points[name, "hard"] == expected_points(*pair)
