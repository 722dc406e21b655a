"""Calls of the API: what a request has to look like, the function that answers it, and how long the answer is kept.

Requests and answers are described by structs. Routes, checks, tools for agents and the OpenAPI document follow from
these descriptions.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.json import schema_components
from msgspec.structs import fields
from werkzeug.datastructures import MultiDict

from solver.board.notation import quoted
from solver.board.shelf import board_called
from solver.errors import BadOption, NoughtsError
from solver.report import Report
from webapp.config import FrontLimits
from webapp.ui.address import Problems, Query, chosen, not_whole, with_query

PREFIX: Final = "/api/v1"

MOST_BYTES: Final = FrontLimits().batch_bytes
"""The most bytes of a body."""

MOST_IN_A_BATCH: Final = 100
"""The most positions of a batch."""

CONTENT: Final[Report] = tomllib.loads(Path(__file__).with_name("content.toml").read_text(encoding="utf-8"))
"""What the API says of itself, in words and examples."""

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

Schema: TypeAlias = dict[str, Any]
Q = TypeVar("Q")
S = TypeVar("S", bound=Struct)

LONGEST_TOLD: Final = 160
"""The most characters about a mistake in a body, which may hold long texts."""

_WHOLE: Final = re.compile(r"(-?0|[1-9][0-9]{0,8})(?:\.0+)?")
"""The pattern of a whole number in JSON, where 2.0 is whole too."""


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


class Misfit(NoughtsError):
    """A request that breaks the description of the API. It has the message and the code of an error that says where."""

    def __init__(self, error: NoughtsError | str) -> None:
        super().__init__(str(error))
        self.code = BadOption.code if isinstance(error, str) else error.code


def named(name: str) -> Schema:
    """Return a reference to the schema with this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def parameter(name: str, **schema: Any) -> Meta:
    """Describe a parameter by the words that the content has under a name; `schema` says which texts it accepts."""
    words = CONTENT["parameters"][name]
    meaning = words["meaning"].format(board=CONTENT["parameters"]["board"]["meaning"])
    usual = f" Default: {words['usual']}." if "usual" in words else ""
    sentences = f"{meaning[0].upper()}{meaning[1:]}.{usual}"
    return Meta(description=sentences, examples=[words["example"]], extra_json_schema=schema)


def text_like(pattern: str, longest: int) -> Schema:
    """Return the schema of a text that has to match a pattern."""
    return {"pattern": f"^(?:{pattern})$", "maxLength": longest}


def meaning_of(schema: Schema) -> str:
    """Return the meaning of a parameter within a sentence."""
    sentence = schema["description"].partition(" Default: ")[0].removesuffix(".")
    return f"{sentence[0].lower()}{sentence[1:]}"


def _value(name: str, text: str, schema: Schema) -> str | int:
    """Parse the text of a parameter; a game's name, in any spelling, stands for its board. Raises BadOption."""
    if name in ("board", "from") and (board := board_called(text)):
        return board
    match schema:
        case {"type": "integer", "minimum": least, "maximum": most}:
            whole = _WHOLE.fullmatch(text)
            if whole and least <= int(whole[1]) <= most:
                return int(whole[1])
            raise not_whole(name, text, least, most)
        case {"enum": offered}:
            return str(chosen(name, text, offered))
    if len(text) <= schema["maxLength"] and re.fullmatch(schema["pattern"], text):
        return text
    raise BadOption(f"{name}={quoted(text)} is badly written: {meaning_of(schema)}.")


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True)
class Operation(Generic[Q, S]):
    """What can be asked at an address, listed under `tag`.

    The struct `asked` describes the request. `read` turns it into a question, which `answer` answers. It raises
    NoughtsError for a request that is well written but cannot be answered. The struct `shape` describes the answer, and
    `example` is a request to show.
    """

    method: ClassVar[str]

    name: str
    answer: Callable[[Q], ApiAnswer]
    _: KW_ONLY
    asked: type[S]
    read: Callable[[S], Q]
    shape: type[Struct]
    title: str
    purpose: str
    tag: str
    example: Mapping[str, Any]

    def question_by(self, asked: Mapping[str, Any]) -> Q:
        """Turn the parts of a request into a question. Raises Misfit or NoughtsError."""
        raise NotImplementedError

    @cached_property
    def example_answer(self) -> Report:
        """The answer to the example."""
        return self.answer(self.question_by(self.example)).report


@dataclass(frozen=True)
class Call(Operation[Q, S]):
    """A call: a GET of `path`. `expensive` returns whether the pool has to answer a question."""

    method = "GET"

    _: KW_ONLY
    expensive: Callable[[Q], bool] = _never

    @property
    def path(self) -> str:
        """The address without its query."""
        return f"{PREFIX}/{self.name}"

    @property
    def example_url(self) -> str:
        """The address of the example."""
        return with_query(self.path, self.example)

    @cached_property
    def parameters(self) -> Mapping[str, Schema]:
        """The schema of each parameter by its name, with its description and an example."""
        (shape,) = schema_components([self.asked])[1].values()
        properties: dict[str, Schema] = shape["properties"]
        for schema in properties.values():
            if schema.get("default") == "":
                del schema["default"]  # without the parameter, there is no text
        return MappingProxyType(properties)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the parameters that every request has to have."""
        return tuple(part.encode_name for part in fields(self.asked) if part.required)

    def question(self, query: MultiDict[str, str]) -> Q:
        """Parse a request. Raises Misfit if a parameter is unknown, missing, repeated or bad, or NoughtsError."""
        known = self.parameters
        for name in query:
            if name not in known:
                meant = [MEANT[name]] if MEANT.get(name) in known else get_close_matches(name, known, n=1)
                better = f"did you mean {meant[0]}=?" if meant else f"it takes {', '.join(known)}."
                raise Misfit(f"{self.name} has no parameter {quoted(name)}: {better}")
            if len(query.getlist(name)) > 1:
                raise Misfit(f"{name}= is there more than once: give it once.")
        return self.question_by(query)

    def question_by(self, asked: Query) -> Q:
        """Parse the parameters of a request. Raises Misfit or NoughtsError."""
        values: dict[str, str | int] = {}
        problems: Problems = []
        for name, schema in self.parameters.items():
            if text := asked.get(name):
                try:
                    values[name] = _value(name, text, schema)
                except NoughtsError as error:
                    problems.append(error)
                    if "pattern" in schema:
                        values[name] = text
        for required in self.required:
            if required not in values:
                raise Misfit(f"{required}= is missing: {meaning_of(self.parameters[required])}.")
        texts = convert(values, self.asked)
        if not problems:
            return self.read(texts)
        try:
            self.read(texts)  # it parses the bad texts too: its messages say more than a pattern can
        except NoughtsError as better:
            raise Misfit(better) from None
        raise Misfit(problems[0])


@dataclass(frozen=True)
class BodyCall(Operation[Q, S]):
    """A call by a POST of `path` with a body in JSON.

    `told` says what the answer is, and `too_much` refuses a body that is too long. `refused` has further statuses of
    refusals.
    """

    method = "POST"

    _: KW_ONLY
    path: str
    told: str
    too_much: str
    refused: tuple[int, ...] = ()

    def question_by(self, asked: Mapping[str, Any]) -> Q:
        """Turn what a body says into a question. Raises Misfit or NoughtsError."""
        try:
            said = convert(asked, self.asked)
        except ValidationError as error:
            wrong = shorten(str(error), LONGEST_TOLD, placeholder=" …")
            raise Misfit(f"{wrong}. Send an object such as {json.dumps(self.example)}.") from None
        return self.read(said)

    def question(self, body: bytes) -> Q:
        """Parse a body. Raises Misfit or NoughtsError."""
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            raise Misfit("The body isn't JSON.") from None
        return self.question_by(said)


def called(kind: type[Operation[Any, Any]], name: str, **options: Any) -> Callable[[Callable[[Any], ApiAnswer]], Any]:
    """Return a decorator that makes an operation of the function that answers it, with its words in the content."""
    numbers = {"positions": MOST_IN_A_BATCH, "bytes": f"{MOST_BYTES:,}"}
    words: dict[str, Any] = {
        part: said.format(**numbers) if isinstance(said, str) else said for part, said in CONTENT["calls"][name].items()
    }
    return partial(kind, name, **words, **options)
