"""The tab on the rulebooks: which rule decides, the shortest lists that never lose, and the use of each rule."""

from dataclasses import dataclass
from functools import partial
from math import perm
from typing import ClassVar, Final

from solver.analysis.trial import wins
from solver.articles.figures import figures
from solver.articles.rulebooks import (
    Aim,
    Proof,
    RuleNames,
    Shortest,
    Without,
    proof,
    rule_examples,
    without,
)
from solver.board.notation import few_cells, format_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.decision import Consulted, Rule, consult
from solver.players.handbook import HANDBOOK, RULEBOOK, SEVEN_RULES, SHORT_RULEBOOK, format_list, slug
from webapp.pages.learn.content import Facts, FactsOf, Remark, read_content
from webapp.pages.learn.lesson import SEE, Tab, lesson_url
from webapp.pages.learn.lessons.trial import TRAP, show_loss, try_on_3x3
from webapp.pages.learn.stage import SceneView, draw_deciding, read_scene, view_scene
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import Choice

SIGHTS: Final[tuple[str, ...]] = tuple(read_content("workshop")["sights"])
"""The look-ahead of rules in words, by plies."""

MENDED: Final = tuple("guard" if name == "edge" else name for name in SEVEN_RULES)
"""The seven rules with a guard in place of the edges."""

BY_RULES: Final = tuple(each.name for each in STRATEGIES.values() if each.follows)
"""The opponents by rules, whose games can be watched."""


@dataclass(frozen=True, slots=True)
class Needed:
    """A rule of a list, a board on which it decides, and the consequences of leaving it out.

    `error` shows the mistake that the list makes without the rule; it is None if the list makes none.
    """

    rule: Rule
    example: Mini
    without: Without
    error: Mini | None


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A list of rules as prose, with its proof, and a board on which it may miss a win, if there is one."""

    title: str
    player: str
    rules: tuple[Needed, ...]
    proof: Proof
    slip: Mini | None


@dataclass(frozen=True, slots=True)
class RulebookView:
    """The two rulebooks, a player by rules at work, the searches for the shortest lists, and the seven rules.

    `scene` is the game shown; `watched` and `sides` are links to other players and to both sides. Each row of `sought`
    has an aim, the number of plies that the rules may look ahead, and the shortest list. `mended` is the address of the
    seven rules with a guard in place of the edges, `mending` that of all changes that mend them.
    """

    watched: tuple[Choice, ...]
    sides: tuple[Choice, ...]
    scene: SceneView
    rulebooks: tuple[Rulebook, ...]
    sought: tuple[tuple[Aim, int, Shortest], ...]
    mended: str
    mending: str
    seven: ClassVar[tuple[str, ...]] = SEVEN_RULES
    sights: ClassVar[tuple[str, ...]] = SIGHTS


def view(query: Query) -> RulebookView:
    """Show the lesson.

    The query names a game by `player`, `side` and `moves`, and its ply by `at`. Raises NoughtsError.
    """
    watched, sides, scene = _watch(query)
    return RulebookView(
        watched=watched,
        sides=sides,
        scene=scene,
        rulebooks=(
            _rulebook("Rulebook", "rulebook", RULEBOOK),
            _rulebook("Short rulebook", "short-rulebook", SHORT_RULEBOOK),
        ),
        sought=figures().shortest,
        mended=lesson_url("workshop", {"rules": format_list(MENDED)}),
        mending=lesson_url("workshop", {"rules": format_list(SEVEN_RULES), "mend": "1"}, "mend"),
    )


def judge_deciding(position: Position) -> Facts:
    """Judge which of the seven rules decides in a position."""
    consulted = consult(STRATEGIES["seven-rules"].follows, position)

    def judge(rule: Consulted) -> Remark:
        name, cells = rule.rule.name, few_cells(rule.cells, TIC_TAC_TOE)
        if rule.decides:
            return Remark.of("decides", draw_deciding(position, rule.cells), name=name, cells=cells)
        return Remark.of("later" if rule.cells else "silent", name=name, cells=cells, lacking=rule.lacking)

    return Facts.of(
        {slug(rule.rule.name): judge(rule) for rule in consulted},
        mini(position),
        titles={slug(rule.rule.name): f"{place}. {rule.rule.name}" for place, rule in enumerate(consulted, 1)},
        mover=position.mover,
    )


def judge_erring(position: Position) -> Facts:
    """Judge which of the squares that the seven rules name loses."""
    decided = next(rule for rule in consult(STRATEGIES["seven-rules"].follows, position) if rule.decides)

    def judge(cell: Cell) -> Remark:
        name, other = format_cell(cell, TIC_TAC_TOE), position.mover.other
        if wins(position.after(cell)):
            return show_loss("loses", try_on_3x3("seven-rules", position.mover), name=name, other=other)
        return Remark.of("holds", name=name)

    return Facts.of(
        {format_cell(cell, TIC_TAC_TOE): judge(cell) for cell in decided.cells},
        draw_deciding(position, decided.cells),
        rule=decided.rule.name,
        cells=few_cells(decided.cells, TIC_TAC_TOE),
    )


def judge_short(lists: list[str]) -> Facts:
    """Judge which of these lists of rules never loses."""
    titles = {str(place): names for place, names in enumerate(lists)}
    answers = {place: _judge_list(tuple(names.split(", "))) for place, names in titles.items()}
    return Facts.of(answers, TRAP, titles=titles)


def _judge_list(names: RuleNames) -> Remark:
    trials = proof(names).trials
    lost = next((trial for trial in trials if not trial.unbeatable), None)
    if lost:
        return show_loss("loses", lost, mark=lost.mark, lost=lost.counts.lost, games=lost.counts.games)
    games = " and ".join(f"{trial.counts.games:,} games as {trial.mark}" for trial in trials)
    return Remark.of("never", games=games)


def count_lists(sight: int) -> Facts:
    """Count the lists that are shorter than the shortest one, with rules that look ahead so many plies."""
    library = sum(rule.sight <= sight for rule in HANDBOOK.values())
    return Facts.of(truth=sum(perm(library, length) for length in range(len(SHORT_RULEBOOK))), library=library)


def _watch(query: Query) -> tuple[tuple[Choice, ...], tuple[Choice, ...], SceneView]:
    """Return the links to the players by rules, the links to both sides, and the scene of the player watched."""
    name, mark = one_of(query, "player", BY_RULES, "seven-rules"), Mark(one_of(query, "side", Mark, "O"))
    player = STRATEGIES[name]
    scene = read_scene(query, player, mark, try_on_3x3(name, mark).refutation, partial(_address, name, mark))
    return (
        tuple(Choice(STRATEGIES[each].title, _address(each, mark), each == name) for each in BY_RULES),
        tuple(Choice(f"as {each}", _address(name, each), each is mark) for each in Mark),
        view_scene(scene),
    )


def _address(player: str, mark: Mark, **parts: object) -> str:
    return lesson_url("workshop", {SEE: "rulebook", "player": player, "side": mark, **parts}, "stage")


def _rulebook(title: str, player: str, names: RuleNames) -> Rulebook:
    proved = proof(names)
    slip = _draw_square(proved.slip.position, proved.slip.cell, "draw") if proved.slip else None
    return Rulebook(title, player, tuple(_explain_need(names, name) for name in names), proved, slip)


def _explain_need(names: RuleNames, name: str) -> Needed:
    wrong = without(names, name)
    shown = draw_deciding(*rule_examples(names)[name])
    return Needed(HANDBOOK[name], shown, wrong, _error(wrong))


def _error(wrong: Without) -> Mini | None:
    """Draw the mistake that the list makes without the rule. The wrong square is marked."""
    if wrong.refutation is not None and wrong.refutation.erred is not None:
        ply = wrong.refutation.plies[wrong.refutation.erred]
        return _draw_square(ply.position, ply.cell, "loss")
    return _draw_square(wrong.slip.position, wrong.slip.cell, "draw") if wrong.slip else None


def _draw_square(position: Position, cell: Cell, kind: str) -> Mini:
    return mini(position, f"{position.mover} on {format_cell(cell, TIC_TAC_TOE)}?", "", {cell: "?"}, {cell: kind})


RULEBOOK_TAB: Final = Tab(view=view, parts=("player", "side", "moves", "at"))
RULEBOOK_FACTS: Final[FactsOf] = {
    "deciding": judge_deciding,
    "erring": judge_erring,
    "short": judge_short,
    "lists": count_lists,
}
