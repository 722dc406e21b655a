"""Games against a learner that teach it nothing."""

import pytest

from solver.board.position import Mark, Result
from solver.errors import IllegalMove
from solver.players.learning.learners import MENACE, Q_LEARNING
from solver.players.learning.training import challenge
from tests.solver.players.learning.states import after, faultless

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
