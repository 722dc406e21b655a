"""The lesson on looking ahead: the values of a tree pruned to a depth, and the nodes that a search of it visits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10
from types import MappingProxyType
from typing import ClassVar, Final

from solver.articles.lookahead import (
    MAX_DRAWN,
    MAX_VISITS,
    Visits,
    checked_depth,
    drawn_tree,
    estimate,
    feasible_depth,
    move_values,
    replies,
    settled_at,
    static_value,
    visits,
)
from solver.board.notation import format_cell
from solver.board.outcome import PROVED, counted, sign
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.thumbs import Sketch, Twig, tree
from webapp.pages.play.forms import GAME, GameForm, asked_game
from webapp.ui.address import Query, number_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import signed

MAX_DEPTH = 9
EXAMPLE = {"from": "X../.../O.."}
"""The position shown by default. In this position from the Haskell article, the depth of the search matters."""

PRESETS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "The empty board": {"board": "3x3x3"},
        "X in the centre": {"moves": "b2"},
        "X a3, O a1": {"from": "X../.../O.."},
        "The article's second position": {"from": "..X/OX./O.."},
        "The article's tree of six": {"from": "XX./.../..O"},
        "4×3, three in a row": {"board": "4x3x3"},
        "4×4, four in a row": {"board": "4x4x4"},
    }
)
"""Positions to choose from, as parts of an address, by title."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 240, 60, 80, 12, 26
"""The size of the chart and its margins, in units of the drawing."""

APART: Final = 13
"""The least distance between the names at the ends of curves."""


@dataclass(frozen=True, slots=True)
class Point:
    """A count on a curve and its place."""

    x: float
    y: float
    ply: int
    count: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve. Its name stands at the height `named`."""

    name: str
    points: tuple[Point, ...]
    named: float


@dataclass(frozen=True, slots=True)
class LogChart:
    """A chart of counts by ply, on a logarithmic scale.

    `powers` are the powers of ten with their places, and `plies` are the plies with their places.
    """

    lines: tuple[Curve, ...]
    powers: tuple[tuple[int, float], ...]
    plies: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class SearchView:
    """A position with X's value of every move at each depth, and the cost of finding these values.

    `estimates` are the values of a search that also counts two in a row at its horizon.
    """

    game: GameForm
    position: Mini
    depth: int
    levels: int
    moves: Mapping[Cell, tuple[int, ...]]
    estimates: Mapping[Cell, tuple[int, ...]]
    boards: tuple[Mini, ...]
    visits: tuple[Visits, ...]
    replies: tuple[Mini, ...]
    tree: str
    presets: ClassVar[Mapping[str, Mapping[str, str]]] = PRESETS
    max_depth: ClassVar[int] = MAX_DEPTH
    max_visits: ClassVar[int] = MAX_VISITS
    max_drawn: ClassVar[int] = MAX_DRAWN

    @property
    def chart(self) -> LogChart:
        """The chart of the nodes that each search visits."""
        return log_chart(
            {
                "Minimax": [each.plain for each in self.visits],
                "Lazy lists": [each.lazy for each in self.visits],
                "No distance": [each.textbook for each in self.visits],
                "Alpha-beta": [each.alphabeta for each in self.visits],
            }
        )

    def kind(self, value: int, depth: int) -> str:
        """Return the style of a value. Zero is a draw only if the search reaches the full board."""
        return _kind(value, depth >= self.position.position.plies_left)

    def line(self, estimate: int) -> int:
        """Return 1 if the search behind an estimate saw a line of X, -1 for a line of O, and 0 if it saw none."""
        return sign(estimate) if abs(estimate) >= PROVED else 0

    @property
    def favourites(self) -> tuple[Cell, ...]:
        """The mover's best squares by the estimates at depth 1."""
        choose = max if self.position.position.mover is Mark.X else min
        best = choose(values[0] for values in self.estimates.values())
        return tuple(cell for cell, values in self.estimates.items() if values[0] == best)

    def settled(self, values: tuple[int, ...]) -> str:
        """Return the depth from which a move's value is certain, in words."""
        depth = settled_at(values, self.position.position.plies_left)
        if depth is None:
            return f"not within {len(values)}"
        return f"{depth}{' (the full board)' if not values[-1] else ''}"


def view(query: Query) -> SearchView:
    """Show the position that the query names. The default depth is the greatest feasible depth."""
    game = asked_game(query, EXAMPLE)
    position = game.last
    most = min(MAX_DEPTH, feasible_depth(position))
    depth = checked_depth(position, number_of(query, "depth", most, 1, MAX_DEPTH)) if position.legal_moves else 0
    levels = number_of(query, "tree", 1, 0, 3)
    values = move_values(position, depth)
    return SearchView(
        game=GameForm.of(game),
        position=mini(position),
        depth=depth,
        levels=levels,
        moves=values,
        estimates=move_values(position, depth, estimate),
        boards=tuple(_board(position, values, plies) for plies in range(1, depth + 1)),
        visits=visits(position, depth) if depth else (),
        replies=tuple(_reply(position, cell, values[cell][-1]) for cell in values),
        tree="\n".join(drawn_tree(position, levels)),
    )


def log_chart(series: Mapping[str, Sequence[int | None]]) -> LogChart:
    """Draw the counts of each series by ply, from ply 1; None leaves a ply out. There must be at least one count."""
    plies = max(map(len, series.values()))
    top = max(1, ceil(log10(max(count for counts in series.values() for count in counts if count))))

    def x(ply: int) -> float:
        return round(LEFT + 10 + (WIDTH - LEFT - RIGHT - 16) * (ply - 1) / max(1, plies - 1), 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log10(count) / top, 1)

    points = {
        name: tuple(Point(x(ply), y(count), ply, count) for ply, count in enumerate(counts, 1) if count)
        for name, counts in series.items()
    }
    named, lowest = {}, 0.0
    for name in sorted((name for name in points if points[name]), key=lambda name: points[name][-1].y):
        named[name] = lowest = max(points[name][-1].y + 4, lowest + APART)
    return LogChart(
        tuple(Curve(name, points[name], named[name]) for name in series if name in named),
        tuple((10**power, y(10**power)) for power in range(top + 1)),
        tuple((ply, x(ply)) for ply in range(1, plies + 1)),
    )


def _board(position: Position, values: Mapping[Cell, tuple[int, ...]], depth: int) -> Mini:
    at = {cell: each[depth - 1] for cell, each in values.items()}
    whole = depth >= position.plies_left
    return mini(
        position,
        counted(depth, "ply", "plies"),
        texts={cell: signed(value) for cell, value in at.items()},
        classes={cell: _kind(value, whole) for cell, value in at.items()},
    )


def _reply(position: Position, cell: Cell, value: int) -> Mini:
    after = position.after(cell)
    caption = f"{format_cell(cell, position.rules)}: {signed(value)}"
    return mini(after, caption, _kind(value, whole=False), classes={cell: "new"})


def _kind(value: int, whole: bool) -> str:
    return {1: "win", -1: "loss"}.get(value, "draw" if whole else "")


def _picture() -> Sketch:
    """Draw two plies in which alpha-beta skips a node: the root has 3 already, and its second move gives at most 2."""
    leaves = [Twig(0, "3"), Twig(0, "8"), Twig(1, "2"), Twig(1, style="faint"), Twig(2)]
    return tree(
        [Twig(text="3", style="first")], [Twig(text="3"), Twig(text="2", style="second"), Twig(text="?")], leaves
    )


LESSON = Lesson(
    name="search",
    title="Looking ahead",
    summary="See what a few plies of look-ahead tell you, and what alpha-beta saves.",
    level=Level.FURTHER,
    minutes=8,
    after=("haskell",),
    code=(static_value, replies, move_values),
    picture=_picture,
    parts=(*GAME, "depth", "tree"),
    view=settled(view),
)
