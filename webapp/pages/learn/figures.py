"""Values of the solver as JSON holds them, and back: nothing but data, read by the types that are expected.

Figures that take long to compute, each kept in the user's cache folder for as long as the code is the same.

The folder is disposable: a figure whose file is gone, damaged, or of other code is computed again. Trouble with the
folder costs speed, never an answer.
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
from typing import Any, Final, Generic, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import solver
import webapp
from solver.board.notation import format_position, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES, Strategy, strategy_named
from solver.proofs.store import cache_folder
from webapp.serving.pool.messages import Progress

PlainData: TypeAlias = Any
"""What JSON can hold."""

AnyType: TypeAlias = Any
"""A type, as annotations write it."""

_SPECIAL: Final[Mapping[AnyType, tuple[Callable[[Any], PlainData], Callable[[PlainData], Any]]]] = MappingProxyType(
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
"""How values are written that are more than their fields, and read back."""


def to_plain(value: object) -> PlainData:
    """A value as JSON holds it: a dataclass as the list of its fields, a mapping as pairs."""
    if type(value) in _SPECIAL:
        return _SPECIAL[type(value)][0](value)
    if isinstance(value, StrEnum):
        return str(value)
    if is_dataclass(value):
        return [to_plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [to_plain(each) for each in value]
    if isinstance(value, MappingProxyType):
        return [[to_plain(key), to_plain(each)] for key, each in value.items()]
    return value


def of_plain(kind: AnyType, plain: PlainData) -> Any:
    """The value of this type that was written so. Raises ValueError, TypeError or LookupError for anything else."""
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
        each = parts[:1] * len(plain) if parts[1:] == (...,) else parts
        return tuple(of_plain(part, value) for part, value in zip(each, plain, strict=True))
    if origin in (Mapping, MappingProxyType):
        return MappingProxyType({of_plain(parts[0], key): of_plain(parts[1], value) for key, value in plain})
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        values = zip(fields(kind), plain, strict=True)
        return kind(*(of_plain(hints[field.name], value) for field, value in values))  # type: ignore[operator]
    if issubclass(kind, StrEnum):
        return kind(plain)
    if type(plain) is not kind:
        raise TypeError(f"{plain!r} is no {kind.__name__}.")
    return plain


T = TypeVar("T")

FOLDER: Final = "figures"
"""The folder of all figures within that of the cache; in it lies a folder for each code that has computed some."""

CODES: Final = 4
"""How many codes keep their figures: those that have last begun to keep any."""

UNREADABLE: Final = (OSError, ValueError, TypeError, LookupError)
"""What reading a file raises that is not there or not what was written: errors of notation are ValueErrors."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure(Generic[T]):
    """A value that is the same as long as the code is: its name, which is unique, its type, and how it is computed."""

    name: str
    kind: AnyType
    compute: Callable[[], T]


class Keeper:
    """What is known of figures: in this process's memory, and in files below `folder`, None for no files."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder / code_digest()
        self._known: dict[str, Any] = {}

    @property
    def writes(self) -> bool:
        """Whether other processes can know what this one computes."""
        return self._folder is not None

    def value(self, figure: Figure[T]) -> T:
        """The figure, looked up or else computed and kept."""
        if not self.knows(figure):
            self._known[figure.name] = found = figure.compute()
            self._write(figure, found)
        value: T = self._known[figure.name]
        return value

    def knows(self, figure: Figure[Any]) -> bool:
        """Whether the figure need not be computed."""
        if figure.name not in self._known and self._folder is not None:
            with suppress(*UNREADABLE):
                self._known[figure.name] = _read(self._folder / _file_of(figure), figure.kind)
        return figure.name in self._known

    def work(self, figures: Iterable[Figure[Any]], seconds: float) -> Progress:
        """Computes unknown figures, at least one, until so many seconds have passed; 0 for none at all."""
        every, until = tuple(figures), monotonic() + seconds
        left = [figure for figure in every if not self.knows(figure)]
        worked = 0
        while seconds and worked < len(left) and (not worked or monotonic() < until):
            self.value(left[worked])
            worked += 1
        return Progress(len(every) - len(left) + worked, len(every))

    def _write(self, figure: Figure[T], value: T) -> None:
        """Writes a figure's file, all or nothing; nothing if the value would not be read back as it is."""
        text = json.dumps(to_plain(value), ensure_ascii=False)
        if self._folder is None or to_plain(of_plain(figure.kind, json.loads(text))) != json.loads(text):
            return
        with suppress(OSError):
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True)
                _forget_beyond(self._folder.parent, CODES)
            with NamedTemporaryFile("w", encoding="utf-8", dir=self._folder, suffix=".new", delete=False) as file:
                file.write(f"{_checked(text)}\n{text}")
            os.replace(file.name, self._folder / _file_of(figure))


@cache
def keeper() -> Keeper:
    """The keeper of this installation, the same object each time."""
    folder = cache_folder()
    return Keeper(None if folder is None else folder / FOLDER)


@cache
def code_digest() -> str:
    """What tells the code of this installation from any other that might compute otherwise."""
    digest = blake2b(sys.version.encode(), digest_size=8)
    for package in (solver, webapp):
        root = Path(package.__path__[0])
        for file in sorted(root.rglob("*.py")):
            digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _read(path: Path, kind: AnyType) -> Any:
    check, _, text = path.read_text("utf-8").partition("\n")
    if check != _checked(text):
        raise ValueError(f"{path} is damaged")
    return of_plain(kind, json.loads(text))


def _checked(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _file_of(figure: Figure[Any]) -> str:
    """A file's name, made of any name of a figure."""
    return f"{blake2b(figure.name.encode(), digest_size=10).hexdigest()}.json"


def _forget_beyond(folder: Path, most: int) -> None:
    codes = sorted((each for each in folder.iterdir() if each.is_dir()), key=lambda each: each.stat().st_mtime)
    for each in codes[:-most]:
        rmtree(each, ignore_errors=True)
