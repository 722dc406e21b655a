"""The page of games of one's own: the empty board under eight rules, numbers, and lines that one draws."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from solver import predict
from solver.board.families import ANIMALS, Shape, Surface, lines_of, shape_of
from solver.board.game import Game, parse_game
from solver.board.names import HOLES, LINES, MAX_BOARD_LENGTH, format_cell, parse_cell, parse_rules
from solver.board.notation import format_moves, format_particulars, split_moves
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Bits, Cell, Rules, bits_of, cells_of, rules_of
from solver.errors import BadRules
from solver.proofs.prediction import best_of
from webapp.pages.learn.content import Shown, lesson_url
from webapp.pages.learn.facts.proofs import FIFTEEN, MAGIC, OF_VALUE, RULES, WINNERS
from webapp.pages.learn.lesson import Lesson, Predictions
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini, of_outcomes, strikes
from webapp.ui.filters import Choice, board_size, board_title, winning_rule

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


class Spot(NamedTuple):
    """A square that can be pressed, with its name and the address that it leads to; without one, it can't.

    `pressed` is its state if a press changes it back and forth.
    """

    name: str
    url: str | None
    pressed: bool | None = None


def view(query: Query, known: Predictions) -> Shown:
    """Show the eight rules, the game of numbers after its `moves`, and what is drawn. Raises NoughtsError."""
    return {
        "rules": list(map(_show_rule, RULES)),
        "numbers": _numbers(parse_game("3x3x3", None, query.get("moves") or "")),
        "shapes": _view_drawn(query, known),
        "cut": _view_cut(query, known),
    }


def _show_rule(name: str) -> tuple[Mini, str]:
    rules = parse_rules(name)
    empty, size = Position(rules), board_size(rules).removeprefix("3×3")
    prediction = predict(empty)
    caption = f"{WINNERS[OF_VALUE[prediction.outcome.value]]} wins".replace("Nobody wins", "A draw")
    return of_outcomes(empty, prediction.by_cell, caption), size.strip().capitalize() or "The usual game"


def _numbers(game: Game) -> Shown:
    """Show a game of numbers: each with its owner and the address that takes it, and the same as tic-tac-toe."""
    position = game.last
    over = position.result is not None

    def url(cell: Cell) -> str | None:
        if over or position.mark_at(cell):
            return None
        moves = format_moves(answer_perfectly(game.play(cell)).moves, TIC_TAC_TOE)
        return lesson_url("shapes", {"moves": moves}, "fifteen")

    urls = tuple(map(url, range(TIC_TAC_TOE.size)))
    return {
        "numbers": [(n, position.mark_at(MAGIC.index(n)) or "", urls[MAGIC.index(n)]) for n in range(1, 10)],
        "board": mini(
            position,
            texts={cell: str(MAGIC[cell]) for cell in position.legal_moves},
            classes={cell: "played" for line in position.winning_lines for cell in cells_of(line)},
        ),
        "squares": [Spot(format_cell(cell, TIC_TAC_TOE), each) for cell, each in enumerate(urls)],
        "said": _tell(position),
    }


def answer_perfectly(game: Game) -> Game:
    """Return the game with a perfect answer of the player to move, if it is not over."""
    return game if game.last.result else game.play(best_of(predict(game.last).squares)[0])


def _tell(position: Position) -> str:
    if position.winning_lines:
        numbers = " + ".join(str(MAGIC[cell]) for cell in cells_of(position.winning_lines[0]))
        return f"{numbers} = {FIFTEEN}: {'you win!' if position.result is Result.X else 'the computer wins.'}"
    if position.result:
        return f"All nine numbers are taken, and nobody has three that make {FIFTEEN}: a draw."
    own = [MAGIC[cell] for cell in cells_of(position.stones(Mark.X))]
    return f"Your numbers: {', '.join(map(str, sorted(own)))}. Take one more." if own else "Take a number."


def _view_drawn(query: Query, known: Predictions) -> Shown:
    """Show the shape and the surface asked for, on each board. Raises NoughtsError."""
    cells, surface = _read_shape_cells(query), _read_surface(query)
    shape = _shape_of(cells)

    def url(drawn: frozenset[Cell], on: Surface = surface) -> str:
        parts = {"shape": "".join(format_cell(cell, PAPER) for cell in sorted(drawn)) or "none"}
        return lesson_url("shapes", parts | ({} if on is Surface.FLAT else {"surface": str(on)}), "draw")

    return {
        "paper": mini(Position(PAPER), classes=dict.fromkeys(cells, "new")),
        "pressed": [Spot(format_cell(cell, PAPER), url(cells ^ {cell}), cell in cells) for cell in range(PAPER.size)],
        "shape": shape,
        "surfaces": [Choice(each.words.capitalize(), url(cells, each), each is surface) for each in Surface],
        "sentence": surface.sentence,
        "animals": [Choice(each.words, url(_place(each)), each == shape) for each in ANIMALS.values()],
        "tried": [_try_on(side, rules, known) for side, rules in _boards(query)],
    }


def _list_drawn(query: Query) -> Iterator[Position]:
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


def _try_on(side: int, rules: Rules | str, known: Predictions) -> tuple[str, str, Mini | None]:
    """Return the title of a board, in words who wins, and where each first move leads; without a board, why not."""
    title = f"{side}×{side}"
    if isinstance(rules, str):
        return title, rules, None
    prediction = known[Position(rules)]
    return title, prediction.outcome.words(Mark.X, rules), of_outcomes(Position(rules), prediction.squares)


def _view_cut(query: Query, known: Predictions) -> Shown:
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
    return {
        "board": mini(Position(rules), texts=texts, classes=classes | dict.fromkeys(cells_of(picked), "new")),
        "strikes": [each for line in drawn for each in strikes(line, rules)],
        "spots": list(map(spot, range(rules.size))),
        "making": [Choice(title, url(rules, make=make), make == (LINES if draws else HOLES)) for make, title in MAKING],
        "boards": [Choice(board_title(parse_rules(each)), url(each), each == str(rules)) for each in BOARDS],
        "rule": f"{winning_rule(rules)}. {format_particulars(rules)}",
        "outcome": prediction.outcome.words(Mark.X, rules),
    }


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


LESSON = Lesson.of(
    "shapes", parts=("moves", "shape", "surface", "board", "make", "picked"), view=view, shows=_list_drawn
)
