"""The lesson on drawn patterns: their boards, the pattern that X can force, and a scheme that pays for patterns."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from solver.articles.openings import starts
from solver.articles.patterns import (
    BestPlay,
    Filling,
    best_play,
    can_force_outright,
    distinct_drawn_boards,
    drawn_boards,
    expected_points,
    fair_without,
    fillings,
    forceable,
)
from solver.board.game import PATTERNS, Pattern, Points, pattern_of
from solver.board.notation import format_cell, parse_cell
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of, cells_of
from solver.players import OPPONENTS, Strategy, playing_on, strategy_named
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query, with_query
from webapp.ui.board import Mini, Strike, mini, strike
from webapp.ui.filters import Option, exactly, options

SERIES: Final = with_query("/play/3x3x3", {"scheme": "patterns"})
"""The address of a series that pays points for patterns."""

EMPTY = "initial"
"""The name of the empty board among the positions of the article's table."""


@dataclass(frozen=True, slots=True)
class Case:
    """A group of full boards, with one of them as an example.

    `filling` says where O's stones are. `spoilt` are the lines of three equal marks in the example. With such a line,
    the board is no draw.
    """

    filling: Filling
    board: Mini
    spoilt: tuple[Strike, ...]

    @property
    def where(self) -> str:
        """The squares of O in words."""
        centre = ["the centre"] * self.filling.centre
        corners = [counted(self.filling.corners, "corner", "corners")] * bool(self.filling.corners)
        edges = [counted(self.filling.edges, "edge", "edges")] * bool(self.filling.edges)
        return ", ".join((*centre, *corners, *edges))


@dataclass(frozen=True, slots=True)
class DrawsView:
    """The boards of each pattern, the patterns that X can force, best play for points, and two opponents' points.

    `distinct` counts a pattern's boards up to symmetry. `mended` are patterns of the scheme of points. If any one of
    them gave no points, the scheme would be fair.
    """

    lines: Mini
    cases: tuple[Case, ...]
    patterns: Mapping[Pattern, tuple[Mini, ...]]
    distinct: Mapping[Pattern, int]
    starts: Mapping[str, Mini]
    forceable: Mapping[str, Mapping[Pattern, bool]]
    outright: bool
    scheme: Mapping[str, Points]
    best: Mapping[str, BestPlay]
    mended: tuple[Pattern, ...]
    opponents: tuple[Strategy, ...]
    xs: tuple[Option, ...]
    os: tuple[Option, ...]
    x: Strategy
    o: Strategy
    series: ClassVar[str] = SERIES

    @property
    def lead(self) -> int:
        """X's lead in points after best play from the empty board."""
        return self.best[EMPTY].lead

    @property
    def through(self) -> tuple[str, ...]:
        """The openings that keep this lead."""
        return tuple(name for name, best in self.best.items() if name != EMPTY and best.lead == self.lead)

    def expected(self, x: Strategy, o: Strategy) -> tuple[Fraction, Fraction]:
        """Return the points that two opponents expect."""
        return expected_points(x, o)

    def ahead(self, x: Fraction, o: Fraction = Fraction()) -> str:
        """Return which of the two has more points, and by how many."""
        return f"{'X' if x > o else 'O'} by {exactly(abs(x - o))}" if x != o else "even"


def view(query: Query) -> DrawsView:
    """Show the lesson, with the points of the players `x` and `o`. Raises UnknownPlayer."""
    rules = TIC_TAC_TOE
    x, o = (strategy_named(query.get(part, "easy"), rules) for part in ("x", "o"))
    playing = playing_on(rules)
    titles = {each.name: each.title for each in (*playing, x, o)}  # the players may be lists of rules
    return DrawsView(
        lines=_through(),
        cases=tuple(map(_case, fillings())),
        patterns={pattern: _draw_pattern(pattern) for pattern in Pattern},
        distinct=Counter(map(pattern_of, distinct_drawn_boards(rules))),
        starts={name: mini(position) for name, position in starts().items()},
        forceable=forceable(),
        outright=any(can_force_outright(Position(rules), pattern) for pattern in Pattern),
        scheme={f"{end} {'draw' if isinstance(end, Pattern) else 'wins'}": points for end, points in PATTERNS.items()},
        best={name: best_play(position) for name, position in starts().items()},
        mended=fair_without(),
        opponents=tuple(each for each in playing if each.group == OPPONENTS),
        xs=options(titles, x.name),
        os=options(titles, o.name),
        x=x,
        o=o,
    )


def judge_stops() -> Facts:
    """Judge the squares of the empty board by the lines that they stop."""
    through = [len(lines) for lines in TIC_TAC_TOE.lines_through]

    def judge(cell: Cell) -> Remark:
        square, most = format_cell(cell, TIC_TAC_TOE), through[cell] == max(through)
        return Remark.of("most" if most else "fewer", _through() if most else None, square=square, lines=through[cell])

    return judge_squares(Position(TIC_TAC_TOE), judge)


def judge_last_stone(stones: str) -> Facts:
    """Judge O's last stone on a board where X gets all other squares."""
    rules = TIC_TAC_TOE
    held = bits_of(parse_cell(name, rules) for name in stones.split())

    def judge(cell: Cell) -> Remark:
        o = held | 1 << cell
        full = Position(rules, rules.full & ~o, o)
        lines = {mark: full.lines_of(mark) for mark in Mark if full.lines_of(mark)}
        if not lines:
            return Remark.of("draw", _draw_marked(full), pattern=pattern_of(full))
        lit = tuple(strike(line, rules) for owned in lines.values() for line in owned)
        return Remark.of("both" if len(lines) > 1 else "one", _draw_marked(full), lit, mark=next(iter(lines)))

    return judge_squares(Position(rules, 0, held), judge)


def judge_openings(pattern: str) -> Facts:
    """Judge the openings by whether X can force a pattern after them."""
    forced = {name: row[Pattern(pattern)] for name, row in forceable().items() if name != EMPTY}
    links = {"Play for points": SERIES}
    answers = {
        name: Remark.of("forced", links=links, name=name) if forces else Remark.of("avoided", name=name)
        for name, forces in forced.items()
    }
    return Facts.of(answers, titles={name: f"The {name}" for name in forced}, pattern=pattern)


def _through() -> Mini:
    """Draw the empty board with the number of lines through each square."""
    rules = TIC_TAC_TOE
    return mini(Position(rules), texts={cell: str(len(rules.lines_through[cell])) for cell in range(rules.size)})


def _case(filling: Filling) -> Case:
    board, rules = filling.example, filling.example.rules
    spoilt = [line for line in rules.lines if line & board.o in (0, line)]
    return Case(filling, _draw_marked(board), tuple(strike(line, rules) for line in spoilt))


def _draw_marked(board: Position) -> Mini:
    return mini(board, classes=dict.fromkeys(cells_of(board.o), "new"))


def _draw_pattern(pattern: Pattern) -> tuple[Mini, ...]:
    """Draw the boards of a pattern. The marked squares are O's, which form the pattern."""
    return tuple(_draw_marked(board) for board in drawn_boards(TIC_TAC_TOE) if pattern_of(board) is pattern)


LESSON = Lesson.of(
    "draws",
    code=(pattern_of, distinct_drawn_boards, fillings),
    parts=("x", "o"),
    view=view,
    facts={"stops": judge_stops, "last": judge_last_stone, "force": judge_openings},
)
