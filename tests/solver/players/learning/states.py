"""States of learners, and learners as opponents, for the tests of both."""

from dataclasses import replace
from itertools import islice

from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.players import STRATEGIES, Decision, Strategy
from solver.players.learning.boxes import boxes
from solver.players.learning.learners import Learner, Memory
from solver.players.learning.training import decision, trained
from solver.search.tablebase import look_up


def after(learner: Learner, opponent: str, games: int, seed: str = "1") -> Memory:
    """Return a learner's table after this number of games."""
    memory = learner.start
    for game in islice(trained(learner, STRATEGIES[opponent], seed), games):
        memory = game.taught(memory)
    return memory


def faultless() -> Memory:
    """Return boxes with a bead for each square that does not lose by perfect play, or for every square if all lose."""
    return tuple(
        tuple(int(look_up(box.position) < DRAWN or look_up(box.position.after(cell)) <= DRAWN) for cell in box.squares)
        for box in boxes()
    )


def as_opponent(learner: Learner, memory: Memory) -> Strategy:
    """Return a learner with this table as an opponent that plays X. It raises ValueError where it resigns."""

    def decide(position: Position) -> Decision:
        made = decision(learner, memory, position)
        if made is None:
            raise ValueError("The box is empty.")
        return made

    return replace(STRATEGIES["easy"], name=learner.name, decide=decide)
