"""The lesson on looking ahead: what a search of a few plies sees, what it costs, and the bugs of a published one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, log10
from types import MappingProxyType
from typing import ClassVar, Final

from solver.analysis.drills import DrillKind
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
from solver.board.notation import format_cell, format_cells, parse_cell, parse_position
from solver.board.outcome import PROVED, counted, sign
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.quiz import Feedback, Question, Quiz
from webapp.pages.learn.search.hunt import hunting
from webapp.pages.learn.search.stepping import Attributes, Film, step_controls
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

    `film` shows one depth a step; it is None at the end of a game.
    `estimates` are the values of a search that also counts two in a row at its horizon.
    """

    game: GameForm
    position: Mini
    depth: int
    levels: int
    moves: Mapping[Cell, tuple[int, ...]]
    estimates: Mapping[Cell, tuple[int, ...]]
    film: Film | None
    visits: tuple[Visits, ...]
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
    counts = visits(position, depth) if depth else ()
    first = depth if query.get("depth") else 1
    step = number_of(query, "step", first, 1, max(1, depth))
    asked = {name: query[name] for name in (*GAME, "depth", "tree") if query.get(name)}
    return SearchView(
        game=GameForm.of(game),
        position=mini(position),
        depth=depth,
        levels=levels,
        moves=values,
        estimates=move_values(position, depth, estimate),
        film=Film(tuple(_looks(position, values, counts, asked)), step, asked) if depth else None,
        visits=counts,
        tree="\n".join(drawn_tree(position, levels)),
    )


def _looks(
    position: Position, values: Mapping[Cell, tuple[int, ...]], counts: Sequence[Visits], parts: Mapping[str, str]
) -> Iterator[Attributes]:
    """Yield the look of the board at each depth: the value of every move, and in words which ones are new."""
    for depth, count in enumerate(counts, start=1):
        whole = depth == position.plies_left
        look: dict[str, Mapping[str, str]] = {}
        for cell in range(position.rules.size):
            value = values[cell][depth - 1] if cell in values else None
            kind = "" if value is None else _kind(value, whole)
            look[f"c{cell}"] = {"class": f"{(position.mark_at(cell) or 'open').lower()} {kind}".strip()}
            look[f"v{cell}"] = {"text": "" if value is None else signed(value)}
        yield look | {
            "telling": {"text": _told(position, values, count, whole)},
            **step_controls(parts, depth, len(counts)),
        }


def _told(position: Position, values: Mapping[Cell, tuple[int, ...]], count: Visits, whole: bool) -> str:
    """Say what the search sees at a depth that it did not see one ply earlier."""
    depth = count.depth
    news = []
    for mark, value in ((Mark.X, 1), (Mark.O, -1)):
        cells = [cell for cell, seen in values.items() if settled_at(seen, depth) == depth and seen[depth - 1] == value]
        if cells:
            news.append(f"after {format_cells(cells, position.rules)} it sees that {mark} wins")
    seen = " and ".join(news) or "it sees nothing new"
    end = "This is the whole game: 0 is a draw." if whole else "0 means: nobody wins yet."
    return f"{counted(depth, 'ply', 'plies')}: {seen}. {end} Minimax looks at {count.plain:,} positions."


@cache
def seeing() -> Quiz:
    """Return the quiz that asks how far to look."""
    corner, second = parse_position("X../.../O.."), parse_position("..X/OX./O..")
    return Quiz(
        title="When does it see the trap?",
        questions=tuple(
            _how_far(position, parse_cell(cell, position.rules))
            for position, cell in ((second, "b3"), (second, "a3"), (corner, "c1"), (corner, "a2"), (corner, "b2"))
        ),
        closing="Too short a look misses the trap. Each ply more costs a few times as much.",
    )


def _how_far(position: Position, cell: Cell) -> Question:
    """Return the question for the least depth at which a move has its final value."""
    plies, name = position.plies_left, format_cell(cell, position.rules)
    values = move_values(position, plies)
    least, final = settled_at(values[cell], plies), values[cell][-1]
    what, aim, reason = {
        1: ("wins", "see it", "X can force a line by then"),
        -1: ("loses", "see it", "O can force a line by then"),
        0: ("draws", "be sure", "that's the whole game"),
    }[final]

    def answer(depth: int) -> Feedback:
        whole, look = depth == plies, counted(depth, "ply", "plies")
        board = mini(
            position,
            texts={each: signed(seen[depth - 1]) for each, seen in values.items()},
            classes={each: _kind(seen[depth - 1], whole) for each, seen in values.items()},
        )
        if depth == least:
            return Feedback(True, f"Yes: {look}. {name} is {signed(final)}: {reason}.", board)
        if least is not None and depth > least:
            return Feedback(False, f"{look} are enough, but it sees {name}'s {signed(final)} sooner. Try fewer.", board)
        return Feedback(False, f"With {look}, {name} still counts 0: nobody can force a line yet. Look further.", board)

    return Question(
        words=f"X's move {name} {what}. How many plies must a computer look ahead to {aim}? {name} is the first.",
        titles={f"ply{depth}": str(depth) for depth in range(1, plies + 1)},
        answers={f"ply{depth}": answer(depth) for depth in range(1, plies + 1)},
        board=mini(position, texts={cell: "?"}, classes={cell: "new"}),
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
    summary="How far must a computer look to see a trap? Then find the bugs in a published search.",
    level=Level.FURTHER,
    minutes=8,
    after=("haskell",),
    code=(static_value, replies, move_values),
    picture=_picture,
    parts=(*GAME, "depth", "tree", "step"),
    view=settled(view),
    quizzes={"far": seeing, "bug": hunting},
    drills=(DrillKind.WIN_IN_N,),
)
