"""The lesson on whether good play can be beaten: the visitor tries, and a picture of all games is the proof."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from solver.analysis.trial import Counts
from solver.board.notation import format_cell, format_moves, parse_cell, split_moves
from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import BadOption
from solver.pictures.poster import BestReply, best_reply, map_of_moves, tally
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini

WIDTH, ROW = 720, 30
"""The width of the picture of all games, and the height of each row, in the picture's units."""

Rectangle: TypeAlias = tuple[float, float, float, float]
"""The left and top edge of a rectangle, its width and its height."""


@dataclass(frozen=True, slots=True)
class GamesPicture:
    """The picture of all games against the best answers. Each row is one more move, and each column is a game.

    `boxes` are SVG paths by style. A move that ends the game has a style named after the result for the side that
    answers. Any other move has the style `open`. `here` are the boxes of the moves played so far. The columns from
    `left` to `right` are the games that go on from there.
    """

    boxes: Mapping[str, str]
    here: tuple[Rectangle, ...]
    rows: int
    width: int = WIDTH
    row: int = ROW

    @property
    def left(self) -> float:
        """The left edge of the games that go on from the moves played."""
        return self.here[-1][0] if self.here else 0

    @property
    def right(self) -> float:
        """The right edge of these games."""
        return self.left + self.here[-1][2] if self.here else self.width


@dataclass(frozen=True, slots=True)
class BeatenView:
    """A game of the visitor, who plays `mark`, against the best answers of the other side, `holds`.

    `played` are the visitor's squares. `open` has the name of each open square, and the moves for its link: `moves`
    with that square added at the end. `left`, `every` and `other` count games by their result for the side that
    answers. `left` counts the games that are still possible, and `every` counts all games. `other` counts all games
    with the sides swapped.
    """

    mark: Mark
    holds: Mark
    board: Mini
    moves: str
    played: tuple[str, ...]
    open: Mapping[str, str]
    back: str | None
    left: Counts
    every: Counts
    other: Counts
    games: GamesPicture
    guess: str


def view(query: Query) -> BeatenView:
    """Show the visitor's `moves` and the answers of the side that `holds` names. Raises BadOption or BadNotation."""
    holds = Mark(one_of(query, "holds", Mark, "O"))
    played = tuple(parse_cell(word, TIC_TAC_TOE) for word in split_moves(query.get("moves", ""), TIC_TAC_TOE))
    way = tuple(_way(answers(holds), played))
    last, moves = way[-1], format_moves(played, TIC_TAC_TOE)
    return BeatenView(
        mark=holds.other,
        holds=holds,
        board=mini(last.after, classes={} if last.reply is None else {last.reply: "new"}),
        moves=moves,
        played=tuple(format_cell(cell, TIC_TAC_TOE) for cell in played),
        open={name: moves + name for name in (format_cell(cell, TIC_TAC_TOE) for cell in last.answers)},
        back=format_moves(played[:-1], TIC_TAC_TOE) if played else None,
        left=tally(last, holds),
        every=tally(way[0], holds),
        other=tally(answers(holds.other), holds.other),
        games=_draw_games(way, holds),
        guess=one_of(query, "guess", ("yes", "no"), ""),
    )


@cache
def answers(holds: Mark) -> BestReply:
    """Return the best answers of one side to all moves of the other."""
    return map_of_moves(TIC_TAC_TOE, holds)


def _way(advice: BestReply, played: tuple[Cell, ...]) -> Iterator[BestReply]:
    yield advice
    for cell in played:
        if cell not in advice.answers:
            raise BadOption(f"{format_cell(cell, TIC_TAC_TOE)} isn't open there.")
        yield (advice := advice.answers[cell])


def _draw_games(way: tuple[BestReply, ...], holds: Mark) -> GamesPicture:
    styles = {None: "open", Result(holds): "win", Result.DRAW: "draw", Result(holds.other): "loss"}
    paths = defaultdict[str, str](str)
    here: list[Rectangle] = []
    rows, scale = _depth(way[0]), WIDTH / _games(way[0])

    def draw(advice: BestReply, left: int, depth: int) -> None:
        for each in advice.answers.values():
            games, ended = _games(each), each.after.result
            high = ROW if ended is None else (rows - depth) * ROW
            x, y, wide = round(left * scale, 2), depth * ROW, round(games * scale, 2)
            paths[styles[ended]] += f"M{x:g} {y:g}h{wide:g}v{high:g}h{-wide:g}z"
            if any(each is played for played in way):
                here.append((x, y, wide, high))
            draw(each, left, depth + 1)
            left += games

    draw(way[0], 0, 0)
    return GamesPicture(paths, tuple(here), rows)


def _games(advice: BestReply) -> int:
    """Return the number of finished games below a position, itself included."""
    return sum(map(_games, advice.answers.values())) or 1


def _depth(advice: BestReply) -> int:
    """Return the greatest number of moves that the other side can still make."""
    return max((1 + _depth(each) for each in advice.answers.values()), default=0)


LESSON = Lesson.of(
    "beaten",
    code=(best_reply, tally),
    parts=("moves", "holds", "guess"),
    view=view,
)
