"""The lesson on the rulebook: the shortest lists of rules that never lose, their proof, and what each rule is for."""

from dataclasses import dataclass
from typing import Final

from solver.board.notation import format_cell, format_moves
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.strategies.handbook import HANDBOOK
from solver.strategies.lists import RULEBOOK, SEVEN_RULES, SHORT_RULEBOOK
from solver.theory.rulebooks import (
    Aim,
    Change,
    Names,
    Proof,
    Without,
    changes,
    example,
    mending,
    proof,
    shortest,
    without,
)
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini

SOUGHT: Final = (
    (Aim.UNBEATABLE, 0),
    (Aim.UNBEATABLE, 1),
    (Aim.UNBEATABLE, 2),
    (Aim.UNBEATABLE, 3),
    (Aim.UNBEATABLE, 4),
    (Aim.KEEPS_EVERY_WIN, 3),
    (Aim.SOUND, 3),
    (Aim.PERFECT, 4),
)
"""What is asked of lists on the page, and how far their rules may look."""

SIGHTS: Final = (
    "the stones as they stand",
    "what one stone would threaten",
    "the reply to it as well",
    "and a fork after that",
    "and all that the opponent could force",
)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule of a list: its words, where it decides, and what goes wrong without it."""

    name: str
    words: str
    example: Mini
    without: str
    moves: str
    url: str
    error: Mini | None


@dataclass(frozen=True, slots=True)
class SideRow:
    """All games of a list as one mark."""

    title: str
    mark: str
    games: int
    won: int
    drawn: int
    lost: int
    positions: int
    slips: int


@dataclass(frozen=True, slots=True)
class ListView:
    """A list of rules as prose, with its games and in how many won positions of all it may let the win slip."""

    title: str
    player: str
    rows: tuple[RuleRow, ...]
    won: int
    slips: int
    slip: Mini | None


@dataclass(frozen=True, slots=True)
class SoughtRow:
    """What was searched for, and what was found."""

    aim: str
    sight: str
    length: int
    lists: int
    first: str
    shorter: int
    examined: int


@dataclass(frozen=True, slots=True)
class RulebookView:
    """The two rulebooks, the search for the shortest lists, and the seven rules beside them."""

    lists: tuple[ListView, ...]
    sides: tuple[SideRow, ...]
    sought: tuple[SoughtRow, ...]
    library: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    size: int
    changes: int
    mending: tuple[Change, ...]
    mended: tuple[str, ...]
    names: tuple[str, ...]


def view(_: Query) -> RulebookView:
    """Everything, computed."""
    mended = mending(SEVEN_RULES)
    nearest = next(change for change in mended if "guard" in change.names)
    proofs = {
        "Rulebook": proof(RULEBOOK),
        "Short rulebook": proof(SHORT_RULEBOOK),
        "Hard, the seven rules": proof(SEVEN_RULES),
        "Hard, mended": proof(nearest.names),
    }
    return RulebookView(
        (_list("Rulebook", "rulebook", RULEBOOK), _list("Short rulebook", "short-rulebook", SHORT_RULEBOOK)),
        tuple(row for title, each in proofs.items() for row in _sides(title, each)),
        tuple(_sought(aim, sight) for aim, sight in SOUGHT),
        tuple(
            (looks, tuple((each.name, each.words) for each in HANDBOOK.values() if each.sight == sight))
            for sight, looks in enumerate(SIGHTS)
        ),
        len(HANDBOOK),
        sum(1 for _ in changes(SEVEN_RULES)),
        mended,
        nearest.names,
        SEVEN_RULES,
    )


def _list(title: str, player: str, names: Names) -> ListView:
    proved = proof(names)
    slip = _marked(proved.slip.position, proved.slip.cell, "draw") if proved.slip else None
    return ListView(title, player, tuple(_rule(names, name) for name in names), proved.won, proved.slips, slip)


def _rule(names: Names, name: str) -> RuleRow:
    position, cells = example(names, name)
    wrong = without(names, name)
    shown = mini(position, f"{position.mover} to move", "", dict.fromkeys(cells, "●"), dict.fromkeys(cells, "new"))
    moves = format_moves(tuple(ply.cell for ply in wrong.refutation.plies), TIC_TAC_TOE) if wrong.refutation else ""
    return RuleRow(
        name,
        HANDBOOK[name].words,
        shown,
        _wrong(wrong),
        moves,
        f"/play/{TIC_TAC_TOE}?moves={moves}&x=friend&o=friend",
        _error(wrong),
    )


def _wrong(wrong: Without) -> str:
    if wrong.refutation is not None:
        return f"it may lose as {wrong.mark} in {len(wrong.refutation.plies)} plies"
    return "it may let a win slip" if wrong.slip else "nothing goes wrong"


def _error(wrong: Without) -> Mini | None:
    """The position in which the list errs without the rule, with the square that is wrong."""
    if wrong.refutation is not None and wrong.refutation.erred is not None:
        ply = wrong.refutation.plies[wrong.refutation.erred]
        return _marked(ply.position, ply.cell, "loss")
    return _marked(wrong.slip.position, wrong.slip.cell, "draw") if wrong.slip else None


def _marked(position: Position, cell: Cell, kind: str) -> Mini:
    return mini(position, f"{position.mover} on {format_cell(cell, TIC_TAC_TOE)}?", "", {cell: "?"}, {cell: kind})


def _sides(title: str, proved: Proof) -> tuple[SideRow, ...]:
    return tuple(
        SideRow(
            title,
            str(tried.mark),
            tried.counts.games,
            tried.counts.won,
            tried.counts.drawn,
            tried.counts.lost,
            tried.positions,
            tried.slips,
        )
        for tried in proved.trials
    )


def _sought(aim: Aim, sight: int) -> SoughtRow:
    found = shortest(aim, sight)
    assert found is not None  # noqa: S101 - what the page asks for has been found, and does not change
    return SoughtRow(
        str(aim),
        SIGHTS[sight],
        found.length,
        len(found.lists),
        ", ".join(found.lists[0]),
        found.shorter,
        found.examined,
    )


LESSON = Lesson(
    "rulebook",
    "The rulebook",
    "The shortest lists of rules of thumb that never lose, found by trying all, and proved by playing every game.",
    view,
)
