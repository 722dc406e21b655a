"""The views of drills that templates show: a drill with its board and buttons, the drills on offer, sets and sheets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.analysis.drills import BOARDS, LADDER, Drill, DrillKind, daily, evaluation
from solver.board.notation import format_particulars
from solver.board.position import Mark, Result
from solver.board.rules import Cell, Rules
from solver.errors import NoughtsError
from webapp.pages.practise import words
from webapp.pages.practise.ladder import IN_A_ROW, above, on_ladder
from webapp.pages.practise.link import LEVELS, MOST_DRILLS, DrillLink
from webapp.pages.practise.shown import DrillShown, following, format_answer, found, moves_offered, set_of
from webapp.ui.board import Board, LineView, Mini, Square, empty, hole, line_view, mini, of_line, taken
from webapp.ui.choices import Choice, Option, options
from webapp.ui.filters import board_title, winning_rule

FEW_NUMBERS: Final = 5
"""The most buttons for numbers that fit beside their label on a phone. More buttons stand below it."""

DRAWN_AT_FIRST: Final = 9
"""The most stones of a line that are drawn at first. On a large board, all of them would hide the position."""

DRAWN_OF_A_WRONG_ONE: Final = 2
"""The stones drawn after a wrong answer: the square and the reply to it. The visitor needs room to try again."""

LEVELS_OFFERED: Final[Mapping[str, str]] = MappingProxyType(
    {"": "Any level"} | {level: level.capitalize() for level in LEVELS}
)
"""The titles of the levels; "" stands for drills of all levels."""

DrillProblems: TypeAlias = tuple[NoughtsError, ...]
"""The mistakes in an address or an answer."""


@dataclass(frozen=True, slots=True)
class Winner:
    """A group of answer buttons that name the same winner. For a draw, `title` is empty."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """Other drills to practise: today's drill, the kinds of drills on a board and a level, other boards and levels.

    Only today's drill is always visible. The rest is in a folded list, which is open if `chosen` is set.
    """

    today_title: str
    today_level: str
    chosen: bool
    kinds: tuple[Choice, ...]
    boards: tuple[Choice, ...]
    levels: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class DrillView:
    """The page of a drill.

    `course` names what the drill belongs to, `particulars` says what is special about its board, if anything, and
    `progress` tells how far the visitor has come. `whole` is the address of its set, and `alone` is its own address.
    `step` names its step on the ladder, if any. `dots` is the number of right answers in a row; it is None if there is
    no next step. If this answer opens the next step, `opens` is its address. `offer` has other drills to choose from;
    it is None in a set.
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
    stepping: tuple[Choice, ...]
    course: str
    particulars: str
    progress: str
    whole: str
    alone: str
    step: str
    dots: int | None
    opens: str
    offer: Offer | None
    in_a_row: ClassVar[int] = IN_A_ROW

    @property
    def many_numbers(self) -> bool:
        """True if there are too many buttons to stand beside their label on a phone."""
        return any(len(winner.options) > FEW_NUMBERS for winner in self.winners)


@dataclass(frozen=True, slots=True)
class Exercise:
    """A drill of a set, with its small board, task and address. `answer` is filled only on a sheet with answers."""

    board: Mini
    task: str
    url: str
    answer: str


@dataclass(frozen=True, slots=True)
class SetView:
    """A set, on its page or on a printed sheet: its drills, and the form to compose another set.

    There are no drills until the set is composed. `right` is the number of right answers, once all drills are done.
    `begin` is the address of the first drill. `sheet` is the address of the sheet, and `solutions` of the sheet with
    answers.
    """

    link: DrillLink
    problems: DrillProblems
    selection: str
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


def drill_view(shown: DrillShown, problems: DrillProblems, *, front: bool = False, choosing: bool = False) -> DrillView:
    """Make the page of a drill. The `front` page has a title of its own; `choosing` opens the list of all drills."""
    link, drill = shown.link, shown.drill
    rules, line = drill.position.rules, _line(shown)
    return DrillView(
        shown=shown,
        problems=problems,
        title="Practise · Noughts" if front else f"{drill.title} · Practise · Noughts",
        rule=winning_rule(rules),
        heading=words.heading(shown),
        level=words.level(drill),
        board=_board(shown, line.stones if line else {}),
        line=line,
        message=words.message(shown),
        winners=_winners(shown),
        steps=_steps(shown),
        stepping=_stepping(shown),
        course=words.course(shown),
        particulars=format_particulars(rules),
        progress=words.progress(shown),
        whole=link.anew(at=0, right=0, row=0).url() if link.path == "set" else "",
        alone=DrillLink(drill.id).url() if link.path != drill.id else "",
        step=f"{rules}-{drill.kind}" if on_ladder(link) else "",
        dots=min(shown.row, IN_A_ROW) if above(link) else None,
        opens=shown.opens.having(seed="").url() if shown.opens else "",
        offer=None if link.path == "set" else offer(link.having(rules=rules), shown.today, choosing),
    )


def _board(shown: DrillShown, stones: Mapping[Cell, tuple[str, int]]) -> Board:
    """Draw the board of a drill with the numbered stones of a line. Mark the right squares once the answer is told."""
    drill = shown.drill
    position, rules = drill.position, drill.position.rules
    over = shown.verdict in ("right", "told")
    playable = drill.kind is not DrillKind.EVALUATE and not over
    right = drill.answers if over and drill.kind is not DrillKind.EVALUATE else ()

    def square(cell: Cell) -> Square:
        if rules.holes >> cell & 1:
            return hole(rules, cell)
        if mark := position.mark_at(cell):
            return taken(rules, cell, mark)
        plain = of_line(rules, cell, playable, *stones[cell]) if cell in stones else empty(rules, cell, playable)
        if cell not in right:
            return plain
        return plain._replace(label=f"{plain.label}, right answer", classes=f"{plain.classes} best")

    return Board(position, tuple(map(square, range(rules.size))))


def _line(shown: DrillShown) -> LineView | None:
    """Return the line after the answer, with the reason's lines on the board; None if there is no line."""
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
    """Return the buttons below the board. The last button leads to the next drill, before and after an answer."""
    link, verdict, onward = shown.link, shown.verdict, following(shown)
    hints = link.hints + 1 if link.hints < len(shown.hints) else 0
    bare = link.having(tried="", answers=False, step=None)
    hint = Choice(
        "Hint" if not link.hints else "Another hint", bare.having(hints=hints).url() if hints else None, id="hint"
    )
    answer = Choice("Show answer", bare.having(answers=True, missed=True).url(), id="answer")
    forward = Choice(_onward(shown), onward.url() if onward else None, id="new")
    if not verdict:
        return hint, answer, forward
    again = Choice("Try again", bare.url(), id="line-close")
    return again, *((answer,) if verdict == "wrong" else ()), forward


def _stepping(shown: DrillShown) -> tuple[Choice, ...]:
    """Return the links that step through the line after the answer."""
    step, link = _step(shown), shown.link
    return (
        Choice("Back", link.having(step=step - 1).url() if step > 0 else None, id="line-back"),
        Choice("Forward", link.having(step=step + 1).url() if step < len(shown.line) else None, id="line-forward"),
    )


def _onward(shown: DrillShown) -> str:
    if shown.opens:
        return f"Next: {words.step(shown.opens, shown.link)}"
    return "Next" if shown.verdict else "Skip"


def _winners(shown: DrillShown) -> tuple[Winner, ...]:
    """Return the buttons for "who wins?". There are none if a square is asked for or the answer is known."""
    position, verdict = shown.drill.position, shown.verdict
    if shown.drill.kind is not DrillKind.EVALUATE or verdict in ("right", "told"):
        return ()

    def option(title: str, result: Result, moves: int | None = None) -> Option:
        value = format_answer(evaluation(position, result, moves), position)
        return Option(value, title, value == shown.link.tried)

    def won(mark: Mark) -> Winner:
        offered = (option(str(moves), Result(mark), moves) for moves in moves_offered(shown.drill, mark))
        return Winner(f"{mark} wins in", tuple(offered))

    return won(Mark.X), Winner("", (option("A draw", Result.DRAW),)), won(Mark.O)


def offer(link: DrillLink, today: date, chosen: bool) -> Offer:
    """Return today's drill, the kinds of drills on the board and the level of a link, and other boards and levels."""
    front, drill = DrillLink(rules=link.rules, level=link.level), daily(today)

    def kind_offered(kind: DrillKind | None) -> Choice:
        run = front.having(path="run", kind=kind)
        any_there = (link.rules in LADDER and not link.level) or found(link.rules, kind, link.level)
        current = link.path == "run" and link.kind == kind
        return Choice(words.title(kind), run.url() if any_there else None, current, f"kind-{kind or 'mix'}")

    return Offer(
        today_level=words.level(drill),
        today_title=f"{drill.title} · {board_title(drill.position.rules)}",
        chosen=chosen,
        kinds=tuple(map(kind_offered, (*DrillKind, None))),
        boards=tuple(
            Choice(words.short(rules), front.having(rules=rules).url(), rules == link.rules, f"board-{rules}")
            for rules in _boards(link)
        ),
        levels=tuple(
            Choice(title, front.having(level=level).url(), level == link.level, f"level-{level or 'any'}")
            for level, title in LEVELS_OFFERED.items()
        ),
    )


def _boards(link: DrillLink) -> tuple[Rules, ...]:
    """Return the boards to choose from: the chosen ones, and the link's own."""
    return tuple(dict.fromkeys((*BOARDS, link.rules)))


def set_view(link: DrillLink, problems: DrillProblems, composing: bool = False) -> SetView:
    """Make the view of a set. While a visitor is composing one, it shows only the form."""
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
        exercises=tuple(exercise(number, drill) for number, drill in enumerate(drills, start=1)),
        asks_winner=any(drill.kind is DrillKind.EVALUATE for drill in drills),
        whole=whole.url(),
        begin=whole.having(at=1).url(),
        sheet=whole.having(path="sheet").url(),
        solutions=whole.having(path="sheet", answers=True).url(),
        right=link.right if 0 < len(drills) < link.at else None,
        kinds=options({kind or "": words.title(kind) for kind in (None, *DrillKind)}, link.kind or ""),
        boards=options({str(rules): board_title(rules) for rules in _boards(link)}, str(link.rules)),
        levels=options(LEVELS_OFFERED, link.level),
    )
