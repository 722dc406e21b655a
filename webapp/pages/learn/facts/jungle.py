"""The Clojure article's jungle: why one walks back from the ends of a game."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from solver.articles.openings import worth
from solver.board.notation import format_cell, parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from webapp.pages.learn.facts.values import KINDS
from webapp.ui.address import Query

SIGNS: Final = {1: "village", 0: "camp", -1: "lion"}
"""The thing that waits at an end of the jungle, by its value for X."""

ENDING: Final = "XOX/OO./.X."
"""The position at the start of the jungle: a draw with three open squares. Its ends are wins, draws and losses of X."""

WIDTH: Final = 800
ROW: Final = 84
"""The distance between two ends, which leaves room for a sign."""

_COLUMNS: Final = (80, 370, 680)
"""The places of the first fork, of the last forks and of the ends, from the left."""

_ENDS: Final = tuple(row * ROW + 0.72 * ROW for row in range(6))
"""The places of the ends, from the top."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A fork or an end of the jungle, with the trail that leads to it.

    Its sign appears at `step`; steps count from the ends back to the first fork. `best` is true on the path of best
    play.
    """

    x: float
    y: float
    mover: Mark
    value: int
    kind: str
    sign: str
    end: bool
    best: bool
    step: int
    move: str = ""
    way: str = ""
    label: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Jungle:
    """The Clojure article's jungle: the last moves of a game as trails, with a sign at each fork and end."""

    width: int
    height: int
    stops: tuple[Stop, ...]
    trees: tuple[tuple[float, float, float], ...]
    text: str


def draw_jungle(_: Query) -> Jungle:
    """Draw the jungle of the last three plies of a game."""
    height = len(_ENDS) * ROW + 10
    across, down = WIDTH - 370, height - 90
    trees = ((170.0 + 173 * each % across, 60.0 + 131 * each % down, 12.0 + each % 3 * 3) for each in range(11))
    return Jungle(WIDTH, height, tuple(_stops(parse_position(ENDING, TIC_TAC_TOE))), tuple(trees), ENDING)


def _stops(position: Position) -> Iterator[Stop]:
    """Yield the first fork. Then yield, for each of its moves, the next fork and its two ends."""
    first = _stop(position, _COLUMNS[0], sum(_ENDS) / len(_ENDS), step=3, best=True)
    yield first
    for number, cell in enumerate(position.legal_moves):
        after, heights = position.after(cell), _ENDS[2 * number : 2 * number + 2]
        best = worth(after) == worth(position)
        fork = _lead_to(_stop(after, _COLUMNS[1], sum(heights) / 2, step=2, best=best), cell, first)
        yield fork
        for reply, height in zip(after.legal_moves, heights, strict=True):
            end = after.after(reply)
            while end.result is None:
                end = end.after(end.legal_moves[0])
            stop = _stop(end, _COLUMNS[2], height, step=1, best=best and worth(end) == worth(after))
            yield _lead_to(stop, reply, fork)


def _stop(position: Position, x: float, y: float, step: int, best: bool) -> Stop:
    value, over = worth(position), position.result is not None
    return Stop(x, y, position.mover, value, KINDS[value], SIGNS[value], end=over, best=best, step=step)


def _lead_to(stop: Stop, move: Cell, before: Stop) -> Stop:
    """Return the stop with the trail that leads to it."""
    bend = (stop.x - before.x) / 2
    return replace(
        stop,
        move=format_cell(move, TIC_TAC_TOE),
        way=f"M{before.x} {before.y}C{before.x + bend} {before.y} {stop.x - bend} {stop.y} {stop.x} {stop.y}",
        label=(stop.x - 0.3 * (stop.x - before.x), stop.y - 0.1 * (stop.y - before.y) - 14),
    )
