"""The players on a page: you, a friend, or one of the solver's strategies."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final

from solver.board.outcome import counted
from solver.board.rules import Rules
from solver.players import Strategy, opponent_called, player_named

PEOPLE = {
    "human": ("You", "A person at this screen."),
    "friend": ("Friend", "A second person, on this device or by link."),
}
"""The title and the description of each person, by their name in links."""

_RENAMED: Final[dict[str, tuple[str, str]]] = {
    name: (title, description)
    for name, (title, description) in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
} | {
    f"alphabeta-{turns}": (f"Planner {turns}", f"Looks {counted(turns, 'turn', 'turns')} ahead.")
    for turns in range(1, 10)
}
"""The title and the description of opponents whom the solver names for programmers, by their name in links."""

WATCH = "watch"
"""The choice to watch two computers play, instead of a mark."""

DEFAULT_X = "human"
DEFAULT_O = "hard"


def checked(name: str, rules: Rules) -> str:
    """Return a player's name as links write it.

    Raises UnknownPlayer if there is no such player, or if it does not play on this board.
    """
    if name in PEOPLE:
        return name
    strategy = player_named(name, rules)
    return strategy.name if strategy else name.strip().lower()


@lru_cache(maxsize=64)
def computer(name: str) -> Strategy | None:
    """Return the strategy with this checked name; None for a person."""
    return None if name in PEOPLE else opponent_called(name)


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
    strategy = computer(name)
    return strategy.title if strategy and name not in _RENAMED else (PEOPLE | _RENAMED)[name][0]


def description(strategy: Strategy, rules: Rules) -> str:
    """Return a sentence on the way an opponent plays a board."""
    return _RENAMED[strategy.name][1] if strategy.name in _RENAMED else strategy.description(rules)
