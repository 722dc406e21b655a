"""The sentences about a drill: its heading, the verdict on an answer, and the reason."""

from typing import Final

from solver.analysis.drills import Drill, DrillJudgement, DrillKind
from solver.board.notation import format_cell
from solver.board.outcome import Grade, Outcome, Value
from solver.reasons import Reason
from webapp.pages.practise.link import LEVELS, DrillLink
from webapp.pages.practise.shown import DrillShown, parse_answer
from webapp.ui.filters import board_title

_GRADES: Final = {
    Grade.SLOWER: "It wins too, but later than need be.",
    Grade.WIN_TO_DRAW: "It gives the win away: after it, best play is a draw.",
    Grade.WIN_TO_LOSS: "It gives the win away, and loses.",
    Grade.DRAW_TO_LOSS: "It gives the draw away, and loses.",
}

_AS_GOOD: Final = "It keeps as much, but it is not what is asked for."


def heading(shown: DrillShown) -> str:
    """Describe the drill: its place in a run or a set, its kind and its board."""
    link, drill = shown.link, shown.drill
    parts = [drill.kind.title, board_title(drill.position.rules)]
    if link.path == "daily":
        day = link.day or shown.today
        parts.insert(0, "Today’s drill" if day == shown.today else f"Drill of {day.day} {day:%B %Y}")
    elif link.path in ("run", "set"):
        parts.insert(0, f"Drill {link.number}" + (f" of {shown.of}" if shown.of else ""))
        if link.number > 1:
            parts.insert(1, f"{link.right} right")
    return " · ".join(parts)


def title(kind: DrillKind | None) -> str:
    """Name a kind of drills, or drills of all kinds."""
    return kind.title if kind else "A mix of all"


def selection(link: DrillLink) -> str:
    """Describe the drills of a run or a set, e.g. "Block, 3×3, three in a row, easy"."""
    return ", ".join(filter(None, (title(link.kind), board_title(link.rules), link.level)))


def progress(link: DrillLink) -> str:
    """Tell the number of right answers so far in a run or a set."""
    done = link.number - 1
    if not done:
        return ""
    row = f", {link.row} in a row" if link.row > 1 else ""
    return f"{link.right} of {done} right at the first try{row}."


def level(drill: Drill) -> str:
    """Return a drill's level, e.g. "easy"."""
    return next(name for name, (least, most) in LEVELS.items() if least <= drill.difficulty <= most)


def message(shown: DrillShown) -> str:
    """Tell the verdict and the reason; before an answer, the last hint shown or the task."""
    judgement, drill = shown.judgement, shown.drill
    if judgement is None:
        hints = shown.hints[: shown.link.hints]
        return hints[-1] if hints else _instruction(drill)
    if drill.kind is DrillKind.EVALUATE:
        return _evaluated(shown, judgement)
    why = _because(judgement.reason, drill)
    if shown.verdict == "told":
        return f"The answer: {answers(drill)}. {_of_first(drill)}{why}"
    name = format_cell(judgement.cell, drill.position.rules)
    if judgement.right:
        return f"Right: {name}. {why}"
    if tells_reason(shown):
        return f"Not {name}. {_because(judgement.reason.discreet, drill)}"
    return f"Not {name}. {_GRADES.get(judgement.grade, _AS_GOOD)}"


def _instruction(drill: Drill) -> str:
    if drill.kind is DrillKind.EVALUATE:
        return "Both play as well as can be: the winner hurries, the loser delays. Moves are the winner’s own."
    return "Press the square that you would play."


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
    told = reason.outcome.in_moves(drill.position.mover)
    return f"{told[:1].upper()}{told[1:]}."  # without a checked reason, just the proved outcome


def tells_reason(shown: DrillShown) -> bool:
    """Return whether to show the reason of the judged square. That of a wrong square is shown only if it loses."""
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
    best = f"Best is {first}. {_because(judgement.reason, drill)}"
    if shown.verdict == "told":
        return f"The answer: {answers(drill)}. {best}"
    if judgement.right:
        return f"Right: {answers(drill)}. {best}"
    given = parse_answer(shown.link.tried, drill)
    assert isinstance(given, Outcome)  # noqa: S101 - of a drill that asks for one
    half = " Who wins is right, but not the number of moves." if given.value is drill.outcome.value else ""
    return f"Not “{outcome(given, drill)}”.{half}"
