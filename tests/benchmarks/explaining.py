"""The share of squares with a reason, the kinds of reasons and their times, for the same random positions every time.

A reason by comparison tells only the outcomes of other squares; the rate is printed without them too. Times are CPU
times of this process.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.board.notation import parse_rules
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Rules
from solver.proofs.predict import predict
from solver.reasons import ReasonKind, explain
from solver.search.budget import Budget
from solver.search.tablebase import unfinished
from tests.benchmarks.proving import random_position

LARGER = {"4x4x4": 1000, "5x4x4": 1000, "5x5x4": 1000, "6x6x4": 1000, "6x6x5": 1000, "8x8x4": 20}
"""Boards, and how many random positions of each."""

FEWEST_OPEN = {"8x8x4": 54}
"""The fewest open squares of a position; with fewer, nearly every random game of that board has ended."""

PROOF = Budget(nodes=20_000)
"""The budget for the outcomes of a position's squares; squares that it does not prove are left out."""

COMPARED = {ReasonKind.MISSES_WIN, ReasonKind.MUST_PLAY_ELSEWHERE, ReasonKind.UNEXPLAINED}

DECIDED = (Value.WIN, Value.LOSS)


@dataclass(slots=True)
class Sample:
    """The reasons of some squares."""

    positions: int = 0
    kinds: Counter[ReasonKind] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def explain(self, position: Position, values: tuple[Value, ...] = DECIDED) -> None:
        """Add a position's squares with one of these values."""
        prediction = predict(position, PROOF)
        self.positions += 1
        for cell, outcome in prediction.squares.items():
            if outcome.value in values:
                began = time.process_time()
                reason = explain(position, cell, prediction)
                self.seconds.append(time.process_time() - began)
                self.kinds[reason.kind] += 1

    def rate(self, but: set[ReasonKind]) -> float:
        """Return the share of squares with a reason of another kind."""
        return 1 - sum(self.kinds[kind] for kind in but) / self.kinds.total()

    def figures(self, what: str) -> Iterator[str]:
        """Yield the rates, the kinds and the times."""
        took = sorted(self.seconds)
        yield (
            f"{what}: {self.kinds.total():,} squares of {self.positions:,} positions, with a reason"
            f" {self.rate({ReasonKind.UNEXPLAINED}):.2%}, without those by comparison {self.rate(COMPARED):.2%};"
            f" a reason takes {1000 * sum(took) / len(took):.1f} ms, of 99 % up to"
            f" {1000 * took[len(took) * 99 // 100]:.1f} ms, of 99.9 % up to"
            f" {1000 * took[len(took) * 999 // 1000]:.1f} ms"
        )
        yield "  " + ", ".join(f"{kind} {count / len(took):.1%}" for kind, count in self.kinds.most_common())


def sampled(rules: Rules, count: int) -> Sample:
    """Explain the won and lost squares of `count` random positions with any number of stones."""
    sample, rng = Sample(), random.Random(f"reasons on {rules}")
    most = rules.size - FEWEST_OPEN.get(str(rules), 1)
    for _ in range(count):
        sample.explain(random_position(rules, rng.randint(0, most), rng))
    return sample


def figures() -> Iterator[str]:
    """Explain all squares of 3×3, and the won and lost squares of random positions on larger boards."""
    sample = Sample()
    for position in unfinished(parse_rules("3x3x3")):
        sample.explain(position, tuple(Value))
    yield from sample.figures("reasons on 3x3x3")
    for board, count in LARGER.items():
        yield from sampled(parse_rules(board), count).figures(f"won and lost on {board}")
