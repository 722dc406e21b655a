"""The game tree, folded: a value for each position, its own at an end of the game, else made of what its moves lead to.

Plain minimax is written out instead, since everything else is held against it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

State = TypeVar("State")
Key = TypeVar("Key")
Value = TypeVar("Value")


def fold(
    leaf: Callable[[State], Value],
    combine: Callable[[State, Sequence[Value]], Value],
    moves: Callable[[State], Iterable[State]],
    key: Callable[[State], Key],
    known: dict[Key, Value] | None = None,
) -> Callable[[State], Value]:
    """The function that gives a state without moves its `leaf`, and any other what `combine` makes of its moves.

    `moves` are the states one move later, `combine` gets their values in that order. States with the same key have one
    value, worked out once and kept in `known`, after those of all that follow. The recursion is as deep as a game is
    long. For a limit, let `moves` raise an error.

    In this game each turn takes one to three matches, and the player who takes the last one wins:

    >>> wins = fold(
    ...     leaf=lambda matches: False,
    ...     combine=lambda matches, following: not all(following),
    ...     moves=lambda matches: range(max(0, matches - 3), matches),
    ...     key=itself,
    ... )
    >>> [matches for matches in range(13) if not wins(matches)]
    [0, 4, 8, 12]
    """
    values = {} if known is None else known

    def value(state: State) -> Value:
        place = key(state)
        found = values.get(place)
        if found is None:
            following = [value(after) for after in moves(state)]
            found = values[place] = combine(state, following) if following else leaf(state)
        return found

    return value


def itself(state: State) -> State:
    """The key of states of which no two have to have the same value."""
    return state


def reached(start: State, moves: Callable[[State], Iterable[State]]) -> dict[State, tuple[State, ...]]:
    """Every state that moves lead to, ply by ply, and where its own moves lead, in their order.

    >>> reached(2, range)
    {2: (0, 1), 0: (), 1: (0,)}
    """
    found: dict[State, tuple[State, ...]] = {}
    layer = {start: None}
    while layer:
        found |= {state: tuple(moves(state)) for state in layer}
        layer = {after: None for state in layer for after in found[state]}
    return found
