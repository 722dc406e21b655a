"""The opponents: one registry that the dropdown, the command line and the JSON API read."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from solver.board.notation import quoted
from solver.board.outcome import counted
from solver.board.rules import Rules
from solver.errors import UnknownPlayer
from solver.search.tablebase import has_table
from solver.strategies.decision import Decision, Strategy
from solver.strategies.heuristics import hard
from solver.strategies.opportunities import opportunities
from solver.strategies.paths import paths
from solver.strategies.perfect import impossible, impossible_steadily
from solver.strategies.program import plays_on as program_plays_on
from solver.strategies.program import program
from solver.strategies.rulebook import rulebook, short_rulebook
from solver.strategies.searching import alphabeta_to, never_cut, plain_minimax
from solver.strategies.simple import easy, medium
from solver.strategies.strengths import strength_words
from solver.strategies.tiebreaks import impossible_by

OPPONENTS = "Opponents"
ARTICLES = "From the articles"
HUMANS = ("human", "friend")
"""The names of people: whoever sits at the screen, and a second person there or elsewhere."""

MAX_DEPTH = 9

_ALL = (
    Strategy("easy", "Easy", "Plays any open square.", OPPONENTS, easy),
    Strategy("medium", "Medium", "Takes a win, else blocks one, else plays any square.", OPPONENTS, medium),
    Strategy(
        "hard",
        "Hard",
        "Seven rules in order: win, block, centre, threatened corner, side, corner, the rest.",
        OPPONENTS,
        hard,
    ),
    Strategy(
        "impossible",
        "Impossible",
        "Perfect play as far as it is proved: the quickest win, else a draw, else the slowest loss.",
        OPPONENTS,
        impossible,
        settled=False,
        steady=impossible_steadily,
    ),
    Strategy(
        "rulebook",
        "Rulebook",
        "Win, block, fork, force a fork, guard, live lines, in this order: on 3×3 it never loses nor lets a win slip.",
        OPPONENTS,
        rulebook,
    ),
    Strategy(
        "short-rulebook",
        "Short rulebook",
        "Win, block, guard, live lines, in this order: on 3×3 no shorter list of such rules never loses.",
        OPPONENTS,
        short_rulebook,
    ),
    Strategy(
        "pyfl-program",
        "PyFL program",
        "The article's program as printed: blocks before it wins, sides only if the opponent lacks the centre.",
        ARTICLES,
        program,
        program_plays_on,
        symmetric=lambda _: False,
    ),
    Strategy(
        "impossible-opportunities",
        "Impossible, by opportunities",
        "Perfect, and of equally good squares the one after which most replies err: an idea of the Erlang article.",
        ARTICLES,
        impossible_by("opportunities", opportunities),
        has_table,
    ),
    Strategy(
        "impossible-paths",
        "Impossible, by paths",
        "Perfect, and of equally good squares the one with most paths to wins, as the Erlang article proposes.",
        ARTICLES,
        impossible_by("paths", paths),
        has_table,
    ),
    Strategy(
        "minimax",
        "Plain minimax",
        "The whole tree without distance, as in the Scala article: a win is a win, however late.",
        ARTICLES,
        plain_minimax,
        has_table,
    ),
    *(
        Strategy(
            f"alphabeta-{depth}",
            f"Alpha-beta {depth}",
            f"Looks {counted(depth, 'ply', 'plies')} ahead, as in the Haskell article.",
            ARTICLES,
            alphabeta_to(depth),
            symmetric=never_cut(depth),
        )
        for depth in range(1, MAX_DEPTH + 1)
    ),
)


def _offered(strategy: Strategy) -> Strategy:
    """The opponent with its strength in its description; decisions that stay are kept, since pages ask again."""
    return replace(
        strategy,
        description=f"{strategy.description} {strength_words(strategy.name)}".strip(),
        decide=lru_cache(maxsize=2048)(strategy.decide) if strategy.settled else strategy.decide,
        steady=strategy.steady and lru_cache(maxsize=256)(strategy.steady),
    )


STRATEGIES: Mapping[str, Strategy] = MappingProxyType({strategy.name: _offered(strategy) for strategy in _ALL})
"""Every opponent by its name, in the order of the dropdown."""


def strategy_named(name: str, rules: Rules) -> Strategy:
    """The opponent of that name. Raises UnknownPlayer if there is none or it does not play on this board."""
    strategy = STRATEGIES.get(name.strip().lower())
    if strategy is None:
        raise UnknownPlayer(f"There is no player {quoted(name)}. Choose one of: {_names(rules)}.")
    if not strategy.plays_on(rules):
        raise UnknownPlayer(f"{strategy.title} does not play on {rules}. Choose one of: {_names(rules)}.")
    return strategy


def player_named(name: str, rules: Rules) -> Strategy | None:
    """The opponent of that name, None for a person. Raises UnknownPlayer, which names people too."""
    if name.strip().lower() in HUMANS:
        return None
    try:
        return strategy_named(name, rules)
    except UnknownPlayer as error:
        raise UnknownPlayer(f"{str(error).removesuffix('.')}, {' or '.join(HUMANS)}.") from None


def _names(rules: Rules) -> str:
    """The opponents that play this board, those that differ in depth only as a range."""
    playing = [name for name, each in STRATEGIES.items() if each.plays_on(rules)]
    depths = [name for name in playing if name.startswith("alphabeta-")]
    return ", ".join([*(name for name in playing if name not in depths), f"{depths[0]} to {depths[-1]}"])


__all__ = ["HUMANS", "STRATEGIES", "Decision", "Strategy", "player_named", "strategy_named"]
