"""A game record: a start position and the moves from there, its parser, counts of ends, and points of tic-tac-toe."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from solver.board.names import as_rules
from solver.board.notation import (
    format_cell,
    format_columns,
    format_moves,
    format_position,
    parse_cell,
    parse_position,
    split_moves,
)
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, MoveCode, Rules, bits_of, cells_of
from solver.errors import BadNotation, BadOption, IllegalMove, NoughtsError


@dataclass(frozen=True, slots=True)
class Game:
    """The moves of a game and its positions: `positions[0]` is the start, `positions[n]` comes after n plies.

    `str` draws the last position below the moves.

    >>> game = Game.starting("3x3x3").play("b2").play("a1")
    >>> game
    parse_game('3x3x3', None, 'b2a1')
    >>> print(game)
    b2 a1
    ...
    .X.
    O..
    """

    moves: tuple[MoveCode, ...]
    positions: tuple[Position, ...]

    def __str__(self) -> str:
        moves = " ".join(format_cell(cell, self.last.rules) for cell in self.moves)
        return f"{moves}\n{self.last}" if moves else str(self.last)

    def __repr__(self) -> str:
        start = self.positions[0]
        given = format_position(start) if start.is_begun else None
        return f"parse_game({str(start.rules)!r}, {given!r}, {format_moves(self.moves, start.rules)!r})"

    @classmethod
    def starting(cls, start: Position | str) -> "Game":
        """Return the game without moves from a position, or from a board's empty position. Raises BadRules."""
        return cls((), (start if isinstance(start, Position) else Position(start),))

    @property
    def last(self) -> Position:
        """The position after all moves."""
        return self.positions[-1]

    @property
    def columns(self) -> str:
        """The moves as columns from 1, such as "4453". Raises BadRules where stones don't fall."""
        return format_columns(self.moves, self.last.rules)

    def play(self, move: MoveCode | str) -> "Game":
        """Return the game with one more move, or the move of a name. Raises IllegalMove or BadNotation."""
        move = self.last.move_of(move)
        return Game((*self.moves, move), (*self.positions, self.last.play(move)))

    def playing(self, moves: Iterable[MoveCode]) -> "Game":
        """Return the game with more moves. Raises IllegalMove."""
        return reduce(Game.play, moves, self)

    def upto(self, ply: int) -> "Game":
        """Return the game's first `ply` moves."""
        return Game(self.moves[:ply], self.positions[: ply + 1])


@dataclass(frozen=True, slots=True)
class ParsedGame:
    """The game that a text begins with.

    `problem` is the error at which reading stopped, or None.
    """

    game: Game
    problem: NoughtsError | None

    def whole(self) -> Game:
        """Return the game. Raises the problem if there is one."""
        if self.problem is not None:
            raise self.problem
        return self.game


def parse_game(board: Rules | str, start: str | None, moves: str) -> Game:
    """Parse a game from a board, a start position (None for the empty board) and moves. Raises NoughtsError.

    >>> print(parse_game("3x3x3", "X../.../...", "b2").last)
    X..
    .O.
    ...
    """
    rules = as_rules(board)
    return read_game(Position(rules) if start is None else parse_position(start, rules), moves).whole()


def read_game(start: Position, text: str) -> ParsedGame:
    """Play the moves of a text from `start`, up to the first one that is illegal or unreadable."""
    game = Game.starting(start)
    try:
        for number, word in enumerate(split_moves(text, start.rules), start=1):
            try:
                game = game.play(word)
            except IllegalMove as error:
                raise IllegalMove(f"Move {number}, {_square(word, start.rules)}, is illegal. {error}") from None
    except (BadNotation, IllegalMove) as error:
        return ParsedGame(game, error)
    return ParsedGame(game, None)


def _square(word: str, rules: Rules) -> str:
    """Return a square as answers name it; a column as it is."""
    return word if rules.falls and word.isdigit() else format_cell(parse_cell(word, rules), rules)


def game_to(position: Position) -> Game:
    """Return the game without moves from a position or, where stones vanish, a game that leads to it.

    If O's stone is the oldest on the board, one of X's has left: the game begins with a square where it can have been.
    """
    if not position.ages:
        return Game.starting(position)
    start, ages = Position(position.rules), position.ages
    left = [()] if position.x >> ages[0] & 1 else [(cell,) for cell in (ages[-1], *cells_of(position.empty))]
    games = (read_game(start, format_moves((*first, *ages), position.rules)) for first in left)
    return next(parsed.game for parsed in games if parsed.problem is None)


class Counts(NamedTuple):
    """The numbers of games that a player wins, draws and loses."""

    won: int
    drawn: int
    lost: int

    @classmethod
    def of(cls, ends: Iterable[Result | None], mark: Mark) -> "Counts":
        """Count the ends of games for the player of a mark; a game that goes on counts nothing."""
        number = Counter(ends)
        return cls(number[Result(mark)], number[Result.DRAW], number[Result(mark.other)])

    @property
    def games(self) -> int:
        """The number of all games."""
        return sum(self)

    @property
    def share(self) -> float:
        """The player's share of the points: a win counts 1, a draw a half."""
        return (self.won + self.drawn / 2) / self.games


class Pattern(StrEnum):
    """The shape of O's stones on a drawn board of tic-tac-toe. The names are the Clojure article's."""

    ISLAND = "island"
    """X holds the centre."""
    ARROW = "arrow"
    """O holds the centre and one corner."""
    SCORPION = "scorpion"
    """O holds the centre and two corners."""


def pattern_of(position: Position) -> Pattern:
    """Return the pattern of a drawn board of tic-tac-toe. Raise BadOption for any other position."""
    rules = position.rules
    if rules != TIC_TAC_TOE or position.result is not Result.DRAW:
        raise BadOption(
            f"{format_position(position)} on {rules} is not a drawn board of 3x3x3, and only those have a pattern."
        )
    centre, corners = rules.cell(1, 1), bits_of((0, 2, 6, 8))
    if position.x >> centre & 1:
        return Pattern.ISLAND
    return Pattern.SCORPION if (position.o & corners).bit_count() == 2 else Pattern.ARROW


Points: TypeAlias = tuple[int, int]
"""The points of X and the points of O in a game."""

Scheme: TypeAlias = Mapping[Result | Pattern, Points]
"""The points for each end of tic-tac-toe: a win of X, a win of O, or a draw with one of the patterns."""

PATTERNS: Final[Scheme] = MappingProxyType(
    {
        Result.X: (3, 0),
        Result.O: (0, 5),
        Pattern.ISLAND: (0, 1),
        Pattern.ARROW: (0, 1),
        Pattern.SCORPION: (1, 0),
    }
)
"""The scheme at the end of the Clojure article's part 2."""


def points_of(position: Position, scheme: Scheme = PATTERNS) -> Points:
    """Return the points of a finished game. Raise BadOption for an unfinished game or a draw without a pattern."""
    result = position.result
    if result is None:
        raise BadOption(f"{format_position(position)} is not over, so it gives no points yet. Play it to its end.")
    return scheme[pattern_of(position) if result is Result.DRAW else result]
