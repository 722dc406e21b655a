"""`noughts dataset`: every position of a small board or a sample of a larger one, as JSON lines or CSV."""

import csv
import io
import json
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from solver import format_cell, format_position, parse_position, predict
from solver.analysis.dataset import every_position, sampled_positions
from solver.board.names import parse_rules
from solver.board.rules import rules_of
from tests.marked import exhaustive, sampled
from tests.solver.conftest import Run
from tests.strategies import SMALL_BOARDS, reachable


def assert_true(row: dict[str, Any]) -> None:
    """Predict the position of a row again, and compare."""
    position = parse_position(row["position"], row["board"])
    prediction = predict(position)
    assert row["to_move"] == position.mover
    assert (row["outcome"], row["plies"]) == (prediction.outcome.value, prediction.outcome.plies)
    assert row["best"] == [format_cell(cell, position.rules) for cell in prediction.best]
    assert row["class"] == format_position(position.canonical())


@pytest.mark.parametrize("rules", [*sampled(SMALL_BOARDS, 5), parse_rules("2x2x2-wild")], ids=str)
def test_every_position_that_games_reach_is_listed_once(rules: Any) -> None:
    listed = list(every_position(rules))
    assert len(listed) == len(set(listed))
    assert set(listed) == set(reachable(rules))


@pytest.mark.parametrize("every", [7, *exhaustive(1)])
def test_every_row_read_back_is_predicted_alike(run: Run, every: int) -> None:
    code, out, _ = run("dataset")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, len(rows)) == (0, 5478)
    assert list(rows[0]) == ["board", "position", "to_move", "outcome", "plies", "best", "complete", "class"]
    for row in rows[::every]:
        assert_true(row)


def test_csv_has_titles_and_the_same_rows(run: Run) -> None:
    _, lines, _ = run("dataset", "3x3x2")
    _, table, _ = run("dataset", "--board", "3x3x2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [
        row | {"best": row["best"].split(), "plies": int(row["plies"]), "complete": row["complete"] == "true"}
        for row in rows
    ] == [json.loads(line) for line in lines.splitlines()]


def test_a_file_has_what_would_be_printed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.csv"
    assert run("dataset", "3x3x2", "--format", "csv", "--output", str(file)) == (0, "", "")
    assert file.read_text(encoding="utf-8") == run("dataset", "3x3x2", "--format", "csv")[1]


def test_parquet_has_the_same_rows_with_types(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.parquet"
    assert run("dataset", "3x3x2", "--format", "parquet", "--output", str(file)) == (0, "", "")
    rows = [json.loads(line) for line in run("dataset", "3x3x2")[1].splitlines()]
    assert import_module("pyarrow.parquet").read_table(file).to_pylist() == rows


def test_parquet_needs_a_file(run: Run) -> None:
    assert run("dataset", "3x3x2", "--format", "parquet")[::2] == (
        2,
        "noughts: Parquet is no text. Say where to write it: --output FILE.\n",
    )


def test_without_pyarrow_one_line_names_the_command_that_brings_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, error = run("dataset", "3x3x2", "--format", "parquet", "--output", str(tmp_path / "all.parquet"))
    assert (code, error) == (2, "noughts: This needs pyarrow. Install it with: pip install 'noughts[data]'\n")


def test_a_sample_is_the_same_with_the_same_seed_and_has_no_position_twice(run: Run) -> None:
    one, two, other = (run("dataset", "4x3x3", "--sample", "40", "--seed", seed)[1] for seed in ("a", "a", "b"))
    assert one == two != other
    rows = [json.loads(line) for line in one.splitlines()]
    assert len({row["position"] for row in rows}) == 40
    for row in rows:
        assert_true(row)


def test_what_is_not_proved_within_the_budget_is_unknown(run: Run) -> None:
    _, out, _ = run("dataset", "8x8x5", "--sample", "1", "--seed", "4", "--budget", "1n")
    (row,) = map(json.loads, out.splitlines())
    assert (row["outcome"], row["plies"], row["best"]) == ("unknown", None, [])


def test_a_card_says_how_the_data_were_made(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("dataset", "3x3x3", "--sample", "5", "--seed", "1", "--card", str(tmp_path / "card.md"))
    card = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert sha256(out.encode()).hexdigest() in card
    command = next(line.split() for line in card.splitlines() if line.startswith("    noughts dataset"))
    assert run(*command[1:])[1] == out


def test_a_sample_of_up_to_a_million_positions_takes_no_proofs() -> None:
    assert next(sampled_positions(rules_of(8, 8, 5), 1_000_000, "1"))
    assert len(list(sampled_positions(rules_of(8, 8, 5), 100, "1"))) == 100
