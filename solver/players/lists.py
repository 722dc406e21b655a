"""Lists of rules of thumb: the seven rules of an article, the two rulebooks, and the lists that people write.

The seven rules are from the prose of "Unbeatable? Tictactoe in PyFL" (B. Wadge). Here both marks can use them.

The rulebooks can be played on any board. `solver.articles.rulebooks` proves for 3×3 that neither rulebook ever loses,
as X or as O. From any position, the longer rulebook never lets a win slip. The shorter rulebook lets no win slip in its
own games. For each rulebook, no shorter list of the handbook's rules does the same. On every other board of up to nine
cells, the longer rulebook loses only games that are lost from the start, and lets no win slip in its games. On larger
boards it may err.

People write a list as `rules:win,block,centre` or as "win, block, threatened corner". If no rule applies, any square is
played. A list may end with `rest` to say so; `rest` alone is a list without rules.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from solver.board.notation import quoted
from solver.board.outcome import counted
from solver.errors import UnknownPlayer
from solver.players.decision import Strategy, by_rules
from solver.players.handbook import HANDBOOK, REST, listed

LIST_PREFIX: Final = "rules:"
"""The prefix of the name of a player that follows a list."""

LIST_END: Final = "rest"
"""The last rule of every list: any open square."""

MOST_RULES: Final = 12
"""The most rules of a list that people write."""

PROSE_RULES: Final = (
    replace(HANDBOOK["win"], words="it completes a line"),
    replace(HANDBOOK["block"], words="the opponent would win there"),
    replace(HANDBOOK["centre"], words="it is free"),
    replace(HANDBOOK["threatened corner"], words="the opponent stands on both sides of it"),
    replace(HANDBOOK["edge"], words="one is free"),
    replace(HANDBOOK["corner"], words="one is free"),
    replace(REST, words="no other rule applies"),
)

SEVEN_RULES: Final = tuple(rule.name for rule in PROSE_RULES[:-1])
"""The seven rules by their names in the handbook. The seventh, any square, is left out, since it ends every list."""

RULEBOOK: Final = ("win", "block", "fork", "force a fork", "guard", "live lines")
SHORT_RULEBOOK: Final = ("win", "block", "guard", "live lines")


def slug(name: str) -> str:
    """Return a rule's name as lists spell it, e.g. "corner-centre-lost". Older lists call an edge a side."""
    return "-".join("edge" if word == "side" else word for word in re.findall(r"[a-z]+", name.lower()))


SLUGS: Final = MappingProxyType({slug(name): name for name in HANDBOOK})
"""The names of the handbook's rules by their spelling in lists."""


def is_list(text: str) -> bool:
    """Return whether a text means a list of rules rather than the name of an opponent."""
    return text.strip().lower().startswith(LIST_PREFIX) or "," in text or slug(text) in (LIST_END, *SLUGS)


def parse_list(text: str) -> tuple[str, ...]:
    """Return the names of a list's rules, in order. Raise UnknownPlayer, which suggests a similar name."""
    written = text.strip()
    written = written[len(LIST_PREFIX) :] if written.lower().startswith(LIST_PREFIX) else written
    found: list[str] = []
    for part in filter(None, map(str.strip, written.split(","))):
        if found and f"{found[-1]}-{slug(part)}" in SLUGS:  # some rules have a comma in their names
            found[-1] += f"-{slug(part)}"
        else:
            found.append(slug(part) or part)
    if found and found[-1] in (LIST_END, f"the-{LIST_END}"):
        found.pop()
    if len(found) > MOST_RULES:
        raise UnknownPlayer(f"A list has up to {counted(MOST_RULES, 'rule', 'rules')}, and this one has {len(found)}.")
    for place, each in enumerate(found):
        if each not in SLUGS:
            raise UnknownPlayer(_no_rule(each))
        if each in found[:place]:
            raise UnknownPlayer(f"The rule {quoted(SLUGS[each])} is in the list twice; the second would never decide.")
    return tuple(SLUGS[each] for each in found)


def _no_rule(text: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only this mistake needs it

    near = get_close_matches(text, SLUGS, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no rule {quoted(text)}.{meant} The rules are {', '.join(SLUGS)}; {LIST_END} may end the list."


def format_list(names: Sequence[str]) -> str:
    """Return the text of a list without its prefix, e.g. "win,block"; it is "rest" for a list without rules."""
    return ",".join(map(slug, names)) or LIST_END


@lru_cache(maxsize=256)
def player_of(names: tuple[str, ...]) -> Strategy:
    """Return the player that follows the handbook's rules of these names."""
    rules = listed(names)
    searches = any(rule.sight > 3 for rule in rules)
    return by_rules(
        f"{LIST_PREFIX}{format_list(names)}",
        f"List of {counted(len(names), 'rule', 'rules')}",
        f"Follows your rules in order: {', '.join((*names, 'any square'))}.",
        "Your own",
        rules,
        quick=lambda board: board.is_small or not searches,
    )


def list_called(name: str) -> Strategy | None:
    """Return the player of a list by its name in links; None for any other name, and for a list with a mistake."""
    if not name.startswith(LIST_PREFIX):
        return None
    try:
        return player_of(parse_list(name))
    except UnknownPlayer:
        return None
