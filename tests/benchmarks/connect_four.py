"""The nodes of one exact score in Connect Four, in six classes of positions, beside those of a well-known solver.

The classes are those of its test set: a phase of the game, by the stones on the board, and the plies that perfect play
still takes. The positions are ours, so the two columns compare classes, not the same positions. Random moves lead to
them, and in none a player wins within two plies, since such a score takes no search.

Source: P. Pons, "Solving Connect 4: how to build a perfect AI", http://blog.gamesolver.org/solving-connect-four/: the
classes are in part 2, and the mean nodes of the strong solver with its last improvement in part 12, 2019.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import at_first, narrow, narrowing
from solver.search.solver import Solver
from tests.benchmarks.proving import random_position

RULES = parse_rules("7x6x4-gravity")

BEGIN, MIDDLE, END = range(15), range(15, 29), range(29, 42)
"""The stones on the board in each phase."""

EASY, MEDIUM, HARD = range(14), range(14, 28), range(28, 43)
"""The plies that perfect play still takes, to a win or to a full board."""

FEWEST = 4
"""The fewest stones of our positions: with fewer, hard scores would take too long for a benchmark."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A class of positions: its stones and its plies to the end, its published mean nodes, and how many we make."""

    name: str
    stones: range
    plies: range
    published: int
    number: int

    def holds(self, position: Position, solver: Solver) -> bool:
        """Return whether an unfinished position belongs to the class."""
        if RULES.size - position.plies_left not in self.stones:
            return False
        return ends_before(position, self.plies.stop, solver) and not ends_before(position, self.plies.start, solver)


CLASSES = (
    Difficulty("End-Easy", END, EASY, 51, 20),
    Difficulty("Middle-Easy", MIDDLE, EASY, 450, 40),
    Difficulty("Middle-Medium", MIDDLE, MEDIUM, 39_900, 30),
    Difficulty("Begin-Easy", BEGIN, EASY, 3_298, 20),
    Difficulty("Begin-Medium", BEGIN, MEDIUM, 1_201_000, 10),
    Difficulty("Begin-Hard", BEGIN, HARD, 65_920_000, 4),
)


def figures() -> Iterator[str]:
    """Yield a line for each class: mean nodes of one score, published ones, speed, and nodes of all columns."""
    yield "exact scores in Connect Four, each by a solver that knows nothing; mean nodes, and nodes a second:"
    yield f"  {'class':13} {'positions':>9} {'one score':>10} {'published':>10} {'a second':>10} {'all columns':>11}"
    for each in CLASSES:
        nodes, seconds, every = 0, 0.0, 0
        for position in positions(each):
            solver, meter = Solver(RULES), Meter(UNLIMITED)
            narrow(solver, position, meter)
            nodes, seconds, every = nodes + meter.nodes, seconds + meter.seconds, every + nodes_of_columns(position)
        yield (
            f"  {each.name:13} {each.number:9} {nodes / each.number:10,.0f} {each.published:10,}"
            f" {nodes / seconds:10,.0f} {every / each.number:11,.0f}"
        )


def nodes_of_columns(position: Position) -> int:
    """Return the nodes that the scores of all columns take together."""
    meter = Meter(UNLIMITED)
    known = {after: at_first(after) for after in map(position.after, position.legal_moves)}
    for _ in narrowing(Solver(RULES), known, meter):
        pass
    return meter.nodes


def positions(wanted: Difficulty) -> Iterator[Position]:
    """Yield as many positions of a class as it asks for, the same ones every time."""
    rng, solver, made = random.Random(wanted.name), Solver(RULES), 0
    while made < wanted.number:
        stones = rng.randrange(max(FEWEST, wanted.stones.start), wanted.stones.stop)
        position = random_position(RULES, stones, rng)
        if not is_won_within(position, 2, solver) and wanted.holds(position, solver):
            made += 1
            yield position


def ends_before(position: Position, plies: int, solver: Solver) -> bool:
    """Return whether perfect play ends the game in fewer than `plies` plies."""
    return position.plies_left < plies or is_won_within(position, plies - 1, solver)


def is_won_within(position: Position, plies: int, solver: Solver) -> bool:
    """Return whether either player can force a win within `plies` plies."""
    questions = range(max(plies - 1, 1), plies + 1)
    return any(solver.decided(position, each, Meter(UNLIMITED)) for each in questions)
