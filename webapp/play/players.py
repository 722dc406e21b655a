"""Who can play a mark on the page: you, a friend, or one of the solver's strategies."""

from solver.board.rules import Rules
from solver.strategies import STRATEGIES, Strategy, player_named
from webapp.gating import GATED

HUMANS = {
    "human": ("You", "A person at this screen."),
    "friend": ("Friend", "A second person, on this device or by link."),
}
"""The people, by the name links have for them: their title and description."""

DEFAULT_X = "human"
DEFAULT_O = "hard"


def checked(name: str, rules: Rules) -> str:
    """The player's name as links write it. Raises UnknownPlayer if there is none or it does not play on this board."""
    strategy = player_named(name, rules)
    return strategy.name if strategy else name.strip().lower()


def computer(name: str) -> Strategy | None:
    """The strategy behind a checked name, as pages ask it, or None for a person."""
    return GATED.get(name)


def title(name: str) -> str:
    """What people call the player."""
    return HUMANS[name][0] if name in HUMANS else STRATEGIES[name].title
