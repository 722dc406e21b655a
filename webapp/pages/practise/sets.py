"""The same drills for everybody: a set as a teacher composes it, what came of it, and its sheet of paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solver.analysis.drills import BOARDS, Drill, DrillKind
from solver.board.rules import Cell
from solver.errors import NoughtsError
from webapp.pages.play import words as boards
from webapp.pages.practise import words
from webapp.pages.practise.link import MOST_DRILLS, DrillLink
from webapp.pages.practise.offer import LEVELS_OFFERED
from webapp.pages.practise.shown import set_of
from webapp.ui.choices import options
from webapp.ui.minis import Mini, mini
from webapp.ui.words import board_title


@dataclass(frozen=True, slots=True)
class Exercise:
    """A drill of a set: its small board, what is asked, where it is, and its answer where that is told."""

    board: Mini
    task: str
    url: str
    answer: str


def set_context(link: DrillLink, problems: tuple[NoughtsError, ...], composing: bool) -> dict[str, Any]:
    """What the page of a set names: the form that composes one, and unless one only begins to, its drills."""
    found = () if composing else set_of(link)
    whole = link.anew(at=0, right=0, row=0)
    return {
        "title": "A set of drills · Noughts",
        "problems": problems,
        "course": words.course(link),
        "url": whole.url(),
        "exercises": [
            Exercise(mini(drill.position), drill.task, whole.having(at=number).url(), "")
            for number, drill in enumerate(found, start=1)
        ],
        "begin": whole.having(at=1).url(),
        "sheet": whole.having(path="sheet").url(),
        "solutions": whole.having(path="sheet", answers=True).url(),
        "right": link.right if 0 < len(found) < link.at else None,
        "fewer": 0 < len(found) < link.size,
        **_form(link),
    }


def sheet_context(link: DrillLink, problems: tuple[NoughtsError, ...]) -> dict[str, Any]:
    """What a sheet names. The answers are in it only if the link asks for them."""
    found = set_of(link)
    return {
        "title": f"Set {link.seed}: {words.course(link)} · Noughts",
        "seed": link.seed,
        "problems": problems,
        "course": words.course(link),
        "rules": link.rules,
        "rule": boards.rule(link.rules),
        "answered": link.answers,
        "exercises": [_on_paper(drill, link.answers) for drill in found],
        "asks_winner": any(drill.kind is DrillKind.EVALUATE for drill in found),
        "other": link.having(answers=not link.answers).url(),
        "whole": link.anew(path="set").url(),
    }


def _on_paper(drill: Drill, answered: bool) -> Exercise:
    right = drill.answers if answered and drill.kind is not DrillKind.EVALUATE else ()
    classes: Mapping[Cell, str] = dict.fromkeys(right, "right")
    return Exercise(mini(drill.position, classes=classes), drill.task, "", words.answers(drill) if answered else "")


def _form(link: DrillLink) -> dict[str, Any]:
    """What one may choose for a set."""
    kinds = {"": words.MIX} | {str(kind): kind.title for kind in DrillKind}
    return {
        "kinds": options(kinds, link.kind or ""),
        "boards": options({str(rules): board_title(rules) for rules in BOARDS}, str(link.rules)),
        "levels": options(LEVELS_OFFERED, link.level),
        "count": link.size,
        "most": MOST_DRILLS,
        "seed": link.seed,
    }
