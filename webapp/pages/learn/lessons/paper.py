"""Lines of one's own: shapes that somebody draws, edges that meet, and who wins on which board."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from solver.board.families import ANIMALS, Shape, Surface, lines_of, shape_of
from solver.board.names import HOLES, LINES, MAX_BOARD_LENGTH, format_cell, parse_cell, parse_rules
from solver.board.notation import format_particulars, split_moves
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, bits_of, cells_of, rules_of
from solver.errors import BadRules
from webapp.pages.learn.content import lesson_url
from webapp.pages.learn.lesson import Predictions
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, Strike, mini, of_outcomes, strikes
from webapp.ui.filters import Choice, board_title, winning_rule

PAPER: Final = rules_of(5, 5, 5)
"""The board on which shapes are drawn."""

SIDES: Final = range(3, 7)
"""The sides of the square boards on which a drawn shape is tried."""

DRAWN: Final = "b4b3c3c2"
"""The squares drawn at first: Tippy."""

BOARDS: Final = ("4x4x3-holesb2c3", "3x3x3", "4x3x3", "4x4x4", "5x5x4")
"""The boards in which holes are made and lines are drawn, the first one at first."""

MAKING: Final = ((HOLES, "Make holes"), (LINES, "Draw lines"))
"""What a press does to the board."""


@dataclass(frozen=True, slots=True)
class TriedBoard:
    """A board for the shape. `board` shows where each first move leads; without one, `words` say why."""

    title: str
    words: str
    board: Mini | None


class Spot(NamedTuple):
    """A square that can be pressed, with its name and the address that it leads to; without one, it can't.

    `pressed` is its state if a press changes it back and forth.
    """

    name: str
    url: str | None
    pressed: bool | None = None


@dataclass(frozen=True, slots=True)
class CutView:
    """A board with holes or lines of one's own. `board` shows where each first move leads, `strikes` the lines."""

    board: Mini
    strikes: tuple[Strike, ...]
    spots: tuple[Spot, ...]
    making: tuple[Choice, ...]
    boards: tuple[Choice, ...]
    rule: str
    outcome: str


@dataclass(frozen=True, slots=True)
class ShapesView:
    """A drawn shape, the links that change it, the boards on which it is tried, and a board with holes or lines."""

    paper: Mini
    pressed: tuple[Spot, ...]
    shape: Shape | None
    surfaces: tuple[Choice, ...]
    sentence: str
    animals: tuple[Choice, ...]
    tried: tuple[TriedBoard, ...]
    cut: CutView


def view_drawn(query: Query, known: Predictions) -> ShapesView:
    """Show the shape and the surface asked for, on each board. Raises NoughtsError."""
    cells, surface = _read_shape_cells(query), _read_surface(query)
    shape = _shape_of(cells)

    def url(drawn: frozenset[Cell], on: Surface = surface) -> str:
        parts = {"shape": "".join(format_cell(cell, PAPER) for cell in sorted(drawn)) or "none"}
        return lesson_url("shapes", parts | ({} if on is Surface.FLAT else {"surface": str(on)}), "draw")

    return ShapesView(
        paper=mini(Position(PAPER), classes=dict.fromkeys(cells, "new")),
        pressed=tuple(Spot(format_cell(cell, PAPER), url(cells ^ {cell}), cell in cells) for cell in range(PAPER.size)),
        shape=shape,
        surfaces=tuple(Choice(each.words.capitalize(), url(cells, each), each is surface) for each in Surface),
        sentence=surface.sentence,
        animals=tuple(Choice(each.words, url(_place(each)), each == shape) for each in ANIMALS.values()),
        tried=tuple(_try_on(side, rules, known) for side, rules in _boards(query)),
        cut=_view_cut(query, known),
    )


def list_drawn(query: Query) -> Iterator[Position]:
    """Yield the empty boards on which the shape is tried, and the one with holes or lines. Raises NoughtsError."""
    yield from (Position(rules) for _, rules in _boards(query) if isinstance(rules, Rules))
    yield Position(_board(query))


def _boards(query: Query) -> Iterator[tuple[int, Rules | str]]:
    """Yield each side with the rules of its board, or with the reason why there are none."""
    shape, surface = _shape_of(_read_shape_cells(query)), _read_surface(query)
    if shape is None:
        return
    for side in SIDES:
        try:
            yield side, rules_of(side, side, shape.squares, surface, shape)
        except BadRules:
            fits = bool(lines_of(side, side, surface, shape.figures))
            yield side, "too many ways to lie" if fits else "it doesn't fit"


def _try_on(side: int, rules: Rules | str, known: Predictions) -> TriedBoard:
    title = f"{side}×{side}"
    if isinstance(rules, str):
        return TriedBoard(title, rules, None)
    position = Position(rules)
    prediction = known[position]
    return TriedBoard(
        title, prediction.outcome.words(Mark.X, position.rules), of_outcomes(position, prediction.squares)
    )


def _view_cut(query: Query, known: Predictions) -> CutView:
    """Show the board with holes or lines. A line is drawn by pressing its squares one after the other."""
    rules, draws = _board(query), _draws(query)
    named = bits_of(parse_cell(name, rules) for name in split_moves(query.get("picked", ""), rules))
    picked = named if draws else 0
    prediction = known[Position(rules)]
    drawn = rules.winning or ()

    def url(board: Rules | str, picked: Bits = 0, make: str = LINES if draws else HOLES) -> str:
        cells = "".join(format_cell(cell, rules) for cell in cells_of(picked))
        return lesson_url("shapes", {"board": str(board), "make": make, "picked": cells or None}, "holes")

    def spot(cell: Cell) -> Spot:
        chosen = picked ^ 1 << cell
        if not draws:
            to = _with(rules, holes=rules.holes ^ 1 << cell)
        elif rules.holes >> cell & 1:
            to = None
        elif chosen.bit_count() < rules.k:
            to = rules
        else:
            to, chosen = _with(rules, winning=tuple({*drawn} ^ {chosen}) or None), 0
        pressed = bool((picked if draws else rules.holes) >> cell & 1)
        return Spot(format_cell(cell, rules), url(to, chosen if draws else 0) if to else None, pressed)

    texts = {cell: outcome.letter for cell, outcome in prediction.squares.items()}
    classes = {cell: str(outcome.value) for cell, outcome in prediction.squares.items()}
    return CutView(
        board=mini(Position(rules), texts=texts, classes=classes | dict.fromkeys(cells_of(picked), "new")),
        strikes=tuple(each for line in drawn for each in strikes(line, rules)),
        spots=tuple(map(spot, range(rules.size))),
        making=tuple(
            Choice(title, url(rules, make=make), make == (LINES if draws else HOLES)) for make, title in MAKING
        ),
        boards=tuple(Choice(board_title(parse_rules(each)), url(each), each == str(rules)) for each in BOARDS),
        rule=f"{winning_rule(rules)}. {format_particulars(rules)}",
        outcome=prediction.outcome.words(Mark.X, rules),
    )


def _with(rules: Rules, **changed: Any) -> Rules | None:
    """Return rules with other holes or lines, or None if they cannot be played or their name does not fit a link."""
    with suppress(BadRules):
        rules_changed = replace(rules, **changed)
        return rules_changed if len(str(rules_changed)) <= MAX_BOARD_LENGTH else None
    return None


def _board(query: Query) -> Rules:
    return parse_rules(query.get("board") or BOARDS[0])


def _draws(query: Query) -> bool:
    return one_of(query, "make", [HOLES, LINES], HOLES) == LINES


def _read_shape_cells(query: Query) -> frozenset[Cell]:
    text = query.get("shape") or DRAWN
    if text == "none":
        return frozenset()
    return frozenset(parse_cell(name, PAPER) for name in split_moves(text, PAPER))


def _read_surface(query: Query) -> Surface:
    return Surface(one_of(query, "surface", [*map(str, Surface)], Surface.FLAT))


def _shape_of(cells: frozenset[Cell]) -> Shape | None:
    return shape_of(map(PAPER.column_row, cells)) if cells else None


def _place(shape: Shape) -> frozenset[Cell]:
    """Return the squares of a shape drawn on the paper, near its middle."""
    rows = shape.drawn.split("/")
    left, top = (PAPER.columns - len(rows[0])) // 2, (PAPER.rows - len(rows)) // 2
    return frozenset(
        PAPER.cell(left + column, top + row)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
        if mark == "X"
    )
