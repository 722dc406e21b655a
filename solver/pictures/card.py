"""Boards as pictures: the card of a link, as chats show it, and the values of a notebook.

A card has a large board on one side and a few words on the other.

The looks of a square have the same names and colours as in the pages' style sheet. A win is blue with stripes, a draw
grey, and a loss orange with dots and a double border. If no outcome is proved, the border is broken. Letters name the
outcomes too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import Final

from solver.board.game import Game
from solver.board.outcome import Outcome
from solver.board.position import Mark, Position
from solver.board.rules import Rules, bits_of
from solver.pictures.mosaic import Caption, Mosaic, MosaicPart, Piece
from solver.pictures.places import extent, place_of, strokes
from solver.pictures.svg import GREY, INK, LOSS, MARKS, SOFT, SQUARE, WIN, number, tag
from solver.proofs.predict import Solution
from solver.proofs.prediction import Prediction

EDGE: Final = "#85898d"
HAIR: Final = "#b9b9b4"
"""The colours of the borders of a plain square and of a square without a proved outcome."""

GAP: Final = 0.045
"""The gap between squares, in units of the distance of their centres."""

TINTS: Final = {"near": 0.46, "soon": 0.33, "later": 0.23}
"""The share of the full colour for a win or a loss, by its distance."""

FAR: Final = 0.14
"""The share for a more distant win or loss."""

FAINT: Final = 0.4
"""The share of the full colour for a stone that leaves with the next move."""

FRAME: Final = "#7392bb"
"""The colour of the frame in which stones fall."""

STROKE: Final = 0.1
"""The width of the strokes of stones and winning lines, in units of a square."""

LARGEST: Final = 210
"""The greatest side of a square, in points; larger squares only take longer to draw."""

ROOMY: Final = 100
"""The least side, in points, of a square with the distance below the letter. Smaller squares have both side by side."""


@dataclass(frozen=True, slots=True)
class Face:
    """The contents of a square: a stone, or a letter and a number, and its looks.

    The looks are words: `win`, `draw`, `loss` and `unknown`, with `near`, `soon` or `later`; `last` for the last move;
    `won` for a square of a winning line; `leaves` for a stone that leaves with the next move; `threat` and `new`;
    `hole` for a missing square. Other words have no effect.
    """

    mark: Mark | None = None
    letter: str = ""
    number: str = ""
    looks: frozenset[str] = frozenset()


def board_parts(
    faces: Sequence[Face],
    rules: Rules,
    strikes: Iterable[tuple[float, float, float, float]],
    winner: Mark,
    side: int,
) -> Iterator[MosaicPart]:
    """Yield the parts of a board in the middle of an area whose side is `side` points. The faces are those of cells.

    Where stones fall, the squares are holes in a frame. A strike is a line between the centres of two squares. Its
    coordinates are x1, y1, x2 and y2, in squares.
    """
    (columns, rows), falls = extent(rules), rules.falls
    pitch = min(side // max(rows, columns), LARGEST)
    left, top = (side - columns * pitch) // 2, (side - rows * pitch) // 2
    inset = round(GAP * pitch / 2)
    if falls:
        frame = tag("rect", width=columns * pitch, height=rows * pitch, rx=0.2 * pitch, fill=FRAME)
        yield Piece(left, top, columns * pitch, rows * pitch, frame)
    for cell, face in enumerate(faces):
        column, row = place_of(cell, rules)
        yield from square(face, left + column * pitch + inset, top + row * pitch + inset, pitch - 2 * inset, falls)
    for strike in strikes:
        for (x1, y1), (x2, y2) in pairwise(_steps(*map(int, strike))):
            corner = (left + min(x1, x2) * pitch, top + min(y1, y2) * pitch)
            yield _stroke(corner, (x2 - x1, y2 - y1), pitch, INK if falls else MARKS[winner])


def square(face: Face, x: int, y: int, side: int, falls: bool = False) -> Iterator[MosaicPart]:
    """Yield a square of a board with its upper left corner at (x, y); nothing for a missing one."""
    if "hole" in face.looks:
        return
    yield Piece(x, y, side, side, _disc(face, side) if falls else _ground(face, side) + _stone(face, side))
    if face.letter:
        captions = _letters(face, side) if face.mark is None else _beside(face, side)
        yield from (caption.moved(x, y) for caption in captions)


def mix(colour: str, share: float) -> str:
    """Return a colour mixed with the ground of a square; `share` is the share of the colour."""
    parts = zip(bytes.fromhex(colour[1:]), bytes.fromhex(SQUARE[1:]), strict=True)
    return "#" + bytes(round(share * over + (1 - share) * under) for over, under in parts).hex()


def _ground(face: Face, side: int) -> str:
    """Return the square without its contents."""
    looks = face.looks
    tint = next((TINTS[look] for look in TINTS if look in looks), FAR)
    if face.mark is not None:
        colour = MARKS[face.mark]
        if "won" in looks:
            return _frame(side, mix(colour, 0.24), colour, 0.02)
        if "last" in looks:
            return _frame(side, mix(colour, 0.12), colour, 0.05)
    if "win" in looks:
        return _frame(side, mix(WIN, tint), WIN, 0.03) + _stripes(side, mix(WIN, tint + 0.12))
    if "loss" in looks:
        ground = _frame(side, mix(LOSS, tint), LOSS, 0.015) + _dots(side, mix(LOSS, tint + 0.28))
        return ground + _frame(side, "none", LOSS, 0.015, inset=0.035)
    if "draw" in looks:
        return _frame(side, mix(GREY, 0.16), mix(GREY, 0.6), 0.02)
    if "threat" in looks:
        return _frame(side, mix(INK, 0.06), INK, 0.035, dashes=f"{number(side * 0.12)} {number(side * 0.06)}")
    if "unknown" in looks or "leaves" in looks:
        return _frame(side, SQUARE, HAIR, 0.02, dashes=f"{number(side * 0.07)} {number(side * 0.05)}")
    return _frame(side, mix(MARKS[Mark.X], 0.16) if "new" in looks else SQUARE, EDGE, 0.016)


def _disc(face: Face, side: int) -> str:
    """Return a hole of the frame in which stones fall, with its stone or the colour of its outcome."""
    tints = {"win": mix(WIN, TINTS["soon"]), "draw": mix(GREY, 0.16), "loss": mix(LOSS, TINTS["soon"])}
    fill = next((tints[look] for look in tints if look in face.looks), SQUARE)
    hole = tag("circle", cx=side / 2, cy=side / 2, r=0.48 * side, fill=MARKS[face.mark] if face.mark else fill)
    around = {"fill": "none", "stroke": SQUARE, "stroke_dasharray": number(0.07 * side)}
    ring = tag("circle", cx=side / 2, cy=side / 2, r=0.42 * side, stroke_width=0.03 * side, **around)
    return hole + (ring if "last" in face.looks else "") + _stone(face, side, SQUARE)


def _frame(  # noqa: PLR0913 - the parts of a frame
    side: int, fill: str, stroke: str, width: float, *, inset: float = 0.0, dashes: str = ""
) -> str:
    thick = max(1.5, width * side)
    at = inset * side + thick / 2
    broken = {"stroke_dasharray": dashes} if dashes else {}
    long = side - 2 * at
    return tag(
        "rect",
        x=at,
        y=at,
        width=long,
        height=long,
        rx=0.14 * side - at,
        fill=fill,
        stroke=stroke,
        stroke_width=thick,
        **broken,
    )


def _stripes(side: int, colour: str) -> str:
    """Return lines that rise from left to right, as long as the rounded corners allow."""
    low, high = 0.09 * side, 0.91 * side
    reach = high - low
    sums = (low + high + reach * share for share in (-0.75, -0.45, -0.15, 0.15, 0.45, 0.75))
    ends = ((max(low, total - high), min(high, total - low)) for total in sums)
    path = "".join(f"M{number(x)} {number(y)}L{number(y)} {number(x)}" for x, y in ends)
    return tag("path", d=path, stroke=colour, stroke_width=0.07 * side, fill="none")


def _dots(side: int, colour: str) -> str:
    """Return dots along the top and the sides, around the letter. A dot is a very short stroke with round ends."""
    places = (0.14, 0.32, 0.5, 0.68, 0.86)
    around = ((x, y) for y in places for x in places if y == places[0] or x in (places[0], places[-1]))
    path = "".join(f"M{number(x * side)} {number(y * side)}h.01" for x, y in around)
    return tag("path", d=path, stroke=colour, stroke_width=0.055 * side, stroke_linecap="round", fill="none")


def _stone(face: Face, side: int, colour: str = "") -> str:
    if face.mark is None:
        return ""
    colour = colour or mix(MARKS[face.mark], FAINT if "leaves" in face.looks else 1)
    low, high = number(0.24 * side), number(0.76 * side)
    shape = (
        tag("path", d=f"M{low} {low}L{high} {high}M{high} {low}L{low} {high}")
        if face.mark is Mark.X
        else tag("circle", cx=side / 2, cy=side / 2, r=0.27 * side)
    )
    return tag("g", shape, fill="none", stroke=colour, stroke_width=STROKE * side, stroke_linecap="round")


def _letters(face: Face, side: int) -> Iterator[Caption]:
    """Yield the letter and its number, which stands below the letter if there is room."""
    soft = "unknown" in face.looks
    colour, middle = SOFT if soft else INK, side // 2
    if face.number and side >= ROOMY:
        below = f"in {face.number}" if {"win", "loss"} & face.looks else face.number
        yield Caption(middle, round(0.56 * side), round(0.42 * side), ((face.letter, colour),), not soft, centred=True)
        yield Caption(middle, round(0.8 * side), round(0.18 * side), ((below, INK),), centred=True)
        return
    words = face.letter + face.number
    size = round((0.36 if soft else 0.42) * side * min(1.0, 2.6 / len(words)))
    yield Caption(middle, middle + round(0.36 * size), size, ((words, colour),), not soft, centred=True)


def _beside(face: Face, side: int) -> Iterator[Caption]:
    """Yield the outcome below a stone that can be placed anew."""
    yield Caption(side // 2, round(0.95 * side), round(0.18 * side), ((face.letter, INK),), centred=True)


def _steps(x1: int, y1: int, x2: int, y2: int) -> Iterator[tuple[int, int]]:
    """Yield the squares that a stroke goes through, from the first to the last one; only these if it is oblique."""
    across, down = abs(x2 - x1), abs(y2 - y1)
    steps = max(across, down) if not across or not down or across == down else 1
    for step in range(steps + 1):
        yield x1 + (x2 - x1) * step // max(steps, 1), y1 + (y2 - y1) * step // max(steps, 1)


def _stroke(corner: tuple[int, int], step: tuple[int, int], pitch: int, colour: str) -> Piece:
    """Return the stroke between the centres of two neighbouring squares.

    `corner` is the upper left corner of the two squares together.
    """
    across, down = abs(step[0]), abs(step[1])
    rises = step[0] * step[1] < 0
    begin, end = (0.5, 0.5 + down * rises), (0.5 + across, 0.5 + down * (not rises))
    path = f"M{number(begin[0] * pitch)} {number(begin[1] * pitch)}L{number(end[0] * pitch)} {number(end[1] * pitch)}"
    return Piece(
        *corner,
        (1 + across) * pitch,
        (1 + down) * pitch,
        tag("path", d=path, stroke=colour, stroke_width=STROKE * pitch, stroke_linecap="round", fill="none"),
    )


WIDTH, HEIGHT = 1200, 630
"""The size of a card in points: the size in which most sites show a link's picture."""

PAPER: Final = "#faf9f6"
SIDE: Final = 550
"""The side of the square that the board lies in."""

MARGIN: Final = (HEIGHT - SIDE) // 2
LEFT: Final = SIDE + 2 * MARGIN + 10
"""The left edge of the words."""

KEY: Final = (("win", "W", "wins"), ("draw", "D", "draws"), ("loss", "L", "loses"), ("unknown", "?", "not proved"))
"""The looks of outcomes with their letters and words."""


@dataclass(frozen=True, slots=True)
class Card:
    """The contents of a card.

    `parts` lie in a square of SIDE points. `headline` is the largest text, and `lines` stand below it. `key` has the
    looks of outcomes that the card explains, for the player `key_of`. Screen readers read the `description`.
    """

    parts: tuple[MosaicPart, ...]
    headline: str
    lines: tuple[str, ...]
    description: str
    key: Sequence[str] = ()
    key_of: str = ""

    def mosaic(self) -> Mosaic:
        """Return the card as a picture."""
        moved = (part.moved(MARGIN, MARGIN) for part in self.parts)
        parts = (*moved, *self._words())
        return Mosaic(WIDTH, HEIGHT, f"{self.headline} · Noughts", self.description, PAPER, parts)

    def _words(self) -> Iterator[MosaicPart]:
        yield Caption(LEFT, 110, 48, BRAND, bold=True)
        large, size, y = wrap(self.headline, 11), 74, 172
        if len(large) > 2 or max(map(len, large)) > 11:
            large, size, y = wrap(self.headline, 14), 58, 160
        for words in large:
            y += size
            yield Caption(LEFT, y, size, _in_colours(words), bold=True)
            y += size // 7
        y += 24
        for line in self.lines:
            for words in wrap(line, 28):
                y += 44
                yield Caption(LEFT, y, 34, ((words, SOFT),))
            y += 8
        if self.key:
            yield from self._key()

    def _key(self) -> Iterator[MosaicPart]:
        yield Caption(LEFT, 522, 28, ((f"Each square, for {self.key_of}:", SOFT),))
        x = LEFT
        for look, letter, words in KEY:
            if look in self.key:
                yield from square(Face(None, letter, "", frozenset({look, "soon"})), x, 540, 48)
                yield Caption(x + 58, 574, 28, ((words, INK),))
                x += 70 + 17 * len(words)


def _in_colours(words: str) -> tuple[tuple[str, str], ...]:
    """Return the pieces of a line, each with its colour. A player's mark at the beginning has its own colour."""
    first, space, rest = words.partition(" ")
    return ((first + space, MARKS[Mark(first)]), (rest, INK)) if first in tuple(Mark) else ((words, INK),)


BRAND: Final = (("n", INK), ("o", MARKS[Mark.O]), ("ughts", INK), ("×", MARKS[Mark.X]))
"""The product's name as pages write it."""


NOTEBOOK_SQUARE: Final = 64
"""The side of a square in a notebook's picture, in points."""


def picture(value: Position | Game | Prediction | Solution) -> str:
    """Return the picture of a value for a notebook, as SVG.

    A game shows its last position and move. A prediction shows W, D or L on each open square, and the plies.
    """
    prediction = value.prediction if isinstance(value, Solution) else value if isinstance(value, Prediction) else None
    position = prediction.position if prediction else value.last if isinstance(value, Game) else value
    assert isinstance(position, Position)  # noqa: S101 - the other types are above
    rules, squares = position.rules, prediction.by_cell if prediction else {}
    last = value.moves[-1:] if isinstance(value, Game) else ()
    leaving = 0 if position.result else position.leaving
    looks = {"last": bits_of(move % rules.size for move in last), "leaves": leaving, "hole": rules.holes}
    faces = [
        _face(squares[cell])
        if cell in squares
        else Face(position.mark_at(cell), looks=frozenset(look for look, cells in looks.items() if cells >> cell & 1))
        for cell in range(rules.size)
    ]
    ends = (stroke for line in position.winning_lines for stroke in strokes(line, rules))
    strikes = [(*place_of(first, rules), *place_of(second, rules)) for first, second in ends]
    columns, rows = extent(rules)
    side = NOTEBOOK_SQUARE * max(columns, rows)
    left, top = (side - NOTEBOOK_SQUARE * columns) // 2, (side - NOTEBOOK_SQUARE * rows) // 2
    parts = board_parts(faces, rules, strikes, position.mover.other, side)
    moved = tuple(part.moved(-left, -top) for part in parts)
    return Mosaic(NOTEBOOK_SQUARE * columns, NOTEBOOK_SQUARE * rows, str(rules), str(value), PAPER, moved).svg()


def _face(outcome: Outcome) -> Face:
    return Face(
        None, outcome.letter, "" if outcome.letter == "D" else outcome.number, frozenset({outcome.value, "soon"})
    )
