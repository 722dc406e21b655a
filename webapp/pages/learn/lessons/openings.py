"""The lesson on openings: safe replies, punished ones, the traps that come later, and the article's rules of thumb."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from markupsafe import Markup

from solver import predict
from solver.articles.openings import (
    Move,
    Opening,
    Thumb,
    distinct_moves,
    distinct_ways,
    forced_wins,
    place_name,
    thumbs,
    tic_tac_toe_openings,
    worth,
)
from solver.board.notation import parse_position
from solver.board.outcome import Value, counted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from webapp.pages.learn.content import Facts, Remark, judge_squares, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.lessons.forks import draw_threats, judge_forks, name_of, names_of, threatened_lines
from webapp.pages.learn.trees import link_boards
from webapp.ui import filters
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

KINDS = {1: "win", 0: "draw", -1: "loss"}
"""The style of a board by its value for X."""

SIGNS: Final = {1: "village", 0: "camp", -1: "lion"}
"""The thing that waits at an end of the jungle, by its value for X."""

TRAPS: Final[Mapping[str, str]] = read_content("openings")["traps"]
"""The traps that X sets after a good reply, with O to move, by the name of the square that X took."""

_WHERE = {"corner": "in a corner", "edge": "on an edge", "centre": "in the centre"}


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


@dataclass(frozen=True, slots=True)
class Opened:
    """An opening, its board, and the boards of its distinct replies, each with its value."""

    opening: Opening
    board: Mini
    replies: tuple[Mini, ...]


@dataclass(frozen=True, slots=True)
class OpeningsView:
    """The openings, rules of thumb and the jungle. `ways` counts the distinct ways to punish losing replies."""

    openings: tuple[Opened, ...]
    thumbs: tuple[Thumb, ...]
    jungle: Jungle
    ways: int

    def diagram(self, opening: Opening) -> Markup:
        """Return the forced wins after an opening as a drawing whose boards are links."""
        return link_boards(f"wins-{opening.name}")


def view(_: Query) -> OpeningsView:
    """Show the lesson. It reads nothing from the query."""
    openings = tuple(tic_tac_toe_openings().values())
    ways = sum(len(distinct_ways(reply.position)) for opening in openings for reply in opening.losing)
    return OpeningsView(tuple(map(_show_opening, openings)), thumbs(), jungle(), ways)


def judge_holds(position: Position) -> Facts:
    """Judge the squares by whether they hold the draw."""
    other, squares = position.mover.other, predict(position).squares
    safe = [cell for cell in squares if cell not in _losing(position)]
    values = {cell: str(outcome.value) for cell, outcome in squares.items()}
    signs = mini(position, texts={cell: value[0].upper() for cell, value in values.items()}, classes=values)

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        if cell not in safe:
            way = forced_wins(after)[0]
            *forcing, fork = map(name_of, way.moves)
            first = "threatens with {}, you block on {}, and {} ".format(*forcing, other) if forcing else ""
            return Remark.of(
                "loses", draw_threats(way.fork), threatened_lines(way.fork), name=name, threat=first, fork=fork
            )
        rest, losing = [held for held in safe if held != cell], () if after.threats() else _losing(after)
        more = f"So {'does' if len(rest) == 1 else 'do'} {names_of(rest)}" if rest else "Every other square loses"
        loses = "loses" if len(losing) == 1 else "lose"
        trap = f" And it's a trap: {names_of(losing)} {loses} for {other}." if losing else ""
        return Remark.of("holds", signs, name=name, more=more, trap=trap)

    return judge_squares(position, judge, other=other)


def judge_replies(name: str) -> Facts:
    """Judge the replies to an opening."""
    facts = judge_holds(tic_tac_toe_openings()[name].position)
    return replace(facts, values={**facts.values, "where": _WHERE[name]})


def _losing(position: Position) -> tuple[Cell, ...]:
    """Return the squares that lose."""
    return tuple(cell for cell, outcome in predict(position).squares.items() if outcome.value is Value.LOSS)


def judge_hiding(position: Position) -> Facts:
    """Judge which of the traps is hidden in a position by turning or mirroring it."""
    traps = {name: parse_position(text) for name, text in TRAPS.items()}
    answers = {
        name.replace(" ", "-"): Remark.of("same", mini(trap), name=name)
        if trap.canonical() == position.canonical()
        else "different"
        for name, trap in traps.items()
    }
    return Facts.of(answers, mini(position), titles={name.replace(" ", "-"): f"The {name}" for name in traps})


def judge_threats(place: str) -> Facts:
    """Judge the threats after a losing reply by whether they lead to a fork. The block and the fork follow.

    `place` names the opening and the place of the reply, e.g. "corner: opposite corner".
    """
    opening = tic_tac_toe_openings()[place.partition(": ")[0]]
    places = {place_name(reply.cell, opening.move.cell): reply.position for reply in opening.losing}
    position = places[place.partition(": ")[2]]
    winning = {way.moves[0] for way in forced_wins(position)}

    def judge(cell: Cell) -> Remark:
        after, name = position.after(cell), name_of(cell)
        made = names_of(after.threats()) if after.threats() else ""
        if cell in winning:
            lit, then = threatened_lines(after), _judge_blocks(after)
            return Remark.of("threat", draw_threats(after), lit, then=then, name=name, made=made)
        return Remark.of("blocked" if made else "none", name=name, made=made)

    return judge_squares(position, judge, where=_WHERE[opening.name], place=place.partition(": ")[2])


def _judge_blocks(position: Position) -> Facts:
    """Judge the squares by whether they block X's threat."""
    (block,) = position.threats()

    def judge(cell: Cell) -> Remark:
        if cell != block:
            return Remark.of("lets", draw_threats(position), threatened_lines(position), name=name_of(cell))
        after = position.after(cell)
        return Remark.of("blocks", mini(after, classes={cell: "new"}), then=judge_forks(after))

    return judge_squares(position, judge, block=name_of(block))


def _show_opening(opening: Opening) -> Opened:
    value = opening.move.worth
    board = mini(opening.position, f"{opening.name}: {filters.worth(value)}", KINDS[value])
    return Opened(opening, board, tuple(_draw_reply(opening, reply) for reply in opening.replies))


def _draw_reply(opening: Opening, reply: Move) -> Mini:
    where = place_name(reply.cell, opening.move.cell)
    squares = counted(len(reply.cells), "square", "squares")
    return mini(
        reply.position,
        f"{filters.worth(reply.worth)}: {where}, {squares}",
        KINDS[reply.worth],
        classes={reply.cell: "new"},
    )


@cache
def jungle() -> Jungle:
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
        move=name_of(move),
        way=f"M{before.x} {before.y}C{before.x + bend} {before.y} {stop.x - bend} {stop.y} {stop.x} {stop.y}",
        label=(stop.x - 0.3 * (stop.x - before.x), stop.y - 0.1 * (stop.y - before.y) - 14),
    )


LESSON = Lesson.of(
    "openings",
    code=(distinct_moves, forced_wins),
    view=view,
    facts={"reply": judge_replies, "punish": judge_threats, "hold": judge_holds, "hiding": judge_hiding},
)
