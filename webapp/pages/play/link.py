"""The link that holds a whole game: a frozen `Link`, read from an address and written back.

A link also holds the score of a series. The score counts games won, or points that also reward patterns of drawn
boards.
"""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from solver.board.game import Game, points_of, read_game
from solver.board.notation import (
    format_cell,
    format_moves,
    format_position,
    nearest_rules,
    parse_position,
    parse_rules,
    quoted,
)
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell, MoveCode, Rules
from solver.errors import BadOption, BadRules, NoughtsError
from webapp.pages.play import players
from webapp.ui.address import (
    SEEDED,
    SWITCH,
    Part,
    PartKind,
    Problems,
    among,
    chosen,
    read_parts,
    texts_of,
    usual_of,
    with_plain_query,
)

MAX_SCORE: Final = 999_999
"""The greatest number in a score."""

_SCORE = re.compile(r"(\d{1,6})-(\d{1,6})-(\d{1,6})", re.ASCII)


class Series(NamedTuple):
    """The score of the games before this one: won by X's player, won by O's player, and drawn.

    If the scheme pays points, `x` and `o` count points instead of games. The sum of all three still grows with
    every game.
    """

    x: int = 0
    o: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.x + self.o + self.draws

    def plus(self, x: int, o: int, draws: int) -> "Series":
        """Return the series with the results of one more game."""
        return Series(*(min(each, MAX_SCORE) for each in (self.x + x, self.o + o, self.draws + draws)))

    def __str__(self) -> str:
        return f"{self.x}-{self.o}-{self.draws}"


NO_SERIES: Final = Series()
"""A series that begins with this game."""


def read_series(text: str | None) -> Series:
    """Read a score such as `2-1-0`; an empty text is a new series. Raises BadOption."""
    if not text:
        return NO_SERIES
    if match := _SCORE.fullmatch(text):
        x, o, draws = (int(number) for number in match.groups())
        return Series(x, o, draws)
    raise BadOption(f"score={quoted(text)} is not three numbers such as 2-1-0: won by X, won by O, drawn.")


GAMES: Final = "games"
PATTERN_SCHEME: Final = "patterns"
SCHEMES: Final = MappingProxyType({GAMES: "Games won", PATTERN_SCHEME: "Points for patterns"})
"""The titles of the scoring schemes by their names in links. The first is the default."""


def pays_patterns(rules: Rules) -> bool:
    """Return whether drawn boards have patterns that pay points. Only 3×3 has them."""
    return rules == TIC_TAC_TOE


def gained(last: Position, scheme: str) -> tuple[int, int, int]:
    """Return the points that a game adds for X, for O and for draws. `last` is the game's last position."""
    if last.result is None:
        return 0, 0, 0
    x, o = points_of(last) if scheme == PATTERN_SCHEME else (int(last.result is Result.X), int(last.result is Result.O))
    return x, o, int(last.result is Result.DRAW)


PLAY: Final = "/play"
"""The path of the pages of games."""

GUEST: Final = "guest"
"""The value of the part `as` in links that are handed on."""

LIVE: Final = "/live?board="
"""The address of the invitation to a game on two screens, without the board."""

SHARE: Final = "/share"
"""The path of the pages that share a game."""

SHOWS: Final = ("off", "coach", "colours", "distance")
"""The ways to show predictions; the last is the default.

`off` shows nothing, `coach` warns before a mistake, `colours` shows outcomes, and `distance` also shows numbers of
moves.
"""

BEGINS: Final = ("alternate", "loser", "same")
"""The rules for who has X in the next game: take turns (the default), the loser, or the same player again."""

SPEEDS: Final = {"slow": 1600, "normal": 700, "fast": 200}
"""Milliseconds between the moves of a game between computers."""

MOST_MOVES: Final = 100
"""The moves of a game without end that a link holds: twice as many as stand on any board, and an even number.

As it is full, the game forgets the first half."""

MAX_LENGTH: Final = 1000
"""The maximum length of a link's board and query. Every possible game fits."""


class Link(NamedTuple):
    """A game as a link holds it: the moves, the number `at` of moves shown, the players and the settings of the page.

    `prove` lets the server prove squares in the background. `line` is the square whose best play is shown, and `step`
    is the number of moves shown of it. `begins` says who has X in the next game. `tell` asks for notes on mistakes.
    `tried` is the square that the coach asks about, or the answer in a review. `review` tells the game move by move; a
    square is then judged instead of played. `chances` shows each square's chance of beating the opponent. `guest` is
    true for a visitor who has not played this game; the page then speaks of X and O. `place` is the mark that a press
    places, where either can be chosen. `dare` is the number of moves in which a friend beat the opponent, 0 if the
    friend held it.
    """

    game: Game
    at: int
    x: str = players.DEFAULT_X
    o: str = players.DEFAULT_O
    show: str = SHOWS[-1]
    seed: str | None = None
    series: Series = NO_SERIES
    scheme: str = GAMES
    speed: str = "normal"
    paused: bool = False
    hint: bool = False
    prove: bool = True
    line: MoveCode | None = None
    step: int | None = None
    begins: str = BEGINS[0]
    tell: bool = True
    chances: bool = False
    guest: bool = False
    tried: MoveCode | None = None
    review: bool = False
    place: Mark = Mark.X
    dare: int | None = None

    @classmethod
    def starting(cls, rules: Rules) -> "Link":
        """Return a new game on this board with the default players."""
        return cls(Game.starting(Position(rules)), 0)

    @property
    def rules(self) -> Rules:
        """The board."""
        return self.game.positions[0].rules

    @property
    def position(self) -> Position:
        """The position shown."""
        return self.game.positions[self.at]

    @property
    def score(self) -> Series:
        """The series, including this game if it is finished, even while an earlier position is shown."""
        return self.series.plus(*gained(self.game.last, self.scheme))

    @property
    def shows_outcomes(self) -> bool:
        """True if the squares show their outcomes."""
        return self.show in ("colours", "distance") and not self.review

    def player(self, mark: Mark) -> str:
        """Return the name of the player of a mark."""
        return self.x if mark is Mark.X else self.o

    def move_to(self, cell: Cell) -> MoveCode:
        """Return the move that a press on a cell means; a move stays as it is."""
        return self.rules.with_mark(cell, self.place is Mark.O)

    def having(self, **changes: Any) -> "Link":
        """Return the link with some fields changed."""
        return self._replace(**changes)

    def leaving(self, **changes: Any) -> "Link":
        """Return the link with some fields changed, and with the fields of the shown position reset."""
        return self._replace(**(_RESET | changes))

    def playing(self, move: MoveCode) -> "Link":
        """Return the link after a move in the position shown. Drop the moves that followed. Raises IllegalMove.

        A game that need not end forgets its first moves once it is long: stones that have vanished matter no more.
        """
        before = self.game.upto(self.at)
        game = before.play(before.last.landing(move))
        if self.rules.vanishes and len(game.moves) >= MOST_MOVES:
            game = Game.starting(Position(self.rules)).playing(game.moves[MOST_MOVES // 2 :])
        return self.leaving(game=game, at=len(game.moves), review=False, guest=False)

    def showing(self, at: int) -> "Link":
        """Return the same game, shown after its first `at` moves."""
        return self.leaving(at=at)

    def restarted(self) -> "Link":
        """Return a new game between the same players from the same start position.

        After a finished game, `begins` decides who has X. If the loser should begin, the players keep their sides after
        a draw. They also keep their sides if this game is unfinished.
        """
        result = self.game.last.result
        changes = result is not None and (self.begins == "alternate" or (self.begins == "loser" and result is Result.X))
        return self._anew()._with_sides_changed() if changes else self._anew()

    def swapped(self) -> "Link":
        """Swap the players' sides and scores. If this game is finished, begin a new one."""
        return (self._anew() if self.game.last.result else self)._with_sides_changed()

    def seating(self, x: str, o: str) -> "Link":
        """Seat these players. New players start a new series, and a new game if this one is finished."""
        if (x, o) == (self.x, self.o):
            return self
        if (x, o) == (self.o, self.x):
            return self.swapped()
        base = self._anew() if self.game.last.result else self
        return base.having(x=x, o=o, series=NO_SERIES, hint=False, tried=None, dare=None)

    def _anew(self) -> "Link":
        start = Game.starting(self.game.positions[0])
        return self.leaving(game=start, at=0, series=self.score, paused=False, review=False, guest=False)

    def _with_sides_changed(self) -> "Link":
        series = Series(self.series.o, self.series.x, self.series.draws)
        return self.having(x=self.o, o=self.x, series=series, hint=False, tried=None)

    def parts(self) -> dict[str, str]:
        """Return the parts of the query, in the order of `PARTS`, without defaults."""
        return texts_of(PARTS, self)

    def settings(self) -> dict[str, str]:
        """Return the parts that do not belong to the game. The players are always among them, even the defaults."""
        bare = self.leaving(game=Game.starting(Position(self.rules)), at=0, review=False)
        return {"x": self.x, "o": self.o} | bare.parts()

    def form_text(self) -> str:
        """Return the game as a form field: its address without the path and without the group `OF_POSITION`."""
        return self.leaving().url().removeprefix(f"{PLAY}/")

    def review_url(self) -> str:
        """Return the address of the review, which opens where the game turned."""
        return with_plain_query(f"{PLAY}/{self.rules}", self.showing(len(self.game.moves)).parts() | {"review": "1"})

    def url(self, place: str = PLAY, file: str = "") -> str:
        """Return the address of the game under the path `place`. `file` is a picture's file ending, such as ".png"."""
        return with_plain_query(f"{place}/{self.rules}{file}", self.parts())


OF_GAME: Final = "game"
"""The group of parts that belong to one game. A change of the board drops them."""

OF_POSITION: Final = "position"
"""The group of parts that belong to the position shown. The next move drops them."""

_BOTH: Final = (OF_GAME, OF_POSITION)


def _start(link: Link, text: str, problems: Problems) -> Link:
    """Read the position to start from."""
    try:
        return link.having(game=Game.starting(parse_position(text, link.rules)))
    except NoughtsError as error:
        problems.append(error)
        return link


def _moves(link: Link, text: str, problems: Problems) -> Link:
    """Read the moves up to the first bad one. Read no moves if the board or the start is bad."""
    if problems:
        return link
    read = read_game(link.game.positions[0], text)
    if read.problem:
        problems.append(read.problem)
    return link.having(game=read.game, at=len(read.game.moves))


def _at(link: Link, text: str, problems: Problems) -> Link:
    """Read how many of the moves are shown."""
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= len(link.game.moves):
        return link.having(at=int(text))
    if not problems:  # a bad move that was dropped can make `at` too large; it is reported already
        problems.append(BadOption(f"at={quoted(text)} isn't a number of moves from 0 to {len(link.game.moves)}."))
    return link


def _of_game(
    name: str, read: Callable[[Link, str, Problems], Link], write: Callable[[Any, Link], str], field: str = "game"
) -> Part[Link]:
    """Make a part of the game itself. Its `default` is unlike any value, so only an empty text leaves it out."""
    return Part(name, read, write, field, Link._fields.index(field), object(), (OF_GAME,))


def _player(_: str, text: str, link: Link) -> str:
    return players.checked(text, link.rules)


def _scheme(name: str, text: str, link: Link) -> str:
    scheme = chosen(name, text, SCHEMES)
    if scheme == PATTERN_SCHEME and not pays_patterns(link.rules):
        raise BadOption(f"scheme={PATTERN_SCHEME} pays for the patterns of drawn 3x3x3 boards; {link.rules} has none.")
    return scheme


def _open_cell(name: str, text: str, link: Link) -> MoveCode:
    cell = link.position.landing(link.move_to(link.position.move_of(text)))
    if cell in link.position.legal_moves:
        return cell
    raise BadOption(f"{name}={quoted(text)} is no open square, so it cannot be played here.")


_OPEN_CELL: Final = PartKind(_open_cell, lambda cell, link: format_cell(cell, link.rules))


def _guest(name: str, text: str, _: Link) -> bool:
    return chosen(name, text, ("", GUEST)) == GUEST


def _dare(_: str, text: str, link: Link) -> int | None:
    """Read a friend's number of moves. Ignore what cannot be one: the rest of the link is worth more."""
    most = MOST_MOVES if link.rules.vanishes else (link.rules.size + 1) // 2
    return int(text) if re.fullmatch(r"\d{1,2}", text, re.ASCII) and int(text) <= most else None


def _step(_: str, text: str, link: Link) -> int | None:
    if link.line is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    raise BadOption(f"step={quoted(text)} isn't a number of moves of a line.")


_REVIEW: Final = PartKind(lambda *part: SWITCH.read(*part) and len(part[2].game.moves) > 0, SWITCH.write)
_LEARN: Final = PartKind(lambda *part: _REVIEW.read(*part) or part[2].review, lambda *_: "")
"""The kinds of the parts that switch on the review of a game with moves. The second, an old name, is never written."""

_part = partial(Part[Link].of, Link)

PARTS: Final = (
    _of_game("from", _start, lambda game, _: format_position(game.positions[0]) if game.positions[0].is_begun else ""),
    _of_game("moves", _moves, lambda game, link: format_moves(game.moves, link.rules)),
    _of_game("at", _at, lambda at, link: str(at) if link.review or at != len(link.game.moves) else "", "at"),
    _part("x", PartKind(_player)),
    _part("o", PartKind(_player)),
    _part("show", among(SHOWS)),
    _part("seed", SEEDED),
    _part("score", PartKind(lambda _, text, __: read_series(text)), field="series"),
    _part("scheme", PartKind(_scheme), belongs=(OF_GAME,)),
    _part("speed", among(SPEEDS)),
    _part("pause", SWITCH, field="paused"),
    _part("place", PartKind(among(Mark).read, lambda mark, link: str(mark) if link.rules.is_wild else "")),
    _part("hint", SWITCH, belongs=(OF_POSITION,)),
    _part("prove", SWITCH),
    _part("line", _OPEN_CELL, belongs=_BOTH),
    _part("step", PartKind(_step), belongs=_BOTH),
    _part("begins", among(BEGINS)),
    _part("tell", SWITCH),
    _part("chances", SWITCH),
    _part("as", PartKind(_guest, lambda is_guest, _: GUEST if is_guest else ""), field="guest"),
    _part("review", _REVIEW, belongs=(OF_GAME,)),
    _part("learn", _LEARN, field="review", belongs=(OF_GAME,)),
    _part("tried", _OPEN_CELL, belongs=_BOTH),
    _part("dare", PartKind(_dare), belongs=(OF_GAME,)),
)
"""All parts, in the order of links. Reading a part may need the parts before it.

`webapp/README.md` says what they mean.
"""

_RESET: Final = usual_of(PARTS, OF_POSITION)
"""The fields that are reset when another position is shown, with their defaults."""


class ReadLink(NamedTuple):
    """The nearest sensible game to a link, and the mistakes in the link."""

    link: Link
    problems: tuple[NoughtsError, ...]


def read_link(board: str, query: str) -> ReadLink:
    """Parse a link, its board and its query, part by part.

    A bad part is replaced by its default and reported; unknown parts are ignored.
    """
    if len(board) + len(query) > MAX_LENGTH:
        problem = BadOption(f"That link is too long: no game's needs more than {MAX_LENGTH} characters.")
        return ReadLink(Link.starting(nearest_rules(board)), (problem,))
    return _read(board, query)


@lru_cache(maxsize=512)
def _read(board: str, query: str) -> ReadLink:
    problems: Problems = []
    try:
        rules = parse_rules(board)
    except BadRules as error:
        problems.append(error)
        rules = nearest_rules(board)
    link = read_parts(PARTS, Link.starting(rules), dict(reversed(parse_qsl(query))), problems)
    return ReadLink(link, tuple(problems))
