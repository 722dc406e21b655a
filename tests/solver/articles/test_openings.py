"""The first two moves and the forced wins of the Clojure article, part 2, by plain minimax and brute force."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.openings import (
    Opening,
    forced_wins,
    openings,
    winning_moves,
    worth,
)
from solver.board.notation import parse_position
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from tests.strategies import TIC_TAC_TOE, minimax_score, positions

LOST = [reply.position for opening in openings(TIC_TAC_TOE) for reply in opening.losing]


def oracle(at: Position) -> int:
    own = sign(minimax_score(at))
    return own if at.mover is Mark.X else -own


@pytest.mark.parametrize("opening", openings(TIC_TAC_TOE), ids=lambda opening: opening.name)
def test_replies_are_worth_what_plain_minimax_finds(opening: Opening) -> None:
    cells = [cell for reply in opening.replies for cell in reply.cells]
    assert sorted(cells) == list(opening.position.legal_moves)
    for reply in opening.replies:
        assert {oracle(opening.position.after(cell)) for cell in reply.cells} == {reply.worth}


@given(positions(st.just(TIC_TAC_TOE), max_empty=6))
def test_worth_is_what_plain_minimax_finds(at: Position) -> None:
    assert worth(at) == oracle(at)


def brute_force(at: Position) -> Iterator[tuple[int, ...]]:
    """Yield every sequence of X threat, O block, X fork, found from the lines alone."""
    lines = at.rules.lines

    def wins(stones: int, taken: int) -> set[int]:
        return {c for c in range(9) if not taken >> c & 1 and any((stones | 1 << c) & line == line for line in lines)}

    for first in range(9):
        for second in range(9):
            for third in range(9):
                stones = [1 << first, 1 << second, 1 << third]
                taken = at.x | at.o
                if len({first, second, third}) < 3 or any(stone & taken for stone in stones):
                    continue
                x, o = at.x | stones[0], at.o | stones[1]
                if wins(x, x | at.o) != {second} or wins(at.o, x | at.o):
                    continue
                x |= stones[2]
                if len(wins(x, x | o)) > 1 and not wins(o, x | o):
                    yield first, second, third


@pytest.mark.parametrize("lost", LOST, ids=str)
def test_the_forced_wins_are_all_that_brute_force_finds(lost: Position) -> None:
    assert [way.moves for way in forced_wins(lost)] == sorted(brute_force(lost))


@pytest.mark.parametrize("lost", LOST, ids=str)
def test_every_winning_move_after_a_losing_reply_is_a_threat(lost: Position) -> None:
    assert set(winning_moves(lost)) == {way.moves[0] for way in forced_wins(lost)}
    assert all(lost.after(cell).threats(Mark.X) for cell in winning_moves(lost))


def test_o_forces_forks_too() -> None:
    (way,) = (way for way in forced_wins(parse_position("X../XOX/..O")) if len(way.moves) == 1)
    assert len(way.fork.threats(Mark.O)) == 2


def test_a_move_that_leaves_the_opponent_a_win_is_no_way() -> None:
    assert forced_wins(parse_position("XO./.../...").after(4).after(8).after(2)) == ()


def test_larger_boards_have_ways_too() -> None:
    lost = parse_position("..../.XO./....", Rules(4, 3, 3))
    assert all(len(way.fork.threats(Mark.X)) > 1 for way in forced_wins(lost))
    assert forced_wins(lost)
