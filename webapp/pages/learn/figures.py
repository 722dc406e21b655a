"""Figures that take long to compute, kept in the user's cache folder until the code changes.

The folder can be deleted at any time. A figure is computed again if its file is missing, damaged or written by other
code. Trouble with the folder costs time but never changes a figure.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile
from time import monotonic
from types import MappingProxyType, NoneType
from typing import Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

import solver
import webapp
from solver.board.notation import format_position, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES, Strategy, strategy_named
from solver.system import cache_folder

T = TypeVar("T")

FOLDER: Final = "figures"
"""The folder of all figures inside the cache folder. Each version of the code has its own subfolder."""

CODES: Final = 4
"""The number of code versions whose figures are kept; the most recent ones stay."""

UNREADABLE: Final = (OSError, ValueError, TypeError, LookupError)
"""The errors raised by a file that is missing or that no `Keeper` wrote."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure(Generic[T]):
    """A value that depends on nothing but the code: the function that computes it, and its arguments."""

    compute: Callable[..., T]
    arguments: tuple[object, ...] = ()

    @property
    def name(self) -> str:
        """The unique name."""
        return f"{self.compute.__module__}.{self.compute.__qualname__}({', '.join(map(str, self.arguments))})"

    @property
    def kind(self) -> Any:
        """The type of the value, as the function's annotation states it."""
        return get_type_hints(self.compute)["return"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of computed figures of a page, and the number of all its figures."""

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """True if all figures are computed."""
        return self.done == self.total


class Keeper:
    """A store of figures in memory and in files below `folder`. If `folder` is None, there are no files."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / code_digest()
        self._known: dict[str, Any] = {}

    @property
    def writes(self) -> bool:
        """True if other processes can read the figures that this one computes."""
        return self._folder is not None

    def value(self, figure: Figure[T]) -> T:
        """Return the figure's value; compute and keep it first if it is unknown."""
        if not self.knows(figure):
            self._known[figure.name] = found = figure.compute(*figure.arguments)
            self._write(figure, found)
        value: T = self._known[figure.name]
        return value

    def knows(self, figure: Figure[Any]) -> bool:
        """Return whether the figure is known. If it isn't in memory, try to load it from its file."""
        if figure.name not in self._known and self._folder is not None:
            with suppress(*UNREADABLE):
                digest, _, text = (self._folder / _file_of(figure)).read_text("utf-8").partition("\n")
                if digest == _digest(text):
                    self._known[figure.name] = of_plain(figure.kind, json.loads(text))
        return figure.name in self._known

    def work(self, figures: Iterable[Figure[Any]], seconds: float) -> Progress:
        """Compute unknown figures, at least one, until `seconds` have passed. Compute none if `seconds` is 0."""
        every, until = tuple(figures), monotonic() + seconds
        left = [figure for figure in every if not self.knows(figure)]
        worked = 0
        while seconds and worked < len(left) and (not worked or monotonic() < until):
            self.value(left[worked])
            worked += 1
        return Progress(len(every) - len(left) + worked, len(every))

    def _write(self, figure: Figure[T], value: T) -> None:
        """Write a figure's file atomically; write nothing if the value would not be read back unchanged."""
        text = json.dumps(to_plain(value), ensure_ascii=False)
        if self._folder is None or to_plain(of_plain(figure.kind, json.loads(text))) != json.loads(text):
            return
        with suppress(OSError):
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True)
                _forget_beyond(self._folder.parent, CODES)
            with NamedTemporaryFile("w", encoding="utf-8", dir=self._folder, suffix=".new", delete=False) as file:
                file.write(f"{_digest(text)}\n{text}")
            os.replace(file.name, self._folder / _file_of(figure))


@cache
def keeper() -> Keeper:
    """Return the keeper of this installation, the same object each time."""
    folder = cache_folder()
    return Keeper(None if folder is None else folder / FOLDER)


def kept(compute: Callable[..., T], *arguments: object) -> T:
    """Return the value of a figure, which is computed only once for each version of the code."""
    return keeper().value(Figure(compute, arguments))


@cache
def code_digest() -> str:
    """Return the digest of this installation's Python version, code and content."""
    digest = blake2b(sys.version.encode(), digest_size=8)
    for package in (solver, webapp):
        root = Path(package.__path__[0])
        for file in sorted(path for path in root.rglob("*") if path.suffix in (".py", ".toml")):
            digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _file_of(figure: Figure[Any]) -> str:
    """Return the file name for a figure. It is a digest, since the figure's name may contain any character."""
    return f"{_digest(figure.name)}.json"


def _forget_beyond(folder: Path, most: int) -> None:
    codes = sorted(filter(Path.is_dir, folder.iterdir()), key=lambda code: code.stat().st_mtime)
    for code in codes[:-most]:
        rmtree(code, ignore_errors=True)


_SPECIAL: Final[Mapping[Any, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = MappingProxyType(
    {
        Rules: (str, parse_rules),
        Position: (
            lambda position: [str(position.rules), format_position(position)],
            lambda plain: parse_position(plain[1], parse_rules(plain[0])),
        ),
        Fraction: (str, Fraction),
        Strategy: (
            lambda strategy: strategy.name,
            lambda name: STRATEGIES.get(name) or strategy_named(name, TIC_TAC_TOE),
        ),
    }
)
"""The functions that write and read a value, for each type that isn't kept as a list of its fields."""


def to_plain(value: object) -> Any:
    """Convert a value for JSON. A dataclass or a tuple becomes a list, and a mapping becomes a list of pairs."""
    if type(value) in _SPECIAL:
        return _SPECIAL[type(value)][0](value)
    if isinstance(value, StrEnum):
        return str(value)
    if is_dataclass(value):
        return [to_plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, MappingProxyType):
        return [[to_plain(key), to_plain(item)] for key, item in value.items()]
    return value


def of_plain(kind: Any, plain: Any) -> Any:
    """Convert the output of `to_plain` back to a value of type `kind`.

    Raises ValueError, TypeError or LookupError for other data.
    """
    if kind is Any:
        return plain
    if kind in _SPECIAL:
        return _SPECIAL[kind][1](plain)
    origin: Any = get_origin(kind)
    parts = get_args(kind)
    if NoneType in parts:
        (some,) = (part for part in parts if part is not NoneType)
        return None if plain is None else of_plain(some, plain)
    if origin is tuple:
        kinds = parts[:1] * len(plain) if parts[1:] == (...,) else parts
        return tuple(of_plain(part, value) for part, value in zip(kinds, plain, strict=True))
    if origin in (Mapping, MappingProxyType):
        return MappingProxyType({of_plain(parts[0], key): of_plain(parts[1], value) for key, value in plain})
    if is_dataclass(kind) or issubclass(kind, tuple):
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
        hints = get_type_hints(kind)
        return kind(*(of_plain(hints[name], value) for name, value in zip(names, plain, strict=True)))
    if issubclass(kind, StrEnum):
        return kind(plain)
    if type(plain) is not kind:
        raise TypeError(f"{plain!r} is not of type {kind.__name__}.")
    return plain
