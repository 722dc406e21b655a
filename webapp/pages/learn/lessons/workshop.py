"""The workshop: visitors put rules in an order, and see at once how well the list plays. Opponents are tried too."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.analysis.trial import trial
from solver.articles.rulebooks import (
    MatchChances,
    RuleNames,
    against_everyone,
    changes,
    find_mending,
    player_by_classes,
    rule_examples,
    shortest,
)
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import Strategy, strategy_named
from solver.players.decision import Rule, find_rule, following
from solver.players.handbook import HANDBOOK, MOST_RULES, REST, format_list, parse_list, slug
from webapp.pages.learn.content import lesson_url, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stage import PARTS, PlayerStage, draw_deciding
from webapp.pages.play.link import Link
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


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of the list.

    `up`, `down` and `removed` are the addresses of the list with this rule moved or removed. `example` is a board on
    which the rule decides, if it ever does.
    """

    slug: str
    rule: Rule
    up: str | None
    down: str | None
    removed: str
    example: Mini | None


@dataclass(frozen=True, slots=True)
class OfferedRule:
    """A rule that can be added to the end of the list, and the address of the list with it."""

    rule: Rule
    url: str
    slug: str


@dataclass(frozen=True, slots=True)
class WorkshopView:
    """A player on the stage, with links to play against it. If the player is the visitor's list, `own` has the rest."""

    stage: PlayerStage
    presets: tuple[Choice, ...]
    play: tuple[tuple[Mark, str], ...]
    own: "OwnList | None"


@dataclass(frozen=True, slots=True)
class OwnList:
    """The visitor's list, and its chances against everyone.

    `erring` is the rule that made the losing move. `mending` are changes after which the list never loses, of so many
    `changes`. They are searched for only on demand.
    """

    text: str
    url: str
    rules: tuple[OwnRule, ...]
    offered: tuple[tuple[str, tuple[OfferedRule, ...]], ...]
    erring: Rule | None
    asked_to_mend: bool
    mending: tuple[Choice, ...]
    mendings: int
    changes: int
    rows: tuple[MatchChances, ...]
    score: Fraction
    rest_example: Mini | None
    most: ClassVar[int] = MOST_RULES


def view(query: Query) -> WorkshopView:
    """Show the player that the query names by `rules`, or by `strategy` if it is an opponent. Raises NoughtsError."""
    name = query.get("strategy") or query.get("player")
    names = parse_list(query["rules"]) if query.get("rules") else FIRST_LIST
    player = strategy_named(name, TIC_TAC_TOE) if name else player_by_classes(names)
    stage = PlayerStage.of(
        query, player, partial(_address, {"strategy": name} if name else {"rules": format_list(names)})
    )
    return WorkshopView(
        stage=stage,
        presets=tuple(Choice(title, url_of(each), each == names and not name) for title, each in PRESETS.items()),
        play=tuple((each, _play_url(player, each)) for each in Mark),
        own=None if name else _own_list(query, names, stage),
    )


def _own_list(query: Query, names: RuleNames, stage: PlayerStage) -> OwnList:
    examples, met = rule_examples(names), against_everyone(names)
    asked = number_of(query, "mend", 0, 0, 1) == 1
    mending = find_mending(names) if asked and not stage.unbeatable else ()
    return OwnList(
        text=format_list(names),
        url=url_of(names),
        rules=tuple(_own_rule(names, place, examples) for place in range(len(names))),
        offered=_offer(names),
        erring=None if stage.erred is None else find_rule(stage.player.follows, stage.game.positions[stage.erred])[0],
        asked_to_mend=asked,
        mending=tuple(Choice(change.words, url_of(change.names)) for change in mending[:MOST_CHANGES]),
        mendings=len(mending),
        changes=len(changes(names)) if asked else 0,
        rows=met,
        score=sum((each.score for each in met), Fraction(0)) / len(met),
        rest_example=_example(REST.name, examples),
    )


def _address(player: Mapping[str, str], **parts: object) -> str:
    return lesson_url("workshop", {**player, **parts}, "stage")


def url_of(names: RuleNames) -> str:
    """Return the address of the workshop with a list of rules."""
    return lesson_url("workshop", {"rules": format_list(names)})


def _play_url(player: Strategy, mark: Mark) -> str:
    """Return the address of a game against the list's player, who has this mark."""
    seats = {"x": player.name, "o": "human"} if mark is Mark.X else {"o": player.name}
    return Link.starting(TIC_TAC_TOE).having(**seats).url()


def _own_rule(names: RuleNames, place: int, examples: Examples) -> OwnRule:
    name, others = names[place], names[:place] + names[place + 1 :]

    def moved(to: int) -> str | None:
        return url_of((*others[:to], name, *others[to:])) if 0 <= to < len(names) else None

    return OwnRule(
        slug(name), HANDBOOK[name], moved(place - 1), moved(place + 1), url_of(others), _example(name, examples)
    )


def _example(name: str, examples: Examples) -> Mini | None:
    """Draw a board on which a rule decides; None if it never does."""
    return draw_deciding(*examples[name]) if name in examples else None


def _offer(names: RuleNames) -> tuple[tuple[str, tuple[OfferedRule, ...]], ...]:
    """Return the rules that can be added, by how far they look ahead. A list of full length gets none."""
    if len(names) == MOST_RULES:
        return ()
    left = [rule for rule in HANDBOOK.values() if rule.name not in names]
    offered = [OfferedRule(rule, url_of((*names, rule.name)), slug(rule.name)) for rule in left]
    return tuple(
        (looks, tuple(choice for choice in offered if choice.rule.sight == sight)) for sight, looks in enumerate(SIGHTS)
    )


LESSON = Lesson.of(
    "workshop",
    code=(find_rule, following, trial, shortest),
    parts=("rules", "strategy", "player", "mend", *PARTS),
    view=view,
)
