"""The outcomes of many positions at once, in arrays that other programs take without a copy."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from solver.board.outcome import DRAWN, WIN, Value, sign
from solver.board.pasted import as_position
from solver.board.position import Position
from solver.board.rules import Bits, bits_of
from solver.proofs.predict import AT_ONCE, predict
from solver.proofs.tables import table_at_hand
from solver.search.budget import Budget

UNPROVED = -2
"""The value of an outcome that is not proved."""

SIGNS = {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1, Value.UNKNOWN: UNPROVED}


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of positions for their movers, in arrays of one length and in the order of the positions.

    `numpy.asarray` takes each array without a copy.

    >>> memoryview(predict_many(["3x3x3", "4x3x3"]).plies).tolist()
    [9, 7]
    """

    values: "array[int]" = field(default_factory=lambda: array("b"))
    """1 for a win, 0 for a draw, -1 for a loss, and `UNPROVED`: signed bytes."""
    plies: "array[int]" = field(default_factory=lambda: array("h"))
    """The plies to the end of the game, -1 if they are not proved or it has none: signed, 16 bits."""
    best: "array[int]" = field(default_factory=lambda: array("Q"))
    """The squares proved best, bit `i` for cell `i`; 0 if there are none: words of 64 bits."""

    def __len__(self) -> int:
        return len(self.values)

    def _add(self, value: int, plies: int | None, best: Bits) -> None:
        self.values.append(value)
        self.plies.append(-1 if plies is None else plies)
        self.best.append(best)


def predict_many(positions: Iterable[Position | str], budget: Budget = AT_ONCE) -> Outcomes:
    """Return the outcomes of positions, each given and predicted within the budget as by `predict`.

    A position whose game has a table costs microseconds. Raises NoughtsError for a text that isn't a position.

    >>> outcomes = predict_many(["X.O/.X./..O", "4x3x3"])
    >>> outcomes.values.tolist(), outcomes.plies.tolist(), outcomes.best.tolist()
    ([0, 1], [5, 7], [32, 1638])
    """
    outcomes = Outcomes()
    for position in map(as_position, positions):
        rules, table = position.rules, table_at_hand(position.rules)
        try:
            score = None if table is None else table.score(position.x, position.o)
        except ValueError:  # no game reaches these stones, so that only a search tells
            score = None
        if table is None or score is None:
            prediction = predict(position, budget)
            cells = bits_of(move % rules.size for move in prediction.best)
            outcomes._add(SIGNS[prediction.outcome.value], prediction.outcome.plies, cells)
        else:
            plies = position.plies_to_draw if score == DRAWN else WIN - abs(score)
            outcomes._add(sign(score), plies, table.best(position.x, position.o))
    return outcomes
