"""Strategies made up for tests: any squares with any chances, the same again for the same number."""

import random
from fractions import Fraction

from solver.board.position import Position
from solver.players import Decision, Strategy


def random_strategy(number: int) -> Strategy:
    """A strategy that decides as the dice once fell, in every position anew; symmetry means nothing to it."""

    def decide(position: Position) -> Decision:
        dice = random.Random(f"{number} {position.x} {position.o}")
        cells = dice.sample(position.legal_moves, dice.randint(1, len(position.legal_moves)))
        weights = [dice.randint(1, 5) for _ in cells]
        chances = {cell: Fraction(weight, sum(weights)) for cell, weight in zip(cells, weights, strict=True)}
        return Decision(chances, f"fell on {len(cells)}")

    return Strategy(f"random-{number}", "Random", "Made up.", "Tests", "random", decide, symmetric=lambda _: False)
