"""A call of the API: its parameters, the function that answers it, and how long the answer may be kept."""

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from werkzeug.datastructures import MultiDict

from solver.analysis.drills import DrillKind
from solver.board.notation import COLUMNS, MAX_BOARD_LENGTH, PLAYABLE_PATTERN, quoted
from solver.board.rules import DEFAULT_BOARD, MAX_SIDE
from solver.errors import BadOption, NoughtsError
from solver.players import STRATEGIES
from solver.players.lists import LIST_END, LIST_PREFIX, MOST_RULES, SLUGS
from webapp.ui.address import SWITCH, Part, PartKind, Problems, Query, among, chosen, not_whole, read_parts

PREFIX: Final = "/api/v1"

MEANT: Final = MappingProxyType(
    {
        "position": "from",
        "start": "from",
        "rules": "board",
        "cell": "square",
        "opponent": "player",
        "strategy": "player",
        "limit": "count",
    }
)
"""The parameters that other programs know by another name."""

Q = TypeVar("Q")
Report: TypeAlias = dict[str, Any]
Schema: TypeAlias = dict[str, Any]

_WHOLE: Final = re.compile(r"(-?0|[1-9][0-9]{0,8})(?:\.0+)?")
"""The pattern of a whole number in JSON, where 2.0 is whole too."""


class Asked(NamedTuple):
    """The parameters of a request. Each call itself parses the texts that depend on the board."""

    board: str = DEFAULT_BOARD
    listed: str = ""
    start: str = ""
    moves: str = ""
    square: str = ""
    player: str = ""
    kind: DrillKind | None = None
    seed: str = ""
    game: int = 0
    trace: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter(Part[Asked]):
    """A parameter of the API. It belongs to one or more calls, and its schema describes the texts that it accepts."""

    schema: Schema = field(default_factory=dict)
    example: str = ""

    @property
    def required(self) -> bool:
        """True if every request has to have the parameter."""
        return not self.usual

    @property
    def about(self) -> str:
        """The meaning and the usual value, in sentences."""
        usual = f" Default: {self.usual}." if self.usual else ""
        return f"{self.meaning[0].upper()}{self.meaning[1:]}.{usual}"


class Freshness(StrEnum):
    """The time for which an answer may be kept, as a value of `Cache-Control`."""

    LASTING = "public, max-age=86400"
    """The answer never changes: all of it is proved, or follows from a seed."""
    CHECKED = "no-cache"
    """More may be proved later, so clients use the ETag to ask each time whether the answer has changed."""
    NEVER = "no-store"
    """The answer is drawn anew each time."""


class ApiAnswer(NamedTuple):
    """An answer as plain data."""

    report: Report
    keeping: Freshness


class Misfit(Exception):
    """A request that breaks the description of the API; `error` says where."""

    def __init__(self, error: NoughtsError) -> None:
        super().__init__(str(error))
        self.error = error


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Call(Generic[Q]):
    """A call: a GET of `path` with these parameters, listed under `tag`.

    `read` turns the parameters into a question, and `answer` answers it. Both raise NoughtsError for a request that is
    well written but cannot be answered. `shape` names the schema of the answer, and `example` is a request to show.
    `expensive` returns whether the pool has to answer a question.
    """

    name: str
    title: str
    purpose: str
    answer: Callable[[Q], ApiAnswer]
    _: KW_ONLY
    read: Callable[[Asked], Q]
    shape: str
    tag: str
    example: Query
    expensive: Callable[[Q], bool] = _never

    @property
    def path(self) -> str:
        """The address without its query."""
        return f"{PREFIX}/{self.name}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that belong to the call."""
        return parameters_of(self.name)

    def asked(self, query: MultiDict[str, str]) -> Q:
        """Parse a request. Raises Misfit if a parameter is unknown, missing, repeated or bad, or NoughtsError."""
        for name in query:
            if all(name != each.name for each in self.parameters):
                raise Misfit(self._unknown(name))
        for each in self.parameters:
            if len(query.getlist(each.name)) > 1:
                raise Misfit(BadOption(f"{each.name}= is there more than once: give it once."))
        return self.asked_by(query)

    def _unknown(self, name: str) -> BadOption:
        """Make the error for a parameter that the call does not have: it names the one meant, or all there are."""
        known = [each.name for each in self.parameters]
        meant = [MEANT[name]] if MEANT.get(name) in known else get_close_matches(name, known, n=1)
        better = f"did you mean {meant[0]}=" if meant else f"it takes {', '.join(known)}"
        return BadOption(f"{self.name} has no parameter {quoted(name)}: {better}{'?' if meant else '.'}")

    def asked_by(self, query: Query) -> Q:
        """Parse the parameters of a request. Raises Misfit or NoughtsError."""
        problems: Problems = []
        asked = read_parts(self.parameters, Asked(), query, problems)
        for each in self.parameters:
            if each.required and not query.get(each.name):
                raise Misfit(BadOption(f"{each.name}= is missing: {each.meaning}."))
        if not problems:
            return self.read(asked)
        # Let the solver parse the bad texts too: its messages say more than a pattern can.
        texts: dict[str, Any] = {
            each.field: text
            for each in self.parameters
            if isinstance(each.default, str) and (text := query.get(each.name))
        }
        try:
            self.read(asked._replace(**texts))
        except NoughtsError as better:
            raise Misfit(better) from None
        raise Misfit(problems[0])


def _written(pattern: str, longest: int, meaning: str) -> PartKind:
    """Return the kind of a parameter whose text has to match a pattern."""
    fitting = re.compile(pattern)

    def read(name: str, text: str, _: Asked) -> str:
        if len(text) <= longest and fitting.fullmatch(text):
            return text
        raise BadOption(f"{name}={quoted(text)} is badly written: {meaning}.")

    return PartKind(read, schema={"type": "string", "pattern": f"^(?:{pattern})$", "maxLength": longest})


def _between(least: int, most: int) -> PartKind:
    """Return the kind of a parameter that is a whole number within limits, in the notation of JSON."""

    def read(name: str, text: str, _: Asked) -> int:
        match = _WHOLE.fullmatch(text)
        if match and least <= int(match[1]) <= most:
            return int(match[1])
        raise not_whole(name, text, least, most)

    return PartKind(read, schema={"type": "integer", "minimum": least, "maximum": most})


_KIND: Final = PartKind(lambda name, text, _: DrillKind(chosen(name, text, DrillKind)), schema=among(DrillKind).schema)


def _part(calls: str, name: str, kind: PartKind, meaning: str, usual: str = "", **more: str) -> Parameter:
    """Make a parameter; `calls` names the calls that it belongs to, with spaces between them."""
    belongs = tuple(calls.split())
    return Parameter.of(Asked, name, kind, meaning, usual, belongs=belongs, schema=kind.schema, **more)


def _text(calls: str, name: str, form: tuple[str, int], meaning: str, usual: str = "", **more: str) -> Parameter:
    """Make a text parameter; `form` is its pattern and its greatest length."""
    return _part(calls, name, _written(*form, meaning), meaning, usual, **more)


LONGEST_POSITION: Final = 127
"""The most characters of a position: 64 squares and 63 marks between them."""

POSITION: Final = f"[XOxo.#/|]{{1,{LONGEST_POSITION}}}"
"""The pattern of a position."""

_RULE: Final = "|".join((*SLUGS, LIST_END))
_NAMED: Final = rf"[xXoO]?[{COLUMNS}{COLUMNS.upper()}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?"
_SQUARE: Final = rf"{_NAMED}|[1-{MAX_SIDE}],[1-{MAX_SIDE}]|[1-9]"
_PLAYER: Final = rf"{'|'.join(STRATEGIES)}|{LIST_PREFIX}(?:(?:{_RULE})(?:,(?:{_RULE})){{0,{MOST_RULES}}})?"
_BOARD: Final = (PLAYABLE_PATTERN.replace("x", "[xX]"), MAX_BOARD_LENGTH)
_SEED: Final = ("[A-Za-z0-9._-]{1,32}", 32)
_MEANING_OF_SIZE: Final = "columns x rows x how many in a row win, 1 to 8 each"
_MEANING_OF_BOARD: Final = (
    f"{_MEANING_OF_SIZE}; then a surface if its edges meet, as in 3x3x3-torus, or a shape in place of the row, as in"
    " 5x5-tippy; then holes in the board, as in 4x4x3-holesb2c3, or the cells of drawn lines one after the other, as in"
    " 3x3x3-linesa1b1c1a1b2c3; then gravity if stones fall; then misere if a line loses; then notakto, wild,"
    " vanishing or vanishing-strict for other marks; in space with the layers before the last number, as in 3x3x3x3"
)
_MEANING_OF_SEED: Final = "up to 32 letters, digits, dots, dashes or underscores"

MOST_DRILLS: Final = 2000
"""The most drills in one answer. No board has this many."""

SQUARE_NAME: Final = rf"[XO]?[{COLUMNS}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?"
"""The pattern of a square in an answer; in wild games a mark stands before it, and in space a layer after it."""

_ON_GAMES: Final = "predict explain move review"

PARAMETERS: Final = (
    _text(_ON_GAMES, "board", _BOARD, _MEANING_OF_BOARD, DEFAULT_BOARD, example="3x3x3"),
    _text(
        _ON_GAMES,
        "from",
        (POSITION, LONGEST_POSITION),
        "the position to start from: its rows from the top with / between them, X, O, . for an empty square and #"
        " for a hole; in space with | between the layers, from the bottom up",
        "the empty board",
        example="X.O/.X./..O",
        field="start",
    ),
    _text(
        _ON_GAMES,
        "moves",
        (rf" *(?:(?:{_SQUARE}) *){{1,200}}", 400),
        "squares played from there, one after the other: a column letter and a row number, a1 at the bottom left; in"
        " wild games as Xb2Oa1, in space as b2.3a1.1",
        "none",
        example="b2a1c3",
    ),
    _text(
        "explain",
        "square",
        (_SQUARE, 5),
        "an open square, if you want to know about this one only",
        "all open squares",
        example="a2",
    ),
    _text(
        "move",
        "player",
        (_PLAYER, 400),
        "an opponent by its name, or a list of rules such as rules:win,block,centre",
        example="rulebook",
    ),
    _text("move", "seed", _SEED, f"fixes the choice: {_MEANING_OF_SEED}", "chance", example="7"),
    _part(
        "move",
        "game",
        _between(0, 9_999_999),
        "how many games of a seeded series came before this one",
        "0",
        example="2",
    ),
    _part(
        "move", "trace", SWITCH, "1 to get every rule of a player by rules, with the squares it names", "0", example="1"
    ),
    _text(
        "drills",
        "board",
        _BOARD,
        f"a game in which a stone never harms: {_MEANING_OF_BOARD}",
        DEFAULT_BOARD,
        example="3x3x3",
    ),
    _part("drills", "kind", _KIND, "what the drills ask for", "all kinds", example="only-move"),
    _text(
        "drills",
        "seed",
        _SEED,
        f"shuffles them, always in the same way: {_MEANING_OF_SEED}",
        "easy to hard",
        example="1",
    ),
    _part(
        "drills",
        "count",
        _between(1, MOST_DRILLS),
        "the most drills you want",
        "all there are",
        example="2",
        field="most",
    ),
    _text("boards", "board", _BOARD, _MEANING_OF_BOARD, "every flat board", example="7x4x4", field="listed"),
)
"""The parameters of all calls, in the order in which each call lists them."""


@cache
def parameters_of(call: str) -> tuple[Parameter, ...]:
    """Return the parameters that belong to the call of this name."""
    return tuple(each for each in PARAMETERS if call in each.belongs)
