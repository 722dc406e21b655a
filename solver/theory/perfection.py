"""Whether perfect play wins or loses a position, on any board that can be solved: the value without its distance."""

from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.search.budget import UNLIMITED, Meter
from solver.search.tablebase import has_table, looked_up


def wins(position: Position) -> bool:
    """Whether the mover wins by perfect play."""
    if has_table(position.rules):
        return looked_up(position) > DRAWN
    return position.result is None and _decided(position, (position.plies_left - 1) | 1)


def loses(position: Position) -> bool:
    """Whether the mover loses against perfect play, or has lost."""
    if has_table(position.rules):
        return looked_up(position) < DRAWN
    if position.result is not None:
        return bool(position.winning_lines)
    return _decided(position, position.plies_left & ~1)


def _decided(position: Position, plies: int) -> bool:
    from solver.search.solver import shared_solver  # noqa: PLC0415 - with the kernel, which 3×3 does without

    return plies > 0 and shared_solver(position.rules).decided(position, plies, Meter(UNLIMITED))
