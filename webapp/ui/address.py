"""Addresses, whose queries are read and written by tables of typed parts.

A page that keeps its state in the address has a record and a table. The record is a NamedTuple with a default for each
field. The table has a `Part` for each name in the query. `read_parts` turns a query into a record, and `texts_of` turns
it back.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, Self, TypeAlias, TypeVar
from urllib.parse import urlencode

from solver.board.notation import quoted
from solver.errors import BadOption, NoughtsError

PLAIN: Final = "/:,"
"""Characters that a query holds unquoted, so that positions, players and lists stay readable."""

_SEED: Final = re.compile(r"[\w.-]{1,32}", re.ASCII)

Query: TypeAlias = Mapping[str, str]
"""The parts of an address after the question mark, the first of each name."""

Problems: TypeAlias = list[NoughtsError]
"""The mistakes found in an address so far."""

R = TypeVar("R", bound=tuple[Any, ...])
S = TypeVar("S", bound=str)


def with_query(path: str, parts: Mapping[str, object], fragment: str = "") -> str:
    """Return an address: the path, its query and the fragment, without the parts that are None.

    Parts never go to `url_for` as keyword arguments, because names such as `endpoint` and `_external` have a meaning of
    their own there: a visitor who sends them would cause an error, or a redirect to another host.
    """
    query = urlencode({name: value for name, value in parts.items() if value is not None}, safe=PLAIN)
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


def with_plain_query(path: str, texts: Mapping[str, str]) -> str:
    """Return the same address as `with_query`, faster, for texts without characters that need quoting."""
    query = "&".join([f"{name}={text}" for name, text in texts.items()])
    return f"{path}?{query}" if query else path


def not_offered(name: str, text: str, offered: Iterable[str]) -> BadOption:
    """Make the error for a text that is not on offer."""
    return BadOption(f"{name}={quoted(text)} is none of {', '.join(offered)}.")


def not_whole(name: str, text: str, least: int, most: int) -> BadOption:
    """Make the error for a text that isn't a whole number within limits."""
    return BadOption(f"{name}={quoted(text)} isn't a whole number from {least} to {most}.")


def chosen(name: str, text: str, offered: Iterable[S]) -> S:
    """Return the value on offer that a text names. Raises BadOption."""
    values = tuple(offered)
    for value in values:
        if value == text:
            return value
    raise not_offered(name, text, values)


def whole(name: str, text: str, least: int, most: int) -> int:
    """Parse a whole number within limits. Raises BadOption."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most:
        return int(text)
    raise not_whole(name, text, least, most)


def checked_seed(text: str) -> str:
    """Return the seed if it is valid in an address. Raises BadOption."""
    if _SEED.fullmatch(text):
        return text
    raise BadOption(f"seed={quoted(text)} is not 1 to 32 letters, digits, dots, dashes or underscores.")


def one_of(query: Query, name: str, offered: Iterable[str], usual: str) -> str:
    """Return a part's text if it is on offer, or `usual` where the part is left out. Raises BadOption."""
    text = query.get(name)
    return chosen(name, text, offered) if text else usual


def number_of(query: Query, name: str, usual: int, least: int, most: int) -> int:
    """Return a part's whole number within limits, or `usual` where the part is left out. Raises BadOption."""
    text = query.get(name)
    return whole(name, text, least, most) if text else usual


def _plainly(value: object, _: object) -> str:
    return str(value)


class PartKind(NamedTuple):
    """The values that a part may have.

    `read` returns the value of a text, given the part's name, the text and the record read so far. It raises
    NoughtsError. `write` returns the text of a value, given the value and the record.
    """

    read: Callable[[str, str, Any], Any]
    write: Callable[[Any, Any], str] = _plainly


def among(offered: Iterable[str]) -> PartKind:
    """Return the kind of a part that is one of several texts."""
    values = tuple(offered)
    return PartKind(lambda name, text, _: chosen(name, text, values))


def between(least: int, most: int) -> PartKind:
    """Return the kind of a part that is a whole number within limits."""
    return PartKind(lambda name, text, _: whole(name, text, least, most))


SWITCH: Final = PartKind(
    lambda name, text, _: chosen(name, text, ("0", "1")) == "1",
    lambda on, _: "1" if on else "0",
)
"""The kind of a part that is on, `1`, or off, `0`."""

SEEDED: Final = PartKind(lambda _, text, __: checked_seed(text))
"""The kind of a part that is a seed."""


@dataclass(frozen=True, slots=True)
class Part(Generic[R]):
    """A part of a query, which is one field of the page's record.

    `read` returns the record with the text read into it. If the text is bad, it adds to the problems. `write` returns
    the text of the field's value. The part is left out if that text is empty, or if the field has its `default`.
    `index` is the place of the field in the record. `belongs` has the names of the part's groups.
    """

    name: str
    read: Callable[[R, str, Problems], R]
    write: Callable[[Any, R], str]
    field: str
    index: int
    default: object
    belongs: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: type[R], name: str, kind: PartKind, *, field: str = "", belongs: tuple[str, ...] = ()) -> Self:
        """Make a part that is one field of a record, by default the field of the same name."""
        field = field or name
        fields: Any = record  # a NamedTuple, which no annotation can express

        def into(asked: R, text: str, problems: Problems) -> R:
            try:
                value = kind.read(name, text, asked)
            except NoughtsError as error:
                problems.append(error)
                return asked
            replaced: R = fields._replace(asked, **{field: value})
            return replaced

        index, default = fields._fields.index(field), fields._field_defaults[field]
        return cls(name, into, kind.write, field, index, default, belongs)


def read_parts(parts: Iterable[Part[R]], asked: R, query: Query, problems: Problems) -> R:
    """Return the record with the parts of a query read into it, one after the other.

    A bad part leaves its field as it was and adds to the problems. Empty parts and parts of other names are ignored.
    """
    for part in parts:
        if text := query.get(part.name):
            asked = part.read(asked, text, problems)
    return asked


def texts_of(parts: Iterable[Part[R]], asked: R) -> dict[str, str]:
    """Return the query of a record: the texts by name, in the order of the table, without defaults."""
    return {
        part.name: text
        for part in parts
        if (value := asked[part.index]) != part.default and (text := part.write(value, asked))
    }


def usual_of(parts: Iterable[Part[R]], what: str) -> dict[str, Any]:
    """Return the defaults, by field, of the parts that belong to the group `what`."""
    return {part.field: part.default for part in parts if what in part.belongs}
