"""Live games as immutable values, their referee as pure functions, and the errors of the referee and the store.

A seat belongs to the visitor who has its secret. The game stores only the secret's digest. A draw, a rematch and
colours each need the wish of both sides. A player who has lost the secret can claim the seat, and gets it back if the
other side confirms.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.game import Game
from solver.board.notation import format_moves, parse_rules, split_moves
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


class NewerGame(Exception):
    """A newer version of the server has stored this game, and this version cannot read it."""


class Full(Exception):
    """The store is full, and none of its games can be evicted."""


class Unreachable(Exception):
    """The database cannot be used now. A change under way may or may not have been made."""


class TooManyGames(Exception):
    """A network has made too many games. It can make more after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


MOST_MOVES: Final = 200
"""The most moves of a game; only where stones vanish could there be more."""


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
    """The point at which a form was filled in: the number of finished games, and of plies in the next one."""

    games: int
    ply: int

    def __str__(self) -> str:
        return f"{self.games}.{self.ply}"


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game as it is stored. A text is "" if there is nothing to store, e.g. for a free seat.

    `host` and `guest` are the names of the player who made the game and of the one who joined. `first` is the host's
    side in the first game of the series.
    `claim` is a side and the digest of the secret that claims its seat. `before` has the moves of the previous game of
    the series. `moved` is the time in seconds of the last move, of the last player's arrival, or of the start of a
    rematch. `version` grows with every change.
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
    host: str = ""
    guest: str = ""
    claim: str = ""
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
        """True if both players want to see the predicted outcomes of the squares."""
        return self.wishes[Matter.COLOURS] == BOTH

    @property
    def host_side(self) -> Mark:
        """The side that the host has now: the players change sides after each game."""
        return self.first.other if self.series.games % 2 else self.first

    @property
    def claimed(self) -> Mark | None:
        """The side whose seat is claimed."""
        return Mark(self.claim[0]) if self.claim else None

    def name_of(self, mark: Mark) -> str:
        """Return the name that a side's player has given; "" without one."""
        return self.host if mark is self.host_side else self.guest

    def seat(self, mark: Mark) -> str:
        """Return the digest of the secret that holds a side's seat; "" for a free seat."""
        return self.x_seat if mark is Mark.X else self.o_seat

    def side_of(self, secret: str) -> Mark | None:
        """Return the side whose seat has this secret; None for a spectator."""
        seat = digest(self.id, secret) if secret else ""
        return next((mark for mark in Mark if seat and self.seat(mark) == seat), None)

    def is_claimed_by(self, secret: str) -> bool:
        """Return whether this secret claims a seat."""
        return bool(secret and self.claim) and self.claim[1:] == digest(self.id, secret)


def digest(game: str, secret: str) -> str:
    """Return the digest of a seat's secret in a game. The same secret has different digests in two games."""
    return sha256(f"{game}/{secret}".encode()).hexdigest()[:40]


def read_at(text: str) -> At:
    """Parse the point at which a form was filled in. Raises BadOption."""
    games, _, ply = text.partition(".")
    if not (games.isascii() and games.isdigit() and ply.isascii() and ply.isdigit() and len(text) < 16):
        raise BadOption("That form belongs to another game. Open this page again.")
    return At(int(games), int(ply))


@lru_cache(maxsize=4096)
def game_of(board: str, moves: str) -> Game:
    """Return the game of stored moves. For speed, it adds the last move to a cached game."""
    rules = parse_rules(board)
    if not moves:
        return Game.starting(Position(rules))
    *_, last = split_moves(moves, rules)
    return game_of(board, moves[: -len(last)]).play(last)


def take_seat(live: LiveGame, secret: str, now: float, name: str = "") -> LiveGame:
    """Return the game with a seat for this secret; the same game if the secret has a seat already. Raises NotNow.

    `name` is the name of a guest.
    """
    if live.side_of(secret) is not None:
        return live
    if not live.free:
        raise NotNow("Two people play already, but you can watch.")
    return replace(_with_seat(live, live.free[0], digest(live.id, secret)), moved=now, guest=name)


def claim_seat(live: LiveGame, secret: str, mark: Mark) -> LiveGame:
    """Return the game in which this secret claims a side's seat. Raises NotNow."""
    if live.side_of(secret) is not None or live.is_claimed_by(secret):
        return live
    if live.free:
        raise NotNow("A seat is free, so you can join.")
    if live.claim:
        raise NotNow("Someone else is asking for a seat. Try again in a moment.")
    return replace(live, claim=f"{mark}{digest(live.id, secret)}")


def confirm_claim(live: LiveGame, secret: str, claim: str) -> LiveGame:
    """Return the game after the other side has confirmed the claim to a seat. Raises NotYours or NotNow.

    `claim` is the claim that the form showed. A repeated request changes nothing.
    """
    side, mark = _side(live, secret), live.claimed
    if mark is None or live.claim != claim:
        return live
    if side is mark:
        raise NotNow("Only your friend can confirm that.")
    return replace(_with_seat(live, mark, live.claim[1:]), claim="")


def reject_claim(live: LiveGame, secret: str, claim: str) -> LiveGame:
    """Return the game without this claim to a seat; either side can reject it. Raises NotYours."""
    _side(live, secret)
    return replace(live, claim="") if claim and live.claim == claim else live


def play_move(live: LiveGame, secret: str, at: At | None, cell: Cell, now: float) -> LiveGame:
    """Return the game after a move by the holder of this secret. `at` is the point at which the form was filled in.

    A move removes all offers of a draw. A repeated request changes nothing. Raises NotYours, NotNow or IllegalMove.
    """
    side, game = _side(live, secret), live.game
    if at is not None and at != live.at:
        if at.games == live.at.games and at.ply < len(game.moves):
            again = game.moves[at.ply] == cell and game.positions[at.ply].mover is side
            if again:
                return live
        raise NotNow("The game has gone on, so your move wasn't made. Here's where it stands.")
    if live.result is not None:
        raise NotNow("The game is over, so your move wasn't made.")
    if game.last.mover is not side:
        raise NotNow(f"It's {game.last.mover}'s turn, and you play {side}.")
    if len(game.moves) >= MOST_MOVES:
        raise NotNow(f"This game has gone on for {MOST_MOVES} moves. Agree on a draw, or resign.")
    after = game.play(game.last.landing(cell))
    return replace(live, game=after, wishes={**live.wishes, Matter.DRAW: NOBODY}, moved=now)


def resign(live: LiveGame, secret: str, at: At | None) -> LiveGame:
    """Return the game after this secret's holder resigns. A repeat changes nothing. Raises NotYours or NotNow."""
    side = _side(live, secret)
    ending = Ending.X_RESIGNED if side is Mark.X else Ending.O_RESIGNED
    another = _is_another_game(live, at)
    if live.ending is ending and not another:
        return live
    if another or live.result is not None:
        raise NotNow("That game is already over.")
    if live.free:
        raise NotNow("Your friend hasn't joined yet, so there's nothing to resign.")
    wishes = {**live.wishes, Matter.DRAW: NOBODY}
    return replace(live, ending=ending, wishes=wishes)


def make_wish(live: LiveGame, secret: str, at: At | None, matter: Matter, now: float) -> LiveGame:
    """Return the game after one side's wish. The wish comes true if the other side has it too.

    A repeated request changes nothing. A wish for a draw is refused if there was a move since the form was filled in,
    because that move may have declined an offer. Raises NotYours or NotNow.
    """
    side = _side(live, secret)
    if _is_another_game(live, at):
        if matter is Matter.AGAIN:
            return live  # the next game has begun, as wished
        raise NotNow("The next game has already begun.")
    over = live.result is not None
    if side in live.wishes[matter] or (matter is Matter.DRAW and live.ending is Ending.AGREED):
        return live
    if matter is Matter.DRAW:
        if over or live.free:
            raise NotNow("The game is over." if over else "Your friend hasn't joined yet.")
        if at is not None and at != live.at:
            raise NotNow("The game has gone on, so there's no draw. Here's where it stands.")
    if matter is Matter.AGAIN and not over:
        raise NotNow("Finish this game first.")
    sides = live.wishes[matter] | {side}
    asked = replace(live, wishes={**live.wishes, matter: sides})
    if sides != BOTH or matter is Matter.COLOURS:
        return asked
    if matter is Matter.DRAW:
        return replace(asked, ending=Ending.AGREED, wishes={**asked.wishes, Matter.DRAW: NOBODY})
    return _with_sides_changed(asked, now)


def decline_wish(live: LiveGame, secret: str, at: At | None, matter: Matter) -> LiveGame:
    """Drop both sides' wishes in a matter, after one side has declined or withdrawn. Raises NotYours."""
    _side(live, secret)
    if _is_another_game(live, at) or not live.wishes[matter]:
        return live
    return replace(live, wishes={**live.wishes, matter: NOBODY})


def _side(live: LiveGame, secret: str) -> Mark:
    side = live.side_of(secret)
    if side is None:
        raise NotYours("You're watching: only the two players can do that.")
    return side


def _with_seat(live: LiveGame, mark: Mark, seat: str) -> LiveGame:
    """Return the game in which a side's seat has this digest."""
    return replace(live, x_seat=seat) if mark is Mark.X else replace(live, o_seat=seat)


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
        claim=live.claim and f"{Mark(live.claim[0]).other}{live.claim[1:]}",
    )
