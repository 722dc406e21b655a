"""The map of optimal moves: for one player a best reply to every line the opponent may choose.

Of several best moves it takes the one that wins most often against an opponent who plays any open square with equal
chances; of several such, the first in reading order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from solver.analysis.trial import Counts
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge
from solver.proofs.prediction import predict
from solver.search.fold import fold, itself
from solver.search.tablebase import has_table


@dataclass(frozen=True, slots=True)
class BestReply:
    """What the owner of the map plays in `position`, and what follows each of the opponent's answers.

    `reply` is None where the owner is not to move: before the opponent's first move, and at the end of a game.
    """

    position: Position
    reply: Cell | None
    answers: Mapping[Cell, "BestReply"]

    @property
    def after(self) -> Position:
        """The position after the reply."""
        return self.position if self.reply is None else self.position.after(self.reply)

    def walk(self) -> Iterator["BestReply"]:
        """This advice and all that follows it."""
        yield self
        for answer in self.answers.values():
            yield from answer.walk()


def map_of_moves(rules: Rules, owner: Mark) -> BestReply:
    """The whole map from the empty board. Raises TooLarge beyond boards that are looked up."""
    if not has_table(rules):
        raise TooLarge("A map of all optimal moves is drawn for boards of up to nine squares.")
    return _advice(Position(rules), owner)


def tally(advice: BestReply, owner: Mark) -> Counts:
    """How the lines of a map end for its owner: whole games, each of the opponent's choices being one branch."""
    ends = [each.after.result for each in advice.walk()]
    return Counts(*(ends.count(result) for result in (Result(owner), Result.DRAW, Result(owner.other))))


def _advice(position: Position, owner: Mark) -> BestReply:
    reply = best_reply(position) if position.mover is owner and position.result is None else None
    after = position if reply is None else position.after(reply)
    answers = {cell: _advice(after.after(cell), owner) for cell in after.legal_moves}
    return BestReply(position, reply, MappingProxyType(answers))


def best_reply(position: Position) -> Cell:
    """The move that the map shows in a position where the game is on."""
    return max(predict(position).best, key=lambda cell: (_chance((position.after(cell), position.mover)), -cell))


def _line(state: tuple[Position, Mark]) -> Iterator[tuple[Position, Mark]]:
    """The map's move where its owner is to move, else all of the opponent's."""
    position, owner = state
    own = position.mover is owner and position.result is None
    return ((position.after(cell), owner) for cell in ((best_reply(position),) if own else position.legal_moves))


_chance = fold(
    lambda state: Fraction(state[0].result == Result(state[1])),
    lambda _, chances: sum(chances, Fraction()) / len(chances),
    _line,
    itself,
)
"""How likely a player wins by this map when every open square is as likely to be the opponent's next."""
