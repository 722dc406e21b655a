"""The workshop: visitors put rules in an order, and see at once how well the list plays. Opponents are tried too."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.articles.rulebooks import (
    RuleNames,
    against_everyone,
    changes,
    find_mending,
    player_by_classes,
    rule_examples,
)
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import strategy_named
from solver.players.decision import Rule, find_rule
from solver.players.handbook import HANDBOOK, MOST_RULES, REST, format_list, parse_list, slug
from webapp.pages.learn.content import Shown, lesson_url, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stage import PARTS, PlayerStage, draw_deciding, link_against
from webapp.ui.address import Query, number_of
from webapp.ui.board import Mini
from webapp.ui.filters import Choice

PRESETS: Final[Mapping[str, RuleNames]] = MappingProxyType(
    {title: tuple(names) for title, names in read_content("workshop")["presets"].items()}
)
"""Lists to start from, by title."""

FIRST_LIST: Final = next(iter(PRESETS.values()))
"""The workshop's first list: the rules that most people name first."""

SIGHTS: Final[tuple[str, ...]] = tuple(read_content("workshop")["sights"])
"""The look-ahead of rules in words, by plies."""

Examples: TypeAlias = Mapping[str, tuple[Position, tuple[Cell, ...]]]
"""Examples of rules by name: a position in which the rule decides, and the squares that it names there."""

MOST_CHANGES: Final = 8
"""The most changes that the page offers to mend a list."""


def view(query: Query) -> Shown:
    """Show the player that the query names by `rules`, or by `strategy` if it is an opponent. Raises NoughtsError.

    If it is the visitor's list, `own` has the rest.
    """
    name = query.get("strategy") or query.get("player")
    names = parse_list(query["rules"]) if query.get("rules") else FIRST_LIST
    player = strategy_named(name, TIC_TAC_TOE) if name else player_by_classes(names)
    stage = PlayerStage.of(
        query, player, partial(_address, {"strategy": name} if name else {"rules": format_list(names)})
    )
    return {
        "stage": stage,
        "presets": [Choice(title, url_of(each), each == names and not name) for title, each in PRESETS.items()],
        "play": {each: link_against(player, each).url() for each in Mark},
        "own": None if name else _own_list(query, names, stage),
    }


def _own_list(query: Query, names: RuleNames, stage: PlayerStage) -> Shown:
    """Show the visitor's list, and its chances against everyone.

    `erring` is the rule that made the losing move. `mending` are changes after which the list never loses, of so many
    `changes`. They are searched for only on demand.
    """
    examples, met = rule_examples(names), against_everyone(names)
    asked = number_of(query, "mend", 0, 0, 1) == 1
    mending = find_mending(names) if asked and not stage.unbeatable else ()
    erred = None if stage.erred is None else stage.game.positions[stage.erred]
    return {
        "text": format_list(names),
        "url": url_of(names),
        "rules": [_own_rule(names, place, examples) for place in range(len(names))],
        "offered": _offer(names),
        "erring": erred and find_rule(stage.player.follows, erred)[0],
        "asked_to_mend": asked,
        "mending": [Choice(change.words, url_of(change.names)) for change in mending[:MOST_CHANGES]],
        "mendings": len(mending),
        "changes": len(changes(names)) if asked else 0,
        "rows": met,
        "score": sum((each.score for each in met), Fraction(0)) / len(met),
        "rest_example": _example(REST.name, examples),
        "most": MOST_RULES,
    }


def _address(player: Mapping[str, str], **parts: object) -> str:
    return lesson_url("workshop", {**player, **parts}, "stage")


def url_of(names: RuleNames) -> str:
    """Return the address of the workshop with a list of rules."""
    return lesson_url("workshop", {"rules": format_list(names)})


def _own_rule(names: RuleNames, place: int, examples: Examples) -> Shown:
    """Show a rule of the list, the addresses of the list with it moved or removed, and where it decides, if ever."""
    name, others = names[place], names[:place] + names[place + 1 :]

    def moved(to: int) -> str | None:
        return url_of((*others[:to], name, *others[to:])) if 0 <= to < len(names) else None

    return {
        "slug": slug(name),
        "rule": HANDBOOK[name],
        "up": moved(place - 1),
        "down": moved(place + 1),
        "removed": url_of(others),
        "example": _example(name, examples),
    }


def _example(name: str, examples: Examples) -> Mini | None:
    """Draw a board on which a rule decides; None if it never does."""
    return draw_deciding(*examples[name]) if name in examples else None


def _offer(names: RuleNames) -> Mapping[str, list[tuple[Rule, str, str]]]:
    """Return the rules that can be added with the addresses of these lists, by how far the rules look ahead.

    A list of full length gets none.
    """
    left = [rule for rule in HANDBOOK.values() if rule.name not in names and len(names) < MOST_RULES]
    return {
        looks: [(rule, url_of((*names, rule.name)), slug(rule.name)) for rule in left if rule.sight == sight]
        for sight, looks in enumerate(SIGHTS)
        if left
    }


LESSON = Lesson.of("workshop", parts=("rules", "strategy", "player", "mend", *PARTS), view=view)
