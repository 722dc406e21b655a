"""A strategy on trial: against every line of an opponent, with every choice of its own, counted and not sampled.

A game is one way through: each square that the strategy may play is a branch, and so is each of the opponent's moves.
Lines multiply, so positions are visited once, and those that a symmetry turns into each other once together.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge
from solver.proofs.prediction import predict
from solver.search.budget import Budget, Meter
from solver.search.tablebase import has_table
from solver.strategies.decision import Strategy
from solver.theory.perfection import loses, wins

FEASIBLE = Budget(nodes=100_000, seconds=60)
"""What a trial may cost: positions (symmetric ones count once) and seconds. On 3×3 it takes less than one."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Whole games by how they end for the strategy."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    def report(self) -> dict[str, int]:
        """The counts as plain data."""
        return {"won": self.won, "drawn": self.drawn, "lost": self.lost}


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a game: the position it was made in, the square, and why; the opponent gives no reason."""

    position: Position
    cell: Cell
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A game that the strategy loses, and the number of the ply that erred, counted from 0.

    That is its last move from a position that was not lost for it. None where there is no such position: then perfect
    play beats every strategy on this side of the board.
    """

    plies: tuple[Ply, ...]
    erred: int | None


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it.

    `positions` are those in which the strategy had to decide. `slips` are those of them that were won for it and in
    which it may play a square that wins no more; `slip` is an example with the fewest stones.
    """

    strategy: Strategy
    mark: Mark
    rules: Rules
    counts: Counts
    positions: int
    refutation: Refutation | None
    slips: int
    slip: Ply | None

    @property
    def unbeatable(self) -> bool:
        """Whether no game is lost."""
        return not self.counts.lost


def trial(strategy: Strategy, mark: Mark, rules: Rules, budget: Budget = FEASIBLE) -> Trial:
    """Lets a strategy play `mark` against everything. Raises TooLarge where the budget does not reach."""
    return _Court(strategy, mark, rules, Meter(budget)).verdict()


def met(strategy: Strategy, mark: Mark, rules: Rules, budget: Budget = FEASIBLE) -> tuple[Position, ...]:
    """The positions in which the strategy has to decide, symmetric ones once if it decides alike in them.

    Raises TooLarge where the budget does not reach.
    """
    return _Court(strategy, mark, rules, Meter(budget)).decided


class _Court:
    """All play of one strategy from the empty board: each position (of each class, if that is enough) once."""

    def __init__(self, strategy: Strategy, mark: Mark, rules: Rules, meter: Meter) -> None:
        self.strategy, self.mark, self.rules = strategy, mark, rules
        self.alike = strategy.symmetric(rules)
        self.following: dict[Position, Counter[Position]] = {}
        layer = [self.seen(Position(rules))]
        while layer:
            for position in layer:
                if meter.exhausted:
                    raise TooLarge(
                        f"Not counted: as {mark} on {rules}, {strategy.title} meets more positions than there is time"
                        f" for; {len(self.following):,} were visited. Boards of up to nine squares can be counted."
                    )
                meter.count(1)
                self.following[position] = Counter(self.seen(position.after(cell)) for cell in self.moves(position))
            layer = list(dict.fromkeys(after for position in layer for after in self.following[position]))
        self.counts: dict[Position, Counts] = {}
        self.soonest: dict[Position, int] = {}
        """The plies to the quickest lost game, where one can still be lost."""
        for position in reversed(self.following):
            self.count(position)

    def seen(self, position: Position) -> Position:
        """The position that stands for this one."""
        return position.canonical() if self.alike else position

    def moves(self, position: Position) -> tuple[Cell, ...]:
        """The branches of a position: the strategy's choices, or all moves of the opponent."""
        moves = position.legal_moves
        return tuple(sorted(self.choices(position))) if moves and position.mover is self.mark else moves

    def choices(self, position: Position) -> Mapping[Cell, object]:
        """The squares that the strategy may play."""
        if not (self.strategy.settled or has_table(self.rules) or predict(position).best):
            raise TooLarge(
                f"Not counted: {self.strategy.title} goes by what is proved, and on {self.rules} a position was not"
                " proved in time."
            )
        return self.strategy.decide(position).choices

    def count(self, position: Position) -> None:
        """Adds up the games from a position, of which all that follow are counted."""
        following = self.following[position]
        if not following:
            result = position.result
            won, drawn = result == str(self.mark), result is Result.DRAW
            self.counts[position] = Counts(int(won), int(drawn), int(not won and not drawn))
            if not won and not drawn:
                self.soonest[position] = 0
            return
        parts = [(self.counts[after], ways) for after, ways in following.items()]
        self.counts[position] = Counts(
            sum(part.won * ways for part, ways in parts),
            sum(part.drawn * ways for part, ways in parts),
            sum(part.lost * ways for part, ways in parts),
        )
        if lost := [self.soonest[after] for after in following if after in self.soonest]:
            self.soonest[position] = 1 + min(lost)

    def verdict(self) -> Trial:
        """The answer for the empty board."""
        start = Position(self.rules)
        decided = self.decided
        slips = [position for position in decided if wins(position) and not all(map(loses, self.following[position]))]
        return Trial(
            self.strategy,
            self.mark,
            self.rules,
            self.counts[self.seen(start)],
            sum(map(self.images, decided)),
            self.refutation(start) if self.seen(start) in self.soonest else None,
            sum(map(self.images, slips)),
            self.slip(slips[0]) if slips else None,
        )

    @property
    def decided(self) -> tuple[Position, ...]:
        """The positions in which the strategy has to decide, by ply."""
        return tuple(
            position for position, following in self.following.items() if following and position.mover is self.mark
        )

    def images(self, position: Position) -> int:
        """How many positions this one stands for."""
        return position.images() if self.alike else 1

    def ply(self, position: Position, cell: Cell) -> Ply:
        """A move with the strategy's reason, if it is the strategy's."""
        own = position.mover is self.mark
        return Ply(position, cell, self.strategy.decide(position).reason if own else "")

    def slip(self, position: Position) -> Ply:
        """The first move in reading order that lets the win slip."""
        return next(self.ply(position, cell) for cell in self.moves(position) if not loses(position.after(cell)))

    def refutation(self, start: Position) -> Refutation:
        """The shortest game that is lost, of those as short the first in reading order."""
        plies: list[Ply] = []
        position = start
        while position.result is None:
            left = self.soonest[self.seen(position)]
            moves = self.moves(position)
            cell = next(cell for cell in moves if self.soonest.get(self.seen(position.after(cell))) == left - 1)
            plies.append(self.ply(position, cell))
            position = position.after(cell)
        own = (number for number, ply in enumerate(plies) if ply.position.mover is self.mark)
        holding = [number for number in own if not loses(plies[number].position)]
        return Refutation(tuple(plies), holding[-1] if holding else None)
