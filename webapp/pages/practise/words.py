"""The sentences about a drill: its heading, the verdict on an answer, the reason, and the progress."""

from datetime import date
from typing import Final

from solver.analysis.drills import LADDER, Drill, DrillJudgement, DrillKind
from solver.board.notation import capital, format_cell
from solver.board.outcome import Grade, Outcome, Value
from solver.board.rules import Rules
from solver.reasons import Reason
from webapp.pages.practise.ladder import IN_A_ROW, above, on_ladder
from webapp.pages.practise.link import LEVELS, DrillLink
from webapp.pages.practise.shown import DrillShown, parse_answer
from webapp.ui.filters import board_size, board_title

_GRADES: Final = {
    Grade.SLOWER: "It wins too, but you can win sooner.",
    Grade.WIN_TO_DRAW: "That's a mistake: your win becomes a draw.",
    Grade.WIN_TO_LOSS: "That's a mistake: your win becomes a loss.",
    Grade.DRAW_TO_LOSS: "That's a mistake: your draw becomes a loss.",
}

_AS_GOOD: Final = "It does no harm, but the task asks for something else."

_FIRST_COUNTS: Final = "Only your first answer counts. Hints are free."


def heading(shown: DrillShown) -> str:
    """Describe the drill: its place in a run or a set, its kind and its board."""
    link, drill = shown.link, shown.drill
    parts = [drill.title, board_title(drill.position.rules)]
    if link.path == "daily":
        parts.insert(0, of_the_day(link.day or shown.today, shown.today))
    elif shown.of:
        parts[0] = f"Drill {link.number} of {shown.of}"
    return " · ".join(parts)


def of_the_day(day: date, today: date) -> str:
    """Name the drill of a day."""
    return "Today's drill" if day == today else f"Drill of {day.day} {day:%B %Y}"


def course(shown: DrillShown) -> str:
    """Name what the drill belongs to: a step of the ladder, a run, the teacher's set or a day."""
    link = shown.link
    if link.path == "set":
        return link.seed
    if link.path == "daily":
        return of_the_day(link.day or shown.today, shown.today)
    if not on_ladder(link):
        return selection(link) if link.path == "run" else "One drill"
    kinds = tuple(DrillKind)
    return f"Step {kinds.index(shown.drill.kind) + 1} of {len(kinds)}: {title(link.kind)}"


def title(kind: DrillKind | None) -> str:
    """Name a kind of drills. None stands for all kinds together."""
    return kind.title if kind else "A bit of everything"


def selection(link: DrillLink) -> str:
    """Describe the drills of a run or a set, e.g. "Block, 3×3, three in a row, easy"."""
    return ", ".join(filter(None, (title(link.kind).rstrip("?"), board_title(link.rules), link.level)))


def progress(shown: DrillShown) -> str:
    """Tell the visitor's progress in a set or a run; for a single drill, tell its level."""
    link, drill, next_step = shown.link, shown.drill, above(shown.link)
    if link.path == "set":
        return f"{shown.right} of {shown.done} right so far." if shown.done else _FIRST_COUNTS
    if link.path != "run":
        return f"Level: {level(drill)} ({drill.difficulty} of 100). Share this page to share the drill."
    if next_step is None:
        return f"{shown.row} right in a row." if shown.row else _FIRST_COUNTS
    if shown.opens:
        return f"Five right in a row! {step(next_step, link)} is open."
    if not shown.row:
        return f"Get five right in a row to open {step(next_step, link)}."
    return f"{shown.row} right in a row. {IN_A_ROW - shown.row} more to open {step(next_step, link)}."


def step(link: DrillLink, below: DrillLink) -> str:
    """Name a step of the ladder. Add its board if the step below is on another board."""
    name, on = title(link.kind), f" on {short(link.rules)}" if link.rules != below.rules else ""
    return (f"“{name}”" if name.endswith("?") else name) + on


def short(rules: Rules) -> str:
    """Name a board of the ladder by its sides, of which no two are the same, and any other in full."""
    return board_size(rules) if rules in LADDER else board_title(rules)


def level(drill: Drill) -> str:
    """Return a drill's level, e.g. "easy"."""
    return next(name for name, (least, most) in LEVELS.items() if least <= drill.difficulty <= most)


def message(shown: DrillShown) -> str:
    """Tell the verdict and the reason. Before an answer, tell the last hint shown or the task."""
    judgement, drill = shown.judgement, shown.drill
    if judgement is None:
        hints = shown.hints[: shown.link.hints]
        return hints[-1] if hints else _instruction(drill)
    if drill.kind is DrillKind.EVALUATE:
        return _evaluated(shown, judgement)
    why = _because(judgement.reason, drill)
    if shown.verdict == "told":
        return f"The answer is {answers(drill)}. {_of_first(drill)}{why}"
    name = format_cell(judgement.cell, drill.position.rules)
    if judgement.right:
        return f"Yes, {name}! {why}{_opened(shown)}"
    if tells_reason(shown):
        return f"Not {name}. {_because(judgement.reason.discreet, drill)}"
    return f"Not {name}. {_GRADES.get(judgement.grade, _AS_GOOD)}"


def _instruction(drill: Drill) -> str:
    if drill.kind is DrillKind.EVALUATE:
        return "Both sides play their best. Count only the winner's moves."
    return "Choose your square."


def answers(drill: Drill) -> str:
    """Tell the right answer: the squares, or the winner and the number of moves."""
    if drill.kind is DrillKind.EVALUATE:
        return outcome(drill.outcome, drill)
    names = [format_cell(cell, drill.position.rules) for cell in drill.answers]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def outcome(told: Outcome, drill: Drill) -> str:
    """Tell the winner and the number of the winner's own moves, e.g. "X wins in 2"."""
    return told.in_moves(drill.position.mover).partition(" move")[0]


def _of_first(drill: Drill) -> str:
    return f"{format_cell(drill.answers[0], drill.position.rules)}: " if len(drill.answers) > 1 else ""


def _because(reason: Reason, drill: Drill) -> str:
    if reason.verified:
        return reason.text
    told = reason.outcome.in_moves(drill.position.mover, drill.position.rules)
    return f"{capital(told)}."  # no checked reason: tell only the proved outcome


def tells_reason(shown: DrillShown) -> bool:
    """Return whether to show the reason of the judged square. For a wrong square, show it only if the square loses."""
    judgement = shown.judgement
    if judgement is None or shown.verdict != "wrong":
        return judgement is not None
    if shown.drill.kind is DrillKind.EVALUATE or judgement.grade is Grade.BEST:
        return False
    reason = judgement.reason.discreet
    return reason.verified and reason.outcome.value is Value.LOSS


def _evaluated(shown: DrillShown, judgement: DrillJudgement) -> str:
    drill = shown.drill
    first = format_cell(judgement.cell, drill.position.rules)
    best = f"{first} is best. {_because(judgement.reason, drill)}"
    if shown.verdict == "told":
        return f"The answer: {answers(drill)}. {best}"
    if judgement.right:
        return f"Yes, {answers(drill)}! {best}{_opened(shown)}"
    given = parse_answer(shown.link.tried, drill)
    assert isinstance(given, Outcome)  # noqa: S101 - of a drill that asks for one
    half = " You have the winner, but not the number of moves." if given.value is drill.outcome.value else ""
    return f"Not “{outcome(given, drill)}”.{half}"


def _opened(shown: DrillShown) -> str:
    return f" {progress(shown)}" if shown.opens else ""
