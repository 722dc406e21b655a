"""The shipped positions of larger boards: their outcomes are right, they make enough drills, and can be rebuilt."""

import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from solver import predict
from solver.analysis.drills import BOARDS, LADDER, DrillKind, daily, drill_of, drills, hints, judge_drill
from solver.analysis.drills import drill as making
from solver.analysis.drills.drill import drill_for
from solver.analysis.drills.kinds import Situation
from solver.analysis.drills.known import DATA, format_known, parse_known, prediction_of, predictions
from solver.articles.graph import wins_by_threats
from solver.board.notation import format_position, parse_position, parse_rules
from solver.board.outcome import Value, to_child
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import BadOption, NoSuchDrill
from solver.kernel.engine import KERNEL
from solver.search.exact import prove_moves
from tests.marked import sampled
from tests.solver.conftest import Run
from tests.strategies import minimax_score

LARGER = [rules for rules in BOARDS if rules.size > 9]

ON_THE_LADDER = [rules for rules in LADDER if rules.size > 9]

EVERY = pytest.param(10_000, marks=pytest.mark.exhaustive)
SAMPLES = [6, pytest.param(60, marks=pytest.mark.slow), EVERY]
"""The number of positions to check on each board."""


def positions(rules: Rules) -> list[Position]:
    """Return the positions that a board's drills are made of."""
    return [prediction.position for prediction in predictions(rules)]


def some_of(rules: Rules, count: int) -> list[Position]:
    """Return some of a board's positions, the same every time."""
    known = positions(rules)
    return random.Random(1).sample(known, min(count, len(known)))


def test_every_larger_board_has_a_file_and_there_is_no_other() -> None:
    assert {path.name for path in DATA.iterdir()} == {f"{rules}.txt" for rules in LARGER}


@pytest.mark.parametrize("rules", LARGER, ids=str)
def test_a_file_has_unfinished_canonical_positions_in_order_each_once(rules: Rules) -> None:
    lines = (DATA / f"{rules}.txt").read_text(encoding="ascii").splitlines()
    assert [line for line in lines if not line.startswith("#")] == sorted(
        format_known(prediction) for prediction in parse_known(lines, rules)
    )
    for position in positions(rules):
        assert position.result is None
        assert position == position.canonical()
        assert parse_position(format_position(position), rules) == position


@pytest.mark.parametrize("rules", LARGER, ids=str)
@pytest.mark.parametrize("count", SAMPLES)
def test_every_shipped_outcome_is_what_the_solver_proves(rules: Rules, count: int) -> None:
    for position in some_of(rules, count):
        told = {cell: outcome.rank for cell, outcome in prediction_of(position).squares.items()}
        assert prove_moves(position, position.legal_moves).scores == told


@pytest.mark.parametrize("rules", LARGER, ids=str)
@pytest.mark.parametrize("count", SAMPLES)
def test_fork_drills_make_two_threats_and_stop_fork_drills_prevent_two(rules: Rules, count: int) -> None:
    for drill in drills(rules, DrillKind.FORK, seed=1, count=count):
        after = [drill.position.play(cell) for cell in drill.position.legal_moves]
        assert [wins_by_threats(each) for each in after] == [
            cell in drill.answers for cell in drill.position.legal_moves
        ]
    for drill in drills(rules, DrillKind.STOP_FORK, seed=1, count=count):
        assert any(
            wins_by_threats(reply)
            for cell in drill.position.legal_moves
            if cell not in drill.answers
            for reply in drill.position.play(cell).successors()
        )


@pytest.mark.parametrize("rules", ON_THE_LADDER, ids=str)
def test_there_are_drills_of_every_kind_for_either_side(rules: Rules) -> None:
    for kind in DrillKind:
        found = drills(rules, kind)
        assert len(found) >= 24, kind
        assert {drill.position.mover for drill in found} == set(Mark), kind
        assert found[-1].difficulty > found[0].difficulty


@pytest.mark.parametrize("rules", LARGER, ids=str)
@pytest.mark.parametrize("count", [14, pytest.param(100, marks=pytest.mark.slow), EVERY])
def test_a_drill_of_a_larger_board_is_found_by_its_id_judged_and_hinted_at(rules: Rules, count: int) -> None:
    for drill in drills(rules, seed=2, count=count):
        assert drill_of(drill.id) == drill
        assert len(hints(drill)) == 3
        if drill.kind is not DrillKind.EVALUATE:
            right, wrong = drill.answers[0], next(c for c in drill.position.legal_moves if c not in drill.answers)
            assert (judge_drill(drill, right).right, judge_drill(drill, wrong).right) == (True, False)


def test_a_position_that_is_not_shipped_makes_a_drill_if_it_is_quickly_proved() -> None:
    assert drill_of("4x4x4-XO.._...._...._....-evaluate").outcome.value is Value.DRAW
    with pytest.raises(
        NoSuchDrill, match=r"^\.{6}(/\.{6}){4} makes no drill: its squares are not quickly proved\. Try"
    ):
        drill_of("6x5x4-......_......_......_......_......-evaluate")


def test_daily_drills_ask_for_a_square_and_none_repeats_before_all_had_their_day() -> None:
    met: dict[tuple[Rules, DrillKind], list[str]] = {}
    for number in range(3 * 365):
        drill = daily(date(2026, 1, 1) + timedelta(number))
        met.setdefault((drill.position.rules, drill.kind), []).append(drill.id)
    assert met.keys() == {(rules, kind) for rules in LADDER for kind in DrillKind if kind is not DrillKind.EVALUATE}
    for (rules, kind), found in met.items():
        first = found[: len(drills(rules, kind))]
        assert len(set(first)) == len(first)
    assert daily(date(2026, 11, 22)) == daily(date(2026, 11, 22))


def test_a_file_is_made_and_read_again(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "ROUNDS", 1)
    path = tmp_path / "4x3x3.txt"
    code, out, err = run("drills", "4x3x3", "--make", str(path))
    known = [*parse_known(path.read_text(encoding="ascii").splitlines(), parse_rules("4x3x3"))]
    assert (code, err) == (0, "")
    assert out == f"{path}: {len(known)} positions of 4x3x3 to make drills of.\n"
    assert len({prediction.position for prediction in known}) == len(known) > 20
    for prediction in known:
        assert prove_moves(prediction.position, prediction.squares).scores == {
            cell: outcome.rank for cell, outcome in prediction.squares.items()
        }


def test_positions_are_not_searched_for_where_all_are_known() -> None:
    with pytest.raises(BadOption, match="Every position of 3x3x3 is looked up"):
        list(making.lines_of_file(parse_rules("3x3x3")))


@pytest.mark.exhaustive
@pytest.mark.skipif(KERNEL != "compiled", reason="takes an hour without the compiled kernel")
@pytest.mark.parametrize("rules", LARGER, ids=str)
def test_shipped_files_are_made_again_to_the_letter(rules: Rules) -> None:
    assert [*making.lines_of_file(rules)] == (DATA / f"{rules}.txt").read_text(encoding="ascii").splitlines()


OTHERS = ("3x3x3-holesb2", "2x2x2x2", "3x3x3-linesa1b1c1a1b2c3", "4x3x3", "4x4x4-cylinder", "5x5-el", "4x3x2x3")
SMALL = [rules for rules in BOARDS if rules not in LADDER and rules.size <= 9]


@pytest.mark.parametrize("rules", sampled([*SMALL, *map(parse_rules, OTHERS)], 8), ids=str)
def test_every_drill_of_a_board_by_other_rules_is_named_by_its_id_and_right(rules: Rules) -> None:
    found = drills(rules)
    assert {drill.position.canonical() for drill in found} == {drill.position for drill in found}
    for drill in found[::15]:
        assert drill_of(drill.id) == drill
        assert len(hints(drill)) == 3
        if drill.kind is not DrillKind.EVALUATE:
            assert all(judge_drill(drill, cell).right == (cell in drill.answers) for cell in drill.position.legal_moves)
        if drill.position.plies_left <= 7:
            for cell, outcome in prediction_of(drill.position).squares.items():
                assert to_child(outcome.rank) == minimax_score(drill.position.after(cell))


@pytest.mark.parametrize(
    ("drill", "second"),
    [
        ("3x3x3-XX._OO._...-win-now", "Look for a row."),
        ("3x3x3-torus-.X._OO._X..-win-now", "Look for a line that is neither a row nor a column."),
        ("3x3-el-..._X.._XOO-win-now", "Look for a way to lay the shape."),
    ],
)
def test_a_hint_says_how_the_line_lies(drill: str, second: str) -> None:
    board, stones = drill.removesuffix("-win-now").rsplit("-", 1)
    position = parse_position(stones.replace("_", "/"), parse_rules(board))
    found = drill_for(DrillKind.WIN_NOW, Situation(predict(position)))
    assert found is not None
    assert hints(found)[1] == second
