"""Hypothesis strategies and exhaustive lists that many tests draw positions from."""

from dataclasses import fields, replace
from functools import cache

from hypothesis import settings
from hypothesis import strategies as st

from solver.board.notation import parse_rules
from solver.board.outcome import DRAWN, LOST, Outcome, Score, Value, to_parent
from solver.board.position import Position, Result
from solver.board.rules import MAX_SIDE, Rules
from solver.search.solver import ALL, Techniques

TIC_TAC_TOE = parse_rules("3x3x3")
SMALL_BOARDS = tuple(
    Rules(columns, rows, k)
    for columns in range(1, 10)
    for rows in range(1, 10)
    if columns * rows <= 9 and max(columns, rows) <= MAX_SIDE
    for k in range(1, max(columns, rows) + 1)
)
"""Every board of up to nine cells."""
EACH_LEFT_OUT = tuple(replace(ALL, **{technique.name: False}) for technique in fields(Techniques))
"""All techniques of the exact search but one."""


def examples(most: int) -> settings:
    """Return an expensive property's settings: `most` examples in `make test-all`, a quarter in `make test`."""
    return settings(max_examples=most if settings.get_current_profile_name() == "many" else max(5, most // 4))


@st.composite
def boards(draw: st.DrawFn, max_side: int = MAX_SIDE) -> Rules:
    """Draw a board."""
    columns, rows = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    return Rules(columns, rows, draw(st.integers(1, max(columns, rows))))


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None, max_empty: int = 64) -> Position:
    """Draw a reachable position with at most `max_empty` empty cells, or more if its game has ended."""
    board = draw(rules if rules is not None else boards())
    position = Position(board)
    least = max(0, board.size - max_empty)
    plies = draw(st.integers(least, max(least, board.size)))
    for _ in range(plies):
        if not position.legal_moves:
            break
        position = position.play(draw(st.sampled_from(position.legal_moves)))
    return position


@cache
def minimax_score(position: Position) -> Score:
    """Return the score by plain minimax; it is remembered, for many positions of a small board."""
    if position.result is not None:
        return DRAWN if position.result is Result.DRAW else LOST
    return max(to_parent(minimax_score(after)) for after in position.successors())


@cache
def reachable(rules: Rules) -> tuple[Position, ...]:
    """Return each position that play from the empty board reaches, by the number of stones."""
    found, layer = list[Position](), {Position(rules)}
    while layer:
        found.extend(layer)
        layer = {position.play(cell) for position in layer for cell in position.legal_moves}
    return tuple(found)


UNKNOWN = Outcome(Value.UNKNOWN, None)
"""An outcome of which nothing is proved."""
