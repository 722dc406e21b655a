"""The exam, compared with whole games followed exactly, with every line of play, and with a long match."""

from collections import Counter
from itertools import islice

import pytest

from solver.analysis.trial import trial
from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE
from solver.players import STRATEGIES
from solver.players.learning.exam import Odds, exam, holding_from, learning_curve, quick_exam
from solver.players.learning.learners import LEARNERS, MENACE, Q_LEARNING, Learner, Memory
from solver.players.match import match_results, results
from tests.solver.players.learning.states import after, as_opponent, faultless

STATES = {
    "new boxes": (MENACE, MENACE.start),
    "boxes after 30 games": (MENACE, after(MENACE, "seven-rules", 30)),
    "faultless boxes": (MENACE, faultless()),
    "values after 60 games": (Q_LEARNING, after(Q_LEARNING, "seven-rules", 60)),
}
AGAINST = ("hard", "pyfl-program", *(pytest.param(name, marks=pytest.mark.slow) for name in ("easy", "medium")))


@pytest.mark.parametrize("opponent", AGAINST)
@pytest.mark.parametrize(("learner", "memory"), STATES.values(), ids=list(STATES))
def test_the_exam_gives_the_chances_of_whole_games(learner: Learner, memory: Memory, opponent: str) -> None:
    against = STRATEGIES[opponent]
    exact = exam(learner, memory, against)
    ends = results(TIC_TAC_TOE, as_opponent(learner, memory), against)
    assert exact == (ends[Result.X], ends[Result.DRAW], ends[Result.O])
    quick = quick_exam(learner, memory, against)
    assert quick == pytest.approx(tuple(map(float, exact)), abs=1e-12)
    assert [chance == 0 for chance in quick] == [chance == 0 for chance in exact]


@pytest.mark.parametrize(("learner", "memory"), STATES.values(), ids=list(STATES))
def test_only_a_learner_that_loses_no_line_of_play_cannot_lose_to_random_play(learner: Learner, memory: Memory) -> None:
    unbeatable = trial(as_opponent(learner, memory), Mark.X, TIC_TAC_TOE).unbeatable
    assert unbeatable == (exam(learner, memory, STRATEGIES["easy"]).loss == 0) == (memory == faultless())


@pytest.mark.parametrize("learner", LEARNERS.values(), ids=list(LEARNERS))
@pytest.mark.parametrize("opponent", ["medium", "pyfl-program"])
def test_the_learning_curve_has_the_exam_of_the_memory_after_each_game(learner: Learner, opponent: str) -> None:
    for learnt in islice(learning_curve(learner, STRATEGIES[opponent], "1"), 0, 60, 7):
        assert learnt.odds == quick_exam(learner, learnt.memory, STRATEGIES[opponent])


def test_an_empty_first_box_loses_for_certain() -> None:
    empty = tuple((0,) * len(row) for row in MENACE.start)
    assert quick_exam(MENACE, empty, STRATEGIES["easy"]) == (0.0, 0.0, 1.0)


def test_a_learner_holds_from_the_game_after_which_it_always_loses_seldom() -> None:
    odds = [Odds(0.0, 1 - loss, loss) for loss in (0.5, 0.05, 0.1, 0.09, 0.0)]
    assert holding_from(odds) == 3
    assert holding_from(odds[:3]) is None
    assert holding_from(odds[4:]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS.values(), ids=list(LEARNERS))
def test_four_thousand_games_come_out_as_the_exam_says(learner: Learner) -> None:
    memory, games = after(learner, "easy", 80), 4_000
    counts = Counter(match_results(TIC_TAC_TOE, as_opponent(learner, memory), STRATEGIES["easy"], games, seed="1"))
    odds = exam(learner, memory, STRATEGIES["easy"])
    for result, chance in zip((Result.X, Result.DRAW, Result.O), odds, strict=True):
        assert 0 < chance < 1
        deviation = (games * chance * (1 - chance)) ** 0.5
        assert abs(counts[result] - games * chance) < 4 * deviation
