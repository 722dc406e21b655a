"""A call of the API: its parameters, the function that answers it, and how long the answer may be kept."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from werkzeug.datastructures import MultiDict

from solver.analysis.drills import BOARDS, DrillKind
from solver.board.notation import COLUMNS, PLAYABLE_PATTERN, quoted
from solver.board.rules import DEFAULT_BOARD, MAX_SIDE
from solver.errors import BadOption, NoughtsError
from solver.players import STRATEGIES
from solver.players.lists import LIST_END, LIST_PREFIX, MOST_RULES, SLUGS
from webapp.ui.address import not_offered, not_whole

PREFIX: Final = "/api/v1"

Q = TypeVar("Q")
Report: TypeAlias = dict[str, Any]
Schema: TypeAlias = dict[str, Any]

Texts: TypeAlias = Mapping[str, str]
"""The parameters of a request by name, without empty ones."""

_WHOLE: Final = re.compile(r"(?:-?0|[1-9][0-9]{0,8})(?:\.0+)?")
"""A whole number in the notation of JSON, where 2.0 is whole too."""


@dataclass(frozen=True, slots=True)
class CallParameter:
    """A parameter of a call; `usual` describes the default, which a request without it gets.

    The `schema` alone decides which texts fit. It describes a whole number, or a text by an enumeration or a pattern.
    """

    name: str
    meaning: str
    schema: Schema
    example: str
    usual: str = ""
    required: bool = False

    def fits(self, text: str) -> bool:
        """Return whether a text matches the schema."""
        if self.schema["type"] == "integer":
            return _WHOLE.fullmatch(text) is not None and (
                self.schema["minimum"] <= whole(text) <= self.schema["maximum"]
            )
        if "enum" in self.schema:
            return text in self.schema["enum"]
        return len(text) <= self.longest and re.fullmatch(self.schema["pattern"], text) is not None

    @property
    def about(self) -> str:
        """The meaning and the usual value, in sentences."""
        usual = f" Left out: {self.usual}." if self.usual else ""
        return f"{self.meaning[0].upper()}{self.meaning[1:]}.{usual}"

    @property
    def longest(self) -> int:
        """The most characters that a text may have."""
        return int(self.schema["maxLength"])

    def misfit(self, text: str) -> BadOption:
        """Make the error for a text that does not fit."""
        if "enum" in self.schema:
            return not_offered(self.name, text, self.schema["enum"])
        if self.schema["type"] == "integer":
            return not_whole(self.name, text, self.schema["minimum"], self.schema["maximum"])
        return BadOption(f"{self.name}={quoted(text)} is badly written: {self.meaning}.")


class Freshness(StrEnum):
    """The time for which an answer may be kept, as a value of `Cache-Control`."""

    LASTING = "public, max-age=86400"
    """The answer never changes: all of it is proved, or follows from a seed."""
    CHECKED = "no-cache"
    """More may be proved later: clients ask each time, by its ETag, whether the answer has changed."""
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
    """A call: a GET of `path` with these parameters.

    `read` parses their texts into a question, and `answer` answers it. Both raise NoughtsError for a request that is
    well written but cannot be answered. `shape` names the schema of the answer, and `example` is a request to show.
    `expensive` returns whether a question is one for the pool.
    """

    name: str
    title: str
    purpose: str
    parameters: tuple[CallParameter, ...]
    answer: Callable[[Q], ApiAnswer]
    _: KW_ONLY
    read: Callable[[Texts], Q]
    shape: str
    example: Mapping[str, str]
    expensive: Callable[[Q], bool] = _never

    @property
    def path(self) -> str:
        """The address without its query."""
        return f"{PREFIX}/{self.name}"

    def asked(self, query: MultiDict[str, str]) -> Q:
        """Parse a request. Raises Misfit if a parameter is missing, repeated or badly written, or NoughtsError."""
        for each in self.parameters:
            if len(query.getlist(each.name)) > 1:
                raise Misfit(BadOption(f"{each.name}= is given more than once."))
        return self.asked_by({each.name: text for each in self.parameters if (text := query.get(each.name))})

    def asked_by(self, texts: Texts) -> Q:
        """Parse the parameters of a request. Raises Misfit or NoughtsError."""
        given = [each for each in self.parameters if each.name in texts]
        misfit = next((each for each in given if not each.fits(texts[each.name])), None)
        missing = next((each for each in self.parameters if each.required and each.name not in texts), None)
        if missing is not None:
            raise Misfit(BadOption(f"{missing.name}= is missing: {missing.meaning}."))
        if misfit is None:
            return self.read(texts)
        error: NoughtsError = misfit.misfit(texts[misfit.name])
        try:
            self.read(texts)
        except NoughtsError as better:
            error = better  # the solver's own message says more than that of a schema
        except ValueError:
            pass
        raise Misfit(error)


def whole(text: str) -> int:
    """Parse a whole number that fits its schema."""
    return int(text.partition(".")[0])


def written(pattern: str, longest: int) -> Schema:
    """Make the schema of texts that match a pattern."""
    return {"type": "string", "pattern": f"^(?:{pattern})$", "maxLength": longest}


def _one_of(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [*values]}


def _whole(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


_SQUARE: Final = rf"[{COLUMNS}{COLUMNS.upper()}][1-{MAX_SIDE}]|[1-{MAX_SIDE}],[1-{MAX_SIDE}]|[1-9]"
_RULE: Final = "|".join((*SLUGS, LIST_END))

MOST_DRILLS: Final = 2000
"""The most drills of an answer: more than any board has."""

SQUARE_NAME: Final = f"[{COLUMNS}][1-{MAX_SIDE}]"
"""The pattern of a square in an answer."""

BOARD: Final = CallParameter(
    "board",
    "columns x rows x how many in a row win, 1 to 8 each",
    written(PLAYABLE_PATTERN.replace("x", "[xX]"), len(DEFAULT_BOARD)),
    "3x3x3",
    DEFAULT_BOARD,
)
FROM: Final = CallParameter(
    "from",
    "the position to start from: its rows from the top with / between them, X, O and . for an empty square",
    written("[XOxo./]{1,71}", 71),
    "X.O/.X./..O",
    "the empty board",
)
MOVES: Final = CallParameter(
    "moves",
    "squares played from there, one after the other: a column letter and a row number, a1 at the bottom left",
    written(rf" *(?:(?:{_SQUARE}) *){{1,64}}", 256),
    "b2a1c3",
    "none",
)
SQUARE: Final = CallParameter(
    "square", "an open square, the only one that is asked about", written(_SQUARE, 3), "a2", "all open squares"
)
PLAYER: Final = CallParameter(
    "player",
    "an opponent by its name, or a list of rules such as rules:win,block,centre",
    written(rf"{'|'.join(STRATEGIES)}|{LIST_PREFIX}(?:(?:{_RULE})(?:,(?:{_RULE})){{0,{MOST_RULES}}})?", 400),
    "rulebook",
    required=True,
)
SEED: Final = CallParameter(
    "seed",
    "fixes the choice: up to 32 letters, digits, dots, dashes or underscores",
    written("[A-Za-z0-9._-]{1,32}", 32),
    "7",
    "chance",
)
GAME: Final = CallParameter(
    "game", "how many games of a seeded series came before this one", _whole(0, 9_999_999), "2", "0"
)
TRACE: Final = CallParameter(
    "trace", "1 to have every rule of a player by rules with what it names", _one_of(("0", "1")), "1", "0"
)
DRILLED: Final = CallParameter("board", "a board that has drills", _one_of(map(str, BOARDS)), "3x3x3", DEFAULT_BOARD)
LISTED: Final = CallParameter("board", f"a board: {BOARD.meaning}", BOARD.schema, "7x4x4", "every board")
KIND: Final = CallParameter("kind", "what the drills ask for", _one_of(DrillKind), "only-move", "all kinds")
COUNT: Final = CallParameter("count", "so many drills at most", _whole(1, MOST_DRILLS), "2", "all there are")
SHUFFLED: Final = CallParameter(
    "seed",
    f"shuffles them, always in the same way: {SEED.meaning.partition(': ')[2]}",
    SEED.schema,
    "1",
    "easy to hard",
)
