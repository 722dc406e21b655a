"""The players that go by a list of rules of thumb: Easy, Medium, Hard, and the two rulebooks.

Hard are the seven rules that the prose of "Unbeatable? Tictactoe in PyFL" (B. Wadge) lists, played by either mark.

The rulebooks are proved on 3×3, and followed on any board. No shorter list of the handbook's rules does what they do
(`solver.articles.rulebooks` examines all). On 3×3 either never loses, on either side. The longer one never lets a win
slip either, from whatever position it is set to play; the shorter one from those of its own games only. On every other
board of up to nine cells the longer one loses only what is lost from the start, and lets no win slip in its games; on
larger ones it may do both.

Players of one's own: lists of the handbook's rules, as people write them and as links call them.

A list is written `rules:win,block,centre`, or as people say it, "win, block, threatened corner". After its rules any
square is played, so that `rest` may stand at its end and is all there is of a list without rules. On 3×3 everything
about such a player is settled; on other boards it plays too.
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
from solver.search.tablebase import has_table

_WIN, _BLOCK = HANDBOOK["win"], HANDBOOK["block"]

EASY: Final = (replace(REST, name="", words="any open square will do"),)

MEDIUM: Final = (
    replace(_WIN, name="", words="it wins at once"),
    replace(_BLOCK, name="", words="it blocks a win of {you}"),
    replace(REST, name="", words="nothing to win or block, so any open square will do"),
)

HARD: Final = (
    replace(_WIN, words="it completes a line"),
    replace(_BLOCK, words="the opponent would win there"),
    replace(HANDBOOK["centre"], words="it is free"),
    replace(HANDBOOK["threatened corner"], words="the opponent stands on both sides of it"),
    replace(HANDBOOK["side"], words="the middle of an edge is free"),
    replace(HANDBOOK["corner"], words="one is free"),
    replace(REST, words="no other rule applies"),
)

SEVEN_RULES: Final = tuple(rule.name for rule in HARD[:-1])
"""Those of Hard by their names in the handbook, without the seventh, any square, which ends every list."""

RULEBOOK: Final = ("win", "block", "fork", "force a fork", "guard", "live lines")
SHORT_RULEBOOK: Final = ("win", "block", "guard", "live lines")


MARKED: Final = "rules:"
"""The beginning of such a player's name."""

END: Final = "rest"
"""The last rule of every list: any open square."""

MOST_RULES: Final = 12
"""Rules that a list may have."""

LISTS: Final = "Your own"
"""The group that such players are in."""


def slug(name: str) -> str:
    """A rule's name as lists write it, e.g. "corner-centre-lost"."""
    return "-".join(re.findall(r"[a-z]+", name.lower()))


SLUGS: Final = MappingProxyType({slug(name): name for name in HANDBOOK})
"""The names of the handbook's rules by what lists write."""


def is_list(text: str) -> bool:
    """Whether a text means a list of rules rather than an opponent of some name."""
    return text.strip().lower().startswith(MARKED) or "," in text or slug(text) in (END, *SLUGS)


def parse_list(text: str) -> tuple[str, ...]:
    """The names of a list's rules in their order. Raises UnknownPlayer, which names the nearest rule and all others."""
    written = text.strip()
    written = written[len(MARKED) :] if written.lower().startswith(MARKED) else written
    found: list[str] = []
    for part in filter(None, map(str.strip, written.split(","))):
        if found and f"{found[-1]}-{slug(part)}" in SLUGS:  # some names have a comma themselves
            found[-1] += f"-{slug(part)}"
        else:
            found.append(slug(part) or part)
    if found and found[-1] in (END, f"the-{END}"):
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
    from difflib import get_close_matches  # noqa: PLC0415 - for this mistake alone

    near = get_close_matches(text, SLUGS, n=1, cutoff=0.5)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no rule {quoted(text)}.{meant} The rules are {', '.join(SLUGS)}; {END} may end the list."


def format_list(names: Sequence[str]) -> str:
    """A list as it is written, without the mark before it, e.g. "win,block"; of no rules it is the rest."""
    return ",".join(map(slug, names)) or END


@lru_cache(maxsize=256)
def player_of(names: tuple[str, ...]) -> Strategy:
    """The player that follows these rules of the handbook, by their names there."""
    rules = listed(names)
    searches = any(rule.sight > 3 for rule in rules)
    return by_rules(
        f"{MARKED}{format_list(names)}",
        f"List of {counted(len(names), 'rule', 'rules')}",
        f"Follows your rules in order: {', '.join((*names, 'any square'))}.",
        LISTS,
        rules,
        quick=lambda board: has_table(board) or not searches,
    )


def list_called(name: str) -> Strategy | None:
    """The player of a list by its name, as links have it; None for any other name, and for a list that is none."""
    if not name.startswith(MARKED):
        return None
    try:
        return player_of(parse_list(name))
    except UnknownPlayer:
        return None
