"""Learners: their rules, their matchboxes, the games against them, and the exam."""

from collections import Counter
from fractions import Fraction
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.analysis.trial import trial
from solver.board.notation import format_moves
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of
from solver.errors import BadOption, IllegalMove
from solver.players import STRATEGIES
from solver.players.decision import Rule
from solver.players.handbook import HANDBOOK
from solver.players.learning.boxes import MICRO, MINI, WHOLE, Chest, boxes, opened
from solver.players.learning.exam import Odds, exam, holding_from, learning_curve, quick_exam
from solver.players.learning.learners import (
    BEADS,
    EXPLORATION,
    LEARNERS,
    MENACE,
    MICRO_MENACE,
    MINI_MENACE,
    Q_LEARNING,
    RATE,
    REWARD,
    Learner,
    Memory,
    epsilon_greedy,
    greedy,
    learner_named,
    rewarded,
    updated,
)
from solver.players.learning.training import challenge, trained, training_game
from solver.players.match import match_results, results
from tests.solver.players.learning.states import after, as_opponent, faultless
from tests.strategies import examples, reachable


def test_new_boxes_have_four_three_two_or_one_beads_a_square() -> None:
    for box, row in zip(boxes(), MENACE.start, strict=True):
        assert row == (BEADS[box.turn - 1],) * len(box.squares)
    assert [MENACE.start[number] for number in (0, 1, 303)] == [(4, 4, 4), (3,) * 7, (1, 1, 1)]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result.X, ((4, 7, 4), (3, 3, 6, 3))),
        (Result.DRAW, ((4, 5, 4), (3, 3, 4, 3))),
        (Result.O, ((4, 3, 4), (3, 3, 2, 3))),
    ],
)
def test_a_win_adds_three_beads_a_draw_one_and_a_loss_takes_the_bead(result: Result, expected: object) -> None:
    assert rewarded([(4, 4, 4), (3, 3, 3, 3)], [1, 2], result) == expected


def test_menace_resigns_when_the_box_is_empty_and_pays_for_the_boxes_it_opened() -> None:
    memory = ((0, 0, 1), *((0,) * len(row) for row in MENACE.start[1:]))
    game = training_game(MENACE, memory, STRATEGIES["hard"], "1", 1)
    assert (game.resigned, game.result, len(game.moves)) == (True, Result.O, 2)
    starved = game.taught(memory)
    assert starved[0] == (0, 0, 0)
    game = training_game(MENACE, starved, STRATEGIES["hard"], "1", 2)
    assert (game.resigned, game.result, game.moves, game.draws) == (True, Result.O, (), ())
    assert game.taught(starved) == starved


@examples(60)
@given(st.sampled_from(["easy", "hard", "pyfl-program"]), st.text(max_size=5), st.randoms(use_true_random=False))
def test_beads_come_and_go_by_the_rules_alone(opponent: str, seed: str, chance: Random) -> None:
    memory = tuple(tuple(chance.randrange(4) for _ in row) for row in MENACE.start)
    game = training_game(MENACE, memory, STRATEGIES[opponent], seed, 1)
    taught = game.taught(memory)
    opened = {draw.box.number - 1 for draw in game.draws}
    assert sum(map(sum, taught)) == sum(map(sum, memory)) + REWARD[game.result] * len(game.draws)
    assert all(min(row) >= 0 for row in taught)
    assert all(memory[place] == taught[place] for place in range(len(memory)) if place not in opened)
    assert all(draw.before[draw.drawn] >= 1 for draw in game.draws)


def test_a_value_goes_a_quarter_of_the_way_to_what_comes_next() -> None:
    rows = [(0.0, 1.0), (2.0, -1.0)]
    assert RATE == 0.25
    assert updated(rows, [0, 1], Result.O) == ((0.5, 1.0), (2.0, -1.0))
    assert updated(rows, [1, 0], Result.X) == ((0.0, 1.25), (2.25, -1.0))


def test_q_learning_plays_the_squares_of_the_greatest_value_and_tries_any_one_time_in_ten() -> None:
    row = (0.5, 0.0, 0.5, -1.0)
    assert greedy(row) == (1, 0, 1, 0)
    weights = epsilon_greedy(row)
    any_square, best = Fraction(1, 4 * EXPLORATION), Fraction(EXPLORATION - 1, 2 * EXPLORATION)
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    assert shares == [best + any_square, any_square, best + any_square, any_square]


@pytest.mark.parametrize(
    ("learner", "games"),
    [
        ("menace", ["b3c2c1b1a2b2c3a3a1", "a3b1b2a2c3c1c2a1", "b3c3b1c1c2a3b2"]),
        ("q", ["b3c2c1b1a2b2c3a3a1", "a3b1b2a2c3c1c2a1", "a3c3b1c1a1b3a2"]),
    ],
)
def test_a_seed_fixes_every_game(learner: str, games: list[str]) -> None:
    played = islice(trained(LEARNERS[learner], STRATEGIES["easy"], "1"), len(games))
    assert [format_moves(game.moves, TIC_TAC_TOE) for game in played] == games


def test_an_unknown_learner_is_refused() -> None:
    assert learner_named(" Q ") is Q_LEARNING
    with pytest.raises(BadOption, match="Choose one of: menace, mini, micro, q"):
        learner_named("nobody")


@pytest.mark.parametrize(
    ("chest", "turns"),
    [
        (WHOLE, [1, 12, 108, 183]),
        (Chest((HANDBOOK["centre"],)), [0, 2, 24, 59]),
        (MINI, [0, 2, 6, 9]),
        (Chest((HANDBOOK["win"], HANDBOOK["block"], HANDBOOK["centre"])), [0, 2, 3, 3]),
        (MICRO, [0, 2, 2, 0]),
    ],
    ids=["304", "85", "17", "8", "4"],
)
def test_each_rule_that_a_machine_follows_saves_boxes(chest: Chest, turns: list[int]) -> None:
    assert [sum(box.turn == turn for box in boxes(chest)) for turn in (1, 2, 3, 4)] == turns
    assert [box.number for box in boxes(chest)] == list(range(1, sum(turns) + 1))


def fillings(chest: Chest, most: int) -> set[frozenset[Position]]:
    """Return the sets of up to `most` boxes that can be filled so that the machine never loses.

    In all positions without a box, it plays any square that its rules allow.
    """
    found = set[frozenset[Position]]()

    def search(agenda: frozenset[Position], met: frozenset[Position], filled: frozenset[Position]) -> None:
        if len(filled) > most or any(position.result is Result.O for position in agenda):
            return
        waiting = [position for position in agenda if position.result is None]
        if not waiting:
            found.add(filled)
            return
        position = min(waiting, key=lambda each: (each.plies_left, each.x, each.o))
        allowed = chest.unboxed(position) if position.mover is Mark.X else position.legal_moves
        ways: dict[tuple[Cell, ...], frozenset[Position]] = {allowed or position.legal_moves: filled}
        if not allowed:
            ways |= {orbit[:1]: filled | {position} for orbit in position.orbits()}
        for cells, boxed in ways.items():
            after = {position.after(cell).canonical() for cell in cells} - met
            search((agenda - {position}) | after, met | after, boxed)

    search(frozenset({Position(TIC_TAC_TOE)}), frozenset(), frozenset())
    return found


def opening_at(cell: Cell) -> Rule:
    return Rule("opening", "", lambda position: () if position.x else (cell,))


def test_four_boxes_are_the_fewest_that_can_learn_never_to_lose() -> None:
    fours = fillings(MINI, 4)
    assert {len(four) for four in fours} == {4}
    assert len(fours) == 6
    assert MICRO.only in fours


@pytest.mark.slow
@pytest.mark.parametrize("cell", [0, 1])
def test_no_four_boxes_do_for_another_opening(cell: Cell) -> None:
    assert fillings(Chest((HANDBOOK["win"], opening_at(cell))), 4) == set()


@pytest.mark.parametrize(("learner", "new", "taught"), [(MINI_MENACE, 0.733, 0.068), (MICRO_MENACE, 0.733, 0.136)])
def test_few_boxes_learn_to_hold_out_against_perfect_play(learner: Learner, new: float, taught: float) -> None:
    runs = [islice(learning_curve(learner, STRATEGIES["impossible"], str(seed)), 0, 101, 100) for seed in range(1, 21)]
    losses = [[learnt.odds.loss for learnt in run] for run in runs]
    assert [round(sum(each) / len(runs), 3) for each in zip(*losses, strict=True)] == [new, taught]


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_every_position_in_which_x_has_a_choice_has_a_box_for_its_distinct_squares(step: int) -> None:
    faced = [each for each in reachable(TIC_TAC_TOE) if each.legal_moves[1:] and each.mover is Mark.X]
    for position in faced[::step]:
        box, cells = opened(position)
        assert box is not None
        assert box.position == position.canonical()
        assert len(cells) == len(box.squares)
        for square, cell in zip(box.squares, cells, strict=True):
            assert box.position.after(square).canonical() == position.after(cell).canonical()
        every = {position.after(cell).canonical() for cell in cells_of(position.empty)}
        assert len(every) == len(cells)


def test_of_squares_that_a_symmetry_exchanges_only_one_has_beads() -> None:
    empty, *_, last = boxes()
    assert empty.squares == (0, 1, 4)
    assert all(len(box.squares) == len(box.position.orbits()) for box in boxes())
    assert last.position.plies_left == 3


EMPTY = tuple((0,) * len(row) for row in MENACE.start)


def test_the_learner_moves_first_and_answers_each_reply_the_same_again() -> None:
    first = challenge(Q_LEARNING, Q_LEARNING.start, (), "1")
    assert (len(first.game.moves), first.game.last.mover, first.over) == (1, Mark.O, False)
    assert first.box is not None
    assert first.box.number == 1
    reply = first.game.last.legal_moves[0]
    second = challenge(Q_LEARNING, Q_LEARNING.start, (reply,), "1")
    assert second.game.moves[:2] == (*first.game.moves, reply)
    assert second == challenge(Q_LEARNING, Q_LEARNING.start, (reply,), "1")


def test_a_game_goes_on_to_its_end_and_no_farther() -> None:
    replies: tuple[int, ...] = ()
    while not (played := challenge(MENACE, faultless(), replies, "2")).over:
        replies += played.game.last.legal_moves[:1]
    assert played.game.last.result in (Result.X, Result.DRAW)
    with pytest.raises(IllegalMove, match="The game is over"):
        challenge(MENACE, faultless(), (*replies, 0), "2")


def test_a_learner_whose_box_is_empty_resigns() -> None:
    resigned = challenge(MENACE, EMPTY, (), "1")
    assert (resigned.resigned, resigned.over, resigned.game.moves, resigned.box) == (True, True, (), None)
    with pytest.raises(IllegalMove, match="MENACE has resigned"):
        challenge(MENACE, EMPTY, (4,), "1")


def test_a_square_that_is_taken_is_refused() -> None:
    memory = after(MENACE, "hard", 3)
    taken = challenge(MENACE, memory, (), "1").game.moves[0]
    with pytest.raises(IllegalMove, match="taken"):
        challenge(MENACE, memory, (taken,), "1")


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
