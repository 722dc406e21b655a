"""Live games, their referee as pure functions of immutable values, and the errors of referee and store.

A seat belongs to the holder of its secret; the game has only the secret's digest. A draw, a rematch or colours need the
wish of both sides.
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
from webapp.pages.play.link import NO_SERIES, Series

LIFETIME: Final = 24 * 3600.0
"""Seconds for which a game is kept after its last move."""

Marks: TypeAlias = frozenset[Mark]

NOBODY: Final[Marks] = frozenset()
BOTH: Final[Marks] = frozenset(Mark)


class NotYours(NoughtsError):
    """The visitor has no seat, so the request is refused."""

    code = "not_your_seat"


class NotNow(NoughtsError):
    """The request does not fit the state of the game: it is the other's turn, or the game has gone on meanwhile."""

    code = "not_now"


class NoGame(Exception):
    """No game has this name."""


class Full(Exception):
    """The store has as many games as it may, and none of them can be evicted."""


class Unreachable(Exception):
    """The database cannot be used now. A change under way may or may not have been made."""


class TooManyGames(Exception):
    """A network has made as many games as it may; it may make more after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Ending(StrEnum):
    """The end of a game by resignation or agreement; NONE for other games."""

    NONE = ""
    X_RESIGNED = "X"
    O_RESIGNED = "O"
    AGREED = "draw"


_RESULTS: Final = {Ending.X_RESIGNED: Result.O, Ending.O_RESIGNED: Result.X, Ending.AGREED: Result.DRAW}


class Matter(StrEnum):
    """Something that happens once both players wish for it."""

    DRAW = "draw"
    AGAIN = "again"
    COLOURS = "colours"


NO_WISHES: Final[Mapping[Matter, Marks]] = MappingProxyType(dict.fromkeys(Matter, NOBODY))


@dataclass(frozen=True, slots=True)
class At:
    """The point at which a form was filled in: finished games of the series, and plies of this game."""

    games: int
    ply: int

    def __str__(self) -> str:
        return f"{self.games}.{self.ply}"


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game as it is stored. `first` is the side of the first player to sit down; a free seat is "".

    `before` has the moves of the previous game of the series, "" without one. `moved` is the time in seconds at which
    somebody last moved, sat down or began the game anew. `version` grows with every change.
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
        """The moves as in links."""
        return format_moves(self.game.moves, self.rules)

    @property
    def at(self) -> At:
        """The present point of the game."""
        return At(self.series.games, len(self.game.moves))

    @property
    def result(self) -> Result | None:
        """The result, on the board or by agreement or resignation; None while the game is on."""
        return _RESULTS[self.ending] if self.ending else self.game.last.result

    @property
    def score(self) -> Series:
        """The score of the series, with this game if it is over."""
        result = self.result
        if result is None:
            return self.series
        return self.series.plus(int(result is Result.X), int(result is Result.O), int(result is Result.DRAW))

    @property
    def free(self) -> tuple[Mark, ...]:
        """The sides with a free seat; the next to be taken comes first."""
        return tuple(mark for mark in (self.first, self.first.other) if not self.seat(mark))

    @property
    def shows_colours(self) -> bool:
        """True if both want to see the predicted outcomes of the squares."""
        return self.wishes[Matter.COLOURS] == BOTH

    def seat(self, mark: Mark) -> str:
        """Return the digest of the secret of a side's seat, "" while it is free."""
        return self.x_seat if mark is Mark.X else self.o_seat

    def side_of(self, secret: str) -> Mark | None:
        """Return the side whose seat has this secret; None for a spectator."""
        seat = digest(self.id, secret) if secret else ""
        return next((mark for mark in Mark if seat and self.seat(mark) == seat), None)


def digest(game: str, secret: str) -> str:
    """Return the digest of a seat's secret in a game. The same secret has different digests in two games."""
    return sha256(f"{game}/{secret}".encode()).hexdigest()[:40]


def read_at(text: str) -> At:
    """Parse the point at which a form was filled in. Raises BadOption."""
    games, _, ply = text.partition(".")
    if not (games.isascii() and games.isdigit() and ply.isascii() and ply.isdigit() and len(text) < 16):
        raise BadOption("That form does not belong to this game. Open its page again.")
    return At(int(games), int(ply))


@lru_cache(maxsize=4096)
def game_of(board: str, moves: str) -> Game:
    """Return the game of stored moves. It continues the cached game without the last move."""
    rules = parse_rules(board)
    if not moves:
        return Game.starting(Position(rules))
    *_, last = split_moves(moves, rules)
    return game_of(board, moves[: -len(last)]).play(parse_cell(last, rules))


def seated(live: LiveGame, secret: str, now: float) -> LiveGame:
    """Return the game with a seat for this secret; the same game if the secret has one. Raises NotNow."""
    if live.side_of(secret) is not None:
        return live
    if not live.free:
        raise NotNow("Both seats are taken. You can watch.")
    seat = {"x_seat" if live.free[0] is Mark.X else "o_seat": digest(live.id, secret)}
    return replace(live, moved=now, **seat)  # type: ignore[arg-type]


def played(live: LiveGame, secret: str, at: At | None, cell: Cell, now: float) -> LiveGame:
    """Return the game after a move under this secret, made at the point in the form.

    A move declines the other side's offer of a draw, and keeps the mover's own. The same move sent again, because its
    answer was lost, changes nothing. Raises NotYours, NotNow or IllegalMove.
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
    """Return the game resigned under this secret. A repeated request changes nothing. Raises NotYours or NotNow."""
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
    """Return the game after one side's wish, which is fulfilled if the other side has it too.

    A wish sent again, because its answer was lost, changes nothing. A wish for a draw holds only at the point in the
    form: a move since may have declined the other side's offer. Raises NotYours or NotNow.
    """
    side = _side(live, secret)
    if _is_another_game(live, at):
        if matter is Matter.AGAIN:
            return live  # the next game has begun, as wished
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
    """Drop both sides' wishes in a matter, because one side declines or takes its own back. Raises NotYours."""
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
    """Return the next game of the series, in which the players have changed sides."""
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
