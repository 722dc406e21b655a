"""The views of drills that templates show: a drill with its board and buttons, the drills on offer, sets and sheets."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.analysis.drills import BOARDS, Drill, DrillKind, evaluation
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.errors import NoughtsError
from webapp.pages.practise import words
from webapp.pages.practise.link import LEVELS, MOST_DRILLS, DrillLink
from webapp.pages.practise.shown import DrillShown, following, format_answer, found, moves_offered, set_of
from webapp.ui.board import Board, LineView, Mini, Square, empty, line_view, mini, of_line, taken
from webapp.ui.choices import Choice, Option, options
from webapp.ui.filters import board_title, winning_rule

FEW_NUMBERS: Final = 5
"""The most buttons in a row that stand beside their label on a phone; more stand below it."""

DRAWN_AT_FIRST: Final = 9
"""The most stones of a line that are drawn at first. On a large board, all of them would hide the position."""

DRAWN_OF_A_WRONG_ONE: Final = 2
"""The stones drawn after a wrong answer: the square and the reply to it. The visitor needs room to try again."""

FEW_OPEN: Final = 6
"""The most open squares in the picture of a kind. A fuller board shows better what the kind is about."""

LEVELS_OFFERED: Final[Mapping[str, str]] = MappingProxyType(
    {"": "Any"} | {level: level.capitalize() for level in LEVELS}
)
"""The titles of the levels; "" stands for drills of all levels."""

DrillProblems: TypeAlias = tuple[NoughtsError, ...]
"""The mistakes in an address or an answer."""


@dataclass(frozen=True, slots=True)
class Winner:
    """The answers that name one winner, a button each; the draw has no title."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class KindOffered:
    """A kind of drills, with their number and the address of a run of them; `url` is None where there are none.

    The browser counts solved drills under the name `counted_as`; it is empty if only some of the drills are offered.
    """

    name: str
    counted_as: str
    title: str
    count: int
    url: str | None
    picture: Mini


@dataclass(frozen=True, slots=True)
class Offer:
    """The kinds of drills on a board and a level, and the other boards and levels."""

    kinds: tuple[KindOffered, ...]
    boards: tuple[Choice, ...]
    levels: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class DrillView:
    """The page of a drill. `offer` has other drills to choose from; it is None on pages without a choice.

    `selection` names the drills of a run or a set, and `whole` is the set's address. `alone` is the drill's own address
    and `front` that of the page to choose from. `day` is today's date if this is the drill of today.
    """

    shown: DrillShown
    problems: DrillProblems
    title: str
    rule: str
    heading: str
    level: str
    board: Board
    line: LineView | None
    message: str
    winners: tuple[Winner, ...]
    steps: tuple[Choice, ...]
    day: date | None
    selection: str
    progress: str
    whole: str
    alone: str
    front: str
    offer: Offer | None

    @property
    def many_numbers(self) -> bool:
        """True if there are too many buttons to stand beside their label on a phone."""
        return any(len(winner.options) > FEW_NUMBERS for winner in self.winners)


@dataclass(frozen=True, slots=True)
class Exercise:
    """A drill of a set: its small board, its task and its address; on a sheet with answers, its answer."""

    board: Mini
    task: str
    url: str
    answer: str


@dataclass(frozen=True, slots=True)
class SetView:
    """A set, on its page or on a sheet of paper: its drills, and the form that composes another set.

    There are no drills while the set is still to be composed. `right` is the number of right answers, once all drills
    are done. `begin`, `sheet` and `solutions` are the addresses of the first drill and of the sheet without and with
    answers.
    """

    link: DrillLink
    problems: DrillProblems
    selection: str
    rule: str
    exercises: tuple[Exercise, ...]
    asks_winner: bool
    whole: str
    begin: str
    sheet: str
    solutions: str
    right: int | None
    kinds: tuple[Option, ...]
    boards: tuple[Option, ...]
    levels: tuple[Option, ...]
    most: ClassVar[int] = MOST_DRILLS
    title: ClassVar[str] = "A set of drills · Noughts"

    @property
    def fewer(self) -> bool:
        """True if the set has fewer drills than its link asks for."""
        return 0 < len(self.exercises) < self.link.size


def drill_view(shown: DrillShown, problems: DrillProblems, choosing: DrillLink | None = None) -> DrillView:
    """Make the page of a drill. `choosing` is the link of the board and level to choose other drills from, if any."""
    link, drill = shown.link, shown.drill
    rules, line = drill.position.rules, _line(shown)
    return DrillView(
        shown=shown,
        problems=problems,
        title=f"{drill.kind.title} · Practise · Noughts" if choosing is None else "Practise · Noughts",
        rule=winning_rule(rules),
        heading=words.heading(shown),
        level=words.level(drill),
        board=_board(shown, line.stones if line else {}),
        line=line,
        message=words.message(shown),
        winners=_winners(shown),
        steps=_steps(shown),
        day=shown.today if link.path == "daily" and link.day in (None, shown.today) else None,
        selection=words.selection(link) if link.path in ("run", "set") else "",
        progress=words.progress(link),
        whole=link.anew(at=0, right=0, row=0).url() if link.path == "set" else "",
        alone=DrillLink(drill.id).url() if link.path != drill.id else "",
        front=DrillLink(rules=rules).url(),
        offer=offer(choosing) if choosing is not None else None,
    )


def _board(shown: DrillShown, stones: Mapping[Cell, tuple[str, int]]) -> Board:
    """Draw the board of a drill, with the numbered stones of a line and, once the answer is told, the right squares."""
    drill = shown.drill
    position, rules = drill.position, drill.position.rules
    over = shown.verdict in ("right", "told")
    playable = drill.kind is not DrillKind.EVALUATE and not over
    right = drill.answers if over and drill.kind is not DrillKind.EVALUATE else ()

    def square(cell: Cell) -> Square:
        if position.mark_at(cell):
            return taken(position, cell)
        plain = of_line(rules, cell, playable, *stones[cell]) if cell in stones else empty(rules, cell, playable)
        if cell not in right:
            return plain
        return plain._replace(label=f"{plain.label}, a right answer", classes=f"{plain.classes} best")

    return Board(position, tuple(map(square, range(rules.size))))


def _line(shown: DrillShown) -> LineView | None:
    """Return the line after the answer, with the lines that its reason speaks of; None if there is none to show."""
    judgement = shown.judgement
    if not shown.line or judgement is None:
        return None
    return line_view(
        shown.drill.position,
        shown.line,
        _step(shown),
        url=lambda number: shown.link.having(step=number).url(),
        reason=judgement.reason if words.tells_reason(shown) else None,
        plies=judgement.reason.outcome.plies,
    )


def _step(shown: DrillShown) -> int:
    at_first = DRAWN_OF_A_WRONG_ONE if shown.verdict == "wrong" else DRAWN_AT_FIRST
    return min(at_first if shown.link.step is None else shown.link.step, len(shown.line))


def _steps(shown: DrillShown) -> tuple[Choice, ...]:
    """Return the buttons below the board. The last one leads on, in the same place before and after an answer."""
    link, verdict, onward, moves = shown.link, shown.verdict, following(shown), len(shown.line)
    hints = link.hints + 1 if link.hints < len(shown.hints) else 0
    bare = link.having(tried="", answers=False, step=None)
    hint = Choice(
        "Hint" if not link.hints else "Next hint", bare.having(hints=hints).url() if hints else None, id="hint"
    )
    answer = Choice("Answer", bare.having(answers=True, missed=True).url(), id="answer")
    forward = Choice("Next" if verdict else "Skip", onward.url() if onward else None, id="new")
    if not verdict:
        return hint, answer, forward
    step = _step(shown)
    stepping = (
        Choice("Back", link.having(step=step - 1).url() if step > 0 else None, id="line-back"),
        Choice("Forward", link.having(step=step + 1).url() if step < moves else None, id="line-forward"),
    )
    again = Choice("Try again", bare.url(), id="line-close")
    return *(stepping if moves else (hint,)), again, *((answer,) if verdict == "wrong" else ()), forward


def _winners(shown: DrillShown) -> tuple[Winner, ...]:
    """Return the answers to "who wins?"; none where a square is asked for, or the answer is known."""
    position, verdict = shown.drill.position, shown.verdict
    if shown.drill.kind is not DrillKind.EVALUATE or verdict in ("right", "told"):
        return ()

    def option(title: str, result: Result, moves: int | None = None) -> Option:
        value = format_answer(evaluation(position, result, moves), position)
        return Option(value, title, value == shown.link.tried)

    def won(mark: Mark) -> Winner:
        offered = (option(str(moves), Result(mark), moves) for moves in moves_offered(position, mark))
        return Winner(f"{mark} wins in", tuple(offered))

    return won(Mark.X), Winner("", (option("A draw", Result.DRAW),)), won(Mark.O)


def offer(link: DrillLink) -> Offer:
    """Return the kinds of drills on the board and the level of a link, and the other boards and levels."""
    count = Counter[DrillKind | None](drill.kind for drill in found(link.rules, level=link.level))
    count[None] = count.total()
    return Offer(
        kinds=tuple(_offered(link, kind, count[kind]) for kind in (None, *DrillKind)),
        boards=tuple(
            Choice(_short(rules), link.having(rules=rules).url(), rules == link.rules, f"board-{rules}")
            for rules in BOARDS
        ),
        levels=tuple(
            Choice(title, link.having(level=level).url(), level == link.level, f"level-{level or 'any'}")
            for level, title in LEVELS_OFFERED.items()
        ),
    )


def _short(rules: Rules) -> str:
    """Name a board by its sides, and by the length of a line where that is not its height."""
    return f"{rules.columns}×{rules.rows}" + (f" · {rules.k}" if rules.k != rules.rows else "")


def _offered(link: DrillLink, kind: DrillKind | None, count: int) -> KindOffered:
    url = DrillLink("run", kind=kind, rules=link.rules, level=link.level).url() if count else None
    name = kind or "mix"
    counted_as = "" if link.level else f"{link.rules}-{name}"
    return KindOffered(name, counted_as, words.title(kind), count, url, picture(kind))


@cache
def picture(kind: DrillKind | None) -> Mini:
    """Draw a kind: its easiest drill with few open squares, the right ones marked."""
    if kind is None or kind is DrillKind.EVALUATE:
        return mini(Position(TIC_TAC_TOE), texts={4: "?"})
    easiest = found(TIC_TAC_TOE, kind)
    example = next(drill for drill in easiest if drill.position.plies_left <= FEW_OPEN)
    return mini(example.position, classes=dict.fromkeys(example.answers, "new"))


def set_view(link: DrillLink, problems: DrillProblems, composing: bool = False) -> SetView:
    """Make the view of a set, or of the form alone while a visitor is still composing one."""
    drills = () if composing else set_of(link)
    whole = link.anew(path="set", at=0, right=0, row=0)
    tells = link.path == "sheet" and link.answers

    def exercise(number: int, drill: Drill) -> Exercise:
        right = drill.answers if tells and drill.kind is not DrillKind.EVALUATE else ()
        drawn = mini(drill.position, classes=dict.fromkeys(right, "right"))
        return Exercise(drawn, drill.task, whole.having(at=number).url(), words.answers(drill) if tells else "")

    return SetView(
        link=link,
        problems=problems,
        selection=words.selection(link),
        rule=winning_rule(link.rules),
        exercises=tuple(exercise(number, drill) for number, drill in enumerate(drills, start=1)),
        asks_winner=any(drill.kind is DrillKind.EVALUATE for drill in drills),
        whole=whole.url(),
        begin=whole.having(at=1).url(),
        sheet=whole.having(path="sheet").url(),
        solutions=whole.having(path="sheet", answers=True).url(),
        right=link.right if 0 < len(drills) < link.at else None,
        kinds=options({kind or "": words.title(kind) for kind in (None, *DrillKind)}, link.kind or ""),
        boards=options({str(rules): board_title(rules) for rules in BOARDS}, str(link.rules)),
        levels=options(LEVELS_OFFERED, link.level),
    )
