"""The registry of opponents, for the dropdown, the command line and the JSON API."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NoReturn

from solver.board.notation import quoted
from solver.board.outcome import counted
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import UnknownPlayer
from solver.players.decision import Decision, Strategy, by_rules
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
from solver.players.strengths import STRENGTHS

OPPONENTS = "Opponents"
ARTICLES = "With ideas of their own"
HUMANS = ("human", "friend")
"""The names that stand for a person instead of an opponent."""

_TWOS_AHEAD = 2
"""The plies that "Two in a row" looks ahead: its own move and the reply."""

_rulebook = partial(by_rules, group=OPPONENTS, plays_on=lambda rules: rules.is_standard)
_pyfl = partial(by_rules, group=ARTICLES, plays_on=lambda rules: rules == TIC_TAC_TOE, symmetric=lambda _: False)


def _is_small(rules: Rules) -> bool:
    """Return whether a game is looked up, not searched."""
    return rules.is_small


def _by_lines(rules: Rules) -> bool:
    """Return whether completing lines is good: what players do who look for lines."""
    return rules.stones_never_harm


_ALL: tuple[Strategy, ...] = (
    Strategy("easy", "Easy", "Plays any open square.", OPPONENTS, "level", BY_THUMB["easy"]),
    Strategy(
        "medium",
        "Medium",
        "Sees half of all wins, threats and coming forks.",
        OPPONENTS,
        "level",
        by_rules_or_erring("medium", BY_THUMB["medium"]),
        quick=is_quick("medium"),
        idea_on=idea_on("medium"),
        sound_from=errors_end,
    ),
    Strategy(
        "hard",
        "Hard",
        "Misses one win or threat in five and one coming fork in ten; else it plays where most lines are open.",
        OPPONENTS,
        "level",
        by_rules_or_erring("hard", BY_THUMB["hard"]),
        quick=is_quick("hard"),
        idea_on=idea_on("hard"),
        sound_from=errors_end,
    ),
    Strategy(
        "impossible",
        "Perfect",
        "Makes no mistake, as far as is proved: wins as fast as it can, or draws, or holds out longest.",
        OPPONENTS,
        "perfect",
        impossible,
        settled=False,
        quick=_is_small,
        reproducible=impossible_reproducibly,
    ),
    _rulebook(
        "rulebook",
        "Rulebook",
        "Win, block, fork, force a fork, guard, live lines, in this order: on 3×3 it never loses nor lets a win slip.",
        rules=listed(RULEBOOK),
    ),
    _rulebook(
        "short-rulebook",
        "Short rulebook",
        "Win, block, guard, live lines, in this order: on 3×3 no shorter list of such rules never loses.",
        rules=listed(SHORT_RULEBOOK),
    ),
    by_rules(
        "seven-rules",
        "Seven rules",
        "The article's list in order: win, block, centre, threatened corner, edge, corner, the rest.",
        ARTICLES,
        PROSE_RULES,
    ),
    _pyfl(
        "pyfl-program",
        "PyFL program",
        "The article's program as it was meant: blocks before it wins, edges only if the opponent lacks the centre.",
        rules=AS_MEANT,
    ),
    _pyfl(
        "pyfl-literal",
        "PyFL to the letter",
        "The article's program to the letter: a stray semicolon makes it see wins where there are none.",
        rules=LETTER_BY_LETTER,
    ),
    Strategy(
        "impossible-opportunities",
        "Perfect, by opportunities",
        "Perfect, and of equally good squares the one after which most replies err: an idea of the Erlang article.",
        ARTICLES,
        "perfect",
        impossible_by("opportunities", opportunities),
        plays_on=_is_small,
    ),
    Strategy(
        "impossible-paths",
        "Perfect, by paths",
        "Perfect, and of equally good squares the one with most paths to wins, as the Erlang article proposes.",
        ARTICLES,
        "perfect",
        impossible_by("paths", paths),
        plays_on=lambda rules: rules.is_small and not rules.vanishes,
        quick=lambda _: False,
    ),
    Strategy(
        "minimax",
        "Plain minimax",
        "The whole tree without distance, as in the Scala article: a win is a win, however late.",
        ARTICLES,
        "search",
        plain_minimax,
        plays_on=_is_small,
    ),
    Strategy(
        "twos",
        "Two in a row",
        f"Looks {_TWOS_AHEAD} plies ahead and counts open two in a row there, which the Haskell article's value lacks.",
        ARTICLES,
        "search",
        valuing_two_in_a_row(_TWOS_AHEAD),
        _by_lines,
        symmetric=never_cut(_TWOS_AHEAD),
        quick=_is_small,
    ),
    *(
        Strategy(
            f"alphabeta-{depth}",
            f"Alpha-beta {depth}",
            f"Looks {counted(depth, 'ply', 'plies')} ahead, as in the Haskell article.",
            ARTICLES,
            "search",
            alphabeta_to(depth),
            symmetric=never_cut(depth),
            quick=_is_small,
            depth=depth,
        )
        for depth in range(1, 10)
    ),
)


class _Opponents(dict[str, Strategy]):
    """A dictionary that names the nearest opponent in its error."""

    def __missing__(self, name: str) -> NoReturn:
        raise UnknownPlayer(f"{_unknown(name)} The names are {OFFERED}.")


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    _Opponents({each.name: replace(each, strength=STRENGTHS.get(each.name)) for each in _ALL})
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


def as_strategy(given: Strategy | str, rules: Rules) -> Strategy:
    """Return an opponent as it is, or the one of that name. Raises UnknownPlayer."""
    return strategy_named(given, rules) if isinstance(given, str) else given


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
    "Strategy",
    "as_strategy",
    "opponent_called",
    "player_named",
    "playing_on",
    "strategy_named",
]
