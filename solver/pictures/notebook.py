"""Pictures of values for notebooks: a board with its stones, and with the outcomes of its squares if they are known."""

from typing import Final

from solver.board.game import Game
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import bits_of
from solver.pictures.card import PAPER, Face, board_parts
from solver.pictures.mosaic import Mosaic
from solver.pictures.places import extent, layout_of, place_of, strokes
from solver.proofs.predict import Solution
from solver.proofs.prediction import Prediction

SQUARE: Final = 64
"""The side of a square, in points."""


def picture(value: Position | Game | Prediction | Solution) -> str:
    """Return a picture as SVG.

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
    side = SQUARE * max(columns, rows)
    left, top = (side - SQUARE * columns) // 2, (side - SQUARE * rows) // 2
    parts = board_parts(faces, layout_of(rules), strikes, position.mover.other, side)
    moved = tuple(part.moved(-left, -top) for part in parts)
    return Mosaic(SQUARE * columns, SQUARE * rows, str(rules), str(value), PAPER, moved).svg()


def _face(outcome: Outcome) -> Face:
    return Face(
        None, outcome.letter, "" if outcome.letter == "D" else outcome.number, frozenset({outcome.value, "soon"})
    )
