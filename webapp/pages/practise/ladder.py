"""The ladder: every kind of drills on 3×3, easy kinds first, then the same on larger boards.

A run of one kind is a step. Five right answers in a row open the next step. This is a suggestion: each step has a link
of its own, which works at any time.
"""

from itertools import pairwise, product
from typing import Final

from solver.analysis.drills import LADDER, DrillKind
from webapp.pages.practise.link import DrillLink

IN_A_ROW: Final = 5
"""The right answers in a row that open the next step."""

_STEPS: Final = tuple(product(LADDER, DrillKind))


def on_ladder(link: DrillLink) -> bool:
    """Return whether a link is a step of the ladder: a run of one kind, not limited to one level."""
    return link.path == "run" and link.kind is not None and not link.level and link.rules in LADDER


def above(link: DrillLink) -> DrillLink | None:
    """Return the next step up the ladder, with the same seed. Return None at the top and for a link off the ladder."""
    if not on_ladder(link) or (link.rules, link.kind) == _STEPS[-1]:
        return None
    rules, kind = next(after for step, after in pairwise(_STEPS) if step == (link.rules, link.kind))
    return DrillLink("run", kind=kind, rules=rules, seed=link.seed)
