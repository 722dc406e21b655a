"""Games that a learner learns from, and games against it that teach it nothing.

The same learner, opponent and seed play the same games on every machine and under every version of Python. For this,
they use only the method `random()` of Python's generator. Python guarantees its numbers for each seed.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from types import MappingProxyType

from solver.board.game import Game
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import IllegalMove
from solver.players.decision import Decision, Strategy, any_of, place_of, whole_weights
from solver.players.learning.boxes import Box, opened
from solver.players.learning.learners import Learner, Memory, Row


@dataclass(frozen=True, slots=True)
class Draw:
    """A box opened in a game, its squares as they lie there, its row before and after the game, and the place drawn."""

    position: Position
    box: Box
    cells: tuple[Cell, ...]
    before: Row
    after: Row
    drawn: int

    @property
    def cell(self) -> Cell:
        """The square that was played."""
        return self.cells[self.drawn]


@dataclass(frozen=True, slots=True)
class TrainingGame:
    """A game from the empty board, numbered from 1, with the boxes that X opened. X resigns when a box is empty."""

    number: int
    moves: tuple[Cell, ...]
    result: Result
    resigned: bool
    draws: tuple[Draw, ...]

    def taught(self, memory: Memory) -> Memory:
        """Return the learner's table after the game, given the table before it."""
        rows = list(memory)
        for draw in self.draws:
            rows[draw.box.number - 1] = draw.after
        return tuple(rows)


def trained(learner: Learner, opponent: Strategy, seed: str) -> Iterator[TrainingGame]:
    """Yield the learner's games against an opponent, without end, each as soon as it is played."""
    opponent, memory = opponent.remembering(), learner.start
    for number in count(1):
        game = training_game(learner, memory, opponent, seed, number)
        yield game
        memory = game.taught(memory)


def training_game(learner: Learner, memory: Memory, opponent: Strategy, seed: str, number: int) -> TrainingGame:
    """Play one game, and return it with the rows that it changes."""
    rng = random.Random(f"{seed}/{number}".encode(errors="surrogateescape"))
    position, moves = Position(TIC_TAC_TOE), list[Cell]()
    met, places = list[tuple[Position, Box, tuple[Cell, ...]]](), list[int]()
    while (result := position.result) is None:
        if position.mover is Mark.O:
            reply = opponent.decide(position)
            cell = tuple(reply.choices)[draw_place(whole_weights(reply), rng)]
        else:
            box, cells = opened(position, learner.chest)
            weights = learner.tries(memory[box.number - 1]) if box else (1,) * len(cells)
            if not any(weights):
                break
            place = draw_place(weights, rng)
            cell = cells[place]
            if box:
                met.append((position, box, cells))
                places.append(place)
        moves.append(cell)
        position = position.after(cell)
    ended = result or Result.O
    rows = [memory[box.number - 1] for _, box, _ in met]
    learnt = learner.learns(rows, places, ended)
    draws = (
        Draw(at, box, cells, before, after, place)
        for (at, box, cells), before, after, place in zip(met, rows, learnt, places, strict=True)
    )
    return TrainingGame(number, tuple(moves), ended, result is None, tuple(draws))


def draw_place(weights: Sequence[int], rng: random.Random) -> int:
    """Draw the place of a weight, with a probability in proportion to the weight. This takes one random number."""
    return place_of(int(rng.random() * sum(weights)), weights)


def decision(learner: Learner, memory: Memory, position: Position) -> Decision | None:
    """Return the decision of a learner with this table, as X in an unfinished position; None if it resigns."""
    box, cells = opened(position, learner.chest)
    if box is None:
        return any_of(cells, "no choice")
    weights = learner.plays(memory[box.number - 1])
    if not any(weights):
        return None
    choices = {cell: Fraction(weight, sum(weights)) for cell, weight in zip(cells, weights, strict=True) if weight}
    return Decision(MappingProxyType(choices), f"drawn from box {box.number}")


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game against a learner, which may have resigned.

    `box` is the box of the learner's last move. It is None if that move was forced or the learner has resigned.
    """

    game: Game
    box: Box | None
    resigned: bool

    @property
    def over(self) -> bool:
        """True once the game has ended or the learner has resigned."""
        return self.resigned or self.game.last.result is not None


def challenge(learner: Learner, memory: Memory, replies: Sequence[Cell], seed: str) -> Challenge:
    """Return the game in which O plays these replies. The seed fixes the learner's moves. Raise IllegalMove."""
    rng, waiting = random.Random(seed.encode(errors="surrogateescape")), list(replies)
    game, box = Game.starting(Position(TIC_TAC_TOE)), None
    while True:
        position = game.last
        if position.result is None and position.mover is Mark.X:
            made = decision(learner, memory, position)
            if made is None:
                if waiting:
                    raise IllegalMove(f"The game is over: {learner.title} has resigned.")
                return Challenge(game, None, resigned=True)
            box = opened(position, learner.chest)[0]
            game = game.play(tuple(made.choices)[draw_place(whole_weights(made), rng)])
        elif waiting:
            game = game.play(waiting.pop(0))
        else:
            return Challenge(game, box, resigned=False)
