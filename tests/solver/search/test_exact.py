"""Exact scores: every technique of both kernels against plain minimax, and four by four against a full table."""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN, LOST, WIN, Bounds, to_parent
from solver.board.position import Position
from solver.board.rules import Rules
from solver.kernel import engine
from solver.kernel.engine import KERNEL
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import (
    Siblings,
    after_answer,
    at_first,
    is_crowded,
    narrowing,
    narrowing_siblings,
    prove_moves,
    prove_score,
    question,
)
from solver.search.minimax import minimax
from solver.search.solver import ALL, Solver, Techniques
from solver.search.tablebase import look_up
from solver.search.tablebase import positions as tabulated
from tests.benchmarks.proving import interpreted, random_position
from tests.marked import exhaustive, sampled
from tests.solver.full_table import FullTable, classes, full_table
from tests.strategies import (
    EACH_LEFT_OUT,
    SMALL_DRAWN,
    SMALL_FAMILIES,
    TIC_TAC_TOE,
    boards,
    drawn_games,
    examples,
    families,
    positions,
)

SWITCHED_OFF = [ALL, *EACH_LEFT_OUT, Techniques(*[False] * len(EACH_LEFT_OUT))]
KERNELS = ["chosen", pytest.param("interpreted", marks=pytest.mark.slow)]
SAMPLED = {"2x5x3": 6, "4x3x3": 30}
LARGER = [
    *(pytest.param(board, every, marks=pytest.mark.slow) for board, every in SAMPLED.items()),
    *(pytest.param(board, 1, marks=pytest.mark.exhaustive) for board in ("2x5x3", "4x3x3", "3x4x3", "6x2x3")),
]
"""Boards of more than nine cells, each with the step by which positions are sampled."""


def kernel(name: str) -> AbstractContextManager[None]:
    """Run new solvers on the chosen kernel, or on the interpreted one."""
    return interpreted() if name == "interpreted" else nullcontext()


def start(board: str) -> Position:
    return Position(parse_rules(board))


def proved_by(solver: Solver, position: Position) -> Bounds:
    """Return the score that a solver proves, with all it remembers."""
    known = {position: at_first(position)}
    known |= narrowing(solver, known, Meter(UNLIMITED))
    return known[position]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("techniques", SWITCHED_OFF, ids=str)
@examples(100)
@given(position=positions(boards(max_side=6) | families() | drawn_games(), max_empty=7))
def test_each_reason_left_out_changes_no_distance(name: str, techniques: Techniques, position: Position) -> None:
    with kernel(name):
        moves = {cell: to_parent(minimax(position.after(cell)).score) for cell in position.legal_moves}
        assert prove_moves(position, position.legal_moves, techniques=techniques).scores == moves
        assert prove_score(position, techniques=techniques).score == minimax(position).score


@pytest.mark.parametrize(
    "board", sampled(["4x4x3", "4x4x4", "5x4x4", "5x4x3", "5x5x4", "6x4x4", "6x5x4", "5x5x5", "6x6x5"], 2)
)
def test_each_reason_left_out_changes_nothing_where_minimax_cannot_go(board: str) -> None:
    rules, rng = parse_rules(board), random.Random(board)
    for stones in range(rules.size - 16, rules.size - 8):
        position = random_position(rules, stones, rng)
        scores = prove_moves(position, position.legal_moves).scores
        assert set(scores) == set(position.legal_moves)
        for techniques in EACH_LEFT_OUT:
            assert prove_moves(position, position.legal_moves, techniques=techniques).scores == scores, techniques


@pytest.mark.parametrize(
    "board",
    ["5x4x4", "5x5x4", "6x5x4", "6x6x4", "5x5-knobby", "4x4x4-klein", pytest.param("7x6x5", marks=pytest.mark.slow)],
)
def test_both_kernels_search_the_same_nodes(board: str) -> None:
    with interpreted():
        expected = prove_score(start(board))
    assert prove_score(start(board)) == expected


@pytest.mark.parametrize(
    "every", [41, pytest.param(13, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("rules", sampled([*SMALL_FAMILIES, *SMALL_DRAWN], 4), ids=str)
def test_positions_of_every_family_of_lines_agree_with_a_table_of_all(rules: Rules, every: int) -> None:
    solver, asking_both = Solver(rules), asking_about_the_weak_game_everywhere(rules)
    for position in islice(tabulated(rules), 0, None, every if rules.size > 7 else 1):
        assert proved_by(solver, position).score == look_up(position), position
        assert proved_by(asking_both, position).score == look_up(position), position


@examples(300)
@given(
    position=positions(boards(max_side=6) | families() | drawn_games(), max_empty=8),
    techniques=st.sampled_from(SWITCHED_OFF),
)
def test_the_weak_game_misleads_no_search(position: Position, techniques: Techniques) -> None:
    solver = asking_about_the_weak_game_everywhere(position.rules, techniques)
    assert proved_by(solver, position).score == minimax(position).score


@pytest.mark.parametrize(
    ("board", "outcome"),
    [
        ("3x3x3-torus", WIN - 7),
        ("5x5x5-torus", DRAWN),
        ("8x8x8-torus", DRAWN),
        ("4x4x4-klein", WIN - 9),
        ("3x3-tippy", WIN - 9),  # only with the last stone
        ("3x3-elly", DRAWN),
        ("4x4-elly", WIN - 7),
        ("4x4-knobby", DRAWN),
        ("5x5-knobby", WIN - 7),
        pytest.param("7x7-skinny", WIN - 13, marks=pytest.mark.slow),
        ("6x6-fatty", DRAWN),
        ("6x6-skinny", DRAWN),
    ],
)
def test_some_outcomes_on_surfaces_and_for_shapes_are_known(board: str, outcome: int) -> None:
    """The boards on which an animal can be forced are published: Gardner, "Mathematical Games", April 1979."""
    assert prove_score(start(board)).score == outcome


@pytest.mark.parametrize(
    ("board", "every"), [("3x3x3", 5), ("5x2x2", 1), *LARGER, pytest.param("3x3x3", 1, marks=pytest.mark.exhaustive)]
)
def test_every_position_agrees_with_a_table_of_all_of_them(board: str, every: int) -> None:
    rules = parse_rules(board)
    asking_both = asking_about_the_weak_game_everywhere(rules)
    for position in islice(tabulated(rules), 0, None, every):
        assert prove_score(position).score == proved_by(asking_both, position).score == look_up(position), position


def asking_about_the_weak_game_everywhere(rules: Rules, techniques: Techniques = ALL) -> Solver:
    """Return a solver that searches the weak game for lines of any length."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.search.solver.LONG", 1)
        return Solver(rules, techniques)


@pytest.mark.slow
def test_the_weak_game_saves_most_of_the_nodes_where_lines_are_long_and_stones_few() -> None:
    position = Position(parse_rules("7x7x5"))
    asked, not_asked = (prove_moves(position, [1], techniques=Techniques(weak_game=weak)) for weak in (True, False))
    assert asked.scores == not_asked.scores == {1: DRAWN}
    assert 2 * asked.nodes < not_asked.nodes


# Uiterwijk and van den Herik, "The advantage of the initiative", 2000, for k = 3 and 4x4x4, 5x5x4; Uiterwijk, "Solving
# strong and weak 4-in-a-row", 2019, for the other boards with k = 4; Hsu et al., "Solving 7,7,5-game and 8,8,5-game",
# 2020, for 6x6x5. A side shorter than k, k ≥ 3, draws; k = 2 is won by the third ply on three cells or more.
@pytest.mark.parametrize(
    ("board", "plies", "nodes"),
    [
        ("2x2x1", 1, 0),
        ("3x2x2", 3, 10),
        ("8x1x2", 3, 10),
        ("3x3x3", None, 100),
        ("4x3x3", 7, 100),
        ("4x4x3", 5, 10),
        ("8x8x3", 5, 10),
        ("6x2x3", None, 10),
        ("4x4x4", None, 10),
        ("5x4x4", None, 300),
        ("5x5x4", None, 2000),
        ("6x4x4", None, 1000),
        ("6x5x4", 11, 3000),
        ("6x6x4", 11, 3000),
        ("5x5x5", None, 10),
        ("6x6x5", None, 200),
    ],
)
def test_the_empty_board_has_the_published_score_and_takes_few_nodes(board: str, plies: int | None, nodes: int) -> None:
    proved = prove_score(start(board))
    assert proved.score == (DRAWN if plies is None else WIN - plies)
    assert proved.nodes <= nodes


def proved_in_parts(position: Position, nodes: int) -> Bounds:
    """Return the bounds that consecutive searches prove, each of `nodes` nodes."""
    solver, known = Solver(position.rules), {position: at_first(position)}
    for _ in range(500):
        known |= narrowing(solver, known, Meter(Budget(nodes)))
    return known[position]


@examples(60)
@given(positions(boards(max_side=6), max_empty=16), st.integers(100, 200))
def test_a_proof_interrupted_again_and_again_equals_an_uninterrupted_one(position: Position, nodes: int) -> None:
    assert proved_in_parts(position, nodes).score == prove_score(position).score


@pytest.mark.parametrize("board", ["5x5x4", "6x4x4", "6x5x4", "8x8x4"])
def test_a_hundred_nodes_are_enough_to_get_on_with_a_long_proof(board: str) -> None:
    whole = prove_score(start(board))
    assert whole.nodes > 500
    assert proved_in_parts(start(board), 100).score == whole.score


def test_what_was_proved_of_a_position_makes_the_next_one_cheaper() -> None:
    first, second = start("5x5x4"), start("5x5x4").play(12)
    solver, cold, warm = Solver(first.rules), Meter(Budget()), Meter(Budget())
    list(narrowing(Solver(first.rules), {second: Bounds()}, cold))
    list(narrowing(solver, {first: at_first(first)}, Meter(Budget())))
    list(narrowing(solver, {second: Bounds()}, warm))
    assert warm.nodes < cold.nodes / 2


@examples(60)
@given(positions(boards(max_side=5), max_empty=7), st.data())
def test_what_is_not_decided_for_siblings_is_decided_for_none_of_them(position: Position, data: st.DataObject) -> None:
    after = [position.play(cell) for cell in position.legal_moves]
    found = Siblings.of(each for each in after if each.result is None)
    assume(found is not None)
    plies = data.draw(st.integers(1, position.plies_left - 1))
    if found is not None and not found.decided(Solver(position.rules), plies, Meter(UNLIMITED)):
        scores = [minimax(each).score for each in after if each.result is None]
        assert not any((score > 0) == (plies % 2 == 1) and 0 < abs(score) >= WIN - plies for score in scores)


def test_siblings_are_the_choices_of_one_move() -> None:
    position = start("5x5x4").play(12)
    after = [position.play(cell) for cell in position.legal_moves]
    assert Siblings.of(after) == Siblings(position.other, position.own)
    assert Siblings.of(after[:1]) is None
    assert Siblings.of([]) is None
    assert Siblings.of([position, *after]) is None
    assert Siblings.of([after[0], start("5x5x4").play(11).play(0)]) is None


def test_siblings_cost_less_together_than_one_by_one() -> None:
    position, together, alone = start("7x6x5"), Meter(UNLIMITED), Meter(UNLIMITED)
    after = {position.play(cell): Bounds() for cell, *_ in position.orbits()}
    known = after | dict(narrowing(Solver(position.rules), after, together))
    solver = Solver(position.rules)
    for each in after:
        known_alone = dict(narrowing(solver, {each: Bounds()}, alone))
        assert known_alone[each] == known[each]
    assert 2 * together.nodes < alone.nodes


@examples(40)
@given(positions(boards(max_side=5), max_empty=7))
def test_from_either_side_siblings_are_bounded_truly(position: Position) -> None:
    after = [position.play(cell) for cell in position.legal_moves]
    known = {each: Bounds() for each in after if each.result is None}
    for won in (True, False):
        for each, bounds in narrowing_siblings(Solver(position.rules), known, Meter(UNLIMITED), won):
            assert bounds.lower <= minimax(each).score <= bounds.upper


def test_a_position_that_the_budget_does_not_reach_has_no_score() -> None:
    unsolved = prove_score(start("8x8x5"), Budget(nodes=20))
    assert (unsolved.score, unsolved.nodes) == (None, 20)
    assert unsolved.bounds.lower == DRAWN, "the first player never loses"
    assert prove_score(start("8x8x5"), Budget(seconds=0.0)).score is None


def slow_to_prove() -> Position:
    """Return a position whose proof remembers thousands of others."""
    return parse_position("O...../....../..XX../..XX../....../OO....", parse_rules("6x6x5")).play(17)


def test_a_full_memory_changes_no_score() -> None:
    position = slow_to_prove()
    small = Solver(position.rules, max_entries=1024)
    proved = proved_by(small, position)
    assert small.nodes > prove_score(position).nodes
    assert proved.score == prove_score(position).score


def test_no_entry_of_the_memory_says_that_a_win_fails_and_holds_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made, prover = list[Any](), engine.kernel.Prover

    def noted(*arguments: Any) -> Any:
        made.append(prover(*arguments))
        return made[-1]

    monkeypatch.setattr(engine.kernel, "Prover", noted)
    position = slow_to_prove()
    proved_by(Solver(position.rules), position)
    entries = made[0].entries()
    assert len(entries) > 1000
    assert all(fails < wins for fails, wins in entries)


def test_a_finished_game_needs_no_search() -> None:
    won = parse_position("XXX/OO./...", TIC_TAC_TOE)
    drawn = parse_position("XOX/XOO/OXX", TIC_TAC_TOE)
    assert (prove_score(won).score, prove_score(won).nodes) == (LOST, 0)
    assert (prove_score(drawn).score, prove_score(drawn).nodes) == (DRAWN, 0)


@examples(60)
@given(positions(boards(max_side=5), max_empty=8), st.data())
def test_an_answer_within_more_plies_never_turns_from_yes_to_no(position: Position, data: st.DataObject) -> None:
    if position.result:
        return
    solver = Solver(position.rules)
    lengths = data.draw(st.permutations(range(1, position.plies_left + 1, 2)))
    answers = {plies: solver.decided(position, plies, Meter(Budget())) for plies in lengths}
    ordered = [answers[plies] for plies in sorted(answers)]
    assert ordered == sorted(ordered)


@given(st.integers(1, 64), st.data())
def test_questions_and_true_answers_lead_to_the_score(plies_left: int, data: st.DataObject) -> None:
    wins = [WIN - plies for plies in range(1, plies_left + 1, 2)]
    losses = [plies - WIN for plies in range(2, plies_left + 1, 2)]
    score, bounds = data.draw(st.sampled_from([DRAWN, *wins, *losses])), Bounds(lower=2 - WIN)
    one_by_one = data.draw(st.integers(0, 64))
    while (plies := question(bounds, plies_left, one_by_one)) is not None:
        yes = score >= WIN - plies if plies % 2 else score <= plies - WIN
        bounds = after_answer(bounds, plies, yes, plies_left)
        assert bounds.lower <= score <= bounds.upper
    assert bounds.score == score


def test_the_boards_that_are_asked_ply_by_ply_are_those_with_lines_everywhere() -> None:
    asked = {
        board for board in ("6x6x4", "7x6x4", "7x7x4", "8x8x4", "7x7x5", "8x8x5") if is_crowded(parse_rules(board))
    }
    assert asked == {"7x7x4", "8x8x4"}


EMPTY_BOARD = {"4x4x3": WIN - 5, "4x4x4": DRAWN}
"""The score of the empty board: Uiterwijk and van den Herik, "The advantage of the initiative", 2000, for the values;
five plies are the fewest that put three X on a board."""

CLASSES = {"4x4x3": 434_209, "4x4x4": 1_135_902}
"""Positions without a line, one of each symmetry class."""

SOLVED = [800, *exhaustive(50_000)]
"""The number of positions of a board that are each solved by a new solver."""

MOVES_PROVED = [150, *exhaustive(3_000)]
"""The number of positions of which every move is proved."""


def sample(rules: Rules, count: int) -> Iterator[Position]:
    """Yield at least `count` positions without a line, of different symmetry classes."""
    return islice(classes(rules), 0, None, CLASSES[str(rules)] // count)


@pytest.fixture(scope="module", params=[*exhaustive("4x4x3"), "4x4x4"])
def full(request: pytest.FixtureRequest) -> FullTable:
    return full_table(parse_rules(request.param))


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x3x3", "4x3x3", *exhaustive("3x4x3")])
def test_the_full_table_agrees_with_the_table_of_reachable_positions(board: str) -> None:
    rules = parse_rules(board)
    full = full_table(rules)
    for position in tabulated(rules):
        assert full.score(position) == look_up(position), position


@pytest.mark.slow
def test_the_full_table_has_the_published_value_of_the_empty_board(full: FullTable) -> None:
    assert full.score(Position(full.rules)) == EMPTY_BOARD[str(full.rules)]


@pytest.mark.exhaustive
@pytest.mark.skipif(KERNEL != "compiled", reason="takes the interpreter minutes; the sample below is for it too")
def test_every_position_is_decided_within_as_many_plies_as_the_full_table_says_and_no_fewer(full: FullTable) -> None:
    solver, meter, count = Solver(full.rules), Meter(UNLIMITED), 0
    for position in classes(full.rules):
        score, left = full.score(position), position.plies_left
        first = left + 1 if score == DRAWN else WIN - abs(score)
        assert score == DRAWN or solver.decided(position, first, meter), position
        # An odd number asks for a win and an even one for a loss; an answer holds for all fewer plies of its kind.
        assert not any(solver.decided(position, plies, meter) for plies in range(max(1, first - 2), first)), position
        count += 1
    assert count == CLASSES[str(full.rules)]


@pytest.mark.slow
@pytest.mark.parametrize("count", SOLVED)
def test_solving_agrees_with_the_full_table(full: FullTable, count: int) -> None:
    for position in sample(full.rules, count):
        assert prove_score(position).score == full.score(position), position


@pytest.mark.slow
@pytest.mark.parametrize("count", MOVES_PROVED)
def test_proving_all_moves_agrees_with_the_full_table(full: FullTable, count: int) -> None:
    for position in sample(full.rules, count):
        scores = {cell: to_parent(full.score(position.after(cell))) for cell in position.legal_moves}
        assert prove_moves(position, position.legal_moves).scores == scores, position
