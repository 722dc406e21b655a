"""The map of optimal moves: for one player a best reply to every line the opponent may choose.

Of several best moves it takes the one that wins most often against an opponent who plays any open square with equal
chances; of several such, the first in reading order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge
from solver.proofs.prediction import predict
from solver.search.tablebase import has_table
from solver.theory.trial import Counts


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
    return max(predict(position).best, key=lambda cell: (_chance(position.after(cell), position.mover), -cell))


@cache
def _chance(position: Position, owner: Mark) -> Fraction:
    """How likely `owner` wins by this map when every open square is as likely to be the opponent's next."""
    if position.result is not None:
        return Fraction(position.result == Result(owner))
    if position.mover is owner:
        return _chance(position.after(best_reply(position)), owner)
    moves = position.legal_moves
    return sum((_chance(position.after(cell), owner) for cell in moves), Fraction()) / len(moves)
