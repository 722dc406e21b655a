"""The lesson on openings: safe replies, punished ones, the traps that come later, and the article's rules of thumb."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from markupsafe import Markup

from solver import predict
from solver.analysis.drills import DrillKind
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
from webapp.pages.learn.game.forks import name_of, names_of, threatened, threatened_lines, to_fork
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.pages.learn.quiz import Feedback, Question, Quiz, on_board
from webapp.pages.learn.thumbs import predicted_board
from webapp.pages.learn.trees import linked
from webapp.ui import filters
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini

KINDS = {1: "win", 0: "draw", -1: "loss"}
"""The style of a board by its value for X."""

SIGNS: Final = {1: "village", 0: "camp", -1: "lion"}
"""The thing that waits at an end of the jungle, by its value for X."""

_WHERE = {"corner": "in a corner", "edge": "on an edge", "centre": "in the centre"}

TRAPS: Final = {
    "opposite corner": "X../.O./..X",
    "opposite edge": "X../.O./.X.",
    "centre": "O../.X./..X",
}
"""X's traps after a good reply, with O to move, by the name of the square that X took to set them."""

OWN_TRAP: Final = "X../.O./.XO"
"""The trap that O sets in return for the opposite edge."""

HIDDEN: Final = ".../XO./..X"
"""An image of one of the traps."""

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
        return linked(f"wins-{opening.name}")


def view(_: Query) -> OpeningsView:
    """Show the lesson. It reads nothing from the query."""
    openings = tuple(tic_tac_toe_openings().values())
    ways = sum(len(distinct_ways(reply.position)) for opening in openings for reply in opening.losing)
    return OpeningsView(tuple(map(_opened, openings)), thumbs(), jungle(), ways)


@cache
def replying() -> Quiz:
    """Return the quiz that asks which replies to the openings are safe."""
    return Quiz(
        title="Which reply is safe?",
        questions=tuple(
            _to_hold(opening.position, f"X opened {_WHERE[name]}. You're O. Where are you safe?")
            for name, opening in tic_tac_toe_openings().items()
        ),
        closing="Now change sides, and punish the replies that lose.",
    )


@cache
def punishing() -> Quiz:
    """Return the quiz that asks, after each losing reply, for a threat, the block and the fork."""
    return Quiz(
        title="Punish it",
        questions=tuple(
            _to_punish(opening, reply) for opening in tic_tac_toe_openings().values() for reply in opening.losing
        ),
        group=3,
        closing="A threat, the block, your fork: that punishes every reply that loses.",
    )


@cache
def trapping() -> Quiz:
    """Return the quiz on the traps that are left after good replies."""
    corner, edge, centre = (parse_position(text, TIC_TAC_TOE) for text in TRAPS.values())
    own, hidden = (parse_position(text, TIC_TAC_TOE) for text in (OWN_TRAP, HIDDEN))
    return Quiz(
        title="Mind the trap",
        questions=(
            _to_hold(corner, "X takes the opposite corner. You're O. Where are you safe?"),
            _to_hold(edge, "X takes the opposite edge. You're O. Where are you safe?"),
            _to_hold(own, "Now you're X, and O took a corner. Where are you safe?"),
            _to_hold(
                centre,
                "You're O again. X opened in the centre, and takes the corner opposite yours. Where are you safe?",
            ),
            _to_recognise(hidden),
            _to_hold(hidden, "You're O. Where are you safe now?"),
        ),
        closing="Start in another corner, and the same trap looks new.",
    )


def _to_hold(position: Position, words: str) -> Question:
    """Ask for a square that holds the draw."""
    other, squares = position.mover.other, predict(position).squares
    safe = [cell for cell in squares if cell not in _losing(position)]
    values = {cell: str(outcome.value) for cell, outcome in squares.items()}
    signs = mini(position, texts={cell: value[0].upper() for cell, value in values.items()}, classes=values)

    def answer(cell: Cell) -> Feedback:
        after, name = position.after(cell), name_of(cell)
        if cell not in safe:
            way = forced_wins(after)[0]
            *forcing, fork = map(name_of, way.moves)
            first = "threatens with {}, you block on {}, and {} ".format(*forcing, other) if forcing else ""
            said = f"{name} loses. {other} {first}forks with {fork}. Try another square."
            return Feedback(False, said, threatened(way.fork), threatened_lines(way.fork))
        rest = [each for each in safe if each != cell]
        more = f"So {'does' if len(rest) == 1 else 'do'} {names_of(rest)}" if rest else "Every other square loses"
        losing = () if after.threats() else _losing(after)
        trap = (
            f" And it's a trap: {names_of(losing)} {'loses' if len(losing) == 1 else 'lose'} for {other}."
            if losing
            else ""
        )
        return Feedback(True, f"Yes: {name} holds the draw. {more}.{trap}", signs)

    return on_board(words, position, answer)


def _losing(position: Position) -> tuple[Cell, ...]:
    """Return the squares that lose."""
    return tuple(cell for cell, outcome in predict(position).squares.items() if outcome.value is Value.LOSS)


def _to_recognise(position: Position) -> Question:
    """Ask which of the traps is hidden in a position by turning or mirroring it."""

    def answer(name: str, text: str) -> Feedback:
        trap = parse_position(text, TIC_TAC_TOE)
        if trap.canonical() == position.canonical():
            return Feedback(True, f"Yes! The {name}, turned. This is how it looked before.", mini(trap))
        return Feedback(False, "That one looks different, however you turn it. Try another one.")

    return Question(
        words="X turns the board to hide a trap. Which one is it?",
        answers={name.replace(" ", "-"): answer(name, text) for name, text in TRAPS.items()},
        titles={name.replace(" ", "-"): f"The {name}" for name in TRAPS},
        board=mini(position),
    )


def _to_punish(opening: Opening, reply: Move) -> Question:
    """Ask for a threat that leads to a fork. The block and the fork follow from it."""
    position = reply.position
    winning = {way.moves[0] for way in forced_wins(position)}

    def answer(cell: Cell) -> Feedback:
        after, name = position.after(cell), name_of(cell)
        made = names_of(after.threats()) if after.threats() else ""
        if cell in winning:
            said = f"Yes: {name} threatens {made}, and a fork can follow."
            return Feedback(True, said, threatened(after), threatened_lines(after), _to_block(after))
        if made:
            return Feedback(False, f"{name} threatens {made}. O blocks, and you have no fork. Try another threat.")
        return Feedback(False, f"{name} threatens nothing, so O is free to go anywhere. Try another square.")

    place = place_name(reply.cell, opening.move.cell)
    words = f"You opened {_WHERE[opening.name]}, O took the {place}. Which threat leads to a fork?"
    return on_board(words, position, answer)


def _to_block(position: Position) -> Question:
    """Ask for the block of X's threat."""
    (block,) = position.threats()

    def answer(cell: Cell) -> Feedback:
        if cell != block:
            said = f"After {name_of(cell)} you win with {name_of(block)}. Try another square."
            return Feedback(False, said, threatened(position), threatened_lines(position))
        after = position.after(cell)
        fork = replace(to_fork(after), words="Now your fork: where do you make two threats with one move?")
        said = f"Yes: {name_of(block)} is the only square that stops you."
        return Feedback(True, said, mini(after, classes={cell: "new"}), then=fork)

    return on_board("Where does O have to block?", position, answer)


def _opened(opening: Opening) -> Opened:
    value = opening.move.worth
    board = mini(opening.position, f"{opening.name}: {filters.worth(value)}", KINDS[value])
    return Opened(opening, board, tuple(_reply(opening, reply) for reply in opening.replies))


def _reply(opening: Opening, reply: Move) -> Mini:
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
        fork = _reached(_stop(after, _COLUMNS[1], sum(heights) / 2, step=2, best=best), cell, first)
        yield fork
        for reply, height in zip(after.legal_moves, heights, strict=True):
            end = after.after(reply)
            while end.result is None:
                end = end.after(end.legal_moves[0])
            stop = _stop(end, _COLUMNS[2], height, step=1, best=best and worth(end) == worth(after))
            yield _reached(stop, reply, fork)


def _stop(position: Position, x: float, y: float, step: int, best: bool) -> Stop:
    value, over = worth(position), position.result is not None
    return Stop(x, y, position.mover, value, KINDS[value], SIGNS[value], end=over, best=best, step=step)


def _reached(stop: Stop, move: Cell, before: Stop) -> Stop:
    """Return the stop with the trail that leads to it."""
    bend = (stop.x - before.x) / 2
    return replace(
        stop,
        move=name_of(move),
        way=f"M{before.x} {before.y}C{before.x + bend} {before.y} {stop.x - bend} {stop.y} {stop.x} {stop.y}",
        label=(stop.x - 0.3 * (stop.x - before.x), stop.y - 0.1 * (stop.y - before.y) - 14),
    )


LESSON = Lesson(
    name="openings",
    title="Openings",
    summary="Find the safe replies, punish the others, and mind the traps.",
    level=Level.FIRST,
    minutes=7,
    after=("clojure",),
    code=(distinct_moves, forced_wins),
    picture=lambda: predicted_board(Position(TIC_TAC_TOE, x=0b10)),
    view=settled(view),
    quizzes={"reply": replying, "punish": punishing, "trap": trapping},
    drills=(DrillKind.WIN_IN_N, DrillKind.ONLY_MOVE),
)
