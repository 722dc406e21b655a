"""The view of a board: squares, stones, tints and lines, drawn as HTML, as SVG or on a preview's card."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from flask import current_app
from markupsafe import Markup

from solver.board.families import Surface
from solver.board.notation import format_cell, format_outcome
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Bits, Cell, Marking, Rules, cells_of, ends_of, union
from solver.pictures import card
from solver.pictures.card import SIDE, Face
from solver.pictures.mosaic import MosaicPart, Piece
from solver.pictures.places import extent, layout_of, place_of, strokes
from solver.pictures.svg import MARKS, tag
from solver.reasons import Reason
from webapp.ui.filters import Choice

HOLE: Final = "hole"
"""The style of a cell that is no square."""

NOTHING: Final[Mapping[Cell, str]] = MappingProxyType({})

FLAT, SLANT, GAP = 0.46, 0.3, 0.3
"""In space the height of a row, how far it is to the right of the one below it, and the air between layers, in squares.

The style sheet kinds.css has them too.
"""

MARGIN: Final = 0.5
"""The room for the names of files and ranks, in units of their size."""

_PLACES: Final = tuple(
    "centre" if (row, column) == ("middle", "middle") else f"{row} {column}"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)
"""The places of the squares of 3×3 in words."""


class Square(NamedTuple):
    """A square with its stone or letter and its style classes. `x` counts from the left and `y` from the top.

    `distance` is the number of the winner's moves, or the number of a stone in a line of best play. `chance` is the
    chance of beating the opponent. `label` is for screen readers. `open` is true if the square can be pressed.
    """

    x: int
    y: int
    mark: str
    classes: str
    letter: str = ""
    distance: str = ""
    chance: str = ""
    name: str = ""
    label: str = ""
    open: bool = False

    @property
    def face(self) -> Face:
        """The look of the square in pictures."""
        mark = Mark(self.mark) if self.mark else None
        letter = self.chance if mark else self.letter  # a square that is taken again has its outcome beside the stone
        return Face(mark, letter, self.distance, frozenset(self.classes.split()))


class Strike(NamedTuple):
    """A stroke between the centres of two squares. The unit is a square's width, the origin the upper left corner."""

    x1: float
    y1: float
    x2: float
    y2: float


class Echo(NamedTuple):
    """A copy of a square beyond an edge that meets another one. `x` and `y` are its place beside the board."""

    x: int
    y: int
    mark: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A position as it is drawn: its squares from the top left, and strikes through its winning lines."""

    position: Position
    squares: tuple[Square, ...]

    @property
    def strikes(self) -> tuple[Strike, ...]:
        """The strokes through the winning lines."""
        return tuple(each for line in self.position.winning_lines for each in strikes(line, self.rules))

    @property
    def rules(self) -> Rules:
        """The board."""
        return self.position.rules

    def parts(self) -> tuple[MosaicPart, ...]:
        """Return the board as parts of a card; in space its layers are slanted, as on the page."""
        faces, winner = [square.face for square in self.squares], self.position.mover.other
        if not self.rules.in_space:
            return tuple(card.board_parts(faces, self.rules, self.strikes, winner, SIDE))
        return tuple(_in_space(faces, self.rules, self.box, self.position.winning_lines, MARKS[winner]))

    @property
    def box(self) -> tuple[float, float]:
        """The width and height on the page, in squares."""
        columns, rows, layers = self.rules.columns, self.rules.rows, self.rules.layers
        in_space = (columns + SLANT * rows, layers * (FLAT * rows + GAP) - GAP)
        return in_space if self.rules.in_space else (columns, rows)


@dataclass(frozen=True, slots=True)
class Board(BoardView):
    """A board to play on, as HTML. Where the mover chooses the mark, it is `place`, and `places` are the choices."""

    classes: str = "board"
    place: Mark = Mark.X
    places: tuple[Choice, ...] = ()

    @property
    def mover(self) -> Mark:
        """The mark that comes next, or the winner's; in a draw it is that of the last move, and in notakto always X."""
        position = self.position
        if self.places:
            return self.place
        if position.result in (None, Result.DRAW):
            return position.marks_to_come[0] if position.result is None else position.mover.other
        return Mark.X if self.rules.marks is Marking.NOTAKTO else Mark(str(position.result))

    @property
    def kinds(self) -> str:
        """The style classes of a board by other rules, which has a style sheet of its own; empty on a plain board."""
        rules, joined = self.rules, self.rules.surface is not Surface.FLAT
        traits = {"joined": joined, "falls": rules.falls, "space": rules.in_space, "vanishes": rules.vanishes}
        return " ".join(kind for kind, is_so in traits.items() if is_so)

    @property
    def echoes(self) -> tuple[Echo, ...]:
        """The squares that lines reach over the edges; none on a board whose edges meet no others."""
        return () if self.rules.surface is Surface.FLAT else _echoes(self.position)

    @property
    def html(self) -> Markup:
        """The rows as HTML. Boards with equal squares share it."""
        return _html_of(self.squares, self.rules.columns, self.rules.rows)

    @property
    def lines(self) -> tuple[Strike, ...]:
        """The strokes through the winning lines, on the page."""
        return tuple(each for line in self.position.winning_lines for each in lines_on_page(line, self.rules))


@dataclass(frozen=True, slots=True)
class Mini(BoardView):
    """A small board as SVG, styled by `kind`. Screen readers read its `label`; the `caption` stands below it.

    `names` has the letters of the files and the numbers of the ranks, each with its centre. `unit` is their size in
    squares. It grows with the board, so that they stay readable.
    """

    names: tuple[tuple[float, float, str], ...]
    unit: float
    label: str
    caption: str
    kind: str

    @property
    def margin(self) -> float:
        """The room that the names need on the left and below, in squares."""
        return MARGIN * self.unit


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line or a pair of squares that a reason mentions. A line has its owner's mark; a pair has no mark."""

    strike: Strike
    mark: str


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of best play, shown over a board step by step.

    `stones` has the mark and the number of each move shown, and `now` describes these moves for screen readers. `moves`
    are the links to all steps, and `steps` those one back and one forward. `whole` is true if the line reaches the end
    of the game. `strokes` show the reason.
    """

    rules: Rules
    stones: Mapping[Cell, tuple[str, int]]
    now: str
    moves: tuple[Choice, ...]
    steps: tuple[Choice, ...]
    whole: bool
    strokes: tuple[Stroke, ...]


def _in_space(
    faces: Sequence[Face], rules: Rules, box: tuple[float, float], lines: Iterable[Bits], colour: str
) -> Iterator[MosaicPart]:
    """Yield the parts of a board in space in the middle of a card's area. Letters stay upright."""
    pitch = min(round(SIDE / max(box)), card.LARGEST)
    side = round(pitch * (1 - card.GAP))
    left, top = ((SIDE - pitch * length) / 2 for length in box)
    wide, flat = round(side * (1 + SLANT)), round(side * FLAT)
    for cell, face in enumerate(faces):
        column, row = centre(cell, rules)
        x, y = round(left + pitch * column), round(top + pitch * row)
        ground = next(part for part in card.square(face, 0, 0, side) if isinstance(part, Piece))
        slanted = tag("g", ground.body, transform=f"matrix(1 0 {-SLANT} {FLAT} {SLANT * side:.1f} 0)")
        yield Piece(x - wide // 2, y - flat // 2, wide, flat, slanted)
        _, *letters = card.square(face, x - flat // 2, y - flat // 2, flat)
        yield from letters
    for line in lines:
        x1, y1, x2, y2 = (pitch * at for at in strike(line, rules))
        path = f"M{left + x1:.1f} {top + y1:.1f}L{left + x2:.1f} {top + y2:.1f}"
        stroke = tag("path", d=path, stroke=colour, stroke_width=card.STROKE * side, stroke_linecap="round")
        yield Piece(0, 0, SIDE, SIDE, stroke)


def _echoes(position: Position) -> tuple[Echo, ...]:
    rules = position.rules
    columns, rows = range(-1, rules.columns + 1), range(-1, rules.rows + 1)
    beyond = [(x, y) for y in rows for x in columns if not (0 <= x < rules.columns and 0 <= y < rules.rows)]
    folded = ((*at, rules.surface.fold(at, rules.columns, rules.rows)) for at in beyond)
    return tuple(Echo(x, y, position.mark_at(rules.cell(*place)) or "") for x, y, place in folded if place)


@lru_cache(maxsize=512)
def _html_of(squares: tuple[Square, ...], columns: int, rows: int) -> Markup:
    template = current_app.jinja_env.get_template("_rows.html")
    return Markup(template.render(squares=squares, columns=columns, rows=rows))  # noqa: S704 - from a template


@lru_cache(maxsize=4096)
def taken(  # noqa: PLR0913, PLR0917 - what a stone can be
    rules: Rules,
    cell: Cell,
    mark: Mark,
    is_won: bool = False,
    is_last: bool = False,
    leaves: str = "",
    playable: bool = False,
) -> Square:
    """Return a square with its stone.

    The stone can be in the line that ended the game, or be played last. It `leaves` with the "next" move, so that its
    square can be `playable`, or the move "after that".
    """
    name = format_cell(cell, rules)
    label, classes = f"{_place(name, cell, rules)}, {mark}", f"sq {mark.lower()}"
    if is_last:
        label += ", last move"
        classes += " last"
    if is_won:
        label += f", in the {'losing' if rules.completing_loses else 'winning'} line"
        classes += " won"
    if leaves:
        label += f", leaves {leaves}{', or take its square again' if playable else ''}"
        classes += " leaves" if leaves == "next" else " goes"
    return Square(*place_of(cell, rules), str(mark), classes, name=name, label=label, open=playable)


def of_line(rules: Rules, cell: Cell, playable: bool, mark: str, number: int) -> Square:
    """Return an open square with a stone of a line of best play, and the stone's number."""
    name = format_cell(cell, rules)
    label = f"{_place(name, cell, rules)}, empty, in the line shown: {mark} {number}"
    classes = f"sq shown {mark.lower()}"
    return Square(*place_of(cell, rules), mark, classes, distance=str(number), name=name, label=label, open=playable)


@lru_cache(maxsize=4096)
def empty(rules: Rules, cell: Cell, playable: bool, landing: Cell) -> Square:
    """Return an open square that shows nothing. A stone that is put there comes to lie on `landing`."""
    name = format_cell(cell, rules)
    label, classes = f"{_place(name, cell, rules)}, empty", "sq"
    if rules.falls:
        label = f"column {name[0]}, lands on {rules.name(landing)}" if playable else label
        classes += " lands" if landing == cell else " air"
    return Square(*place_of(cell, rules), "", classes, name=name, label=label, open=playable)


def standing(position: Position, playable: bool, last: Cell | None = None) -> dict[Cell, Square]:
    """Return the holes, and the squares with a stone. A square that a move frees can be `playable` again."""
    rules, won = position.rules, union(position.winning_lines)
    leaving, after = (0, 0) if position.result else (position.leaving, position.leaving_after)
    again = position.playable if playable else 0
    squares = {cell: hole(rules, cell) for cell in cells_of(rules.holes)}
    for cell in cells_of(position.x | position.o):
        leaves = "next" if leaving >> cell & 1 else "after that" if after >> cell & 1 else ""
        mark = Mark.X if position.x >> cell & 1 else Mark.O
        squares[cell] = taken(rules, cell, mark, bool(won >> cell & 1), cell == last, leaves, bool(again >> cell & 1))
    return squares


def placings(position: Position, place: Mark, url: Callable[[Mark], str]) -> tuple[Choice, ...]:
    """Return the links that choose the mark to place; none where the mark is fixed, and once the game is over."""
    marks = Mark if position.rules.is_wild and position.result is None else ()
    return tuple(Choice(f"Place {mark}", url(mark), mark is place, f"place-{mark.lower()}") for mark in marks)


@lru_cache(maxsize=512)
def hole(rules: Rules, cell: Cell) -> Square:
    """Return the gap where a square is missing."""
    return Square(*place_of(cell, rules), "", HOLE, name=format_cell(cell, rules))


def mini(
    position: Position,
    caption: str = "",
    kind: str = "",
    texts: Mapping[Cell, str] = NOTHING,
    classes: Mapping[Cell, str] = NOTHING,
) -> Mini:
    """Return a small board of a position.

    `texts` are letters in open squares and `classes` the styles of squares (`win`, `draw`, `loss`, `threat`, `new`);
    `kind` styles the whole board (`win`, `draw`, `loss`, `fork`).
    """
    rules = position.rules
    unit = max(extent(rules)) / 3
    squares = (
        hole(rules, cell)
        if rules.holes >> cell & 1
        else Square(*place_of(cell, rules), position.mark_at(cell) or "", classes.get(cell, ""), texts.get(cell, ""))
        for cell in range(rules.size)
    )
    return Mini(
        position=position,
        squares=tuple(squares),
        names=tuple(_names(rules, MARGIN * unit)),
        unit=unit,
        label="; ".join((spoken(position), *_placed(_by_text(texts), rules))),
        caption=caption,
        kind=kind,
    )


def of_outcomes(position: Position, outcomes: Mapping[Cell, Outcome], caption: str = "", kind: str = "") -> Mini:
    """Return a small board whose squares show their outcomes by letter and number.

    A draw has no number, since it always fills the board.
    """
    return mini(
        position,
        caption,
        kind,
        {
            cell: outcome.letter if outcome.value is Value.DRAW else format_outcome(outcome)
            for cell, outcome in outcomes.items()
        },
        {cell: str(outcome.value) for cell, outcome in outcomes.items()},
    )


def spoken(position: Position) -> str:
    """Return a position as a screen reader says it: the stones of each side, e.g. "X on a3, c1; O on b2"."""
    return "; ".join(_placed({mark: cells_of(position.stones(mark)) for mark in Mark}, position.rules)) or "empty board"


def strikes(line: Bits, rules: Rules) -> tuple[Strike, ...]:
    """Return the strokes that draw a line in a picture."""
    ends = ((*place_of(first, rules), *place_of(last, rules)) for first, last in strokes(line, rules))
    return tuple(Strike(*(at + 0.5 for at in places)) for places in ends)


def lines_on_page(line: Bits, rules: Rules) -> tuple[Strike, ...]:
    """Return the strokes that draw a line on the page: a single one in space, where all layers are seen at once."""
    return (strike(line, rules),) if rules.in_space else strikes(line, rules)


def strike(line: Bits, rules: Rules) -> Strike:
    """Return the stroke on the page from the first to the last of these squares."""
    first, last = ends_of(line)
    return Strike(*centre(first, rules), *centre(last, rules))


def centre(cell: Cell, rules: Rules) -> tuple[float, float]:
    """Return the middle of a square on the page. In space the layers are slanted planes, one above the other."""
    column, row = rules.column_row(cell)
    if not rules.in_space:
        return column + 0.5, row + 0.5
    above, upwards = rules.layers - 1 - rules.layer(cell), rules.rows - row - 0.5
    return column + 0.5 + SLANT * upwards, above * (FLAT * rules.rows + GAP) + FLAT * (row + 0.5)


def strokes_of(reason: Reason | None, rules: Rules) -> tuple[Stroke, ...]:
    """Return the lines and pairs that a reason speaks of, to be drawn over the board."""
    if reason is None:
        return ()
    lines = (Stroke(each, str(mark)) for mark, line in reason.lines for each in lines_on_page(line, rules))
    return *lines, *(Stroke(strike(1 << one | 1 << other, rules), "") for one, other in reason.pairs)


def line_view(  # noqa: PLR0913 - what a line shows
    position: Position,
    moves: tuple[Cell, ...],
    step: int,
    *,
    url: Callable[[int], str],
    reason: Reason | None,
    plies: int | None,
) -> LineView:
    """Return the view of a line with its first `step` moves. `url` returns the address of a step.

    `plies` is the length of the line if it reaches the end of the game.
    """
    rules, to_come = position.rules, position.marks_to_come
    marks = [position.mark_placed(move) if rules.is_wild else to_come[ply % 2] for ply, move in enumerate(moves)]
    cells = [move % rules.size for move in moves]
    named = [f"{mark} {rules.name(cell)}" for mark, cell in zip(marks, cells, strict=True)]
    last = f", {named[step - 1]}" if step else ""
    return LineView(
        rules=rules,
        stones={cells[ply]: (str(marks[ply]), ply + 1) for ply in range(step)},
        now=f"Shown: {step} of {len(moves)}{last}." if moves else "",
        moves=tuple(
            Choice(name, url(number), number == step, f"line-{number}") for number, name in enumerate(named, 1)
        ),
        steps=(
            Choice("Back", url(step - 1) if step > 0 else None, id="line-back"),
            Choice("Forward", url(step + 1) if step < len(moves) else None, id="line-forward"),
        ),
        whole=len(moves) == plies,
        strokes=strokes_of(reason, rules),
    )


def _place(name: str, cell: Cell, rules: Rules) -> str:
    """Return a square's name, on 3×3 with its place."""
    return f"{name}, {_PLACES[cell]}" if rules.columns == rules.rows == 3 and not rules.in_space else name


def _by_text(texts: Mapping[Cell, str]) -> dict[str, list[Cell]]:
    """Return the squares by their text, so that each text is spoken once for all its squares."""
    return {text: [cell for cell in texts if texts[cell] == text] for text in dict.fromkeys(texts.values())}


def _placed(cells: Mapping[str, Iterable[Cell]], rules: Rules) -> Iterator[str]:
    """Yield each text with the squares that it is on; skip a text without squares."""
    for text, where in cells.items():
        if names := ", ".join(format_cell(cell, rules) for cell in where):
            yield f"{text} on {names}"


def _names(rules: Rules, margin: float) -> Iterator[tuple[float, float, str]]:
    """Yield the files below the board and the ranks on its left, in the middle of the margin."""
    height = len(layout_of(rules))
    for column, cell in enumerate(layout_of(rules)[-1]):
        if cell is not None:
            yield column + 0.5, height + margin / 2, rules.name(cell)[0]
    for row, cells in enumerate(layout_of(rules)):
        if cells[0] is not None:
            yield -margin / 2, row + 0.5, rules.name(cells[0])[1:]
