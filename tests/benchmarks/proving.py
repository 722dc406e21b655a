"""The cost of proofs: of empty boards, beside plain minimax, and of all open squares of random positions.

Times are CPU times of this process, so that a busy machine does not change them. Limits and the times of several
threads are by the clock.
"""

import math
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import median
from unittest.mock import patch

from solver.board.game import parse_game
from solver.board.notation import format_position, parse_position, parse_rules
from solver.board.outcome import Bounds, Outcome
from solver.board.position import Position
from solver.board.rules import Rules
from solver.kernel import engine
from solver.proofs.store import BOOKS, Store, shipped_books
from solver.proofs.study import Study
from solver.proofs.workers import narrowing_by, processes
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import at_first, narrowing, narrowing_together
from solver.search.minimax import minimax
from solver.search.solver import Solver, shared_solvers
from webapp.pages.play.settings import BOARDS

EMPTY_BOARDS = {
    "4x4x4": 10,
    "5x4x4": 300,
    "5x5x4": 2_000,
    "6x4x4": 4_000,
    "6x5x4": 3_000,
    "6x6x4": 3_000,
    "7x4x4": 150_000,
    "7x7x4": 4_000,
    "6x6x5": 200,
    "7x7x5": 100_000,
    "8x8x4": 10_000,
}
"""Boards whose value and distance are proved, and the most nodes for each proof."""

REFERENCE = {"3x3x3": 0, "4x3x3": 3, "4x4x3": 6, "4x4x4": 6}
"""Boards, and the number of random moves after which plain minimax is fast enough."""

SHARED = {"7x7x5": "a1g7b5f2", "5x4x4-misere": "a1b2c3d4", "6x4x4-gravity": ""}
"""Positions whose proof several searches share."""

MILLISECONDS = {
    **dict.fromkeys(("3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x5x3", "5x5x5"), 50),
    **dict.fromkeys(("5x4x4", "6x4x4", "5x5x4", "6x6x5"), 300),
    **dict.fromkeys(("6x5x4", "6x6x4"), 2_000),
}
"""The most milliseconds for all open squares of any position of a board."""

SOUGHT = {
    "6x6x5": (
        "O....O/....X./...X../...X../....X./.O....",
        ".....O/.....O/..X.../..XX../....X./.....O",
        "....../..X.../...X../...XX./O...../OO....",
        ".....O/....X./..XX../..X.../.....O/.....O",
        "O...../O...../..XX../..XX../....../O.....",
    ),
}
"""The slowest known positions of a board, found by moving stones of slow positions."""

INTERPRETED_BUDGET = Budget(seconds=2)
"""The budget of the interpreted kernel for an empty board."""

CAP = Budget(seconds=10)
"""The budget of a random position; one that needs more counts as not proved, with the time it took."""

LATE = ("8x7x5", "8x8x5")
LATE_STONES = range(12, 25)
LATE_POSITIONS = 20
LATE_BUDGET = Budget(nodes=300_000)
"""Boards whose openings take minutes or longer, and the budget of random positions later in their games.

The budget is in nodes, so that the same positions are proved on every machine.
"""

FALLING = "7x6x4-gravity"
FALLING_POSITIONS = 100
FALLING_BUDGET = Budget(seconds=2)
"""Connect Four, how many random positions of it are proved, and by the clock how long each may take."""

MOST_STONES = 10
FEWEST, MOST = 4, 300
"""The fewest and the most random positions of a board, equal ones included, whatever time they take."""

SECONDS = 25
"""Seconds after which a board gets no more positions."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proved bounds of some positions, and their cost."""

    known: dict[Position, Bounds]
    nodes: int
    threat_nodes: int
    seconds: float

    @property
    def complete(self) -> bool:
        """True if all scores are exact."""
        return all(bounds.score is not None for bounds in self.known.values())


def figures() -> Iterator[str]:
    """Yield all tables."""
    yield from empty_boards()
    yield from beside_minimax()
    yield from random_boards()
    yield from late_positions()
    yield from sought_positions()
    yield from shared_work()
    yield from falling_stones()


def empty_boards() -> Iterator[str]:
    """Yield a line for each board: its value, nodes against the bar, and the seconds of both kernels side by side."""
    yield f"empty boards, bookless, on the {engine.KERNEL} kernel; up to {INTERPRETED_BUDGET.seconds} s, interpreted:"
    yield f"  {'board':6} {'value':29} {'nodes':>7} {'bar':>8} {'on threats':>11} {'ms':>7} {'interpreted':>11}"
    for board, bar in EMPTY_BOARDS.items():
        start = Position(parse_rules(board))
        proof = usual(start)
        with interpreted():
            slow = usual(start, INTERPRETED_BUDGET)
        value = Outcome.of_bounds(proof.known[start], start.plies_left).words(start.mover)
        times = f"{slow.seconds * 1000:11,.0f} ({slow.seconds / proof.seconds:.0f} times)"
        yield (
            f"  {board:6} {value:29} {verdict(proof.nodes, bar):>7} {bar:8,} {proof.threat_nodes:11,}"
            f" {proof.seconds * 1000:7.1f} {times if slow.complete else '-':>11}"
        )


def beside_minimax() -> Iterator[str]:
    """Yield a line for each board: a position's nodes and seconds by plain minimax and by the solver."""
    yield "one position, plain minimax and exact:"
    for board, stones in REFERENCE.items():
        position = random_position(parse_rules(board), stones, random.Random(f"{board} {stones}"))
        began = time.process_time()
        plain = minimax(position)
        seconds = time.process_time() - began
        exact = usual(position)
        assert exact.known[position].score == plain.score
        yield (
            f"  {board} {format_position(position)}: {plain.nodes:,} nodes, {seconds * 1000:,.0f} ms;"
            f" exact {exact.nodes:,} nodes, {exact.seconds * 1000:.2f} ms ({seconds / exact.seconds:,.0f} times)"
        )


def random_boards() -> Iterator[str]:
    """Yield a line for each board, and one more with its book if it has one; `!` marks what misses a bar."""
    yield (
        f"all open squares of random positions with 0 to {MOST_STONES} stones, each by a solver that knows nothing,"
        f" up to {CAP.seconds} s; ms, of the slowest also by all threads of a page, by the clock:"
    )
    yield (
        f"  {'board':6} {'book':7} {'positions':>9} {'median':>8} {'99%':>10} {'worst':>10} {'threads':>8} {'bar':>6}"
        f" {'worst nodes':>12} {'not proved':>10}  slowest"
    )
    for board in dict.fromkeys((*BOARDS, *MILLISECONDS)):
        book = BOOKS / f"{board}.sqlite"
        stores = {"without": Store(None)} | ({"with": Store(None, [book])} if book.exists() else {})
        proofs: dict[str, dict[Position, Proof]] = {name: {} for name in stores}
        for position in some_positions(parse_rules(board)):
            for name, store in stores.items():
                proofs[name][position] = all_squares(position, store)
        for name, store in stores.items():
            yield line(board, name, store, proofs[name])


def late_positions() -> Iterator[str]:
    """Yield a line for each board: the number of random positions in mid-game with all squares proved."""
    yield (
        f"all open squares of {LATE_POSITIONS} random positions with {LATE_STONES[0]} to {LATE_STONES[-1]} stones, each"
        f" by a solver that knows nothing, up to {LATE_BUDGET.nodes:,} nodes; s, and the stones of those not proved:"
    )
    for board in LATE:
        rng, rules = random.Random(board), parse_rules(board)
        positions = [random_position(rules, rng.choice(LATE_STONES), rng) for _ in range(LATE_POSITIONS)]
        proofs = {position: prove(squares(position, Store(None)), LATE_BUDGET) for position in positions}
        left = sorted(rules.size - position.plies_left for position, proof in proofs.items() if not proof.complete)
        yield (
            f"  {board} {len(positions) - len(left)} of {len(positions)} proved, in"
            f" {sum(proof.seconds for proof in proofs.values()):.1f} s in all;"
            f" not proved: {', '.join(map(str, left)) or 'none'}"
        )


def sought_positions() -> Iterator[str]:
    """Yield a line for each of these positions; `!` marks what misses its board's bar."""
    yield "all open squares of positions that were sought for being slow, with no book; ms as above:"
    for board, texts in SOUGHT.items():
        for text in texts:
            position, store = parse_position(text, parse_rules(board)), Store(None)
            proof, threads = all_squares(position, store), together(position, store) * 1000
            bar = MILLISECONDS[board]
            yield (
                f"  {board:6} {text}: {proof.nodes:,} nodes, {proof.seconds * 1000:,.1f} ms,"
                f" by all threads {verdict(threads, bar, ',.1f')} ms, bar {bar}"
            )


def shared_work() -> Iterator[str]:
    """Yield a line for each of these positions: the nodes of one search, of two by one table, and of processes."""
    yield "all squares by one thread, by two that share their table, and by two processes; nodes:"
    for board, moves in SHARED.items():
        position = parse_game(board, None, moves).last
        rules, nodes = position.rules, []
        by_threads = [partial(narrowing_together, Solver(rules).team(threads)) for threads in (1, 2)]
        for search in (*by_threads, partial(narrowing_by, processes(2))):
            meter = Meter(UNLIMITED)
            list(search(squares(position, Store(None)), meter))
            nodes.append(f"{meter.nodes:,}")
        yield f"  {board} {moves}: {', '.join(nodes)}"


def falling_stones() -> Iterator[str]:
    """Yield how many random positions of Connect Four are proved in time, and the stones of the others."""
    rules, rng = parse_rules(FALLING), random.Random(FALLING)
    left = []
    for _ in range(FALLING_POSITIONS):
        position = random_position(rules, rng.randrange(rules.size), rng)
        study = Study(position)
        study.look_up(shipped_books())
        for after, bounds in narrowing_together(Solver(rules).team(2), study.bounds, Meter(FALLING_BUDGET)):
            study.learn({after: bounds})
        if not study.complete:
            left.append(rules.size - position.plies_left)
    yield (
        f"every column of {FALLING_POSITIONS} random positions of {FALLING} with 0 to {rules.size - 1} stones, with the"
        f" book, by two threads in {FALLING_BUDGET.seconds} s: {FALLING_POSITIONS - len(left)} proved;"
        f" stones of those not proved: {', '.join(map(str, sorted(left))) or 'none'}"
    )


def line(board: str, book: str, store: Store, proofs: dict[Position, Proof]) -> str:
    """Format a board's line of the table."""
    slowest = max(proofs, key=lambda position: proofs[position].seconds)
    times = sorted(proof.seconds * 1000 for proof in proofs.values())
    percentile = times[math.ceil(0.99 * len(times)) - 1]
    bar = MILLISECONDS.get(board)
    return (
        f"  {board:6} {book:7} {len(times):9} {median(times):8.1f} {percentile:10.1f}"
        f" {times[-1]:10.1f} {verdict(together(slowest, store) * 1000, bar, '.1f'):>8} {f'{bar:,}' if bar else '-':>6}"
        f" {max(proof.nodes for proof in proofs.values()):12,}"
        f" {sum(not proof.complete for proof in proofs.values()):10}  {format_position(slowest)}"
    )


def verdict(found: float, bar: float | None, form: str = ",") -> str:
    """Format a number, with a mark if it misses its bar."""
    return f"{'!' if bar is not None and found > bar else ''}{found:{form}}"


def usual(position: Position, budget: Budget = CAP) -> Proof:
    """Return the proof with the median time of three, or the first if it is incomplete."""
    known = {position: at_first(position)}
    proofs = [prove(known, budget)]
    while proofs[0].complete and len(proofs) < 3:
        proofs.append(prove(known, budget))
    return sorted(proofs, key=lambda proof: proof.seconds)[len(proofs) // 2]


def all_squares(position: Position, store: Store) -> Proof:
    """Prove a position's open squares, one of each symmetry class, on top of what the store knows."""
    began = time.process_time()
    return prove(squares(position, store), CAP, began)


def together(position: Position, store: Store) -> float:
    """Return the median seconds of three such proofs by as many threads as a page has."""
    rules, seconds = position.rules, []
    for _ in range(3):
        solvers, began = Solver(rules).team(len(shared_solvers(rules))), time.perf_counter()
        list(narrowing_together(solvers, squares(position, store), Meter(CAP)))
        seconds.append(time.perf_counter() - began)
    return median(seconds)


def squares(position: Position, store: Store) -> dict[Position, Bounds]:
    """Return what a store knows of a position's open squares, one of each symmetry class."""
    reached = [position.after(orbit[0]) for orbit in position.orbits()]
    stored = store.bounds_of(reached)
    return {after: at_first(after).narrowed(stored[after]) for after in reached}


def prove(known: dict[Position, Bounds], budget: Budget, began: float | None = None) -> Proof:
    """Prove by a fresh solver, from known bounds. The time counts from `began`, or from now."""
    began = time.process_time() if began is None else began
    (rules,) = {position.rules for position in known}
    solver, meter = Solver(rules), Meter(budget)
    found = known | dict(narrowing(solver, known, meter))
    return Proof(found, meter.nodes, solver.threat_nodes, time.process_time() - began)


def some_positions(rules: Rules) -> Iterator[Position]:
    """Yield random positions of a board, the same ones every time, as many as there is time for."""
    rng, began = random.Random(str(rules)), time.perf_counter()
    for count in range(MOST):
        if count >= FEWEST and time.perf_counter() - began > SECONDS:
            return
        yield random_position(rules, rng.randint(0, min(MOST_STONES, rules.size - 1)), rng)


def random_position(rules: Rules, stones: int, rng: random.Random) -> Position:
    """Return an unfinished position after this number of random moves."""
    while True:
        position = Position(rules)
        while position.result is None and rules.size - position.plies_left < stones:
            position = position.after(rng.choice(position.legal_moves))
        if position.result is None:
            return position


@contextmanager
def interpreted() -> Iterator[None]:
    """Run new solvers on the interpreted kernel within the block."""
    with patch.object(engine, "kernel", engine.interpreted()):
        yield
