"""The drill that a link names, the judgement of its answer, and the notation of answers in links."""

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from itertools import chain, zip_longest
from typing import Final
from zlib import crc32

from solver import oracle
from solver.analysis.drills import (
    BOARDS,
    LISTED,
    Drill,
    DrillAnswer,
    DrillJudgement,
    DrillKind,
    daily,
    drill_of,
    drills,
    evaluation,
    hints,
    judge_drill,
    listed_board,
    shuffle,
)
from solver.board.notation import quoted
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import BadOption
from solver.oracle import Proving
from webapp.pages.practise.link import IN_A_ROW, LEVELS, MOST, DrillLink, next_step, plain
from webapp.serving.pool.asking import do, pool
from webapp.ui.filters import board_title

DRAW: Final = "draw"
"""The answer that nobody wins."""

_WON: Final = re.compile(r"([xo])([1-9]\d?)", re.ASCII)
"""The answer that a side wins in a number of moves."""


@dataclass(frozen=True, slots=True)
class DrillShown:
    """A link's drill, and the judgement of the answer in the link, if any.

    `of` is the number of drills in its set, if it belongs to one. `today` is the day of the request.
    """

    link: DrillLink
    drill: Drill
    of: int | None
    judgement: DrillJudgement | None
    today: date

    @property
    def verdict(self) -> str:
        """The verdict on the answer: "right", "wrong", "told" if the visitor asked for the answer, or "" before it."""
        if self.judgement is None:
            return ""
        return "told" if self.link.answers else "right" if self.judgement.right else "wrong"

    @property
    def solved(self) -> bool:
        """True if the first answer was right."""
        return self.verdict == "right" and not self.link.missed

    @property
    def done(self) -> int:
        """The number of drills of the run or the set that have been answered, this one included."""
        return self.link.number - (not self.verdict and not self.link.missed)

    @property
    def right(self) -> int:
        """The number of answered drills whose first answer was right."""
        return self.link.right + self.solved

    @property
    def row(self) -> int:
        """The number of right first answers in a row, up to now."""
        return self.link.row + self.solved if self.solved or self.done < self.link.number else 0

    @property
    def opens(self) -> DrillLink | None:
        """The step of the ladder that this drill's answer opens, if any."""
        return next_step(self.link) if self.row >= IN_A_ROW else None

    @property
    def hints(self) -> tuple[str, ...]:
        """All hints for the drill."""
        return hints(self.drill)

    @property
    def line(self) -> tuple[Cell, ...]:
        """The moves to show: the judged square, then best play if it is right, or its refutation if it is wrong.

        The line is empty if it would give away who wins. A square that wins too late has no further moves, because the
        visitor still looks for a faster win.
        """
        judgement = self.judgement
        if judgement is None or (self.drill.kind is DrillKind.EVALUATE and self.verdict == "wrong"):
            return ()
        refuted = self.verdict != "wrong" or judgement.grade.is_mistake
        return judgement.cell, *(judgement.reason.refutation if refuted else ())


@lru_cache(maxsize=64)
def find_drills(rules: Rules, kind: DrillKind | None = None, level: str = "", seed: str = "") -> tuple[Drill, ...]:
    """Find all drills of a board, a kind and a level. The seed chooses their order."""
    least, most = LEVELS.get(level, (1, 100))
    if rules in BOARDS or pool() is None:
        of_kind = drills(rules, kind, seed or None)
    else:
        of_kind = tuple(drill for drill in _from_the_pool(rules) if kind in (None, drill.kind))
        of_kind = shuffle(of_kind, seed) if seed else of_kind
    return tuple(drill for drill in of_kind if least <= drill.difficulty <= most)


@lru_cache(maxsize=64)
def _from_the_pool(rules: Rules) -> tuple[Drill, ...]:
    made: tuple[Drill, ...] = do(make_drills, rules, long=True)
    return made


def make_drills(rules: Rules) -> tuple[tuple[Drill, ...], bool]:
    """Return the drills of a board, from easy to hard. A task of the pool, whose result never changes."""
    return drills(rules), True


def name_level(drill: Drill) -> str:
    """Return a drill's level, e.g. "easy"."""
    return next(name for name, (least, most) in LEVELS.items() if least <= drill.difficulty <= most)


def drills_of(link: DrillLink) -> tuple[Drill, ...]:
    """Find the drills of a run, a set or a sheet; in a rush kinds take turns. Raises BadOption if there are none."""
    if not (drills_found := find_drills(link.rules, link.kind, link.level, plain(link.seed))):
        raise no_drills(link)
    by_kind = ([drill for drill in drills_found if drill.kind is kind] for kind in DrillKind)
    return tuple(filter(None, chain(*zip_longest(*by_kind)))) if link.rush else drills_found


def no_drills(link: DrillLink) -> BadOption:
    """Return the error that a board has no drills of the link's kind and level."""
    of_kind = f" “{link.kind.title}”" if link.kind else ""
    others = [level for level in LEVELS if find_drills(link.rules, link.kind, level)]
    instead = f"Try {' or '.join(others)} ones" if others else "Choose another kind or board"
    return BadOption(f"There are no {link.level}{of_kind} drills on {board_title(link.rules)}. {instead}.")


def set_of(link: DrillLink) -> tuple[Drill, ...]:
    """Return the drills of a set, easy ones first. Raises BadOption if there are none."""
    return tuple(sorted(drills_of(link)[: link.size], key=lambda drill: drill.difficulty))


def show_drill(link: DrillLink, today: date) -> DrillShown:
    """Return the drill of a link without its answer. Raises NoughtsError if there is none."""
    of = len(set_of(link)) if link.path == "set" else None
    return DrillShown(link.unanswered(), _drill(link, today), of, None, today)


def judge_answer(shown: DrillShown, link: DrillLink) -> DrillShown:
    """Return the drill with the answer in its link judged. If the link asks for the right answer, judge that one.

    Raises NoughtsError.
    """
    drill = shown.drill
    if link.answers:
        answer: DrillAnswer = drill.outcome if drill.kind is DrillKind.EVALUATE else drill.answers[0]
    elif link.tried:
        answer = parse_answer(link.tried, drill, link.place)
    else:
        return replace(shown, link=link)
    return replace(shown, link=link, judgement=judge_drill(drill, answer, partial(oracle.reason_of, pool=pool())))


def next_link(shown: DrillShown) -> DrillLink | None:
    """Return the link to the next drill, or None after the last drill of the longest run.

    If the answer opens a step of the ladder, the next drill is on that step. A run or a set goes on. After any other
    drill, a run of the same kind begins. Skipping a drill ends the row of right answers.
    """
    link = shown.link
    if shown.opens:
        return shown.opens
    if link.path in ("run", "set"):
        row = shown.row if shown.verdict else 0
        return link.anew(at=link.number + 1, right=shown.right, row=row) if link.number < MOST else None
    seed = f"{crc32(shown.drill.id.encode()):08x}"
    kind = shown.drill.kind if shown.drill.kind in LISTED else None
    return DrillLink("run", kind=kind, rules=listed_board(shown.drill.position.rules), seed=seed)


def _drill(link: DrillLink, today: date) -> Drill:
    match link.path:
        case "daily":
            if link.day is not None and link.day > today:
                raise BadOption(f"The drill of {link.day} opens on that day. Come back then!")
            return daily(link.day or today)
        case "run":
            run = drills_of(link)
            return run[(link.number - 1) % len(run)]
        case "set":
            drills_set = set_of(link)
            if link.number > len(drills_set):
                raise BadOption(f"This set ends with drill {len(drills_set)}.")
            return drills_set[link.number - 1]
        case _:
            return drill_named(link.path)


def drill_named(id: str) -> Drill:  # noqa: A002 - as in the solver
    """Return the drill with this id. Have the pool prove what is not proved of it. Raises NoughtsError."""
    return drill_of(id, lambda position: oracle.prove(position, Proving.ASIDE, pool())[0])


def parse_answer(text: str, drill: Drill, place: Mark = Mark.X) -> DrillAnswer:
    """Parse an answer: a square, or where the winner is asked for, `x2` (X in two), `o1` or `draw`.

    Where either mark can be placed, the square gets `place`. Raises NoughtsError.
    """
    position, rules = drill.position, drill.position.rules
    if drill.kind is not DrillKind.EVALUATE:
        return position.landing(rules.with_mark(position.move_of(text), place is Mark.O))
    if text == DRAW:
        return evaluation(position, Result.DRAW)
    if (won := _WON.fullmatch(text)) and int(won[2]) in moves_offered(drill, Mark(won[1].upper())):
        return evaluation(position, Result(won[1].upper()), int(won[2]))
    raise BadOption(f"{quoted(text)} doesn't say who wins. Choose one of the buttons.")


def format_answer(outcome: Outcome, position: Position) -> str:
    """Write the outcome as an answer, such as `x2`."""
    if outcome.moves is None:
        return DRAW
    winner = position.mover if outcome.value is Value.WIN else position.mover.other
    return f"{winner.lower()}{outcome.moves}"


def moves_offered(drill: Drill, mark: Mark) -> range:
    """Return the numbers of moves to offer in the answers "this player wins in …".

    They depend on the empty squares and on the longest win among the board's drills, so they give nothing away. Where a
    drill's own win is longer still, all numbers are offered.
    """
    position, longest = drill.position, _longest_win(drill.position.rules)
    possible = (position.plies_left + (mark is position.mover)) // 2
    return range(1, (possible if (drill.outcome.moves or 0) > longest else min(possible, longest)) + 1)


@lru_cache(maxsize=64)
def _longest_win(rules: Rules) -> int:
    return max((drill.outcome.moves or 0 for drill in find_drills(rules, DrillKind.EVALUATE)), default=0)
