"""The link is the game: text of a link ⇄ a frozen Link. Nothing else about a game is kept anywhere."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from solver.board.game import Game, read_game
from solver.board.notation import (
    format_cell,
    format_moves,
    format_position,
    nearest_rules,
    parse_cell,
    parse_position,
    parse_rules,
    quoted,
)
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.errors import BadOption, BadRules, NoughtsError
from webapp.play import players, schemes
from webapp.play.series import NONE as NO_SERIES
from webapp.play.series import Series, read_series

DEFAULT_BOARD: Final = "3x3x3"
SHOWS: Final = ("off", "colours", "distance")
"""How much of the predictions a page shows; the last is the default."""

SPEEDS: Final = {"slow": 1600, "normal": 700, "fast": 200}
"""Milliseconds between the moves of a game between computers."""

MAX_LENGTH: Final = 1000
"""Characters of a link's board and query; the longest game on the largest board needs fewer."""

_SEED = re.compile(r"[\w.-]{1,32}", re.ASCII)


class Link(NamedTuple):
    """A game as a link holds it: the moves, how many of them are shown, the players and the view's settings.

    `prove` says that squares may be proved in the background; `line` is the square whose best play is shown, up to its
    first `step` moves.
    """

    game: Game
    at: int
    x: str = players.DEFAULT_X
    o: str = players.DEFAULT_O
    show: str = SHOWS[-1]
    seed: str | None = None
    series: Series = NO_SERIES
    scheme: str = schemes.GAMES
    speed: str = "normal"
    paused: bool = False
    hint: bool = False
    prove: bool = True
    line: Cell | None = None
    step: int | None = None

    @classmethod
    def starting(cls, rules: Rules) -> "Link":
        """A new game on this board with the default players."""
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
        """The series with this game in it, if its moves end it, even while an earlier position is shown."""
        return self.series.plus(*schemes.gained(self.game.last, self.scheme))

    def player(self, mark: Mark) -> str:
        """The name of the player of a mark."""
        return self.x if mark is Mark.X else self.o

    def having(self, **changes: Any) -> "Link":
        """The link with some fields changed."""
        return self._replace(**changes)

    def leaving(self, **changes: Any) -> "Link":
        """The link with some fields changed, of another position: without what is shown of this one alone."""
        return self._replace(**(_OF_ONE_POSITION | changes))

    def playing(self, cell: Cell) -> "Link":
        """The link after a move in the position shown; moves taken back before are gone. Raises IllegalMove."""
        game = self.game.upto(self.at).play(cell)
        return self.leaving(game=game, at=len(game.moves))

    def showing(self, at: int) -> "Link":
        """The same game shown after its first `at` moves."""
        return self.leaving(at=at)

    def restarted(self) -> "Link":
        """A new game on the same board between the same players, a finished one counted in the series."""
        return self.leaving(game=Game.starting(Position(self.rules)), at=0, series=self.score, paused=False)

    def swapped(self) -> "Link":
        """The players on each other's side, the score with them; after a finished game, in a new one."""
        base = self.restarted() if self.game.last.result else self
        series = Series(base.series.o, base.series.x, base.series.draws)
        return base.having(x=base.o, o=base.x, series=series, hint=False)

    def parts(self) -> dict[str, str]:
        """What follows the board in the link, by name, in the order of `PARTS`; what is as usual is left out."""
        return {part.name: text for part in PARTS if (text := part.write(self))}

    def url(self) -> str:
        """The link's text, path and query."""
        query = "&".join([f"{part.name}={text}" for part in PARTS if (text := part.write(self))])
        return f"/play/{self.rules}" + (f"?{query}" if query else "")


Problems: TypeAlias = list[NoughtsError]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a link behind the question mark.

    `meaning` and `usual` are what people read of it. `read` gives the link with the part's text read into it, or adds
    to the problems and gives the link as it was. `write` gives the text, nothing where it is as usual.
    """

    name: str
    meaning: str
    usual: str
    read: Callable[[Link, str, Problems], Link]
    write: Callable[[Link], str]
    of_the_game: bool = False
    """Whether another board begins without it."""
    of_one_position: bool = False
    """Whether it is gone after the next move."""


def _field(name: str, parse: Callable[[str, Link], object]) -> Callable[[Link, str, Problems], Link]:
    """Reads one field of a link. `parse` may use the parts before, and raises NoughtsError."""

    def read(link: Link, text: str, problems: Problems) -> Link:
        try:
            return link.having(**{name: parse(text, link)})
        except NoughtsError as error:
            problems.append(error)
            return link

    return read


def _one_of(part: str, values: Collection[str]) -> Callable[[str, Link], str]:
    def parse(text: str, _: Link) -> str:
        if text in values:
            return text
        raise BadOption(f"{part}={quoted(text)} is none of {', '.join(values)}.")

    return parse


def _switch(part: str) -> Callable[[str, Link], bool]:
    parse = _one_of(part, ("0", "1"))
    return lambda text, link: parse(text, link) == "1"


def _scheme(text: str, link: Link) -> str:
    return schemes.checked(_one_of("scheme", schemes.SCHEMES)(text, link), link.rules)


def _start(link: Link, text: str, problems: Problems) -> Link:
    try:
        return link.having(game=Game.starting(parse_position(text, link.rules)))
    except NoughtsError as error:
        problems.append(error)
        return link


def _moves(link: Link, text: str, problems: Problems) -> Link:
    """The moves up to the first bad one; none if the board or the start is not the one they were played on."""
    if problems:
        return link
    read = read_game(link.game.positions[0], text)
    if read.problem:
        problems.append(read.problem)
    return link.having(game=read.game, at=len(read.game.moves))


def _at(link: Link, text: str, problems: Problems) -> Link:
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= len(link.game.moves):
        return link.having(at=int(text))
    if not problems:  # a shortened move list makes a good `at` too large; that one mistake is reported already
        problems.append(BadOption(f"at={quoted(text)} is no number of moves from 0 to {len(link.game.moves)}."))
    return link


def _line(text: str, link: Link) -> Cell:
    cell = parse_cell(text, link.rules)
    if cell in link.position.legal_moves:
        return cell
    raise BadOption(f"line={quoted(text)} is no open square, so no line of play begins there.")


def _step(text: str, link: Link) -> int | None:
    if link.line is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    raise BadOption(f"step={quoted(text)} is no number of moves of a line.")


def checked_seed(text: str | None) -> str | None:
    """A seed as links may have it, None for none. Raises BadOption."""
    if not text or _SEED.fullmatch(text):
        return text or None
    raise BadOption(f"seed={quoted(text)} is not 1 to 32 letters, digits, dots, dashes or underscores.")


def _format_start(link: Link) -> str:
    start = link.game.positions[0]
    return format_position(start) if start.x else ""


PARTS: Final = (
    Part(
        "from",
        "the position to start from: rows from the top, `X`, `O`, `.`",
        "empty",
        _start,
        _format_start,
        of_the_game=True,
    ),
    Part(
        "moves",
        "squares one after the other; `a1` is at the bottom left",
        "none",
        _moves,
        lambda link: format_moves(link.game.moves, link.rules),
        of_the_game=True,
    ),
    Part(
        "at",
        "how many of the moves are shown",
        "all",
        _at,
        lambda link: str(link.at) if link.at != len(link.game.moves) else "",
        of_the_game=True,
    ),
    Part(
        "x",
        "who plays X: an opponent, `human` or `friend`",
        f"`{players.DEFAULT_X}`",
        _field("x", lambda text, link: players.checked(text, link.rules)),
        lambda link: link.x if link.x != players.DEFAULT_X else "",
    ),
    Part(
        "o",
        "who plays O",
        f"`{players.DEFAULT_O}`",
        _field("o", lambda text, link: players.checked(text, link.rules)),
        lambda link: link.o if link.o != players.DEFAULT_O else "",
    ),
    Part(
        "show",
        "predictions `off`, `colours` or `distance`",
        f"`{SHOWS[-1]}`",
        _field("show", _one_of("show", SHOWS)),
        lambda link: link.show if link.show != SHOWS[-1] else "",
    ),
    Part(
        "seed",
        "fixes the computer's draws: up to 32 letters, digits, `.`, `-`, `_`",
        "chance",
        _field("seed", lambda text, _: checked_seed(text)),
        lambda link: link.seed or "",
    ),
    Part(
        "score",
        "earlier games of the series: won by X's player, by O's, drawn, as in `2-1-0`",
        "none",
        _field("series", lambda text, _: read_series(text)),
        lambda link: str(link.series) if link.series.games else "",
    ),
    Part(
        "scheme",
        "what the series counts: `games` won or, on 3×3, `patterns`; the first two numbers of `score` are points then",
        f"`{schemes.GAMES}`",
        _field("scheme", _scheme),
        lambda link: link.scheme if link.scheme != schemes.GAMES else "",
        of_the_game=True,
    ),
    Part(
        "speed",
        "of games between computers: `slow`, `normal` or `fast`",
        "`normal`",
        _field("speed", _one_of("speed", SPEEDS)),
        lambda link: link.speed if link.speed != "normal" else "",
    ),
    Part(
        "pause",
        "`pause=1` stops a game between computers",
        "off",
        _field("paused", _switch("pause")),
        lambda link: "1" if link.paused else "",
    ),
    Part(
        "hint",
        "`hint=1` shows the best moves",
        "off",
        _field("hint", _switch("hint")),
        lambda link: "1" if link.hint else "",
        of_one_position=True,
    ),
    Part(
        "prove",
        "`prove=0` proves nothing in the background",
        "on",
        _field("prove", _switch("prove")),
        lambda link: "" if link.prove else "0",
    ),
    Part(
        "line",
        "the square whose best play is shown on the board",
        "none",
        _field("line", _line),
        lambda link: format_cell(link.line, link.rules) if link.line is not None else "",
        of_the_game=True,
        of_one_position=True,
    ),
    Part(
        "step",
        "how many moves of that line",
        "all",
        _field("step", _step),
        lambda link: str(link.step) if link.step is not None else "",
        of_the_game=True,
        of_one_position=True,
    ),
)
"""Every part, in the order in which links have them; each may need those before it."""

_OF_ONE_POSITION: Final[dict[str, Any]] = {
    part.name: Link._field_defaults[part.name] for part in PARTS if part.of_one_position
}


@dataclass(frozen=True, slots=True)
class ReadLink:
    """The nearest sensible game to what a link says, and what was wrong with it, if anything."""

    link: Link
    problems: tuple[NoughtsError, ...]


def read_link(board: str, query: str) -> ReadLink:
    """Reads a link, its board and what follows the question mark, part by part.

    A bad part is replaced by what is usual and reported; unknown parts are ignored.
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
    link, texts = Link.starting(rules), dict(reversed(parse_qsl(query)))
    for part in PARTS:
        if text := texts.get(part.name):
            link = part.read(link, text, problems)
    return ReadLink(link, tuple(problems))
