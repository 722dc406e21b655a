"""The players on a page: you, a friend, or one of the solver's strategies."""

from functools import lru_cache
from typing import Final

from solver.board.outcome import counted
from solver.board.rules import Rules
from solver.players import Strategy, opponent_called, player_named

PEOPLE = {
    "human": ("You", "A person at this screen."),
    "friend": ("Friend", "A second person, on this device or by link."),
}
"""The title and the description of each person, by their name in links."""

_RENAMED: Final = {
    "rulebook": ("Rulebook", "Follows six rules in order. On 3×3 it never loses."),
    "short-rulebook": ("Short rulebook", "Follows four rules in order. On 3×3 it still never loses."),
    "seven-rules": ("Seven rules", "Wins if it can, blocks if it must, then likes the centre. You can beat it."),
    "pyfl-program": ("Safety first", "Blocks you before it looks for a win of its own."),
    "pyfl-literal": ("Daydreamer", "Sees wins where there are none."),
    "impossible-opportunities": ("Trapper", "Makes no mistake, and leaves you as many wrong answers as it can."),
    "impossible-paths": ("Optimist", "Makes no mistake, and keeps the most ways to win open."),
    "minimax": ("Slowcoach", "Makes no mistake, but doesn't hurry to win."),
    "twos": ("Two in a row", "Looks two turns ahead, and likes two in a row."),
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
