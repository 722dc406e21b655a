"""A live game and its referee: what each side may do when, as pure functions of immutable values.

A seat belongs to the holder of its secret; the game has only the secret's digest. What two people have to agree on
(a draw, another game, to see the colours) is the set of sides that wish it: with both in it, they agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.game import Game
from solver.board.notation import format_moves, parse_cell, parse_rules, split_moves
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import BadOption, NoughtsError
from webapp.pages.play.series import NONE as NO_SERIES
from webapp.pages.play.series import Series

LIFETIME: Final = 24 * 3600.0
"""Seconds after its last move for which a game is kept."""

Marks: TypeAlias = frozenset[Mark]

NOBODY: Final[Marks] = frozenset()
BOTH: Final[Marks] = frozenset(Mark)


class NotYours(NoughtsError):
    """Somebody who has no seat, or the other one, wanted to do what belongs to a seat."""

    code = "not_your_seat"


class NotNow(NoughtsError):
    """What was wanted does not fit the state of the game: it is the other's turn, or the game has gone on meanwhile."""

    code = "not_now"


class Ending(StrEnum):
    """How a game ended that the board did not end."""

    NONE = ""
    X_RESIGNED = "X"
    O_RESIGNED = "O"
    AGREED = "draw"


class Matter(StrEnum):
    """What both have to wish before it is so."""

    DRAW = "draw"
    AGAIN = "again"
    COLOURS = "colours"


NO_WISHES: Final[Mapping[Matter, Marks]] = MappingProxyType(dict.fromkeys(Matter, NOBODY))


@dataclass(frozen=True, slots=True)
class At:
    """Where a form was filled in: after how many finished games of the series, and after how many moves of this one."""

    games: int
    ply: int

    def __str__(self) -> str:
        return f"{self.games}.{self.ply}"


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game as it is kept. `first` is the side of the first to sit down; a seat is a digest, "" while it is free.

    `before` are the moves of the game before this one in the series, "" without one. `moved` is when somebody last
    moved, sat down or began the game anew, in seconds of the clock. `version` grows with every change.
    """

    id: str
    game: Game
    first: Mark
    moved: float
    x_seat: str = ""
    o_seat: str = ""
    ending: Ending = Ending.NONE
    series: Series = NO_SERIES
    wishes: Mapping[Matter, Marks] = field(default_factory=lambda: NO_WISHES)
    before: str = ""
    version: int = 0

    @property
    def rules(self) -> Rules:
        """The board."""
        return self.game.last.rules

    @property
    def moves(self) -> str:
        """The moves, as links have them."""
        return format_moves(self.game.moves, self.rules)

    @property
    def at(self) -> At:
        """Where the game stands."""
        return At(self.series.games, len(self.game.moves))

    @property
    def result(self) -> Result | None:
        """How it ended, on the board or before; None while it is on."""
        match self.ending:
            case Ending.X_RESIGNED:
                return Result.O
            case Ending.O_RESIGNED:
                return Result.X
            case Ending.AGREED:
                return Result.DRAW
            case Ending.NONE:
                return self.game.last.result

    @property
    def score(self) -> Series:
        """The series with this game in it, if it is over."""
        result = self.result
        if result is None:
            return self.series
        return self.series.plus(int(result is Result.X), int(result is Result.O), int(result is Result.DRAW))

    @property
    def free(self) -> tuple[Mark, ...]:
        """The sides whose seats are free, the one that is taken first in front."""
        return tuple(mark for mark in (self.first, self.first.other) if not self.seat(mark))

    @property
    def shows_colours(self) -> bool:
        """Whether both want to see what perfect play makes of the squares."""
        return self.wishes[Matter.COLOURS] == BOTH

    def seat(self, mark: Mark) -> str:
        """The digest of the secret of a side's seat, "" while it is free."""
        return self.x_seat if mark is Mark.X else self.o_seat

    def side_of(self, secret: str) -> Mark | None:
        """The side that this secret is of; None for those that only watch."""
        seat = digest(self.id, secret) if secret else ""
        return next((mark for mark in Mark if seat and self.seat(mark) == seat), None)


def digest(game: str, secret: str) -> str:
    """What is kept of the secret of a seat in a game; in two games one secret is two seats."""
    return sha256(f"{game}/{secret}".encode()).hexdigest()[:40]


def read_at(text: str) -> At:
    """Where a form says it was filled in. Raises BadOption."""
    games, _, ply = text.partition(".")
    if not (games.isascii() and games.isdigit() and ply.isascii() and ply.isdigit() and len(text) < 16):
        raise BadOption("That form does not belong to this game. Open its page again.")
    return At(int(games), int(ply))


@lru_cache(maxsize=4096)
def game_of(board: str, moves: str) -> Game:
    """The game of moves that were once checked; the one before the last move is remembered too."""
    rules = parse_rules(board)
    if not moves:
        return Game.starting(Position(rules))
    *_, last = split_moves(moves, rules)
    return game_of(board, moves[: -len(last)]).play(parse_cell(last, rules))


def seated(live: LiveGame, secret: str, now: float) -> LiveGame:
    """The game with a seat for this secret, which keeps the one that it may have. Raises NotNow."""
    if live.side_of(secret) is not None:
        return live
    if not live.free:
        raise NotNow("Both seats are taken. You can watch.")
    seat = {"x_seat" if live.free[0] is Mark.X else "o_seat": digest(live.id, secret)}
    return replace(live, moved=now, **seat)  # type: ignore[arg-type]


def played(live: LiveGame, secret: str, at: At | None, cell: Cell, now: float) -> LiveGame:
    """The game after a move under this secret, made where the form says that the game stood.

    Who moves declines the draw that the other offers, and may have offered one before.
    The same move sent again, because its answer was lost, changes nothing. Raises NotYours, NotNow or IllegalMove.
    """
    side, game = _side(live, secret), live.game
    if at is not None and at != live.at:
        if at.games == live.at.games and at.ply < len(game.moves):
            again = game.moves[at.ply] == cell and game.positions[at.ply].mover is side
            if again:
                return live
        raise NotNow("The game has gone on meanwhile: here is how it stands. Your move was not made.")
    if live.result is not None:
        raise NotNow("The game is over. Your move was not made.")
    if game.last.mover is not side:
        raise NotNow(f"It is not your turn: {game.last.mover} is to move, and you are {side}.")
    after = game.play(cell)
    offers = live.wishes[Matter.DRAW] - {side.other} if after.last.result is None else NOBODY
    return replace(live, game=after, wishes={**live.wishes, Matter.DRAW: offers}, moved=now)


def resigned(live: LiveGame, secret: str, at: At | None) -> LiveGame:
    """The game given up under this secret; sent again, that changes nothing. Raises NotYours or NotNow."""
    side = _side(live, secret)
    ending = Ending.X_RESIGNED if side is Mark.X else Ending.O_RESIGNED
    another = _is_another_game(live, at)
    if live.ending is ending and not another:
        return live
    if another or live.result is not None:
        raise NotNow("That game is over already.")
    if live.free:
        raise NotNow("Nobody plays against you yet, so there is nothing to resign.")
    wishes = {**live.wishes, Matter.DRAW: NOBODY}
    return replace(live, ending=ending, wishes=wishes)


def wished(live: LiveGame, secret: str, at: At | None, matter: Matter, now: float) -> LiveGame:
    """The game after one side has said that it wishes something; if the other does too, it is so.

    What is said again, because the answer was lost, changes nothing. A draw is wished of the position that the form was
    filled in for: the other's offer may have been declined by a move since. Raises NotYours or NotNow.
    """
    side = _side(live, secret)
    if _is_another_game(live, at):
        if matter is Matter.AGAIN:
            return live  # the next game has begun: that is what was wished
        raise NotNow("Another game has begun meanwhile.")
    over = live.result is not None
    if side in live.wishes[matter] or (matter is Matter.DRAW and live.ending is Ending.AGREED):
        return live
    if matter is Matter.DRAW:
        if over or live.free:
            raise NotNow("The game is over." if over else "Nobody plays against you yet.")
        if at is not None and at != live.at:
            raise NotNow("The game has gone on meanwhile: here is how it stands. No draw was offered or agreed on.")
    if matter is Matter.AGAIN and not over:
        raise NotNow("This game is not over yet.")
    sides = live.wishes[matter] | {side}
    asked = replace(live, wishes={**live.wishes, matter: sides})
    if sides != BOTH or matter is Matter.COLOURS:
        return asked
    if matter is Matter.DRAW:
        return replace(asked, ending=Ending.AGREED, wishes={**asked.wishes, Matter.DRAW: NOBODY})
    return _with_sides_changed(asked, now)


def declined(live: LiveGame, secret: str, at: At | None, matter: Matter) -> LiveGame:
    """The game after one side does not wish something, or no longer: nobody's wish for it stands. Raises NotYours."""
    _side(live, secret)
    if _is_another_game(live, at) or not live.wishes[matter]:
        return live
    return replace(live, wishes={**live.wishes, matter: NOBODY})


def _side(live: LiveGame, secret: str) -> Mark:
    side = live.side_of(secret)
    if side is None:
        raise NotYours("You watch this game: only the two who sat down here play.")
    return side


def _is_another_game(live: LiveGame, at: At | None) -> bool:
    return at is not None and at.games != live.at.games


def _with_sides_changed(live: LiveGame, now: float) -> LiveGame:
    """The next game of the series: the player that had O begins."""
    score = live.score
    return replace(
        live,
        game=live.game.upto(0),
        moved=now,
        x_seat=live.o_seat,
        o_seat=live.x_seat,
        ending=Ending.NONE,
        series=Series(score.o, score.x, score.draws),
        wishes={**NO_WISHES, Matter.COLOURS: frozenset(mark.other for mark in live.wishes[Matter.COLOURS])},
        before=live.moves,
    )
