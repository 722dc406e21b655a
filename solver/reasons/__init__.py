"""Reasons: why each square wins, draws or loses, in words that are checked before they are shown.

>>> from solver import format_cell, parse_cell, parse_position, predict
>>> from solver.reasons import explain
>>> position = parse_position("X.O/.X./..O")
>>> reason = explain(position, parse_cell("a2", position.rules), predict(position))
>>> print(reason.outcome.value, reason.kind, reason.verified)
loss loses-to-line True
>>> [format_cell(cell, position.rules) for cell in reason.refutation]
['c2']
"""

from solver.reasons.explaining import Reason, explain
from solver.reasons.grounds import ReasonKind

__all__ = ["Reason", "ReasonKind", "explain"]
