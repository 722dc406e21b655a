"""The players on a page: you, a friend, or one of the solver's strategies."""

from functools import lru_cache

from solver.board.rules import Rules
from solver.players import opponent_called, player_named

PEOPLE = {
    "human": ("You", "A person at this screen."),
    "friend": ("Friend", "A second person, on this device or by link."),
}
"""The title and the description of each person, by their name in links."""

WATCH = "watch"
"""The choice to watch two computers play, instead of a mark."""

DEFAULT_X = "human"
DEFAULT_O = "hard"


def checked(name: str, rules: Rules) -> str:
    """Return a player's name as links write it.

    Raises UnknownPlayer if there is no such player, or if it does not play on this board.
    """
    strategy = player_named(name, rules)
    return strategy.name if strategy else name.strip().lower()


computer = lru_cache(maxsize=64)(opponent_called)
"""A cached lookup of a strategy by its checked name. It returns None for a person."""


def opponent(x: str, o: str) -> str:
    """Return the name of the visitor's opponent. If two computers play, return the one that has O."""
    if o in PEOPLE:
        return "friend" if x in PEOPLE else x
    return o


def own(x: str, o: str) -> str:
    """Return the mark of the person at this screen, X or O, or "watch" where computers play each other."""
    if x not in PEOPLE and o not in PEOPLE:
        return WATCH
    return "O" if x not in PEOPLE or (x, o) == ("friend", DEFAULT_X) else "X"


def seated(opponent: str, own: str, x: str) -> tuple[str, str]:
    """Return the players of X and O for an opponent and a mark. If the visitor only watches, X's computer stays."""
    if own == WATCH and opponent not in PEOPLE:
        return (opponent if x in PEOPLE else x), opponent
    return (opponent, DEFAULT_X) if own == "O" else (DEFAULT_X, opponent)


def title(name: str) -> str:
    """Return the player's title."""
    if name in PEOPLE:
        return PEOPLE[name][0]
    strategy = computer(name)
    assert strategy is not None  # noqa: S101 - names in links are checked when they are read
    return strategy.title
