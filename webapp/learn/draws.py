"""The lesson on drawn patterns: the boards, which pattern X can force, and a scheme that pays for them."""

from dataclasses import dataclass
from fractions import Fraction

from solver.board.notation import format_fraction
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.strategies import OPPONENTS, STRATEGIES, strategy_named
from solver.theory.drawn import Pattern, distinct_drawn_boards, drawn_boards, pattern_of
from solver.theory.openings import starts
from solver.theory.scoring import (
    PATTERNS,
    Points,
    best_play,
    can_force_outright,
    expected_points,
    fair_without,
    forceable,
    is_fair,
)
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini
from webapp.learn.parts import Choice, choices


@dataclass(frozen=True, slots=True)
class PatternView:
    """A pattern: one board that stands for all, and all boards that show it."""

    name: str
    said: str
    boards: tuple[Mini, ...]
    distinct: int


@dataclass(frozen=True, slots=True)
class ForceRow:
    """A position of the article's table, and whether X can force each pattern there."""

    name: str
    board: Mini
    answers: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class SchemeRow:
    """A way to end, and its points."""

    end: str
    x: int
    o: int


@dataclass(frozen=True, slots=True)
class BestRow:
    """What best play expects from a position under the scheme."""

    name: str
    points: str
    lead: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """The points of one strategy as X against each of the others as O."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """What two chosen strategies expect, exactly."""

    x: str
    o: str
    x_points: str
    o_points: str
    better: str


@dataclass(frozen=True, slots=True)
class DrawsView:
    """The whole lesson.

    `lead` says who is ahead by best play and by how much, empty if nobody is; `through` are the openings that give it.
    `mended` are the patterns any one of which would make the scheme fair by giving no points.
    """

    boards: int
    patterns: tuple[PatternView, ...]
    names: tuple[str, ...]
    forced: tuple[ForceRow, ...]
    outright: bool
    scheme: tuple[SchemeRow, ...]
    best: tuple[BestRow, ...]
    lead: str
    through: tuple[str, ...]
    mended: tuple[str, ...]
    titles: tuple[str, ...]
    pairs: tuple[PairRow, ...]
    xs: tuple[Choice, ...]
    os: tuple[Choice, ...]
    pair: Pair


SAID = {
    Pattern.ISLAND: "X holds the centre.",
    Pattern.ARROW: "O holds the centre and one corner.",
    Pattern.SCORPION: "O holds the centre and two corners.",
}


def view(query: Query) -> DrawsView:
    """The lesson. `x` and `o` are the strategies whose points are shown. Raises UnknownPlayer."""
    rules = TIC_TAC_TOE
    x, o = (strategy_named(query.get(part, "easy"), rules) for part in ("x", "o"))
    titles = {name: each.title for name, each in STRATEGIES.items() if each.plays_on(rules)}
    shown = [each for each in STRATEGIES.values() if each.group == OPPONENTS and each.plays_on(rules)]
    empty = Position(rules)
    positions = {"empty board" if position == empty else name: position for name, position in starts().items()}
    leads = {name: best_play(position).lead for name, position in positions.items()}
    x_points, o_points = expected_points(x, o)
    return DrawsView(
        len(drawn_boards(rules)),
        tuple(map(_pattern, Pattern)),
        tuple(Pattern),
        tuple(
            ForceRow(name, mini(position), tuple(row.values()))
            for (name, position), row in zip(positions.items(), forceable().values(), strict=True)
        ),
        any(can_force_outright(empty, pattern) for pattern in Pattern),
        _scheme(),
        tuple(_best(name, position) for name, position in positions.items()),
        "" if is_fair() else _better(Fraction(leads["empty board"])),
        tuple(name for name, lead in leads.items() if positions[name] != empty and lead == leads["empty board"]),
        tuple(fair_without()),
        tuple(each.title for each in shown),
        tuple(PairRow(as_x.title, tuple(_rounded(expected_points(as_x, as_o)) for as_o in shown)) for as_x in shown),
        choices(titles, x.name),
        choices(titles, o.name),
        Pair(x.title, o.title, format_fraction(x_points), format_fraction(o_points), _better(x_points - o_points)),
    )


def _pattern(pattern: Pattern) -> PatternView:
    boards = [board for board in drawn_boards(TIC_TAC_TOE) if pattern_of(board) is pattern]
    shape = {board: dict.fromkeys(_cells(board), "new") for board in boards}
    return PatternView(
        pattern,
        SAID[pattern],
        tuple(mini(board, classes=shape[board]) for board in boards),
        sum(pattern_of(board) is pattern for board in distinct_drawn_boards(TIC_TAC_TOE)),
    )


def _cells(board: Position) -> tuple[int, ...]:
    """O's squares, which make the shape."""
    return tuple(cell for cell in range(board.rules.size) if board.o >> cell & 1)


def _scheme() -> tuple[SchemeRow, ...]:
    ends: dict[str, Points] = {"X wins": PATTERNS.x_wins, "O wins": PATTERNS.o_wins}
    ends |= {f"{pattern} draw": PATTERNS.of_pattern(pattern) for pattern in Pattern}
    return tuple(SchemeRow(end, *points) for end, points in ends.items())


def _best(name: str, position: Position) -> BestRow:
    best = best_play(position)
    return BestRow(name, " or ".join(f"{x}–{o}" for x, o in best.points), _better(Fraction(best.lead)))


def _better(lead: Fraction) -> str:
    if not lead:
        return "even"
    return f"{'X' if lead > 0 else 'O'} by {format_fraction(abs(lead))}"


def _rounded(points: tuple[Fraction, Fraction]) -> str:
    return "–".join(f"{float(each):.2f}" for each in points)


LESSON = Lesson(
    "draws",
    "Drawn patterns",
    "The three shapes of a draw, which one X can force, and points for each.",
    view,
    ("x", "o"),
)
