"""Drills: their positions and right squares, compared with plain minimax; their texts; and those that are shipped."""

import random
import re
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from solver import predict
from solver.analysis.drills import (
    BOARDS,
    LADDER,
    LISTED,
    Drill,
    DrillKind,
    daily,
    drill_of,
    drills,
    evaluation,
    hints,
    judge_drill,
    keeping_drill,
    kind_named,
)
from solver.analysis.drills import drill as making
from solver.analysis.drills.drill import drill_for, failing, look_ahead, weigh
from solver.analysis.drills.known import DATA, format_known, parse_known, prediction_of, predictions
from solver.articles.graph import wins_by_threats
from solver.board.notation import format_cell, format_position, parse_cell, parse_position, parse_rules
from solver.board.outcome import WIN, Bounds, Grade, Outcome, Score, Value, sign, to_child, to_parent
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import BadOption, IllegalMove, NoSuchDrill
from solver.kernel.engine import KERNEL
from solver.proofs.prediction import Prediction
from solver.reasons import ReasonKind
from solver.search.exact import prove_moves
from solver.search.tablebase import look_up
from tests.marked import sampled
from tests.solver.conftest import Run
from tests.strategies import TIC_TAC_TOE, met, minimax_score, reachable


@cache
def classes() -> list[Position]:
    """Return one position of each symmetry class of the unfinished ones."""
    return [each for each in reachable(TIC_TAC_TOE) if each.result is None and each == each.canonical()]


@cache
def scores(position: Position) -> dict[Cell, Score]:
    """Return the score of each square for the mover, by plain minimax."""
    return {cell: to_parent(minimax_score(position.play(cell))) for cell in position.legal_moves}


def by_definition(kind: DrillKind, position: Position) -> list[Cell]:
    """Return the right squares of a position by the definition of a kind, none if it has no such drill."""
    found = scores(position)
    best = max(found.values())
    wins, threats = position.threats(position.mover), position.threats(position.mover.other)
    keeping = [cell for cell in found if sign(found[cell]) == sign(best)]
    forks = [cell for cell in found if wins_by_threats(position.play(cell))]
    forked = any(wins_by_threats(each) for cell in found for each in position.play(cell).successors())
    quiet = not wins and not threats
    right = {
        DrillKind.WIN_NOW: list(wins),
        DrillKind.BLOCK: list(threats) if not wins and len(threats) == 1 and best >= 0 else [],
        DrillKind.FORK: forks if quiet else [],
        DrillKind.STOP_FORK: keeping if quiet and best == 0 and forked else [],
        DrillKind.ONLY_MOVE: keeping if quiet and best >= 0 and len(keeping) == 1 else [],
        DrillKind.WIN_IN_N: [cell for cell in found if found[cell] == best > 0 and not wins],
        DrillKind.EVALUATE: [cell for cell in found if found[cell] == best],
        DrillKind.KEEP: keeping if best >= 0 else [],
    }[kind]
    a_choice = len(found) > 1 and (kind is DrillKind.EVALUATE or len(right) < len(found))
    return right if a_choice else []


@pytest.mark.parametrize("kind", DrillKind)
def test_on_3x3_there_are_all_drills_of_a_kind_and_no_others(kind: DrillKind) -> None:
    expected = {position: tuple(right) for position in classes() if (right := by_definition(kind, position))}
    assert {drill.position: drill.answers for drill in drills(TIC_TAC_TOE, kind)} == expected


@cache
def winner_by_rules(position: Position) -> int:
    """Return 1 if the mover wins, 0 for a draw and -1 for a loss, by plain minimax over the results alone."""
    if position.result is not None:
        return 0 if position.result is Result.DRAW else 1 if position.result is Result(position.mover) else -1
    return max(-winner_by_rules(after) for after in position.successors())


@pytest.mark.parametrize("clauses", ["misere", "notakto", "gravity", "wild", "vanishing", "vanishing-strict"])
def test_own_mistakes_make_drills_in_any_game(clauses: str) -> None:
    made, rules = 0, parse_rules(f"3x3x3-{clauses}")
    for position in (each for each in met(rules, 99) if rules.vanishes or each.plies_left < 7):
        value = (lambda after: sign(look_up(after))) if rules.vanishes else winner_by_rules
        values = {move: -value(position.play(move)) for move in position.legal_moves}
        kept = tuple(move for move in values if values[move] == max(values.values()))
        drill = keeping_drill(predict(position))
        if max(values.values()) < 0 or len(kept) == len(values):
            assert drill is None
        else:
            assert drill is not None
            assert (drill.answers, drill.position, drill_of(drill.id)) == (kept, position, drill)
            assert [judge_drill(drill, move).right for move in values] == [move in kept for move in values]
            assert f"Of {len(values)} {'moves' if rules.is_wild else 'squares'}, " in hints(drill)[1]
            made += 1
    assert made > 3


def test_where_too_little_is_proved_a_drill_judges_what_is() -> None:
    position = parse_position("XO../XO../..../....", parse_rules("4x4x3"))
    wins, loses, open_ = (parse_cell(name, position.rules) for name in ("a2", "d1", "c3"))
    bounds = {wins: (Value.WIN, 1, Bounds()), loses: (Value.LOSS, None, Bounds(upper=6 - WIN))}
    proved = {move: Outcome(*bounds.get(move, (Value.UNKNOWN, None))) for move in position.legal_moves}
    made = keeping_drill(Prediction(position, proved, 0))
    assert made is not None
    assert (made.answers, made.title, look_ahead(made.prediction, made.answers)) == ((wins,), "Keep the win", 1)
    assert "As far as is proved, one holds." in hints(made)
    assert [judge_drill(made, cell).right for cell in (wins, loses)] == [True, False]
    with pytest.raises(BadOption, match="Too little is proved to judge c3"):
        judge_drill(made, open_)
    unknown = dict.fromkeys(position.legal_moves, Outcome(Value.UNKNOWN, None))
    with pytest.raises(NoSuchDrill, match="Try a later position"):
        drill_of(made.id, lambda position: Prediction(position, unknown, 0))


def test_an_id_names_its_drill_and_needs_no_escape_in_an_address() -> None:
    for drill in drills(TIC_TAC_TOE):
        assert drill_of(drill.id) == drill
        assert re.fullmatch(r"[A-Za-z0-9._-]+[a-z]", drill.id)
    assert drill_of("3x3x3-X.O_.X._..O-block").answers == (5,)


def test_a_kind_is_found_by_its_name() -> None:
    assert kind_named(" Stop-Fork ") is DrillKind.STOP_FORK


# Choosing.


def test_without_a_seed_drills_go_from_easy_to_hard() -> None:
    levels = [drill.difficulty for drill in drills(TIC_TAC_TOE)]
    assert levels == sorted(levels)
    assert 1 <= levels[0] < levels[-1] <= 100
    assert drills(TIC_TAC_TOE, count=3) == drills(TIC_TAC_TOE)[:3]


def test_a_seed_shuffles_them_the_same_way_on_every_machine() -> None:
    assert [drill.id for drill in drills(TIC_TAC_TOE, DrillKind.ONLY_MOVE, seed=7, count=2)] == [
        "3x3x3-OXX_X.._.O.-only-move",
        "3x3x3-.X._..._O..-only-move",
    ]
    assert drills(TIC_TAC_TOE, seed=7) != drills(TIC_TAC_TOE, seed=8)
    assert Counter(drills(TIC_TAC_TOE, seed=7)) == Counter(drills(TIC_TAC_TOE))


def test_fewer_drills_of_a_seed_are_the_beginning_of_more() -> None:
    assert drills(TIC_TAC_TOE, seed=3, count=10) == drills(TIC_TAC_TOE, seed=3, count=90)[:10]


def test_a_seed_gives_equally_many_drills_of_each_kind_until_one_runs_out() -> None:
    assert set(Counter(drill.kind for drill in drills(TIC_TAC_TOE, seed=3, count=70)).values()) == {10}
    assert Counter(drill.kind for drill in drills(TIC_TAC_TOE, seed=3, count=400))[DrillKind.ONLY_MOVE] == 25


# Judging.


def test_a_square_is_right_if_it_is_an_answer_and_its_grade_and_reason_are_its_own() -> None:
    for drill in drills(TIC_TAC_TOE, seed=1, count=60):
        if drill.kind is not DrillKind.EVALUATE:
            for cell in drill.position.legal_moves:
                found = judge_drill(drill, cell)
                assert found.right == (cell in drill.answers)
                assert found.reason.outcome == prediction_of(drill.position).squares[cell]
                assert found.reason.verified
                assert not (found.right and found.grade.is_mistake)


def square(drill: Drill, name: str) -> Cell:
    return parse_cell(name, drill.position.rules)


def test_a_wrong_square_is_refuted() -> None:
    drill = drill_of("3x3x3-X.O_.X._..O-block")
    found = judge_drill(drill, square(drill, "a2"))
    assert (found.right, found.grade) == (False, Grade.DRAW_TO_LOSS)
    assert found.reason.kind is ReasonKind.LOSES_TO_LINE
    assert found.reason.refutation == (square(drill, "c2"),)


def test_a_slower_win_is_no_mistake_but_not_the_solution() -> None:
    drill = drill_of("3x3x3-OOX_X.._...-fork")
    slower = [judge_drill(drill, cell) for cell in drill.position.legal_moves if cell not in drill.answers]
    assert {(each.right, each.grade, each.lost) for each in slower} == {
        (False, Grade.SLOWER, 1),
        (False, Grade.WIN_TO_LOSS, 0),
    }


@pytest.mark.parametrize(
    ("id", "result", "moves", "right"),
    [
        ("3x3x3-.X._..._O..-evaluate", Result.X, 3, True),
        ("3x3x3-.X._..._O..-evaluate", Result.X, 2, False),
        ("3x3x3-.X._..._O..-evaluate", Result.O, 3, False),
        ("3x3x3-.X._..._O..-evaluate", Result.DRAW, None, False),
        ("3x3x3-..._..._...-evaluate", Result.DRAW, None, True),
        ("3x3x3-..._..._...-evaluate", Result.X, 5, False),
        ("3x3x3-XO._.X._...-evaluate", Result.X, 2, True),
        ("3x3x3-XO._.X._...-evaluate", Result.X, 1, False),
    ],
)
def test_an_outcome_is_right_with_its_distance(id: str, result: Result, moves: int | None, right: bool) -> None:  # noqa: A002
    drill = drill_of(id)
    found = judge_drill(drill, evaluation(drill.position, result, moves))
    assert found.right is right
    assert (found.cell, found.grade) == (drill.answers[0], Grade.BEST)
    assert found.reason.outcome == drill.outcome


@pytest.mark.parametrize("plies", [None, 3])
def test_an_answer_that_says_draw_needs_no_distance(plies: int | None) -> None:
    assert judge_drill(drill_of("3x3x3-..._..._...-evaluate"), Outcome(Value.DRAW, plies)).right


def test_an_answer_that_does_not_fit_the_drill_is_refused() -> None:
    drill, asked = drill_of("3x3x3-X.O_.X._..O-block"), drill_of("3x3x3-X.O_.X._..O-evaluate")
    with pytest.raises(IllegalMove, match="taken"):
        judge_drill(drill, square(drill, "a3"))
    with pytest.raises(BadOption, match="for a square"):
        judge_drill(drill, Outcome(Value.DRAW, 5))
    with pytest.raises(BadOption, match="who wins"):
        judge_drill(asked, 3)
    for moves in (None, 0, -2):
        with pytest.raises(BadOption, match="in how many moves"):
            evaluation(drill.position, Result.X, moves)


# Hints.


def test_hints_come_in_three_steps_that_name_no_right_square_before_the_last() -> None:
    for drill in drills(TIC_TAC_TOE):
        steps = hints(drill)
        assert len(set(steps)) == 3
        for hint in steps[
            : 3 if drill.kind in (DrillKind.WIN_NOW, DrillKind.BLOCK, DrillKind.FORK, DrillKind.WIN_IN_N) else 2
        ]:
            alone = re.findall(r"(?<!–)\b[a-c][1-3]\b(?!–)", hint)
            assert not {format_cell(cell, TIC_TAC_TOE) for cell in drill.answers} & set(alone), (drill.id, hint)


# Difficulty.


def test_a_drill_is_harder_the_deeper_it_is_the_more_is_wrong_and_the_more_fail() -> None:
    half = Fraction(1, 2)
    parts = [Fraction(n, 10) for n in range(11)]
    assert sorted({weigh(depth, half, half) for depth in range(1, 12)}) == [
        weigh(depth, half, half) for depth in range(1, 12)
    ]
    assert sorted({weigh(5, part, half) for part in parts}) == [weigh(5, part, half) for part in parts]
    assert sorted({weigh(5, half, part) for part in parts}) == [weigh(5, half, part) for part in parts]
    assert weigh(1, Fraction(0), Fraction(0)) == 1
    assert weigh(64, Fraction(1), Fraction(1)) <= 100


@pytest.mark.parametrize(("kind", "plies"), [(DrillKind.WIN_NOW, 1), (DrillKind.BLOCK, 2), (DrillKind.FORK, 3)])
def test_the_look_ahead_reaches_the_win_or_the_refutation(kind: DrillKind, plies: int) -> None:
    for drill in drills(TIC_TAC_TOE, kind):
        assert look_ahead(prediction_of(drill.position), drill.answers) == plies


def test_the_look_ahead_to_hold_a_draw_reaches_the_slowest_refutation() -> None:
    for drill in drills(TIC_TAC_TOE, DrillKind.STOP_FORK):
        found = scores(drill.position)
        slowest = max(10_000 + score for cell, score in found.items() if cell not in drill.answers)
        assert look_ahead(prediction_of(drill.position), drill.answers) == slowest


def test_a_drill_that_both_lists_of_rules_always_solve_gains_no_difficulty_from_failing() -> None:
    for kind in (DrillKind.WIN_NOW, DrillKind.BLOCK):
        for drill in drills(TIC_TAC_TOE, kind):
            wrong = 1 - Fraction(len(drill.answers), drill.position.plies_left)
            depth = look_ahead(prediction_of(drill.position), drill.answers)
            assert drill.difficulty == weigh(depth, wrong, Fraction(0))


def test_how_often_the_lists_of_rules_fail_is_exact() -> None:
    drill = drill_of("3x3x3-.OX_X.._..O-fork")  # one list plays any of five squares, the other the centre: right
    assert failing(drill.position, drill.answers) == Fraction(1, 2) * Fraction(3, 5)
    assert failing(drill.position, drill.position.legal_moves) == 0


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
    assert met.keys() == {(rules, kind) for rules in LADDER for kind in LISTED if kind is not DrillKind.EVALUATE}
    for (rules, kind), found in met.items():
        first = found[: len(drills(rules, kind))]
        assert len(set(first)) == len(first)
    assert daily(date(2026, 11, 22)) == daily(date(2026, 11, 22))


def test_a_drill_to_keep_what_one_has_is_of_the_position_as_it_was_on_the_board() -> None:
    for position in [parse_position(rows, TIC_TAC_TOE) for rows in (".../.O./XOX", "X../OO./X..")]:
        drill = keeping_drill(predict(position))
        assert drill is not None
        assert drill.position == position != position.canonical()
        assert drill_of(drill.id) == drill
        assert not any(re.search(r"\b[abc][123]\b", hint) for hint in hints(drill))
    assert keeping_drill(predict(Position(TIC_TAC_TOE))) is None  # every square draws


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
    found = drill_for(DrillKind.WIN_NOW, predict(position))
    assert found is not None
    assert hints(found)[1] == second
