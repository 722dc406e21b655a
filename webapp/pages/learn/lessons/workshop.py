"""The lesson in which visitors make a player: they put rules in an order, and see at once how well it plays."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.analysis.trial import Trial, trial
from solver.articles.rulebooks import (
    MatchChances,
    Proof,
    RuleNames,
    against_everyone,
    changes,
    find_mending,
    proof,
    rule_examples,
    shortest,
)
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import Strategy
from solver.players.decision import Rule, find_rule, following
from solver.players.handbook import HANDBOOK, MOST_RULES, REST, format_list, parse_list, player_of, slug
from webapp.pages.learn.content import read_content
from webapp.pages.learn.lesson import Lesson, lesson_url
from webapp.pages.learn.lessons.rulebook import RULEBOOK_FACTS, RULEBOOK_TAB, SIGHTS
from webapp.pages.learn.lessons.trial import TRIAL_FACTS, TRIAL_TAB
from webapp.pages.learn.stage import SceneView, draw_deciding, read_scene, view_scene
from webapp.pages.play.link import Link
from webapp.ui.address import Query, number_of, one_of
from webapp.ui.board import Mini
from webapp.ui.filters import Choice

PRESETS: Final[Mapping[str, RuleNames]] = MappingProxyType(
    {title: tuple(names) for title, names in read_content("workshop")["presets"].items()}
)
"""Lists to start from, by title."""

FIRST_LIST: Final = next(iter(PRESETS.values()))
"""The workshop's first list: the rules that most people name first."""

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
    """The visitor's list with its proof, a game of it, and its chances against everyone.

    `sides` are the trials as X and as O with their addresses. `stage` shows a game. If the list loses it, `losing` is
    true and `erring` is the rule that made the losing move. `mending` are changes after which the list never loses, of
    so many `changes`. They are searched for only on demand.
    """

    text: str
    rules: tuple[OwnRule, ...]
    offered: tuple[tuple[str, tuple[OfferedRule, ...]], ...]
    presets: tuple[Choice, ...]
    sides: tuple[tuple[Trial, Choice], ...]
    losing: bool
    erring: Rule | None
    stage: SceneView
    asked_to_mend: bool
    mending: tuple[Choice, ...]
    mendings: int
    changes: int
    rows: tuple[MatchChances, ...]
    score: Fraction
    play: tuple[tuple[Mark, str], ...]
    url: str
    rest_example: Mini | None
    most: ClassVar[int] = MOST_RULES

    @property
    def unbeatable(self) -> bool:
        """True if the list loses no game on either side."""
        return all(tried.unbeatable for tried, _ in self.sides)


def view(query: Query) -> WorkshopView:
    """Show the lesson.

    The query names the list by `rules`, and a game by `side`, `moves` and ply `at`. Raises NoughtsError.
    """
    names = parse_list(query["rules"]) if query.get("rules") else FIRST_LIST
    player, proved, examples = player_of(names), proof(names), rule_examples(names)
    mark = Mark(one_of(query, "side", Mark, _usual_side(proved)))
    refuted = next(each.refutation for each in proved.trials if each.mark is mark)
    address = partial(url_of, names, "stage", side=mark)
    scene = read_scene(query, player, mark, refuted, address, opens_at_mistake=True)
    erred = scene.erred
    met = against_everyone(names)
    asked = number_of(query, "mend", 0, 0, 1) == 1
    mending = find_mending(names) if asked and any(each.refutation for each in proved.trials) else ()
    return WorkshopView(
        text=format_list(names),
        rules=tuple(_own_rule(names, place, examples) for place in range(len(names))),
        offered=_offer(names),
        presets=tuple(Choice(title, url_of(each), each == names) for title, each in PRESETS.items()),
        sides=tuple(
            (each, Choice(each.mark, url_of(names, side=each.mark), each.mark is mark)) for each in proved.trials
        ),
        losing=refuted is not None and scene.game.moves == refuted.game.moves,
        erring=None if erred is None else find_rule(player.follows, scene.game.positions[erred])[0],
        stage=view_scene(scene),
        asked_to_mend=asked,
        mending=tuple(Choice(change.words, url_of(change.names)) for change in mending[:MOST_CHANGES]),
        mendings=len(mending),
        changes=len(changes(names)) if asked else 0,
        rows=met,
        score=sum((each.score for each in met), Fraction(0)) / len(met),
        play=tuple((each, _play_url(player, each)) for each in Mark),
        url=url_of(names),
        rest_example=_example(REST.name, examples),
    )


def url_of(names: RuleNames, anchor: str = "", **parts: object) -> str:
    """Return the address of the workshop with a list of rules and other parts of the query."""
    return lesson_url("workshop", {"rules": format_list(names), **parts}, anchor)


def _play_url(player: Strategy, mark: Mark) -> str:
    """Return the address of a game against the list's player, who has this mark."""
    seats = {"x": player.name, "o": "human"} if mark is Mark.X else {"o": player.name}
    return Link.starting(TIC_TAC_TOE).having(**seats).url()


def _usual_side(proved: Proof) -> Mark:
    """Return the mark with which the list is beaten soonest, or O if it never is."""
    beaten = [(len(trial.refutation.plies), trial.mark) for trial in proved.trials if trial.refutation]
    return min(beaten)[1] if beaten else Mark.O


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
    parts=("rules", "side", "moves", "at", "mend"),
    view=view,
    tabs={"rulebook": RULEBOOK_TAB, "trial": TRIAL_TAB},
    facts={**RULEBOOK_FACTS, **TRIAL_FACTS},
)
