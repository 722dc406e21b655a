"""The lesson on the rulebook: which rule decides, the shortest lists that never lose, and the use of each rule."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from math import perm
from typing import ClassVar, Final

from solver.analysis.drills import DrillKind
from solver.analysis.trial import wins
from solver.articles.rulebooks import (
    Aim,
    Change,
    Proof,
    RuleNames,
    Shortest,
    Without,
    changes,
    example,
    lost_game,
    mending,
    proof,
    shortest,
    without,
)
from solver.board.notation import few_cells, format_cell, parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import STRATEGIES
from solver.players.decision import Consulted, Rule, consult
from solver.players.handbook import HANDBOOK
from solver.players.lists import RULEBOOK, SEVEN_RULES, SHORT_RULEBOOK, slug
from webapp.pages.learn.figures import Figure, kept
from webapp.pages.learn.lesson import Figures, Lesson, Level, lesson_url, settled
from webapp.pages.learn.players.stage import SceneView, asked_scene, deciding_board, staged
from webapp.pages.learn.players.trial import TRAP, beaten, tried_on_3x3
from webapp.pages.learn.players.workshop import SIGHTS
from webapp.pages.learn.quiz import Feedback, Guess, Question, Quiz
from webapp.pages.learn.thumbs import lines
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.choices import Choice

SOUGHT: Final = (
    (Aim.UNBEATABLE, 0),
    (Aim.UNBEATABLE, 1),
    (Aim.UNBEATABLE, 2),
    (Aim.UNBEATABLE, 3),
    (Aim.UNBEATABLE, 4),
    (Aim.KEEPS_EVERY_WIN, 3),
    (Aim.SOUND, 3),
    (Aim.PERFECT, 4),
)
"""The searches on the page: the aim of each, and the number of plies that the rules may look ahead."""

BY_RULES: Final = tuple(each.name for each in STRATEGIES.values() if each.follows)
"""The opponents by rules, whose games can be watched."""

DECIDED: Final = ("X.X/XOO/...", "OX./.X./O..", ".X./XO./...", "..X/.O./X..")
"""Positions in which the quiz asks which of the seven rules decides."""

ERRING: Final = "X../.OX/..."
"""A position in which the seven rules name a square that loses, and others that don't."""

SHORT_LISTS: Final[tuple[RuleNames, ...]] = (
    ("win", "block", "centre", "corner"),
    ("win", "block", "fork", "centre"),
    SHORT_RULEBOOK,
    ("win", "block", "fork", "corner"),
)
"""Lists of four rules; one of them never loses."""

REPLY: Final = 2
"""The look-ahead in plies of the rules that the quiz counts: they see the reply to their move."""


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
    has an aim, the number of plies that the rules may look ahead, and the shortest list. `mended` is the list of the
    seven rules after one of the changes in `mending`.
    """

    watched: tuple[Choice, ...]
    sides: tuple[Choice, ...]
    scene: SceneView
    rulebooks: tuple[Rulebook, ...]
    proofs: Mapping[str, Proof]
    sought: tuple[tuple[Aim, int, Shortest], ...]
    changes: int
    mending: tuple[Change, ...]
    mended: tuple[str, ...]
    seven: ClassVar[tuple[str, ...]] = SEVEN_RULES
    sights: ClassVar[tuple[str, ...]] = SIGHTS
    handbook: ClassVar[tuple[Rule, ...]] = tuple(HANDBOOK.values())


def view(query: Query) -> RulebookView:
    """Show the lesson.

    The query names a game by `player`, `side` and `moves`, and its ply by `at`. Raises NoughtsError.
    """
    found = kept(mending, SEVEN_RULES)
    mended = next(change.names for change in found if "guard" in change.names)
    watched, sides, scene = _watched(query)
    return RulebookView(
        watched=watched,
        sides=sides,
        scene=scene,
        rulebooks=(
            _rulebook("Rulebook", "rulebook", RULEBOOK),
            _rulebook("Short rulebook", "short-rulebook", SHORT_RULEBOOK),
        ),
        proofs={
            "Rulebook": kept(proof, RULEBOOK),
            "Short rulebook": kept(proof, SHORT_RULEBOOK),
            "Seven rules": kept(proof, SEVEN_RULES),
            "Seven rules, mended": kept(proof, mended),
        },
        sought=tuple(_sought(aim, sight) for aim, sight in SOUGHT),
        changes=len(changes(SEVEN_RULES)),
        mending=found,
        mended=mended,
    )


@cache
def deciding() -> Quiz:
    """Return the quiz that asks which of the seven rules decides, and where they fail."""
    return Quiz(
        title="Which rule decides?",
        questions=(*(_deciding(parse_position(text, TIC_TAC_TOE)) for text in DECIDED), _erring()),
        closing="From the top to the first rule that names a square: so the computer reads its list.",
    )


@cache
def shortening() -> Quiz:
    """Return the quiz that asks for a list of four rules that never loses, and for the number of shorter lists."""
    library = sum(rule.sight <= REPLY for rule in HANDBOOK.values())
    return Quiz(
        title="Four rules are enough",
        questions=(
            Question(
                words="One of these lists never loses, not even in the trap that the board shows. Which one?",
                answers={str(place): _short(names) for place, names in enumerate(SHORT_LISTS)},
                titles={str(place): ", ".join(names) for place, names in enumerate(SHORT_LISTS)},
                board=TRAP,
            ),
            Guess(
                words=f"{library} rules look no farther than the reply. How many lists of up to three do they make?",
                truth=sum(perm(library, length) for length in range(len(SHORT_RULEBOOK))),
                because="Each of them can lose.",
            ),
        ),
        closing="So no shorter list will do, unless its rules look farther ahead.",
    )


def _deciding(position: Position) -> Question:
    consulted = consult(STRATEGIES["seven-rules"].follows, position)
    decided = next(each for each in consulted if each.decides)

    def answer(each: Consulted) -> Feedback:
        name, cells = each.rule.name, few_cells(each.cells, TIC_TAC_TOE)
        if each is decided:
            return Feedback(True, f"Yes! “{name}” names {cells}.", deciding_board(position, each.cells))
        if each.cells:
            return Feedback(False, f"“{name}” would name {cells}, but a rule above it decides first.")
        return Feedback(False, f"“{name}” names nothing: {each.lacking}.")

    return Question(
        words=f"{position.mover} to move. Read from the top: which rule is the first to name a square?",
        answers={slug(each.rule.name): answer(each) for each in consulted},
        titles={slug(each.rule.name): f"{place}. {each.rule.name}" for place, each in enumerate(consulted, 1)},
        board=mini(position),
    )


def _erring() -> Question:
    """Ask which of the squares that the seven rules name loses."""
    position = parse_position(ERRING, TIC_TAC_TOE)
    decided = next(each for each in consult(STRATEGIES["seven-rules"].follows, position) if each.decides)

    def answer(cell: Cell) -> Feedback:
        name = format_cell(cell, TIC_TAC_TOE)
        if wins(position.after(cell)):
            return beaten(
                f"Yes! After {name}, {position.mover.other} wins.", tried_on_3x3("seven-rules", position.mover)
            )
        return Feedback(False, f"{name} holds the draw. Try another one.")

    return Question(
        words=f"“{decided.rule.name}” names {few_cells(decided.cells, TIC_TAC_TOE)}. One of them loses. Which one?",
        answers={format_cell(cell, TIC_TAC_TOE): answer(cell) for cell in decided.cells},
        board=deciding_board(position, decided.cells),
    )


def _short(names: RuleNames) -> Feedback:
    tried = proof(names).trials
    lost = next((each for each in tried if not each.unbeatable), None)
    if lost:
        said = f"As {lost.mark}, it loses {lost.counts.lost:,} of {lost.counts.games:,} games."
        return replace(beaten(said, lost), right=False)
    games = " and ".join(f"{each.counts.games:,} games as {each.mark}" for each in tried)
    return Feedback(True, f"Yes! It can play {games}, and loses none of them.")


def _watched(query: Query) -> tuple[tuple[Choice, ...], tuple[Choice, ...], SceneView]:
    """Return the links to the players by rules, the links to both sides, and the scene of the player watched."""
    name, mark = one_of(query, "player", BY_RULES, "seven-rules"), Mark(one_of(query, "side", Mark, "O"))
    player = STRATEGIES[name]
    scene = asked_scene(query, player, mark, lost_game(player, mark), partial(_address, name, mark))
    return (
        tuple(Choice(STRATEGIES[each].title, _address(each, mark), each == name) for each in BY_RULES),
        tuple(Choice(f"as {each}", _address(name, each), each is mark) for each in Mark),
        staged(scene),
    )


def _address(player: str, mark: Mark, **parts: object) -> str:
    return lesson_url("rulebook", {"player": player, "side": mark, **parts}, "stage")


def _rulebook(title: str, player: str, names: RuleNames) -> Rulebook:
    proved = kept(proof, names)
    slip = _marked(proved.slip.position, proved.slip.cell, "draw") if proved.slip else None
    return Rulebook(title, player, tuple(_needed(names, name) for name in names), proved, slip)


def _needed(names: RuleNames, name: str) -> Needed:
    wrong = kept(without, names, name)
    shown = deciding_board(*kept(example, names, name))
    return Needed(HANDBOOK[name], shown, wrong, _error(wrong))


def _error(wrong: Without) -> Mini | None:
    """Draw the mistake that the list makes without the rule. The wrong square is marked."""
    if wrong.refutation is not None and wrong.refutation.erred is not None:
        ply = wrong.refutation.plies[wrong.refutation.erred]
        return _marked(ply.position, ply.cell, "loss")
    return _marked(wrong.slip.position, wrong.slip.cell, "draw") if wrong.slip else None


def _marked(position: Position, cell: Cell, kind: str) -> Mini:
    return mini(position, f"{position.mover} on {format_cell(cell, TIC_TAC_TOE)}?", "", {cell: "?"}, {cell: kind})


def _sought(aim: Aim, sight: int) -> tuple[Aim, int, Shortest]:
    found = kept(shortest, aim, sight)
    assert found is not None  # noqa: S101 - all aims on the page can be reached
    return aim, sight, found


def _figures(_: Query) -> Figures:
    rulebooks = (RULEBOOK, SHORT_RULEBOOK)
    return Figures(
        (
            *(Figure(shortest, sought) for sought in SOUGHT),
            Figure(mending, (SEVEN_RULES,)),
            *(Figure(proof, (names,)) for names in (*rulebooks, SEVEN_RULES)),
            *(Figure(each, (names, name)) for names in rulebooks for name in names for each in (without, example)),
        ),
        "searches and proofs done",
    )


LESSON = Lesson(
    name="rulebook",
    title="The rulebook",
    summary="Four rules that never lose. Read a list as a computer does, and find where it fails.",
    level=Level.FURTHER,
    minutes=6,
    after=("pyfl",),
    code=(shortest,),
    picture=lambda: lines(SHORT_RULEBOOK),
    parts=("player", "side", "moves", "at"),
    view=settled(view),
    figures=_figures,
    quizzes={"decide": deciding, "short": shortening},
    drills=(DrillKind.WIN_NOW, DrillKind.BLOCK, DrillKind.STOP_FORK),
)
