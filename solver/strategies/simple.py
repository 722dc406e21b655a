"""Two players that look no farther than the move: Easy and Medium."""

from solver.board.position import Position
from solver.strategies.decision import Decision, any_of


def easy(position: Position) -> Decision:
    """Any legal square."""
    return any_of(position.legal_moves, "any open square will do")


def medium(position: Position) -> Decision:
    """A win if there is one, else a block, else any square."""
    mover = position.mover
    if position.result is None:
        if wins := position.completing(mover):
            return any_of(wins, "it wins at once")
        if blocks := position.completing(mover.other):
            return any_of(blocks, f"it blocks a win of {mover.other}")
    return any_of(position.legal_moves, "nothing to win or block, so any open square will do")
