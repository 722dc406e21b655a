"""The parameters of the calls: how each is written, as a JSON schema says it and as it is held to."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from solver.analysis.drills import BOARDS, DrillKind
from solver.board.notation import BOARD_PATTERN, COLUMNS, MAX_BOARD_LENGTH, quoted
from solver.board.rules import DEFAULT_BOARD, MAX_SIDE
from solver.errors import BadOption
from solver.players import STRATEGIES
from solver.players.lists import END, MARKED, MOST_RULES, SLUGS

Texts: TypeAlias = Mapping[str, str]
"""What a request says: the texts of the parameters that it gives, without empty ones, which are as if left out."""

Schema: TypeAlias = dict[str, Any]


_WHOLE: Final = re.compile(r"(?:-?0|[1-9][0-9]{0,8})(?:\.0+)?")
"""A whole number as JSON may write it: to a schema 2.0 is one too."""


@dataclass(frozen=True, slots=True)
class CallParameter:
    """A parameter of a call; `schema` says which texts it may have, and `usual` what it is if it is left out.

    The schema is a whole number's, or a text's with an enumeration or a pattern; it is all that decides whether a text
    fits.
    """

    name: str
    meaning: str
    schema: Schema
    example: str
    usual: str = ""
    required: bool = False

    def fits(self, text: str) -> bool:
        """Whether a text is written as the schema has it."""
        if self.schema["type"] == "integer":
            return _WHOLE.fullmatch(text) is not None and (
                self.schema["minimum"] <= whole(text) <= self.schema["maximum"]
            )
        if "enum" in self.schema:
            return text in self.schema["enum"]
        return len(text) <= self.longest and re.fullmatch(self.schema["pattern"], text) is not None

    @property
    def longest(self) -> int:
        """Characters of the longest text."""
        return int(self.schema["maxLength"])

    def misfit(self, text: str) -> BadOption:
        """What is to be said of a text that does not fit."""
        if "enum" in self.schema:
            return BadOption(f"{self.name}={quoted(text)} is none of {', '.join(self.schema['enum'])}.")
        return BadOption(f"{self.name}={quoted(text)} is not written as it has to be: {self.meaning}.")


def whole(text: str) -> int:
    """The whole number that a text is."""
    return int(text.partition(".")[0])


def written(pattern: str, longest: int) -> Schema:
    """The schema of texts that are written so."""
    return {"type": "string", "pattern": f"^(?:{pattern})$", "maxLength": longest}


def _one_of(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [*values]}


def _whole(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


_SQUARE: Final = rf"[{COLUMNS}{COLUMNS.upper()}][1-{MAX_SIDE}]|[1-{MAX_SIDE}],[1-{MAX_SIDE}]|[1-9]"
_RULE: Final = "|".join((*SLUGS, END))

MOST_DRILLS: Final = 2000
"""Drills that an answer may have: more than any board has."""

SQUARE_NAME: Final = f"[{COLUMNS}][1-{MAX_SIDE}]"
"""How answers write a square."""

BOARD: Final = CallParameter(
    "board",
    "columns x rows x how many in a row win, 1 to 8 each",
    written(BOARD_PATTERN, MAX_BOARD_LENGTH),
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
    written(rf"{'|'.join(STRATEGIES)}|{MARKED}(?:(?:{_RULE})(?:,(?:{_RULE})){{0,{MOST_RULES}}})?", 400),
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
