"""Drills: positions with a task, made and judged by the solver.

>>> from datetime import date
>>> from solver import format_cell, parse_rules
>>> from solver.drills import DrillKind, daily, drill_of, drills, hints, judged
>>> hardest = drills(parse_rules("3x3x3"), DrillKind.ONLY_MOVE)[-1]
>>> drill_of(hardest.id) == hardest
True
>>> [format_cell(cell, hardest.position.rules) for cell in drill_of("3x3x3-X.O_.X._..O-block").answers]
['c2']

A drill is told by its id: the board, the position and the kind. What is right, how hard it is and what hints there are
follows from these; nothing is kept of who did what.
"""

from solver.drills.choosing import BOARDS, daily, drill_of, drills
from solver.drills.drill import Drill
from solver.drills.hinting import hints
from solver.drills.judging import DrillAnswer, DrillJudgement, evaluation, judged
from solver.drills.kinds import DrillKind, kind_named

__all__ = [
    "BOARDS",
    "Drill",
    "DrillAnswer",
    "DrillJudgement",
    "DrillKind",
    "daily",
    "drill_of",
    "drills",
    "evaluation",
    "hints",
    "judged",
    "kind_named",
]
