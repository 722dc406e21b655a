"""The settings form: the boards and players on offer, as the template sees them."""

from dataclasses import dataclass

from solver.board.notation import parse_rules
from solver.board.rules import Rules
from solver.strategies import STRATEGIES
from solver.theory.literature import known_value
from webapp.choices import Option
from webapp.play import players, words

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
    "8x8x5",
)
"""The boards of the dropdown; a link may name any other."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of a dropdown under one heading."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """The dropdown for who plays a mark; `part` is what links call it."""

    mark: str
    part: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """The dropdowns, and the computers that play, as options for their descriptions."""

    boards: tuple[Option, ...]
    players: tuple[PlayerChoice, ...]
    computers: tuple[Option, ...]


def settings(board: str, x: str, o: str) -> Settings:
    """The form with this board and these players chosen."""
    rules = parse_rules(board)
    boards = BOARDS if board in BOARDS else (board, *BOARDS)
    choices = tuple(
        PlayerChoice(mark, part, _groups(rules, name)) for mark, part, name in (("X", "x", x), ("O", "o", o))
    )
    computers = dict.fromkeys(
        option
        for choice in choices
        for group in choice.groups
        for option in group.options
        if option.selected and option.value not in players.HUMANS
    )
    return Settings(
        boards=tuple(Option(each, _board_title(parse_rules(each)), each == board) for each in boards),
        players=choices,
        computers=tuple(computers),
    )


def _board_title(rules: Rules) -> str:
    """A board's plain name and what is known of it, e.g. "5×5, four in a row (draw)"."""
    known = known_value(rules)
    return words.board(rules) + (f" ({known})" if known else "")


def _groups(rules: Rules, chosen: str) -> tuple[Group, ...]:
    groups = {"People": [Option(name, title, name == chosen, about) for name, (title, about) in players.HUMANS.items()]}
    for each in STRATEGIES.values():
        if each.plays_on(rules):
            option = Option(each.name, each.title, each.name == chosen, each.description)
            groups.setdefault(each.group, []).append(option)
    return tuple(Group(title, tuple(options)) for title, options in groups.items())
