"""Drills: positions with a task, made and judged by the solver.

>>> from datetime import date
>>> from solver import format_cell, parse_rules
>>> from solver.analysis.drills import DrillKind, daily, drill_of, drills, hints, judge_drill
>>> hardest = drills(parse_rules("3x3x3"), DrillKind.ONLY_MOVE)[-1]
>>> drill_of(hardest.id) == hardest
True
>>> [format_cell(cell, hardest.position.rules) for cell in drill_of("3x3x3-X.O_.X._..O-block").answers]
['c2']

An id identifies a drill: the board, the position and the kind. The right squares, the difficulty and the hints follow
from these. Nothing is kept about the people who try.
"""

from solver.analysis.drills.drill import Drill, daily, drill_of, drills, keeping_drill, shuffle
from solver.analysis.drills.judging import DrillAnswer, DrillJudgement, evaluation, hints, judge_drill
from solver.analysis.drills.kinds import LISTED, DrillKind, kind_named
from solver.analysis.drills.known import BOARDS, LADDER, having_drills, listed_board

__all__ = [
    "BOARDS",
    "LADDER",
    "LISTED",
    "Drill",
    "DrillAnswer",
    "DrillJudgement",
    "DrillKind",
    "daily",
    "drill_of",
    "drills",
    "evaluation",
    "having_drills",
    "hints",
    "judge_drill",
    "keeping_drill",
    "kind_named",
    "listed_board",
    "shuffle",
]
