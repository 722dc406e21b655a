"""The views of drills that templates show, and their sentences.

There are views of a drill with its board and buttons, of the drills on offer, and of sets and sheets. The sentences are
a drill's heading, the verdict on an answer with its reason, and the progress.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.analysis.drills import (
    BOARDS,
    LISTED,
    Drill,
    DrillJudgement,
    DrillKind,
    evaluation,
)
from solver.board.notation import format_cell, format_particulars
from solver.board.outcome import Grade, Outcome, Value
from solver.board.position import Mark, Result
from solver.board.rules import Cell, cells_of
from solver.errors import NoughtsError
from webapp.pages.practise.daily import DailyDrill, daily_drill, result_of
from webapp.pages.practise.drill import (
    DrillShown,
    find_drills,
    format_answer,
    moves_offered,
    name_level,
    next_link,
    parse_answer,
    set_of,
)
from webapp.pages.practise.link import IN_A_ROW, LEVELS, MOST_DRILLS, RUSH, DrillLink, next_step, on_ladder
from webapp.ui.board import Board, LineView, Mini, empty, line_view, mini, of_line, placings, standing
from webapp.ui.filters import Choice, Option, board_size, board_title, options, reason_or_outcome, winning_rule

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
class TodayView:
    """The page of today: a `fresh` kind, the drill of the day, and all kinds on a board, each with its easiest drill.

    `runs` is the link to a run of all kinds. The list of all is open if `chosen` is set. The device adds what it keeps;
    for that it needs the `names` of kinds. If a rush ends here, the link has its result.
    """

    link: DrillLink
    problems: DrillProblems
    daily: DailyDrill
    board: Mini
    fresh: tuple[DrillKind | None, Mini]
    kinds: tuple[tuple[DrillKind | None, Mini], ...]
    runs: DrillLink
    chosen: bool
    boards: tuple[Option, ...]
    levels: tuple[Option, ...]
    names: Mapping[str, str]
    title: ClassVar[str] = "Practise · Noughts"


@dataclass(frozen=True, slots=True)
class DrillView:
    """The page of a drill.

    `course` names what the drill belongs to, `particulars` says what is special about its board, if anything, and
    `progress` tells how far the visitor has come. `whole` is the address of its set, and `alone` is its own address.
    `step` names its step on the ladder, if any. `dots` is the number of right answers in a row; it is None if there is
    no next step. If this answer opens the next step, `opens` is its address. `result` is a text about a solved daily
    drill to share. `stop` is the address of a rush's result so far.
    """

    shown: DrillShown
    problems: DrillProblems
    title: str
    rule: str
    heading: str
    board: Board
    line: LineView | None
    message: str
    winners: tuple[Winner, ...]
    steps: tuple[Choice, ...]
    course: str
    particulars: str
    progress: str
    whole: str
    alone: str
    step: str
    dots: int | None
    opens: str
    result: str
    stop: str
    seconds: ClassVar[int] = RUSH
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


def drill_view(shown: DrillShown, problems: DrillProblems) -> DrillView:
    """Make the page of a drill."""
    link, drill = shown.link, shown.drill
    rules, line = drill.position.rules, _line(shown)
    return DrillView(
        shown=shown,
        problems=problems,
        title=f"{drill.title} · Practise · Noughts",
        rule=winning_rule(rules),
        heading=head_drill(shown),
        board=_board(shown, line.stones if line else {}),
        line=line,
        message=tell_verdict(shown),
        winners=_winners(shown),
        steps=_steps(shown),
        course=name_course(shown),
        particulars=format_particulars(rules),
        progress=tell_progress(shown),
        whole=link.anew(at=0, right=0, row=0).url() if link.path == "set" else "",
        alone=DrillLink(drill.id).url() if link.path != drill.id else "",
        step=f"{rules}-{drill.kind}" if on_ladder(link) else "",
        dots=min(shown.row, IN_A_ROW) if next_step(link) else None,
        opens=shown.opens.having(seed="").url() if shown.opens else "",
        result=result_of(shown),
        stop=DrillLink(at=shown.done + 1, right=shown.right, lost=link.lost).url() if link.rush else "",
    )


def _board(shown: DrillShown, stones: Mapping[Cell, tuple[str, int]]) -> Board:
    """Draw the board of a drill with the numbered stones of a line. Mark the right squares once the answer is told."""
    drill = shown.drill
    position, rules = drill.position, drill.position.rules
    over = shown.verdict in ("right", "told")
    playable = drill.kind is not DrillKind.EVALUATE and not over
    right = {move % rules.size for move in drill.answers if over and drill.kind is not DrillKind.EVALUATE}
    squares = standing(position, playable)
    for cell in cells_of(position.empty):
        bare = empty(rules, cell, playable, position.landing(cell))
        squares[cell] = of_line(rules, cell, playable, *stones[cell]) if cell in stones else bare
    for cell in right:
        square = squares[cell]
        squares[cell] = square._replace(label=f"{square.label}, right answer", classes=f"{square.classes} best")
    link = shown.link
    marks = () if over else placings(position, link.place, lambda mark: link.unanswered(place=mark).url())
    return Board(position, tuple(squares[cell] for cell in range(rules.size)), place=link.place, places=marks)


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
        reason=judgement.reason if tells_reason(shown) else None,
        plies=judgement.reason.outcome.plies,
    )


def _step(shown: DrillShown) -> int:
    at_first = DRAWN_OF_A_WRONG_ONE if shown.verdict == "wrong" else DRAWN_AT_FIRST
    return min(at_first if shown.link.step is None else shown.link.step, len(shown.line))


def _steps(shown: DrillShown) -> tuple[Choice, ...]:
    """Return the buttons below the board. The last button leads to the next drill, before and after an answer."""
    link, verdict, onward = shown.link, shown.verdict, next_link(shown)
    hints = link.hints + 1 if link.hints < len(shown.hints) else 0
    bare = link.unanswered()
    hint = Choice(
        "Hint" if not link.hints else "Another hint", bare.having(hints=hints).url() if hints else None, id="hint"
    )
    answer = Choice("Show answer", bare.having(answers=True, missed=True).url(), id="answer")
    title = f"Next: {name_step(shown.opens, link)}" if shown.opens else "Next" if verdict else "Skip"
    forward = Choice(title, onward.url() if onward else None, id="new")
    if not verdict:
        return hint, answer, forward
    again = Choice("Try again", bare.url(), id="line-close")
    return again, *((answer,) if verdict == "wrong" else ()), forward


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


def today_view(link: DrillLink, problems: DrillProblems, today: date) -> TodayView:
    """Make the page of today. The fresh kind is the first on the board of the link; the device knows which are done."""
    daily, runs = daily_drill(today), DrillLink("run", rules=link.rules, level=link.level)
    found = ((kind, find_drills(link.rules, kind, link.level)) for kind in (*LISTED, None))
    kinds = tuple((kind, mini(drills[0].position)) for kind, drills in found if drills)
    return TodayView(
        link=link,
        problems=problems,
        daily=daily,
        board=mini(daily.drill.position),
        fresh=kinds[0],
        kinds=kinds,
        runs=runs,
        chosen=runs != DrillLink("run"),
        boards=_boards(link),
        levels=options(LEVELS_OFFERED, link.level),
        names={kind: kind.title for kind in DrillKind} | {"": name_kind(None), "unit": "Questions of units"},
    )


def _boards(link: DrillLink) -> tuple[Option, ...]:
    """Return the boards to choose from: the chosen ones, and the link's own."""
    return options({str(rules): board_title(rules) for rules in (*BOARDS, link.rules)}, str(link.rules))


def set_view(link: DrillLink, problems: DrillProblems, composing: bool = False) -> SetView:
    """Make the view of a set. While a visitor is composing one, it shows only the form."""
    drills = () if composing else set_of(link)
    whole = link.anew(path="set", at=0, right=0, row=0)
    tells = link.path == "sheet" and link.answers

    def exercise(number: int, drill: Drill) -> Exercise:
        right = drill.answers if tells and drill.kind is not DrillKind.EVALUATE else ()
        drawn = mini(drill.position, classes=dict.fromkeys(right, "right"))
        return Exercise(drawn, drill.task, whole.having(at=number).url(), tell_answer(drill) if tells else "")

    return SetView(
        link=link,
        problems=problems,
        selection=describe_selection(link),
        exercises=tuple(exercise(number, drill) for number, drill in enumerate(drills, start=1)),
        asks_winner=any(drill.kind is DrillKind.EVALUATE for drill in drills),
        whole=whole.url(),
        begin=whole.having(at=1).url(),
        sheet=whole.having(path="sheet").url(),
        solutions=whole.having(path="sheet", answers=True).url(),
        right=link.right if 0 < len(drills) < link.at else None,
        kinds=options({kind or "": name_kind(kind) for kind in (None, *LISTED)}, link.kind or ""),
        boards=_boards(link),
        levels=options(LEVELS_OFFERED, link.level),
    )


_GRADES: Final = {
    Grade.SLOWER: "It wins too, but you can win sooner.",
    Grade.WIN_TO_DRAW: "That's a mistake: your win becomes a draw.",
    Grade.WIN_TO_LOSS: "That's a mistake: your win becomes a loss.",
    Grade.DRAW_TO_LOSS: "That's a mistake: your draw becomes a loss.",
}

_AS_GOOD: Final = "It does no harm, but the task asks for something else."

_FIRST_COUNTS: Final = "Only your first answer counts. Hints are free."


def head_drill(shown: DrillShown) -> str:
    """Describe the drill: its place in a run or a set, its kind and its board."""
    link, drill = shown.link, shown.drill
    rules = drill.position.rules
    parts = [drill.title, winning_rule(rules) if rules.completing_loses else board_title(rules)]
    if link.path == "daily":
        parts.insert(0, name_day(link.day or shown.today, shown.today))
    elif shown.of:
        parts[0] = f"Drill {link.number} of {shown.of}"
    return " · ".join(parts)


def name_day(day: date, today: date) -> str:
    """Name the drill of a day."""
    return "Today's drill" if day == today else f"Drill of {day.day} {day:%B %Y}"


def name_course(shown: DrillShown) -> str:
    """Name what the drill belongs to: a step of the ladder, a run, the teacher's set or a day."""
    link = shown.link
    if link.path == "set":
        return link.seed
    if link.path == "daily":
        return name_day(link.day or shown.today, shown.today)
    if link.rush:
        return "Three minutes: how many can you find?"
    if not on_ladder(link):
        return describe_selection(link) if link.path == "run" else "One drill"
    return f"Step {LISTED.index(shown.drill.kind) + 1} of {len(LISTED)}: {name_kind(link.kind)}"


def name_kind(kind: DrillKind | None) -> str:
    """Name a kind of drills. None stands for all kinds together."""
    return kind.title if kind else "A bit of everything"


def describe_selection(link: DrillLink) -> str:
    """Describe the drills of a run or a set, e.g. "Block, 3×3, three in a row, easy"."""
    return ", ".join(filter(None, (name_kind(link.kind).rstrip("?"), board_title(link.rules), link.level)))


def tell_progress(shown: DrillShown) -> str:
    """Tell the visitor's progress in a set or a run; for a single drill, tell its level."""
    link, drill, onward = shown.link, shown.drill, next_step(shown.link)
    if link.path == "set" or link.rush:
        return f"{shown.right} of {shown.done} right so far." if shown.done else _FIRST_COUNTS
    if link.path != "run":
        return f"Level: {name_level(drill)} ({drill.difficulty} of 100). Share this page to share the drill."
    if onward is None:
        return f"{shown.row} right in a row." if shown.row else _FIRST_COUNTS
    if shown.opens:
        return f"Five right in a row! {name_step(onward, link)} is open."
    if not shown.row:
        return f"Get five right in a row to open {name_step(onward, link)}."
    return f"{shown.row} right in a row. {IN_A_ROW - shown.row} more to open {name_step(onward, link)}."


def name_step(link: DrillLink, below: DrillLink) -> str:
    """Name a step of the ladder. Add its board if the step below is on another board."""
    name, on = name_kind(link.kind), f" on {board_size(link.rules)}" if link.rules != below.rules else ""
    return (f"“{name}”" if name.endswith("?") else name) + on


def tell_verdict(shown: DrillShown) -> str:
    """Tell the verdict and the reason. Before an answer, tell the last hint shown or the task."""
    judgement, drill = shown.judgement, shown.drill
    if judgement is None:
        if hints := shown.hints[: shown.link.hints]:
            return hints[-1]
        asks_winner = drill.kind is DrillKind.EVALUATE
        return "Both sides play their best. Count only the winner's moves." if asks_winner else "Choose your square."
    if drill.kind is DrillKind.EVALUATE:
        return _tell_evaluation(shown, judgement)
    why = reason_or_outcome(judgement.reason, judgement.reason.outcome, drill.position)
    name = format_cell(judgement.cell, drill.position.rules)
    if shown.verdict == "told":
        if len(drill.answers) > 1 and judgement.reason.verified:
            why = f"{name} {why[0].lower()}{why[1:]}"
        return f"The answer is {tell_answer(drill)}. {why}"
    if judgement.right:
        return f"Yes, {name}! {why}{_tell_opening(shown)}"
    if tells_reason(shown):
        return f"Not {name}. {judgement.reason.discreet.text}"
    return f"Not {name}. {_GRADES.get(judgement.grade, _AS_GOOD)}"


def tell_answer(drill: Drill) -> str:
    """Tell the right answer: the squares, or the winner and the number of moves."""
    if drill.kind is DrillKind.EVALUATE:
        return tell_outcome(drill.outcome, drill)
    names = [format_cell(cell, drill.position.rules) for cell in drill.answers]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def tell_outcome(told: Outcome, drill: Drill) -> str:
    """Tell the winner and the number of the winner's own moves, e.g. "X wins in 2"."""
    return told.in_moves(drill.position.mover).partition(" move")[0]


def tells_reason(shown: DrillShown) -> bool:
    """Return whether to show the reason of the judged square. For a wrong square, show it only if the square loses."""
    judgement = shown.judgement
    if judgement is None or shown.verdict != "wrong":
        return judgement is not None
    if shown.drill.kind is DrillKind.EVALUATE or judgement.grade is Grade.BEST:
        return False
    reason = judgement.reason.discreet
    return reason.verified and reason.outcome.value is Value.LOSS


def _tell_evaluation(shown: DrillShown, judgement: DrillJudgement) -> str:
    drill = shown.drill
    first = format_cell(judgement.cell, drill.position.rules)
    best = f"{first} is best. {reason_or_outcome(judgement.reason, judgement.reason.outcome, drill.position)}"
    if shown.verdict == "told":
        return f"The answer: {tell_answer(drill)}. {best}"
    if judgement.right:
        return f"Yes, {tell_answer(drill)}! {best}{_tell_opening(shown)}"
    given = parse_answer(shown.link.tried, drill)
    assert isinstance(given, Outcome)  # noqa: S101 - of a drill that asks for one
    half = " You have the winner, but not the number of moves." if given.value is drill.outcome.value else ""
    return f"Not “{tell_outcome(given, drill)}”.{half}"


def _tell_opening(shown: DrillShown) -> str:
    return f" {tell_progress(shown)}" if shown.opens else ""
