"""Folds over a game tree: the value of a position follows from the values of the positions its moves lead to.

Plain minimax does not use these functions, since all other searches are tested against it.
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
    """Return a function that gives the value of a state.

    A state without moves has the value that `leaf` gives. The value of any other state is combined from the values of
    the states that its moves lead to.

    `moves` gives the states one move later, and `combine` gets their values in that order. States with the same `key`
    share a value, which is computed once and kept in `known`. The recursion is as deep as a game is long; `moves` can
    limit it by raising an error.

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
        result = values.get(place)
        if result is None:
            following = [value(after) for after in moves(state)]
            result = values[place] = combine(state, following) if following else leaf(state)
        return result

    return value


def itself(state: State) -> State:
    """Return a state as its own key, for games in which no two states share a value."""
    return state


def reached(start: State, moves: Callable[[State], Iterable[State]]) -> dict[State, tuple[State, ...]]:
    """Return every state that can be reached, ply by ply, each with the states one move later.

    >>> reached(2, range)
    {2: (0, 1), 0: (), 1: (0,)}
    """
    following: dict[State, tuple[State, ...]] = {}
    layer = {start: None}
    while layer:
        following |= {state: tuple(moves(state)) for state in layer}
        layer = {after: None for state in layer for after in following[state] if after not in following}
    return following
