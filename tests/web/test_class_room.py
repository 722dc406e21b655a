"""The referee of a class, its codes and its questions, without a server."""

from collections import Counter
from collections.abc import Callable
from itertools import chain

import pytest

from solver.board.position import Result
from solver.errors import BadOption, NoughtsError
from webapp.pages.classes.question import question_of, tasks_of, tasks_of_unit
from webapp.pages.classes.room import (
    ANIMALS,
    CODE_LENGTH,
    LETTERS,
    SEATS,
    ClassGame,
    Mode,
    Room,
    Shows,
    ask_next,
    go_on,
    pair,
    pair_anew,
    play_on,
    read_code,
    show_more,
    start_round,
    table,
)
from webapp.pages.classes.routes import GUESSED_AT_ONCE, GUESSES
from webapp.pages.learn.course import UNITS
from webapp.pages.learn.unit import Unit
from webapp.serving.fairness import NETWORK, Members

ASKING = Room(Mode.ASK, ("play/3x3x3", "play/3x3x3?moves=b2"))


def test_the_wall_shows_counts_then_colours_then_reasons() -> None:
    room = ASKING
    for stage in (Shows.COUNTED, Shows.COLOURED, Shows.EXPLAINED, Shows.EXPLAINED):
        room = show_more(room, room.point)
        assert room.stage is stage


@pytest.mark.parametrize("act", [show_more, go_on])
def test_a_press_that_arrives_twice_counts_once(act: Callable[[Room, str], Room]) -> None:
    after = act(ASKING, ASKING.point)
    assert after != ASKING
    assert act(after, ASKING.point) == after


def test_after_the_last_question_the_lesson_is_over_and_takes_no_answers() -> None:
    room = go_on(ASKING, ASKING.point)
    assert room.at == 1
    assert room.takes_answers
    room = go_on(room, room.point)
    assert room.is_over
    assert not room.takes_answers


def test_another_question_comes_next_and_then_the_rest() -> None:
    room = ask_next(show_more(ASKING, ASKING.point), ("play/4x4x4",))
    assert (room.at, room.stage) == (1, Shows.ASKING)
    assert room.tasks == ("play/3x3x3", "play/4x4x4", "play/3x3x3?moves=b2")


def test_a_class_asks_at_most_forty_questions() -> None:
    room = Room(Mode.ASK, ("play/3x3x3",) * 40, at=39)
    with pytest.raises(BadOption, match="at most 40"):
        ask_next(room, ("play/3x3x3",))
    assert play_on(room, "play/3x3x3?moves=b2", is_over=False, until=9.0).is_over


@pytest.mark.parametrize("pupils", [2, 3, 4, 5, 8, 13, 60])
def test_in_a_tournament_everyone_meets_everyone_once_and_is_x_about_as_often(pupils: int) -> None:
    rounds = [pair(pupils, number) for number in range(pupils - 1 + pupils % 2)]
    met = Counter(frozenset(players) for players in chain(*rounds))
    assert len(met) == pupils * (pupils - 1) // 2
    assert set(met.values()) == {1}
    for games in rounds:
        assert len(set(chain(*games))) == 2 * len(games) >= pupils - 1
    as_x = Counter(x for x, _ in chain(*rounds))
    assert max(as_x.values()) - min(as_x[number] for number in range(pupils)) <= 1 + pupils % 2


def test_whoever_comes_late_to_a_tournament_makes_nobody_meet_again() -> None:
    room, met = Room(Mode.TOURNAMENT), Counter[frozenset[int]]()
    for numbers in ((0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 2, 3, 4, 5)):
        pairs = pair_anew(room, numbers)
        met.update(map(frozenset, pairs))
        room = start_round(room, [ClassGame(f"{len(met)}", *players) for players in pairs])
    assert set(met.values()) == {1}


def test_a_win_counts_one_a_draw_half_and_a_game_that_goes_on_nothing() -> None:
    room = start_round(Room(Mode.TOURNAMENT), [ClassGame("won", 0, 1), ClassGame("drawn", 2, 3), ClassGame("on", 4, 5)])
    rows = table(room, {"won": Result.O, "drawn": Result.DRAW, "on": None}, range(6))
    assert [(row.number, row.points, row.played) for row in rows[:3]] == [(1, 1, 1), (2, 0.5, 1), (3, 0.5, 1)]
    assert all(row.points == 0 for row in rows[3:])


def test_a_tournament_has_as_many_rounds_as_a_full_class_needs() -> None:
    room = Room(Mode.TOURNAMENT, rounds=((),) * 60)
    with pytest.raises(BadOption, match="at most 60 rounds"):
        start_round(room, [])


def test_a_code_is_read_however_it_is_typed() -> None:
    assert read_code(" bc dfg ") == "BCDFG"


@pytest.mark.parametrize("text", ["", "BCDF", "BCDFGH", "BCDFA", "BCDF1"])
def test_what_is_no_code_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadOption, match="such as BCDFG"):
        read_code(text)


def test_guessing_finds_a_class_in_a_week_at_the_earliest_on_average() -> None:
    codes, classes = len(LETTERS) ** CODE_LENGTH, 100
    an_hour = GUESSED_AT_ONCE + 3600 * GUESSES
    assert codes == 3_200_000
    assert an_hour * classes / codes < 0.06  # of one address: one hit in 17 hours
    assert NETWORK * an_hour * classes / codes < 0.24  # of a whole /24


def test_there_is_an_animal_for_each_seat() -> None:
    assert len(set(ANIMALS)) == len(ANIMALS) == SEATS == 60


def test_a_member_counts_with_the_class_and_others_with_their_address() -> None:
    members = Members()
    members.note("s" * 32, "class/BCDFG")
    assert members.group_of(f"a=b; seat={'s' * 32}", "192.0.2.1") == "class/BCDFG"
    assert members.group_of(f"seat={'t' * 32}", "192.0.2.1") == "192.0.2.1"
    assert members.group_of("x=1;" * 20 + f"seat={'s' * 32}", "192.0.2.1") == "192.0.2.1"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_question_of_a_unit_that_a_class_is_asked_has_a_right_answer_and_takes_it(unit: Unit) -> None:
    for task in tasks_of_unit(unit):
        question = question_of(task)
        assert question.right
        assert {question.read(answer) for answer in question.right} == question.right


def test_a_position_is_asked_with_its_best_squares() -> None:
    (task,) = tasks_of("X.O/.X./..O", "")
    assert question_of(task).right == {"c2"}


def test_the_link_of_a_set_names_all_its_drills() -> None:
    tasks = tasks_of("https://example.org/practise/set?kind=fork&count=3&seed=7b", "")
    assert len(tasks) == 3
    assert all(task.endswith("-fork") for task in tasks)


@pytest.mark.parametrize(
    ("asked", "message"),
    [("", "Choose what to ask"), ("kind:nothing", "no kind"), ("XXX/OO./...", "over"), ("hello there", "isn't a game")],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(asked: str, message: str) -> None:
    with pytest.raises(NoughtsError, match=message):
        tasks_of(asked, "")


def test_stones_that_fall_are_answered_by_their_landing() -> None:
    question = question_of("play/4x4x3-gravity")
    assert question.read("b4") == question.read("b1") == "b1"
