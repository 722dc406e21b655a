"""The link is the game: text of a link ⇄ a frozen Link. Nothing else about a game is kept anywhere."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final
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
from solver.errors import BadNotation, BadOption, BadRules, ImpossiblePosition, NoughtsError, UnknownPlayer
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


@dataclass(frozen=True, slots=True)
class Link:
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
        return self.position.rules

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

    def playing(self, cell: Cell) -> "Link":
        """The link after a move in the position shown; moves taken back before are gone. Raises IllegalMove."""
        game = self.game.upto(self.at).play(cell)
        return replace(self, game=game, at=len(game.moves), hint=False, line=None, step=None)

    def showing(self, at: int) -> "Link":
        """The same game shown after its first `at` moves."""
        return replace(self, at=at, hint=False, line=None, step=None)

    def restarted(self) -> "Link":
        """A new game on the same board between the same players, a finished one counted in the series."""
        game = Game.starting(Position(self.rules))
        return replace(self, game=game, at=0, series=self.score, paused=False, hint=False, line=None, step=None)

    def swapped(self) -> "Link":
        """The players on each other's side, the score with them; after a finished game, in a new one."""
        base = self.restarted() if self.game.last.result else self
        series = Series(base.series.o, base.series.x, base.series.draws)
        return replace(base, x=base.o, o=base.x, series=series, hint=False)

    def parts(self) -> dict[str, str]:
        """What follows the board in the link, by name; what is as usual is empty."""
        start, moves = self.game.positions[0], self.game.moves
        return {
            "from": format_position(start) if start.x else "",
            "moves": format_moves(moves, self.rules),
            "at": str(self.at) if self.at != len(moves) else "",
            "x": self.x if self.x != players.DEFAULT_X else "",
            "o": self.o if self.o != players.DEFAULT_O else "",
            "show": self.show if self.show != SHOWS[-1] else "",
            "seed": self.seed or "",
            "score": str(self.series) if self.series.games else "",
            "scheme": self.scheme if self.scheme != schemes.GAMES else "",
            "speed": self.speed if self.speed != "normal" else "",
            "pause": "1" if self.paused else "",
            "hint": "1" if self.hint else "",
            "prove": "" if self.prove else "0",
            "line": format_cell(self.line, self.rules) if self.line is not None else "",
            "step": str(self.step) if self.step is not None else "",
        }

    def url(self) -> str:
        """The link's text, path and query."""
        query = "&".join(f"{part}={value}" for part, value in self.parts().items() if value)
        return f"/play/{self.rules}" + (f"?{query}" if query else "")


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
def _read(board: str, text: str) -> ReadLink:
    query = dict(reversed(parse_qsl(text)))
    problems: list[NoughtsError] = []

    try:
        rules = parse_rules(board)
    except BadRules as error:
        problems.append(error)
        rules = nearest_rules(board)

    start = Position(rules)
    if given := query.get("from"):
        try:
            start = parse_position(given, rules)
        except (BadNotation, ImpossiblePosition) as error:
            problems.append(error)
    reading = read_game(start, "" if problems else query.get("moves", ""))
    if reading.problem:
        problems.append(reading.problem)
    game = reading.game

    def player(part: str, default: str) -> str:
        try:
            return players.checked(query.get(part) or default, rules)
        except UnknownPlayer as error:
            problems.append(error)
            return default

    def seed(text: str | None) -> str | None:
        try:
            return checked_seed(text)
        except BadOption as error:
            problems.append(error)
            return None

    def scheme(name: str) -> str:
        try:
            return schemes.checked(name, rules)
        except BadOption as error:
            problems.append(error)
            return schemes.GAMES

    def option(part: str, allowed: Mapping[str, object] | tuple[str, ...], default: str) -> str:
        value = query.get(part) or default
        if value in allowed:
            return value
        problems.append(BadOption(f"{part}={quoted(value)} is none of {', '.join(allowed)}."))
        return default

    link = Link(
        game=game,
        at=_at(query.get("at"), len(game.moves), problems),
        x=player("x", players.DEFAULT_X),
        o=player("o", players.DEFAULT_O),
        show=option("show", SHOWS, SHOWS[-1]),
        seed=seed(query.get("seed")),
        series=_series(query.get("score"), problems),
        scheme=scheme(option("scheme", schemes.SCHEMES, schemes.GAMES)),
        speed=option("speed", SPEEDS, "normal"),
        paused=option("pause", ("0", "1"), "0") == "1",
        hint=option("hint", ("0", "1"), "0") == "1",
        prove=option("prove", ("0", "1"), "1") == "1",
    )
    if text_of_line := query.get("line"):
        link = replace(link, line=_line(text_of_line, link.position, problems), step=_step(query.get("step"), problems))
    return ReadLink(link, tuple(problems))


def _line(text: str, position: Position, problems: list[NoughtsError]) -> Cell | None:
    try:
        cell = parse_cell(text, position.rules)
    except BadNotation as error:
        problems.append(error)
        return None
    if cell in position.legal_moves:
        return cell
    problems.append(BadOption(f"line={quoted(text)} is no open square, so no line of play begins there."))
    return None


def _step(text: str | None, problems: list[NoughtsError]) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    problems.append(BadOption(f"step={quoted(text)} is no number of moves of a line."))
    return None


def _at(text: str | None, moves: int, problems: list[NoughtsError]) -> int:
    if not text:
        return moves
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= moves:
        return int(text)
    if not problems:  # a shortened move list makes a good `at` too large; that one mistake is reported already
        problems.append(BadOption(f"at={quoted(text)} is no number of moves from 0 to {moves}."))
    return moves


def checked_seed(text: str | None) -> str | None:
    """A seed as links may have it, None for none. Raises BadOption."""
    if not text or _SEED.fullmatch(text):
        return text or None
    raise BadOption(f"seed={quoted(text)} is not 1 to 32 letters, digits, dots, dashes or underscores.")


def _series(text: str | None, problems: list[NoughtsError]) -> Series:
    try:
        return read_series(text)
    except BadOption as error:
        problems.append(error)
        return NO_SERIES
