"""The drill of a link, and what was made of the answer to it: computed once a request, and handed on."""

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final
from zlib import crc32

from solver.analysis.drills import Drill, DrillAnswer, DrillJudgement, DrillKind, daily, drill_of, drills, hints
from solver.board.rules import Cell, Rules
from solver.errors import BadOption
from webapp.pages.practise.answers import parse_answer
from webapp.pages.practise.link import LEVELS, MOST, DrillLink
from webapp.serving.pool.gating import judgement_of
from webapp.ui.words import board_title

ANY: Final = (1, 100)
"""The difficulty of any drill."""


@dataclass(frozen=True, slots=True)
class DrillShown:
    """A link's drill, as one of `of` if it belongs to a set, with the judgement of the answer that is shown, if any.

    `today` is the day on which it is asked for.
    """

    link: DrillLink
    drill: Drill
    of: int | None
    judgement: DrillJudgement | None
    today: date

    @property
    def verdict(self) -> str:
        """What became of it: "right", "wrong", "told" where the answer was asked for, or nothing yet."""
        if self.judgement is None:
            return ""
        return "told" if self.link.answers else "right" if self.judgement.right else "wrong"

    @property
    def solved(self) -> bool:
        """Whether the first answer was right."""
        return self.verdict == "right" and not self.link.missed

    @property
    def hints(self) -> tuple[str, ...]:
        """All hints there are."""
        return hints(self.drill)

    @property
    def line(self) -> tuple[Cell, ...]:
        """The square that was judged, and how a wrong one is refuted, or best play after a right one.

        There is nothing of it where that would tell who wins, and of a square that wins too late nothing after it: the
        squares that would have won sooner are still to be found.
        """
        judgement = self.judgement
        if judgement is None or (self.drill.kind is DrillKind.EVALUATE and self.verdict == "wrong"):
            return ()
        refuted = self.verdict != "wrong" or judgement.grade.is_mistake
        return judgement.cell, *(judgement.reason.refutation if refuted else ())


@lru_cache(maxsize=64)
def found(rules: Rules, kind: DrillKind | None = None, level: str = "", seed: str = "") -> tuple[Drill, ...]:
    """All drills of a board, a kind and a level, in the order of a seed."""
    least, most = LEVELS.get(level, ANY)
    return tuple(drill for drill in drills(rules, kind, seed or None) if least <= drill.difficulty <= most)


def chosen(link: DrillLink) -> tuple[Drill, ...]:
    """The drills that a run, a set or a sheet is of. Raises BadOption where there are none."""
    if drills_found := found(link.rules, link.kind, link.level, link.seed):
        return drills_found
    of_kind = f" of the kind “{link.kind.title}”" if link.kind else ""
    others = [level for level in LEVELS if found(link.rules, link.kind, level)]
    there_are = f"There are {' and '.join(others)} ones" if others else "Choose another kind or board"
    raise BadOption(f"There are no {link.level} drills{of_kind} on {board_title(link.rules)}. {there_are}.")


def set_of(link: DrillLink) -> tuple[Drill, ...]:
    """The drills of a set, easy ones first. Raises BadOption where there are none."""
    return tuple(sorted(chosen(link)[: link.size], key=lambda drill: drill.difficulty))


def unanswered(link: DrillLink, today: date) -> DrillShown:
    """The drill of a link, as if nothing were answered yet. Raises NoughtsError where there is none."""
    of = len(set_of(link)) if link.path == "set" else None
    return DrillShown(link.having(tried="", answers=False, step=None), _drill(link, today), of, None, today)


def answered(shown: DrillShown, link: DrillLink) -> DrillShown:
    """The drill with what its link says was answered, or with the right answer, judged. Raises NoughtsError."""
    drill = shown.drill
    if link.answers:
        answer: DrillAnswer = drill.outcome if drill.kind is DrillKind.EVALUATE else drill.answers[0]
    elif link.tried:
        answer = parse_answer(link.tried, drill)
    else:
        return replace(shown, link=link)
    return replace(shown, link=link, judgement=judgement_of(drill, answer))


def following(shown: DrillShown) -> DrillLink | None:
    """The next drill: of the run or the set, or else of a run that begins; None where a run is as long as can be."""
    link = shown.link
    if link.path in ("run", "set"):
        right, row = link.right + shown.solved, link.row + 1 if shown.solved else 0
        return link.anew(at=link.number + 1, right=right, row=row) if link.number < MOST else None
    if link.path == "daily":
        return DrillLink("run", rules=shown.drill.position.rules, seed=str(link.day))
    seed = f"{crc32(shown.drill.id.encode()):08x}"
    return DrillLink("run", kind=shown.drill.kind, rules=shown.drill.position.rules, seed=seed)


def _drill(link: DrillLink, today: date) -> Drill:
    match link.path:
        case "daily":
            if link.day is not None and link.day > today:
                raise BadOption(f"The drill of {link.day} is not there before that day has come.")
            return daily(link.day or today)
        case "run":
            drills_chosen = chosen(link)
            return drills_chosen[(link.number - 1) % len(drills_chosen)]
        case "set":
            drills_set = set_of(link)
            if link.number > len(drills_set):
                raise BadOption(f"The set ends with drill {len(drills_set)}.")
            return drills_set[link.number - 1]
        case _:
            return drill_of(link.path)
