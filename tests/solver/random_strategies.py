"""Random but reproducible strategies for tests."""

import random
from fractions import Fraction

from solver.board.position import Position
from solver.players import Decision, Strategy


def random_strategy(number: int) -> Strategy:
    """Return a strategy with random squares and chances in each position; they depend only on `number`.

    The strategy decides images of a position differently.
    """

    def decide(position: Position) -> Decision:
        dice = random.Random(f"{number} {position.x} {position.o}")
        cells = dice.sample(position.legal_moves, dice.randint(1, len(position.legal_moves)))
        weights = [dice.randint(1, 5) for _ in cells]
        chances = {cell: Fraction(weight, sum(weights)) for cell, weight in zip(cells, weights, strict=True)}
        return Decision(chances, f"fell on {len(cells)}")

    return Strategy(f"random-{number}", "Random", "Made up.", "Tests", "level", decide, symmetric=lambda _: False)
