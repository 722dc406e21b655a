"""The cost of searches on small boards."""

import time
from collections.abc import Callable, Iterator
from statistics import median

from solver.analysis.dataset import sampled_positions
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.players import STRATEGIES, Strategy
from solver.proofs.many import predict_many
from solver.proofs.predict import predict
from solver.search import tables
from solver.search.minimax import alphabeta, minimax
from solver.search.tablebase import table
from tests.strategies import reachable

MANY = 2_000
"""Positions that are predicted together."""


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the median seconds of a piece of work."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return median(taken)


def _decision_times(strategy: Strategy) -> Iterator[float]:
    """Time each decision in every unfinished position of 3×3, none of them remembered."""
    for position in reachable(parse_rules("3x3x3")):
        if position.result is None:
            began = time.perf_counter()
            strategy.decide(position)
            yield time.perf_counter() - began


def figures() -> Iterator[str]:
    """Measure the 3×3 table, warm predictions, nodes of the searches side by side, and decisions."""
    rules = parse_rules("3x3x3")
    start = Position(rules)

    def build() -> None:
        table.cache_clear()
        table(rules)

    yield f"3x3x3 table: {len(table(rules)):,} positions in {seconds(build) * 1000:.1f} ms"

    for board in ("4x3x3", "4x4x4", "4x4x3-misere", "4x4x4-wild"):
        game = parse_rules(board)
        began = time.process_time()
        tables.make(game, memoryview(bytearray(tables.bytes_of(game))))
        yield (
            f"table of {board}: {tables.bytes_of(game):,} bytes in {time.process_time() - began:.2f} processor seconds,"
            f" reckoned at {tables.seconds_of(game):.2f}"
        )
    chosen = [*sampled_positions(parse_rules("4x3x3"), MANY, "bench")]
    began = time.process_time()
    predict_many(chosen)
    yield f"predict_many on 4x3x3: {1e6 * (time.process_time() - began) / MANY:.1f} processor microseconds a position"

    position = start.after(4).after(0)
    warm = seconds(lambda: [predict(position) for _ in range(1000)]) / 1000
    yield f"prediction of a warm 3x3x3 position (7 squares): {1 / warm:,.0f} a second"

    plain = minimax(start).nodes
    yield f"nodes on the empty 3x3x3 board: minimax {plain:,}"
    nodes = alphabeta(start, 9).nodes
    yield f"nodes on the empty 3x3x3 board: alpha-beta, reading order: {nodes:,} ({plain / nodes:.0f} times fewer)"

    times = {name: max(_decision_times(each)) for name, each in STRATEGIES.items()}
    slowest = max(times, key=lambda name: times[name])
    yield f"slowest decision on any 3x3x3 position: {times[slowest] * 1000:.0f} ms ({slowest})"
