"""The driver of the Scala article: two players of one interface, who take turns. A person is one of them."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

from solver.articles.generic import PlainMinimax
from solver.board.notation import format_position, parse_cell
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.errors import NoughtsError

Mover: TypeAlias = Callable[[Position], Position]
"""A player: a function from a position to the position after its move."""

Say: TypeAlias = Callable[[str], None]
"""A function that prints a line."""


def program(order: tuple[Cell, ...]) -> Mover:
    """Return minimax as a player. Of the best squares it takes the last in this order, as the article's fold does."""
    minimax = PlainMinimax()
    return lambda position: position.play(minimax.last_best(position, order))


def person(typed: Iterator[str], say: Say) -> Mover:
    """Return a person as a player, who types a row and a column, and tries again if the move is impossible."""

    def move(position: Position) -> Position:
        say("Which row and column?")
        row_and_column = next(typed)
        say(row_and_column)
        try:
            return position.play(parse_cell(row_and_column.replace(" ", ","), position.rules))
        except NoughtsError:
            say("You can't play there.")
            return move(position)

    return move


def play(one: Mover, two: Mover, say: Say) -> Position:
    """Play a game and return its end. The player who has moved goes to the end of the queue."""
    players, position, number = deque([one, two]), Position(TIC_TAC_TOE), 0
    while position.result is None:
        say(f"Player {number % 2 + 1} moves:")
        position = players[0](position)
        say(format_position(position).replace("/", "\n"))
        players.rotate(-1)
        number += 1
    say({"X": "Player 1 wins.", "O": "Player 2 wins."}.get(position.result, "A draw."))
    return position
