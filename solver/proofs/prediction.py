"""The outcomes of a position's open squares under perfect play, as far as they are proved."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, TypeAlias

from solver.board.notation import few_cells, format_cell, format_outcome, format_position, format_state
from solver.board.outcome import Bounds, Outcome, Value, bounds_by_rules, sign
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.kernel.potential import estimate

UNPROVED: Final = "Not every square is proved yet."
"""The remark on an answer that is not `complete`, the same everywhere."""


@dataclass(frozen=True)
class Prediction:
    """The outcome of each open square for the player who moves there, in reading order.

    `nodes` is the number of nodes searched, 0 if every outcome was looked up. A finished game has no squares. `str`
    draws the board: W wins, D draws, L loses, each with its plies, and ? is not proved. Where the mover chooses the
    mark, a square has the outcome of X and then of O.

    `best` holds the squares proved best, which no other can beat. Where `complete` is false, others may be as good.

    >>> from solver import predict
    >>> prediction = predict("X.O/.X./..O")
    >>> prediction
    <Prediction of X.O/.X./..O on 3x3x3: b3 L2, a2 L2, c2 D, a1 L2, b1 L2>
    >>> prediction.best, prediction.outcome, prediction.complete
    ((5,), Outcome(Value.DRAW, 5), True)
    """

    position: Position
    squares: Mapping[Cell, Outcome]
    nodes: int

    def __str__(self) -> str:
        rules, mover = self.position.rules, self.position.mover
        texts = [
            "/".join(_short(self.squares[move]) for move in rules.moves_to(1 << cell) if move in self.squares)
            or self.position.sign_at(cell)
            for cell in range(rules.size)
        ]
        width = max(map(len, texts))
        starts = range(0, rules.size, rules.columns)
        rows = [" ".join(f"{text:>{width}}" for text in texts[at : at + rules.columns]) for at in starts]
        rows = [f"\n{row}" if number and not number % rules.rows else row for number, row in enumerate(rows)]
        best = f" Best: {few_cells(self.best, rules)}." if self.best else ""
        state = format_state(self.position) if self.position.result else f"{mover} to move: {self.outcome}.{best}"
        return "\n".join((*rows, state if self.complete else f"{state} {UNPROVED}"))

    def __repr__(self) -> str:
        rules = self.position.rules
        known = ", ".join(f"{format_cell(cell, rules)} {_short(outcome)}" for cell, outcome in self.squares.items())
        return f"<Prediction of {format_position(self.position)} on {rules}: {known or 'game over'}>"

    @cached_property
    def by_cell(self) -> Mapping[Cell, Outcome]:
        """The outcome of each open cell; where either mark can be placed, that of the better one."""
        if not self.position.rules.is_wild:
            return self.squares
        outcomes: dict[Cell, Outcome] = {}
        for move, outcome in self.squares.items():
            cell = move % self.position.rules.size
            if cell not in outcomes or outcome.ranks.lower > outcomes[cell].ranks.lower:
                outcomes[cell] = outcome
        return outcomes

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The squares proved best; empty if another could still be better."""
        return best_of(self.squares)

    def of_value(self, value: Value, plies: int | None = None) -> tuple[Cell, ...]:
        """Return the squares of this value, with their distance or without; if it is given, of this distance alone."""
        squares = ((cell, outcome) for cell, outcome in self.squares.items() if outcome.value is value)
        return tuple(cell for cell, outcome in squares if plies in (None, outcome.plies))

    @property
    def winning(self) -> tuple[Cell, ...]:
        """The squares that are proved to win, with their distance or without."""
        return self.of_value(Value.WIN)

    @property
    def valued(self) -> int:
        """The number of squares that are proved to win, draw or lose, with their distance or without."""
        return sum(outcome.value is not Value.UNKNOWN for outcome in self.squares.values())

    @cached_property
    def proved(self) -> int:
        """The number of squares that are proved with their distance."""
        return sum(outcome.is_exact for outcome in self.squares.values())

    @property
    def complete(self) -> bool:
        """True if all squares are proved with their distance."""
        return self.proved == len(self.squares)

    @property
    def score(self) -> int | None:
        """The score of the position for its mover; see `score_of`."""
        return score_of(self.outcome, self.position)

    @property
    def scores(self) -> Mapping[Cell, int | None]:
        """The score of each square; see `score_of`."""
        return {cell: score_of(outcome, self.position) for cell, outcome in self.squares.items()}

    @cached_property
    def estimates(self) -> Mapping[Cell, float]:
        """Guesses, from 0 to 1, of how promising the squares of unknown value are; see `estimate`."""
        unknown = [cell for cell, outcome in self.squares.items() if outcome.value is Value.UNKNOWN]
        guessed = estimate(self.position) if unknown else {}
        return {cell: guessed[cell] for cell in unknown}

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the position for its mover, as far as the squares prove it."""
        if self.position.result is not None:
            score = bounds_by_rules(self.position).lower
            return Outcome((Value.LOSS, Value.DRAW, Value.WIN)[1 + sign(score)], 0)
        ranks = [outcome.ranks for outcome in self.squares.values()]
        bounds = Bounds(max(limits.lower for limits in ranks), max(limits.upper for limits in ranks))
        return Outcome.of_bounds(bounds, self.position.plies_to_draw)


def score_of(outcome: Outcome, position: Position) -> int | None:
    """Return the score that Connect Four's solvers give an outcome of a position; None if it isn't proved.

    It is 1 if the mover wins with the last stone that the winner has, 2 with the one before, and so on; negative for a
    loss, and 0 for a draw. Raises BadOption where stones vanish. Source: P. Pons, Solving Connect 4, 2015.
    """
    if position.rules.vanishes:
        raise BadOption(f"On {position.rules} stones leave the board, so no score counts those that are left.")
    if outcome.value is Value.DRAW:
        return 0
    if outcome.plies is None:
        return None
    left = (position.plies_left + 2 - outcome.plies) // 2
    return left if outcome.value is Value.WIN else -left


class ProofState(StrEnum):
    """The state of a position's proof in the background."""

    PROVING = "proving"
    WAITING = "waiting"
    DONE = "done"
    SPENT = "spent"
    BUSY = "busy"
    OFF = "off"


ProvedMoves: TypeAlias = tuple[tuple[Cell, int, int], ...]
"""The proofs of a position: for each move, the least and the greatest score of the position after it."""


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """The state of a position's proof, the number of positions in front of it, and what is proved."""

    state: ProofState
    ahead: int = 0
    proved: ProvedMoves = ()


def _short(outcome: Outcome) -> str:
    return outcome.letter if outcome.value is Value.DRAW else format_outcome(outcome)


def best_of(squares: Mapping[Cell, Outcome]) -> tuple[Cell, ...]:
    """Return the squares proved best; none if another could still be better. Squares left out may be as good."""
    top = max((outcome.ranks.lower for outcome in squares.values()), default=0)
    best = tuple(cell for cell, outcome in squares.items() if outcome.ranks == Bounds(top, top))
    open_to_more = any(outcome.ranks.upper > top for outcome in squares.values())
    return () if open_to_more else best
