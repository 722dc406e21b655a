"""The registry of opponents, for the dropdown, the command line and the JSON API."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, Protocol, TypeAlias

from solver.board.notation import quoted
from solver.board.outcome import counted
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.errors import UnknownPlayer
from solver.players.decision import Decision, Strategy, by_function, by_rules
from solver.players.handbook import (
    PROSE_RULES,
    RULEBOOK,
    SHORT_RULEBOOK,
    is_list,
    list_called,
    listed,
    parse_list,
    player_of,
)
from solver.players.levels import BY_THUMB, by_rules_or_erring, errors_end, idea_on, is_quick
from solver.players.program import AS_MEANT, LETTER_BY_LETTER
from solver.players.searching import (
    alphabeta_to,
    impossible,
    impossible_by,
    impossible_reproducibly,
    never_cut,
    opportunities,
    paths,
    plain_minimax,
    valuing_two_in_a_row,
)

HUMANS = ("human", "friend")
"""The names that stand for a person instead of an opponent."""

DEPTHS = range(1, 10)
"""The plies that the opponents called Alpha-beta look ahead."""

_TWOS_AHEAD = 2
"""The plies that "Two in a row" looks ahead: its own move and the reply."""


def _is_small(rules: Rules) -> bool:
    """Return whether a game is looked up, not searched."""
    return rules.is_small


def _level(name: str) -> Callable[..., Strategy]:
    return partial(
        Strategy,
        kind="level",
        decide=partial(by_rules_or_erring, name),
        quick=partial(is_quick, name),
        idea_on=partial(idea_on, name),
        sound_from=errors_end,
    )


_rulebook = partial(by_rules, plays_on=lambda rules: rules.is_standard)
_pyfl = partial(by_rules, plays_on=lambda rules: rules == TIC_TAC_TOE, symmetric=lambda _: False)
_perfect = partial(Strategy, kind="perfect")
_search = partial(Strategy, kind="search")

_PLAYERS: Mapping[str, Callable[..., Strategy]] = {
    "easy": partial(Strategy, kind="level", decide=BY_THUMB["easy"]),
    "medium": _level("medium"),
    "hard": _level("hard"),
    "impossible": partial(
        _perfect, decide=impossible, settled=False, quick=_is_small, reproducible=impossible_reproducibly
    ),
    "rulebook": partial(_rulebook, rules=listed(RULEBOOK)),
    "short-rulebook": partial(_rulebook, rules=listed(SHORT_RULEBOOK)),
    "seven-rules": partial(by_rules, rules=PROSE_RULES),
    "pyfl-program": partial(_pyfl, rules=AS_MEANT),
    "pyfl-literal": partial(_pyfl, rules=LETTER_BY_LETTER),
    "impossible-opportunities": partial(
        _perfect, decide=partial(impossible_by, "opportunities", opportunities), plays_on=_is_small
    ),
    "impossible-paths": partial(
        _perfect,
        decide=partial(impossible_by, "paths", paths),
        plays_on=lambda rules: rules.is_small and not rules.vanishes,
        quick=lambda _: False,
    ),
    "minimax": partial(_search, decide=plain_minimax, plays_on=_is_small),
    "twos": partial(
        _search,
        decide=partial(valuing_two_in_a_row, _TWOS_AHEAD),
        plays_on=lambda rules: rules.stones_never_harm,  # the rules under which completing lines is good
        symmetric=partial(never_cut, _TWOS_AHEAD),
        quick=_is_small,
    ),
}
"""How each opponent is made from its texts in `opponents.toml`."""


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


STRENGTHS: Mapping[str, int] = MappingProxyType(_read("strengths.toml"))
"""Each opponent's expected score on 3×3 in percent."""


def _opponents() -> Iterator[Strategy]:
    """Yield the opponents in the order of the dropdown."""
    texts = _read("opponents.toml")
    of_depth = texts.pop("alphabeta")
    for name, text in texts.items():
        yield _PLAYERS[name](name, strength=STRENGTHS.get(name), **text)
    for depth in DEPTHS:
        name, plies = f"alphabeta-{depth}", counted(depth, "ply", "plies")
        text = {key: words.format(depth=depth, plies=plies) for key, words in of_depth.items()}
        yield _search(
            name,
            decide=partial(alphabeta_to, depth),
            symmetric=partial(never_cut, depth),
            quick=_is_small,
            depth=depth,
            strength=STRENGTHS.get(name),
            **text,
        )


class _Opponents(dict[str, Strategy]):
    """A dictionary that names the nearest opponent in its error."""

    def __missing__(self, name: str) -> NoReturn:
        raise UnknownPlayer(f"{_unknown(name)} The names are {OFFERED}.")


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    _Opponents({opponent.name: opponent for opponent in _opponents()})
)
"""Every opponent by its name, in the order of the dropdown. Another name raises UnknownPlayer."""

OFFERED = f"{', '.join(STRATEGIES)}, or rules in their order such as rules:win,block,centre"
"""The names that the command line takes for an opponent."""


def playing_on(rules: Rules) -> tuple[Strategy, ...]:
    """Return the opponents that play this board, in the order of the dropdown."""
    return tuple(each for each in STRATEGIES.values() if each.plays_on(rules))


def opponent_called(name: str) -> Strategy | None:
    """Return the opponent, or the player of a list of rules, with this name in links; None if there is none."""
    return STRATEGIES.get(name) or list_called(name)


class DecidingObject(Protocol):
    """Any object with a function that decides."""

    def decide(self, position: Position) -> Decision | Cell | str: ...


Player: TypeAlias = Strategy | DecidingObject | str | Callable[[Position], Decision | Cell | str]
"""A player: an opponent, its name, a list of rules, or a function from a position to a square."""


def as_strategy(given: Player, rules: Rules) -> Strategy:
    """Return the strategy of a player. An object with a function `decide` is a player too. Raises UnknownPlayer."""
    if isinstance(given, Strategy):
        return given
    if isinstance(given, str):
        return strategy_named(given, rules)
    if not callable(decide := getattr(given, "decide", given)):
        raise UnknownPlayer(
            f"{quoted(given)} isn't a player: give a name, a list of rules, a Strategy, or a function from a"
            " Position to a square."
        )
    return by_function(decide, str(getattr(given, "name", None) or getattr(given, "__name__", type(given).__name__)))


def strategy_named(name: str, rules: Rules) -> Strategy:
    """Return the opponent of that name or title, or the player of a list of rules.

    Raise UnknownPlayer if nobody of that name plays on this board.
    """
    called = name.strip().lower()
    strategy = STRATEGIES.get(called) or next(
        (each for each in STRATEGIES.values() if each.title.lower() == called), None
    )
    if strategy is None and is_list(name):
        strategy = player_of(parse_list(name))
    if strategy is None:
        raise UnknownPlayer(
            f"{_unknown(name)} Choose one of: {_names(rules)}, or rules in their order such as rules:win,block,centre."
        )
    if not strategy.plays_on(rules):
        raise UnknownPlayer(f"{strategy.title} does not play on {rules}. Choose one of: {_names(rules)}.")
    return strategy


def player_named(name: str, rules: Rules) -> Strategy | None:
    """Return the opponent of that name, or None for a person.

    Raise UnknownPlayer; its message also lists the names for a person.
    """
    if name.strip().lower() in HUMANS:
        return None
    if is_list(name):
        return strategy_named(name, rules)
    try:
        return strategy_named(name, rules)
    except UnknownPlayer as error:
        raise UnknownPlayer(f"{str(error).removesuffix('.')}, {' or '.join(HUMANS)}.") from None


def _unknown(name: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only this mistake needs it

    near = get_close_matches(str(name).strip().lower(), STRATEGIES, n=1)
    return f"There is no player {quoted(str(name))}." + (f" Did you mean {near[0]}?" if near else "")


def _names(rules: Rules) -> str:
    """Return the names of the opponents that play this board, with a range for opponents that differ only in depth."""
    playing = playing_on(rules)
    depths = [each.name for each in playing if each.depth]
    return ", ".join([*(each.name for each in playing if not each.depth), f"{depths[0]} to {depths[-1]}"])


__all__ = [
    "HUMANS",
    "OFFERED",
    "STRATEGIES",
    "Decision",
    "Player",
    "Strategy",
    "as_strategy",
    "opponent_called",
    "player_named",
    "playing_on",
    "strategy_named",
]
