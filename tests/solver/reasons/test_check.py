"""The check of grounds: it accepts what is true and nothing else."""

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_cell, parse_position, parse_rules
from solver.board.outcome import PROVED, WIN, Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell, cells_of
from solver.proofs.predict import predict
from solver.reasons.explaining import holds
from solver.reasons.grounds import Ground, SquareCase
from solver.reasons.holding import (
    Answered,
    Blocks,
    BreaksUp,
    Builds,
    Closes,
    FillsBoard,
    ForcesReply,
    GainsTime,
    Harmless,
    LimitsReplies,
    NoLineLeft,
    OnlyMove,
    Pairing,
    PairsNext,
    Replies,
    StopsFork,
    StopsWin,
    Twin,
    Waits,
)
from solver.reasons.planning import (
    Completion,
    DoubleThreat,
    Effort,
    OpenLines,
    OutcomesOf,
    Plan,
    Planner,
    QuietMove,
    SingleThreat,
    forces,
    length,
    wins,
    zone,
)
from solver.reasons.winning import AllLose, Completes, Elsewhere, GivesWinAway, Loses, Slower, Unblocked, Wins
from solver.search.budget import Budget, Meter
from solver.search.solver import Solver
from tests.solver.reasons.sayings import score, score_of
from tests.strategies import UNKNOWN, positions

A3, B3, C3, A2, B2, C2, A1, B1, C1 = range(9)

ANSWERED = (
    Answered(B2, B1, ()),
    Answered(A1, C1, ((B2, B1),)),
    Answered(B1, B2, ((A1, C1),)),
    Answered(C1, B2, ((A1, B1),)),
)
FACTS: tuple[tuple[str, str, Ground], ...] = (
    ("XX./OO./...", "c3", Completes((0b111,))),
    ("XX./.O./..O", "a2", Wins(DoubleThreat(A2, (C3, A1)))),
    ("XO./.../...", "b2", Wins(SingleThreat(B2, C1, DoubleThreat(A2, (C2, A1))))),
    ("X.O/.X./..O", "a2", Unblocked(C2, 0b100100100, (C2,))),
    ("X../.../...", "b3", Loses(SingleThreat(A2, A1, DoubleThreat(B2, (C2, C1))), blocking=False)),
    (".O./..X/.X.", "a3", Loses(SingleThreat(C3, C1, DoubleThreat(B2, (A2, A1))), blocking=True)),
    ("OX./.../..X", "c3", Loses(DoubleThreat(B1, (B2, A1)), False, DoubleThreat(A1, (A2, B2)))),
    ("XOX/OOX/.XO", "a1", FillsBoard()),
    ("X.O/O.X/XXO", "b3", NoLineLeft()),
    ("X.O/.X./..O", "c2", Blocks((0b100100100,))),
    ("X.O/.X./..O", "c2", OnlyMove()),
    ("X../.../...", "b2", OnlyMove(C3, SingleThreat(A2, A1, DoubleThreat(B2, (C2, C1))))),
    ("X../.O./..X", "b3", GainsTime(B1, A1, (A2, B1))),
    (".../..X/X.O", "a2", StopsFork((A3, B2))),
    (".X./.OX/X.O", "c3", StopsWin(DoubleThreat(A3, (C3, A2)))),
    ("..O/XXO/XO.", "c1", ForcesReply(A3)),
    ("OXX/X.O/...", "a1", LimitsReplies(DoubleThreat(C1, (B2, B1)), 1 << B2 | 1 << B1 | 1 << C1, True)),
    ("O../.X./...", "a1", Pairing(((B3, C3), (C2, C1)))),
    ("X../OOX/X.O", "b1", Harmless()),
    ("XOX/.../O..", "b2", GivesWinAway((C1,))),
    ("X../.../...", "b3", Elsewhere((B2,))),
    ("XO./.../...", "b1", BreaksUp(0b010010010, best=True)),
    ("XOX/O../...", "c2", PairsNext(ANSWERED)),
    ("X../.../O..", "c2", Closes((0b111000, 0b100100100))),
    ("X.O/.../...", "a2", Builds(0b1001001, 2)),
    ("XOX/OX./..O", "c2", Waits()),
    (".../.../...", "a1", Replies((B2,), (B3, C3, A2, C2, A3, B1, C1))),
    ("X../.O./...", "a2", Twin(B3)),
    ("XX./.O./..O", "a2", Slower(C3, 1)),
    ("OX./O.X/X..", "c3", AllLose(longest=True)),
)
"""True grounds of squares, of every kind."""


def known(position: Position) -> Any:
    return predict(position).squares


def read(position: str, cell: str, known: OutcomesOf = known) -> SquareCase:
    where = parse_position(position)
    return SquareCase(where, parse_cell(cell, where.rules), known)


def changed(value: Any) -> Iterator[Any]:
    """Yield the value with one cell changed, one part of a list left out, or one flag turned round."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (cell for cell in range(16) if cell != value)
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield value[:index] + value[index + 1 :]
            for other in changed(part):
                yield (*value[:index], other, *value[index + 1 :])
    elif value is not None:
        for each in fields(value):
            for other in changed(getattr(value, each.name)):
                yield replace(value, **{each.name: other})


TRUE_TOO = OnlyMove(B3, SingleThreat(A2, A1, DoubleThreat(B2, (C2, C1))))
"""A ground that is still true after a change."""


@pytest.mark.parametrize(("position", "cell", "ground"), FACTS, ids=[type(ground).__name__ for *_, ground in FACTS])
def test_true_grounds_pass_and_with_any_part_changed_are_refused(position: str, cell: str, ground: Ground) -> None:
    assert ground.holds(read(position, cell))
    passed = [each for each in changed(ground) if each.holds(read(position, cell))]
    assert [each for each in passed if each != TRUE_TOO] == []


WIN_1, WIN_3, WIN_5 = (Outcome(Value.WIN, plies) for plies in (1, 3, 5))
LOSS_2, LOSS_4 = (Outcome(Value.LOSS, plies) for plies in (2, 4))
OPPONENTS_PLAN = SingleThreat(A2, A1, DoubleThreat(B2, (C2, C1)))
LOSING = (B3, C3, A2, C2, A3, B1)
UNTRUE: dict[str, tuple[str, str, Ground, dict[Cell, Outcome | None]]] = {
    "a line that wins later": ("XX./OO./...", "c3", Completes((0b111,)), {C3: WIN_3}),
    "a line that the move blocks": ("X.O/.X./..O", "c2", Unblocked(C2, 0b100100100, (C2,)), {C2: LOSS_2}),
    "a plan of another square": ("XX./.O./..O", "c2", Wins(DoubleThreat(A2, (C3, A1))), {C2: WIN_3}),
    "an open line that wins later": ("X.O/.X./..O", "a2", Unblocked(C2, 0b100100100, (C2,)), {A2: LOSS_4}),
    "a loss that comes sooner": ("X../.../...", "b3", Loses(OPPONENTS_PLAN, blocking=False), {B3: LOSS_2}),
    "a race beside a threat": (
        ".O./..X/.X.", "a3", Loses(SingleThreat(C3, C1, DoubleThreat(B2, (A2, A1))), True, Completion(C3)), {}
    ),
    "an only move beside an unknown one": ("X.O/.X./..O", "c2", OnlyMove(), {A2: None}),
    "a full board with a line": ("XOX/OXO/OX.", "c1", FillsBoard(), {}),
    "time gained from somebody who wins": ("XOX/O../X..", "c2", GainsTime(B2, B1, (B2, C1)), {}),
    "time gained from the reply itself": ("XOX/O../.X.", "c2", GainsTime(B2, B2, (A1, C1)), {}),
    "time gained from a single threat": ("XOX/OX./O..", "c2", GainsTime(C1, B1, (C1,)), {}),
    "a fork of one threat": ("XOX/OXO/.X.", "a1", StopsFork((C1,)), {}),
    "a win that is not stopped": ("XOX/O../...", "a1", StopsWin(DoubleThreat(B2, (C2, B1))), {}),
    "a reply forced on somebody who wins": ("XOX/O.X/XO.", "c1", ForcesReply(B2), {}),
    "replies limited by a threat": ("XOX/OXO/...", "a1", LimitsReplies(Completion(C1), 1 << C1), {}),
    "replies of somebody who wins": (
        "XOX/O../X..", "c1", LimitsReplies(DoubleThreat(B2, (C2, B1)), 1 << B2 | 1 << C2 | 1 << B1), {}
    ),
    "replies on a stone": ("OXX/X.O/...", "a1", LimitsReplies(DoubleThreat(C1, (B2, B1)), 0b110010001), {}),
    "replies of which one is not known to draw": (
        "OXX/X.O/...", "a1", LimitsReplies(DoubleThreat(C1, (B2, B1)), 1 << B2 | 1 << B1 | 1 << C1, True), {B2: UNKNOWN}
    ),
    "an answer on the reply's own square": (
        "XOX/O../...", "c2", PairsNext((Answered(B2, B2, ()), *ANSWERED[1:])), {}
    ),
    "pairs without a line": ("X../OOX/X.O", "b1", Pairing(()), {}),
    "a line with one stone": (".../.../...", "a1", Builds(0b1001001, 1), {}),
    "a win given away by a win": ("XOX/.../O..", "c1", GivesWinAway((C1,)), {}),
    "a draw elsewhere beside an unknown move": ("X../.../...", "b3", Elsewhere((B2,)), {C3: None}),
    "replies of which one wins": (".../.../...", "a1", Replies((B2,), LOSING), {C1: WIN_5}),
    "replies of which one is open": (".../.../...", "a1", Replies((B2,), LOSING), {C1: UNKNOWN}),
    "replies of which one is left out": (".../.../...", "a1", Replies((B2,), LOSING), {C1: None}),
    "replies that all lose": ("XX./.O./..O", "a2", Replies((), (C3, C2, A1, B1)), {}),
    "a win slower than one that is not the best": (
        "XX./.O./..O", "a2", Slower(C3, 3), {A2: WIN_5, C3: WIN_3, B1: WIN_1}
    ),
    "losses of which one is left out": ("OX./O.X/X..", "c3", AllLose(longest=True), {B2: None}),
}  # fmt: skip
"""Grounds with one thing wrong, each with changes to the known outcomes; None removes one."""


@pytest.mark.parametrize(("position", "cell", "ground", "changes"), UNTRUE.values(), ids=UNTRUE)
def test_a_fact_with_one_thing_wrong_is_refused(
    position: str, cell: str, ground: Ground, changes: dict[Cell, Outcome | None]
) -> None:
    def told(where: Position) -> dict[Cell, Outcome]:
        squares = dict(known(where)) | changes
        return {each: outcome for each, outcome in squares.items() if outcome is not None}

    assert not ground.holds(read(position, cell, told))


@pytest.mark.parametrize(
    ("position", "plan"),
    [
        ("X.X/O.O/...", SingleThreat(B1, B3, DoubleThreat(B2, (A1, C1)))),
        ("X.X/O../OXO", SingleThreat(B3, B2, Completion(C2))),
    ],
    ids=["the opponent completes a line", "the move has completed one"],
)
def test_a_threat_that_needs_no_answer_forces_nothing(position: str, plan: Plan) -> None:
    assert not wins(parse_position(position), plan, known)


@pytest.mark.parametrize(
    "plan",
    [
        Completion(B2),
        DoubleThreat(C3, (B3, C2)),
        SingleThreat(C3, B3, DoubleThreat(A1, (A2, B2))),
        QuietMove(C3, DoubleThreat(A3, (B3, A1)), ()),
        QuietMove(C3, DoubleThreat(A3, (B3, A1)), ((1 << A3 | 1 << A1, DoubleThreat(B2, (A1, C1))),)),
        QuietMove(C3, None, ((1 << B2, DoubleThreat(A3, (B3, A1))),)),
    ],
    ids=lambda plan: type(plan).__name__,
)
def test_a_plan_that_leaves_a_way_out_is_refused(plan: Plan) -> None:
    assert not holds(read(".../X.O/.XO", "c3"), [Wins(plan)])


def test_a_reason_needs_a_ground_of_its_outcome_and_no_false_one() -> None:
    where, true = read("XX./.O./..O", "a2"), Wins(DoubleThreat(A2, (C3, A1)))
    assert holds(where, [true])
    assert holds(where, [true, Slower(C3, 1)])
    for grounds in ([], [Slower(C3, 1)], [StopsFork((C3, A1))], [true, Slower(C3, 3)]):
        assert not holds(where, grounds)


@pytest.mark.parametrize(("position", "best", "cell"), [("XX./.O./..O", "c3", "c3"), ("XX./XO./.OO", "c3", "a1")])
def test_a_win_is_not_slower_than_an_equally_fast_one(position: str, best: str, cell: str) -> None:
    where = read(position, cell)
    assert not Slower(parse_cell(best, where.rules), 1).holds(where)


@pytest.mark.parametrize("outcome", [Outcome(Value.WIN, 5), Outcome(Value.WIN, 1), Outcome(Value.LOSS, 4)])
def test_a_plan_takes_as_long_as_the_outcome_says(outcome: Outcome) -> None:
    where = read("XX./.O./..O", "a2", lambda position: dict(known(position)) | {A2: outcome})
    assert not holds(where, [Wins(DoubleThreat(A2, (C3, A1)))])


@cache
def some_plan(position: Position) -> Plan | None:
    """Return a plan for the mover, None where none is found."""
    decided = Solver(position.rules, max_entries=1 << 10).decided
    planner = Planner(decided, Meter(Budget(nodes=3000)), Meter(Budget(nodes=3000)), Effort(3000))
    return planner.complete(position, position.plies_left)


UNFINISHED = positions(st.sampled_from([parse_rules(each) for each in ("4x3x3", "3x4x3", "4x4x3", "4x4x4")]), 8).filter(
    lambda position: position.result is None
)


@given(UNFINISHED)
def test_a_plan_that_passes_wins_as_minimax_says(position: Position) -> None:
    plan = some_plan(position)
    if plan is None:
        assert score(position) < PROVED
        return
    assert forces(position.rules, position.own, position.other, plan)
    assert score(position) >= WIN - length(plan)


@given(UNFINISHED, st.data())
def test_a_changed_plan_passes_only_where_it_wins(position: Position, data: st.DataObject) -> None:
    plan = some_plan(position)
    for each in data.draw(st.lists(st.sampled_from(list(changed(plan))), max_size=20)) if plan else []:
        if forces(position.rules, position.own, position.other, each):
            assert score(position) >= WIN - length(each)


@given(UNFINISHED)
def test_a_stone_outside_the_zone_spoils_no_plan(position: Position) -> None:
    plan, rules, own, other = some_plan(position), position.rules, position.own, position.other
    if plan is None:
        return
    needed = zone(OpenLines.of(rules, own, other, length(plan)), plan)
    for cell in cells_of(position.empty & ~needed):
        spoilt = other | 1 << cell
        if not any(line & spoilt == line for line in rules.lines):
            assert score_of(rules, own, spoilt) >= WIN - length(plan)


QUIET = parse_position("...../XXO../...../...../...OX", parse_rules("5x5x4"))
C3_OF_5, C5_OF_5, C2_OF_5, C1_OF_5 = 12, 2, 17, 22
PREPARED = QuietMove(C3_OF_5, DoubleThreat(C2_OF_5, (C5_OF_5, C1_OF_5)), (), 1 << 2 | 1 << 17 | 1 << 22, 9)
"""The plan that X prepares there with c3: after all replies but three, c2 threatens to complete two lines."""


def only_known(outcome: Outcome) -> Any:
    return lambda position: {C3_OF_5: outcome} if position == QUIET else {}


def test_a_rest_of_replies_is_decided_by_the_known_outcome_of_the_move() -> None:
    assert wins(QUIET, PREPARED, only_known(Outcome(Value.WIN, 9)))
    assert not forces(QUIET.rules, QUIET.own, QUIET.other, PREPARED)


@pytest.mark.parametrize("outcome", [Outcome(Value.WIN, 7), Outcome(Value.DRAW, 20), Outcome(Value.LOSS, 6), UNKNOWN])
def test_a_rest_needs_a_move_that_is_known_to_win_as_soon(outcome: Outcome) -> None:
    assert not wins(QUIET, PREPARED, only_known(outcome))
    assert not wins(QUIET, PREPARED, lambda _: {})


@pytest.mark.parametrize(
    "plan",
    [
        replace(PREPARED, rest=PREPARED.rest ^ 1 << C2_OF_5),
        replace(PREPARED, move=C2_OF_5),
        replace(PREPARED, threat=None),
        replace(PREPARED, threat=DoubleThreat(C2_OF_5, (C5_OF_5,))),
        replace(PREPARED, threat=Completion(C2_OF_5)),
    ],
    ids=["a reply left out", "another move", "no threat", "a threat too few", "no line"],
)
def test_a_plan_with_a_rest_is_played_through_for_all_other_replies(plan: QuietMove) -> None:
    assert not wins(QUIET, plan, lambda _: dict.fromkeys(range(25), Outcome(Value.WIN, 9)))
