"""The opponents: one registry that the dropdown, the command line and the JSON API read."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from solver.board.notation import quoted
from solver.board.outcome import counted
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import UnknownPlayer
from solver.players.decision import Decision, Strategy, by_rules
from solver.players.handbook import listed
from solver.players.lists import (
    EASY,
    HARD,
    MEDIUM,
    RULEBOOK,
    SHORT_RULEBOOK,
    is_list,
    list_called,
    parse_list,
    player_of,
)
from solver.players.program import AS_MEANT, LETTER_BY_LETTER
from solver.players.searching import (
    alphabeta_to,
    impossible,
    impossible_reproducibly,
    never_cut,
    plain_minimax,
    valuing_two_in_a_row,
)
from solver.players.tiebreaks import impossible_by, opportunities, paths
from solver.search.tablebase import has_table

OPPONENTS = "Opponents"
ARTICLES = "From the articles"
HUMANS = ("human", "friend")
"""The names of people: the one at the screen, and a second one there or elsewhere."""

_STRENGTH_AHEAD = (14, 43, 45, 45, 49, 63, 63, 63, 63)
"""How strong it makes a player to look 1 to 9 plies ahead."""

_TWOS_AHEAD = 2
"""How far ahead the player looks that values two in a row: its own move and the reply."""

_ALL = (
    replace(by_rules("easy", "Easy", "Plays any open square.", OPPONENTS, EASY, strength=10), kind="random"),
    by_rules(
        "medium",
        "Medium",
        "Takes a win, else blocks one, else plays any square.",
        OPPONENTS,
        MEDIUM,
        strength=43,
    ),
    by_rules(
        "hard",
        "Hard",
        "Seven rules in order: win, block, centre, threatened corner, side, corner, the rest.",
        OPPONENTS,
        HARD,
        strength=51,
    ),
    Strategy(
        "impossible",
        "Perfect",
        "Perfect play as far as it is proved: the quickest win, else a draw, else the slowest loss.",
        OPPONENTS,
        "perfect",
        impossible,
        settled=False,
        quick=has_table,
        reproducible=impossible_reproducibly,
        strength=63,
    ),
    by_rules(
        "rulebook",
        "Rulebook",
        "Win, block, fork, force a fork, guard, live lines, in this order: on 3×3 it never loses nor lets a win slip.",
        OPPONENTS,
        listed(RULEBOOK),
        strength=63,
    ),
    by_rules(
        "short-rulebook",
        "Short rulebook",
        "Win, block, guard, live lines, in this order: on 3×3 no shorter list of such rules never loses.",
        OPPONENTS,
        listed(SHORT_RULEBOOK),
        strength=63,
    ),
    by_rules(
        "pyfl-program",
        "PyFL program",
        "The article's program as it was meant: blocks before it wins, sides only if the opponent lacks the centre.",
        ARTICLES,
        AS_MEANT,
        plays_on=lambda rules: rules == TIC_TAC_TOE,
        symmetric=lambda _: False,
        strength=56,
    ),
    by_rules(
        "pyfl-literal",
        "PyFL to the letter",
        "The article's program to the letter: a stray semicolon makes it see wins where there are none.",
        ARTICLES,
        LETTER_BY_LETTER,
        plays_on=lambda rules: rules == TIC_TAC_TOE,
        symmetric=lambda _: False,
        strength=12,
    ),
    Strategy(
        "impossible-opportunities",
        "Perfect, by opportunities",
        "Perfect, and of equally good squares the one after which most replies err: an idea of the Erlang article.",
        ARTICLES,
        "perfect",
        impossible_by("opportunities", opportunities),
        plays_on=has_table,
        strength=65,
    ),
    Strategy(
        "impossible-paths",
        "Perfect, by paths",
        "Perfect, and of equally good squares the one with most paths to wins, as the Erlang article proposes.",
        ARTICLES,
        "perfect",
        impossible_by("paths", paths),
        plays_on=has_table,
        quick=lambda _: False,
        strength=63,
    ),
    Strategy(
        "minimax",
        "Plain minimax",
        "The whole tree without distance, as in the Scala article: a win is a win, however late.",
        ARTICLES,
        "search",
        plain_minimax,
        plays_on=has_table,
        strength=63,
    ),
    Strategy(
        "twos",
        "Two in a row",
        f"Looks {_TWOS_AHEAD} plies ahead and counts open two in a row there, which the Haskell article's value lacks.",
        ARTICLES,
        "search",
        valuing_two_in_a_row(_TWOS_AHEAD),
        symmetric=never_cut(_TWOS_AHEAD),
        quick=has_table,
        strength=49,
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
            quick=has_table,
            depth=depth,
            strength=strength,
        )
        for depth, strength in enumerate(_STRENGTH_AHEAD, 1)
    ),
)

STRATEGIES: Mapping[str, Strategy] = MappingProxyType({strategy.name: strategy for strategy in _ALL})
"""Every opponent by its name, in the order of the dropdown."""

OFFERED = f"{', '.join(STRATEGIES)}, or rules in their order such as rules:win,block,centre"
"""What one may write for an opponent."""


def opponent_called(name: str) -> Strategy | None:
    """The opponent that links call so: one of the registry, or a list of rules; None if there is none."""
    return STRATEGIES.get(name) or list_called(name)


def strategy_named(name: str, rules: Rules) -> Strategy:
    """The opponent of that name, or the player of a list of rules; see `solver.players.lists`.

    Raises UnknownPlayer if there is none or it does not play on this board.
    """
    strategy = STRATEGIES.get(name.strip().lower())
    if strategy is None and is_list(name):
        return player_of(parse_list(name))
    if strategy is None:
        raise UnknownPlayer(
            f"There is no player {quoted(name)}. Choose one of: {_names(rules)}, or rules in their order such as"
            " rules:win,block,centre."
        )
    if not strategy.plays_on(rules):
        raise UnknownPlayer(f"{strategy.title} does not play on {rules}. Choose one of: {_names(rules)}.")
    return strategy


def player_named(name: str, rules: Rules) -> Strategy | None:
    """The opponent of that name, None for a person. Raises UnknownPlayer, which names people too."""
    if name.strip().lower() in HUMANS:
        return None
    if is_list(name):
        return strategy_named(name, rules)
    try:
        return strategy_named(name, rules)
    except UnknownPlayer as error:
        raise UnknownPlayer(f"{str(error).removesuffix('.')}, {' or '.join(HUMANS)}.") from None


def _names(rules: Rules) -> str:
    """The opponents that play this board, those that differ in depth only as a range."""
    playing = [each for each in _ALL if each.plays_on(rules)]
    depths = [each.name for each in playing if each.depth]
    return ", ".join([*(each.name for each in playing if not each.depth), f"{depths[0]} to {depths[-1]}"])


__all__ = [
    "HUMANS",
    "OFFERED",
    "STRATEGIES",
    "Decision",
    "Strategy",
    "opponent_called",
    "player_named",
    "strategy_named",
]
