"""The PyFL article's program as streams: values are worked out when they are asked for, at most once."""

import pytest

from solver.articles.streams import ERRORS, answering, fby, free, make_move, pair, program, run, starting_board

GAME = (1, 2)


def test_a_stream_begins_with_its_first_value_and_goes_on_with_the_rest_of_the_time_before() -> None:
    counting = fby(1, lambda ask, time: ask("count", time) + 1)

    def ask(_: str, time: int) -> object:
        return counting(ask, time)

    assert [ask("count", time) for time in range(1, 6)] == [1, 2, 3, 4, 5]


def test_a_board_answers_for_its_own_move_and_asks_the_one_before_about_the_others() -> None:
    board = make_move("O", 5, make_move("X", 1, starting_board))
    assert "".join(map(board, range(1, 10))) == "X...O...."
    with pytest.raises(ValueError, match="overplay X5"):
        make_move("X", 5, board)
    assert answering((1, 5, 2), 2) == (4,)
    assert answering((1, 5, 2), 1) == (4, 3, 2)
    assert answering((1, 5, 2), 9) == (4, 3, 2, 1)


def test_a_rule_that_finds_nothing_says_so_and_has_no_square() -> None:
    has, square = pair(free([5]))
    assert not has(lambda *_: lambda _: "X", 1)
    with pytest.raises(ERRORS):
        square(lambda *_: lambda _: "X", 1)


def test_a_lazy_run_works_out_each_value_once_and_nothing_that_nobody_asks_for() -> None:
    steps = run(GAME)
    known = [(step.name, step.time) for step in steps if step.value is not None]
    assert len(known) == len(set(known))
    assert known.index(("board", 2)) < known.index(("board", 3))
    assert ("WinX", 2) not in known
    assert ("WinX", 4) in known
    assert not any(name in ("WinO", "FreeSide", "Side", "Corner") for name, _ in known)
    assert steps[-1].value == "XXO\n.O.\n..."


def test_every_question_is_asked_by_a_stream_that_waits_for_its_value() -> None:
    waiting: list[tuple[str, int]] = []
    for step in run(GAME):
        if step.value is None:
            assert step.by == (waiting[-1] if waiting else None)
            waiting.append((step.name, step.time))
        else:
            assert waiting.pop() == (step.name, step.time)
    assert waiting == []


def test_an_eager_run_meets_the_error_that_a_lazy_run_never_asks_for() -> None:
    assert [(step.name, step.time) for step in run(GAME, eager=True) if step.error] == [("WinX", 1)]
    assert not any(step.error for step in run(GAME))


def test_an_error_that_is_asked_for_stops_a_lazy_run_too() -> None:
    assert run((1, 5))[-1].error == "overplay X5"


def test_the_program_names_each_stream_once() -> None:
    assert len(program(GAME)) == 3 + 2 * 4 + 1
