"""The players of a mark on the page (you, a friend, or one of the solver's strategies), and the boards to play on."""

from dataclasses import dataclass
from typing import Final

from solver.atlas.entry import known_value
from solver.board.notation import parse_rules
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES, Strategy, opponent_called, player_named
from solver.players.lists import list_called
from webapp.serving.pool.analyses import asked_by_pages
from webapp.ui.choices import Option

PEOPLE = {
    "human": ("You", "A person at this screen."),
    "friend": ("Friend", "A second person, on this device or by link."),
}
"""The title and the description of each person, by their name in links."""

WATCH = "watch"
"""The choice, in place of a mark, to have computers play each other."""

DEFAULT_X = "human"
DEFAULT_O = "hard"


BOARDS = (
    "3x3x3",
    "4x3x3",
    "4x4x3",
    "4x4x4",
    "5x4x4",
    "5x5x4",
    "5x5x5",
    "6x4x4",
    "6x5x4",
    "6x6x4",
    "6x6x5",
    "7x7x5",
    "8x7x5",
    "8x8x5",
)
"""The boards of the dropdown; a link may name any other."""

FIRST: Final = ("easy", "medium", "hard", "impossible", "friend")
"""The opponents in the dropdown."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of a dropdown under one heading."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """The dropdown for the player of a mark; `part` is its name in links."""

    mark: str
    part: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices on offer: an opponent, a mark and a board, and behind them the players of each mark.

    `others` are the opponents outside the dropdown, `depths` those that differ by their depth alone. `computers` are
    the strategies that play in this game.
    """

    opponents: tuple[Option, ...]
    marks: tuple[Option, ...]
    boards: tuple[Option, ...]
    players: tuple[PlayerChoice, ...]
    others: tuple[Option, ...]
    depths: tuple[Option, ...]
    computers: tuple[Option, ...]


def checked(name: str, rules: Rules) -> str:
    """Return a player's name as links write it.

    Raises UnknownPlayer if there is no such player, or if it does not play on this board.
    """
    strategy = player_named(name, rules)
    return strategy.name if strategy else name.strip().lower()


def computer(name: str) -> Strategy | None:
    """Return the strategy of a checked name in its version for pages; None for a person."""
    return asked_by_pages(name)


def opponent(x: str, o: str) -> str:
    """Return the name of the opponent of the person at this screen; of two computers, the one that has O."""
    if o in PEOPLE:
        return "friend" if x in PEOPLE else x
    return o


def own(x: str, o: str) -> str:
    """Return the mark of the person at this screen, X or O, or "watch" where computers play each other."""
    if x not in PEOPLE and o not in PEOPLE:
        return WATCH
    return "O" if x not in PEOPLE or (x, o) == ("friend", DEFAULT_X) else "X"


def seated(opponent: str, own: str, x: str) -> tuple[str, str]:
    """Return the players of X and O after a choice of opponent and mark. Watching keeps a computer that had X."""
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


def settings(board: str, x: str, o: str) -> Settings:
    """Return the settings with this board and these players chosen."""
    rules = parse_rules(board)
    boards = BOARDS if board in BOARDS else (board, *BOARDS)
    against, mark = opponent(x, o), own(x, o)
    seen = FIRST if against in FIRST else (*FIRST, against)
    playing = [each for each in STRATEGIES.values() if each.plays_on(rules)]
    return Settings(
        opponents=tuple(Option(name, title(name), name == against) for name in seen),
        marks=tuple(Option(each, each, each == mark) for each in ("X", "O"))
        + ((Option(WATCH, "watch", True),) if mark == WATCH else ()),
        boards=tuple(Option(each, short_title(parse_rules(each)), each == board) for each in boards),
        players=tuple(
            PlayerChoice(part.upper(), part, _groups(playing, rules, name)) for part, name in (("x", x), ("o", o))
        ),
        others=tuple(_option(each, rules, against) for each in playing if each.name not in FIRST and not each.depth),
        depths=tuple(_option(each, rules, against) for each in playing if each.depth),
        computers=tuple(
            _option(computer, rules, name) for name in dict.fromkeys((x, o)) if (computer := opponent_called(name))
        ),
    )


def short_title(rules: Rules) -> str:
    """Return a board's short name and its known value, e.g. "3×3" or "5×5 · 4 (draw)"."""
    known = known_value(rules) if rules != TIC_TAC_TOE else ""
    name = f"{rules.columns}×{rules.rows}" + (f" · {rules.k}" if rules != TIC_TAC_TOE else "")
    return name + (f" ({known})" if known else "")


def _option(strategy: Strategy, rules: Rules, chosen: str) -> Option:
    return Option(strategy.name, strategy.title, strategy.name == chosen, strategy.description(rules))


def _groups(playing: list[Strategy], rules: Rules, chosen: str) -> tuple[Group, ...]:
    groups = {"People": [Option(name, title, name == chosen, about) for name, (title, about) in PEOPLE.items()]}
    own = list_called(chosen)
    for each in (*playing, own) if own else playing:
        groups.setdefault(each.group, []).append(_option(each, rules, chosen))
    return tuple(Group(title, tuple(options)) for title, options in groups.items())
