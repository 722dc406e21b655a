"""The oracle: what it answers in place, what it leaves to a pool, and the chances that it counts."""

import pickle
from typing import Any

import pytest

from solver import oracle
from solver.analysis.chances import chances, positions_below
from solver.board.game import parse_game
from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN, Outcome, Value
from solver.board.position import Position
from solver.oracle import (
    LATE_POSITIONS,
    ChancesQuestion,
    DecisionQuestion,
    LongQuestion,
    PredictionsQuestion,
    Proving,
    ReasonsQuestion,
)
from solver.players import STRATEGIES, opponent_called
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction, ProofState, ProofStatus, ProvedMoves
from tests.strategies import TIC_TAC_TOE

LATE = parse_position("XOXO/OXOX/XO../....", parse_rules("4x4x4"))
"""A position with six open squares."""

LARGE = parse_game("8x8x5", None, "a8h1").last


class Pool:
    """A pool that answers at once in this process, from what travels, and remembers the questions."""

    search_nodes = 0

    def __init__(self, proved: ProvedMoves = ()) -> None:
        self.proved = proved
        self.asked: list[LongQuestion] = []
        self.long: list[bool] = []
        self.watched: list[tuple[Position, bool]] = []

    def answer(self, question: LongQuestion, long: bool = False) -> Any:
        self.asked.append(question)
        self.long.append(long)
        return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(question)).answer()[0]))  # noqa: S301 - our own

    def watch(self, position: Position, in_view: bool) -> ProofStatus:
        self.watched.append((position, in_view))
        return ProofStatus(ProofState.PROVING, proved=self.proved)

    def release(self, position: Position) -> None:
        self.watched.remove((position, True))


def test_of_a_small_board_a_pool_is_asked_nothing() -> None:
    pool, position, hard = Pool(), parse_position("X.O/.X./..O"), STRATEGIES["hard"]
    prediction, status = oracle.prove(position, Proving.IN_VIEW, pool)
    assert (prediction, status) == (predict(position), None)
    assert oracle.predict_together([position], pool) == {position: prediction}
    assert oracle.explain(prediction, prediction.squares, line=5, pool=pool)[5].verified
    assert oracle.decide(STRATEGIES["impossible"], position, None, pool).choices == {5: 1}
    assert oracle.chances(position, hard, pool) == chances(position, hard)
    assert oracle.review(parse_game(TIC_TAC_TOE, None, "b2a1"), pool=pool).complete
    assert (pool.asked, pool.watched) == ([], [])


@pytest.mark.usefixtures("without_books")
def test_a_pool_proves_what_is_left_until_nobody_watches() -> None:
    pool = Pool()
    prediction, status = oracle.prove(LARGE, Proving.IN_VIEW, pool)
    assert (prediction.complete, status) == (False, ProofStatus(ProofState.PROVING))
    assert pool.watched == [(LARGE, True)]
    assert oracle.prove(LARGE, Proving.STOPPED, pool)[1] == ProofStatus(ProofState.OFF)
    oracle.prove(LARGE, Proving.ASIDE, pool)
    assert pool.watched == [(LARGE, False)]


@pytest.mark.usefixtures("without_books")
def test_without_a_pool_nothing_is_proved_in_the_background() -> None:
    assert oracle.prove(LARGE, Proving.IN_VIEW)[1] == ProofStatus(ProofState.OFF)


@pytest.mark.usefixtures("without_books")
def test_what_a_pool_has_proved_is_known_from_then_on() -> None:
    position = parse_game("8x8x5", None, "a8h2").last
    (first, *_), *others = position.orbits()
    proved = ((first, DRAWN, DRAWN), *((orbit[0], DRAWN, DRAWN) for orbit in others))
    prediction, _ = oracle.prove(position, Proving.IN_VIEW, Pool(proved[:1]))
    assert prediction.squares[first].is_exact
    assert not prediction.complete
    prediction, status = oracle.prove(position, Proving.IN_VIEW, Pool(proved))
    assert (prediction.complete, status) == (True, None)
    assert oracle.known(position) == prediction


def test_many_positions_are_one_long_question_without_those_that_a_table_has() -> None:
    pool, small, searched = Pool(), Position(TIC_TAC_TOE), parse_game("5x5x3", None, "b2c3").last
    predictions = oracle.predict_together([searched, small, searched], pool)
    assert predictions == {small: predict(small), searched: predict(searched)}
    assert (pool.asked, pool.long) == ([PredictionsQuestion((searched,))], [True])


def test_reasons_of_a_larger_board_are_the_pools_and_those_of_unknown_squares_are_not() -> None:
    pool, position = Pool(), parse_game("4x4x3", None, "b2c3").last
    prediction = predict(position)
    cells = prediction.best[:1]
    assert oracle.explain(prediction, cells, pool=pool) == oracle.explain(prediction, cells)
    assert oracle.explain(prediction, prediction.squares, pool=pool) == oracle.explain(prediction, prediction.squares)
    known = tuple(prediction.squares.items())
    assert pool.asked == [ReasonsQuestion(position, known, asked) for asked in (cells, tuple(prediction.squares))]
    assert pool.long == [False, True]
    oracle.reason_of(Prediction(LARGE, {1: Outcome(Value.UNKNOWN, None)}, 0), 1, pool)
    assert len(pool.asked) == 2


def test_a_line_goes_on_to_the_end_of_the_game() -> None:
    position = Position("4x3x3")
    prediction = predict(position)
    cell = prediction.best[0]
    reasons, is_whole = ReasonsQuestion(position, tuple(prediction.squares.items()), (cell,), line=cell).answer()
    assert (1 + len(reasons[cell].refutation), is_whole) == (prediction.squares[cell].plies, True)


def test_a_decision_that_takes_a_search_is_asked_for_once() -> None:
    pool, position, player = Pool(), parse_game("5x5x4", None, "a1b2c3").last, STRATEGIES["alphabeta-2"]
    decisions = [oracle.decide(player, position, None, pool) for _ in range(2)]
    assert decisions == [player.decide(position)] * 2
    assert pool.asked == [DecisionQuestion(position, "alphabeta-2")]


@pytest.mark.usefixtures("without_books")
def test_a_decision_that_rests_on_proofs_is_the_pools_only_with_a_seed() -> None:
    pool, position, player = Pool(), parse_game("5x4x4", None, "a1e4b3").last, STRATEGIES["impossible"]
    oracle.decide(player, position, None, pool)
    assert (pool.asked, pool.watched) == ([], [(position, False)])
    oracle.decide(player, position, "1", pool)
    assert pool.asked == [DecisionQuestion(position, "impossible", seeded=True)]


@pytest.mark.parametrize(("name", "position"), [("rules:win,block", Position(TIC_TAC_TOE)), ("hard", LATE)])
def test_chances_against_opponents_of_which_there_are_many_are_the_pools(name: str, position: Position) -> None:
    pool, opponent = Pool(), opponent_called(name)
    assert opponent is not None
    assert oracle.chances(position, opponent, pool) == chances(position, opponent)
    assert pool.asked == [ChancesQuestion(position, name)]


@pytest.mark.parametrize("name", STRATEGIES)
def test_on_3x3_every_opponent_leaves_chances_from_the_first_move_on(name: str) -> None:
    empty, opponent = Position(TIC_TAC_TOE), STRATEGIES[name]
    assert oracle.chances(empty, opponent) == chances(empty, opponent)
    assert len(oracle.chances(empty, opponent)) == 9


@pytest.mark.parametrize(
    ("position", "name"),
    [(Position("2x2x2"), "pyfl-program"), (parse_position("XXX/OO./..."), "hard")],
    ids=["a board that it does not play", "a finished game"],
)
def test_there_are_no_chances_where_nobody_plays(position: Position, name: str) -> None:
    assert oracle.chances(position, STRATEGIES[name]) == {}


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "rulebook", "short-rulebook"])
def test_on_a_larger_board_players_by_rules_leave_chances_as_soon_as_six_squares_are_open(name: str) -> None:
    assert oracle.chances(LATE, STRATEGIES[name]) == chances(LATE, STRATEGIES[name])
    assert len(oracle.chances(LATE, STRATEGIES[name])) == 6


def test_earlier_on_a_larger_board_there_are_no_chances() -> None:
    earlier = parse_position("XOXO/OXOX/X.../....", parse_rules("4x4x4"))
    assert positions_below(LATE) <= LATE_POSITIONS < positions_below(earlier)
    assert oracle.chances(earlier, STRATEGIES["easy"]) == {}


@pytest.mark.parametrize("name", [name for name, player in STRATEGIES.items() if not player.quick(LATE.rules)])
def test_on_a_larger_board_opponents_that_search_leave_no_chances(name: str) -> None:
    assert oracle.chances(LATE, STRATEGIES[name]) == {}
