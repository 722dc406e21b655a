"""The lesson that sets every opponent against every other, with exact chances."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE
from solver.theory.crosstable import Crosstable, crosstable
from webapp.learn.lesson import Lesson, Query
from webapp.learn.parts import one_of

SHOWS: Final = {
    "percent": "Percent",
    "fractions": "Fractions",
    "points": "Expected points",
}


@dataclass(frozen=True, slots=True)
class Show:
    """A link to another way of showing the table."""

    title: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Strength:
    """An opponent's expected score a game against all others: from both sides, as X and as O."""

    title: str
    exact: str
    percent: str
    as_x: str
    as_o: str


@dataclass(frozen=True, slots=True)
class CrosstableView:
    """The strengths, the strongest first, and the table: a row for each player of X, a cell for each of O.

    A cell holds what is shown of a pair, each with its label.
    """

    strengths: tuple[Strength, ...]
    shows: tuple[Show, ...]
    show: str
    players: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[tuple[str, str], ...], ...]], ...]


def view(query: Query) -> CrosstableView:
    """The table in one of the ways to `show` it."""
    show = one_of(query, "show", SHOWS, "percent")
    table = crosstable(TIC_TAC_TOE)
    cell = _points if show == "points" else _chances(percent if show == "percent" else str)
    ranked = sorted(table.players, key=lambda each: -table.strength(each.name))
    return CrosstableView(
        tuple(
            Strength(
                each.title,
                str(table.strength(each.name)),
                percent(table.strength(each.name)),
                *(percent(table.strength_as(mark, each.name)) for mark in Mark),
            )
            for each in ranked
        ),
        tuple(Show(title, f"/learn/crosstable?show={name}", name == show) for name, title in SHOWS.items()),
        show,
        tuple(each.title for each in table.players),
        tuple((x.title, tuple(cell(table, (x.name, o.name)) for o in table.players)) for x in table.players),
    )


def percent(share: Fraction) -> str:
    """A share in percent, to a tenth."""
    return f"{float(share):.1%}"


def _chances(
    text: Callable[[Fraction], str],
) -> Callable[[Crosstable, tuple[str, str]], tuple[tuple[str, str], ...]]:
    def cell(table: Crosstable, pair: tuple[str, str]) -> tuple[tuple[str, str], ...]:
        labels = {Result.X: "X", Result.DRAW: "draw", Result.O: "O"}
        return tuple((label, text(table.chances[pair][result])) for result, label in labels.items())

    return cell


def _points(table: Crosstable, pair: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    x, o = table.points[pair]
    return (("X", f"{x} ({float(x):.2f})"), ("O", f"{o} ({float(o):.2f})"))


LESSON = Lesson(
    "crosstable",
    "Everyone against everyone",
    "The exact chances of every opponent against every other, and how strong that makes each.",
    view,
    ("show",),
)
