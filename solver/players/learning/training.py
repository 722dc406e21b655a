"""Games by which a learner learns, one after the other, each from its seed and its number alone.

The same learner, opponent and seed play the same games on every machine and under every version of Python: of Python's
generator only `random()` is used, whose numbers for a seed are promised to stay.

A game against a learner as it stands: it plays X and draws by a seed, and learns nothing from it.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Final

from solver.board.game import Game
from solver.board.notation import quoted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import BadOption, IllegalMove
from solver.players.decision import Decision, Strategy, any_of
from solver.players.learning.boxes import Box, has_box, opened
from solver.players.learning.learners import MENACE, Q_LEARNING, Learner, Memory, Row

LEARNERS: Final[Mapping[str, Learner]] = MappingProxyType({each.name: each for each in (MENACE, Q_LEARNING)})
"""Every learner by its name."""


def learner_named(name: str) -> Learner:
    """The learner of that name. Raises BadOption."""
    learner = LEARNERS.get(name.strip().lower())
    if learner is None:
        raise BadOption(f"There is no learner {quoted(name)}. Choose one of: {', '.join(LEARNERS)}.")
    return learner


@dataclass(frozen=True, slots=True)
class Draw:
    """A box that was opened in a game: where its squares lay, its row before and after the game, and what was drawn."""

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
    """A game from the empty board: its number from 1 on, its moves, its result, and the boxes that X opened.

    `resigned` says that X's next box was empty; O has won then.
    """

    number: int
    moves: tuple[Cell, ...]
    result: Result
    resigned: bool
    draws: tuple[Draw, ...]

    def taught(self, memory: Memory) -> Memory:
        """What the learner knows after the game, by what it knew before."""
        rows = list(memory)
        for draw in self.draws:
            rows[draw.box.number - 1] = draw.after
        return tuple(rows)


def trained(learner: Learner, opponent: Strategy, seed: str) -> Iterator[TrainingGame]:
    """The learner's games against an opponent, without end, each as soon as it is played."""
    opponent, memory, number = opponent.remembering(), learner.start, 1
    while True:
        game = training_game(learner, memory, opponent, seed, number)
        yield game
        memory, number = game.taught(memory), number + 1


def training_game(learner: Learner, memory: Memory, opponent: Strategy, seed: str, number: int) -> TrainingGame:
    """One game, and what it teaches."""
    rng = random.Random(f"{seed}/{number}".encode(errors="surrogateescape"))
    position, moves = Position(TIC_TAC_TOE), list[Cell]()
    met, places = list[tuple[Position, Box, tuple[Cell, ...]]](), list[int]()
    while (result := position.result) is None:
        if position.mover is Mark.O:
            reply = opponent.decide(position)
            cell = tuple(reply.choices)[drawn(whole(reply), rng)]
        elif has_box(position):
            box, cells = opened(position)
            weights = learner.tries(memory[box.number - 1])
            if not any(weights):
                break
            place = drawn(weights, rng)
            met.append((position, box, cells))
            places.append(place)
            cell = cells[place]
        else:
            (cell,) = position.legal_moves
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


def drawn(weights: Sequence[int], rng: random.Random) -> int:
    """The place of one of these weights, drawn with chances proportional to them, by one number of the generator."""
    ticket = int(rng.random() * sum(weights))
    for place, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return place
    raise ValueError("Nothing can be drawn where all weights are 0.")


def whole(decision: Decision) -> tuple[int, ...]:
    """The chances of a decision's squares, as whole numbers proportional to them."""
    chances = decision.choices.values()
    unit = lcm(*(chance.denominator for chance in chances))
    return tuple(chance.numerator * (unit // chance.denominator) for chance in chances)


def decision(learner: Learner, memory: Memory, position: Position) -> Decision | None:
    """What a learner that has learnt so much plays in earnest, as X in an unfinished position. None if it resigns."""
    if not has_box(position):
        return any_of(position.legal_moves, "the last square")
    box, cells = opened(position)
    weights = learner.plays(memory[box.number - 1])
    if not any(weights):
        return None
    choices = {cell: Fraction(weight, sum(weights)) for cell, weight in zip(cells, weights, strict=True) if weight}
    return Decision(MappingProxyType(choices), f"drawn from box {box.number}")


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game as far as it has come, and whether the learner has resigned in it.

    `box` is the one that its last move was drawn from, None where it had no choice or has resigned.
    """

    game: Game
    box: Box | None
    resigned: bool

    @property
    def over(self) -> bool:
        """Whether nobody moves any more."""
        return self.resigned or self.game.last.result is not None


def challenge(learner: Learner, memory: Memory, replies: Sequence[Cell], seed: str) -> Challenge:
    """The game in which these are O's moves; X moves first. The same seed and replies make the same game.

    Raises IllegalMove for a reply that cannot be played, and for one after the end.
    """
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
            box = opened(position)[0] if has_box(position) else None
            game = game.play(tuple(made.choices)[drawn(whole(made), rng)])
        elif waiting:
            game = game.play(waiting.pop(0))
        else:
            return Challenge(game, box, resigned=False)
