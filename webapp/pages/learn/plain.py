"""Values of the solver as JSON holds them, and back: nothing but data, read by the types that are expected."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType, NoneType
from typing import Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from solver.board.notation import format_position, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.players import STRATEGIES, Strategy, strategy_named

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
