"""The structs in which answers are described: those of msgspec, or a stand-in where it is not installed.

The stand-in makes the same plain data of them, which is all that commands need. It has no schemas and no checks.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from dataclasses import field as dataclass_field
from enum import Enum
from typing import TYPE_CHECKING, Any

__all__ = ["UNSET", "Meta", "Struct", "UnsetType", "field", "to_builtins"]

if TYPE_CHECKING:
    from msgspec import UNSET, Meta, Struct, UnsetType, field, to_builtins
else:
    try:
        from msgspec import UNSET, Meta, Struct, UnsetType, field, to_builtins
    except ImportError:
        UnsetType = Enum("UnsetType", ["UNSET"])
        UNSET = UnsetType.UNSET

        class Meta:
            """A description of a field, which nobody reads."""

            def __init__(self, **_: object) -> None:
                """Take any description."""

        class Struct:
            """The base of structs, each of which is a dataclass."""

            def __init_subclass__(cls, **settings: bool) -> None:
                """Make a dataclass of a subclass."""
                dataclass(cls, **settings)

        def field(name: str) -> Any:
            """Return a field that has another name in plain data."""
            return dataclass_field(metadata={"name": name})

        def to_builtins(value: object, enc_hook: Callable[[object], object]) -> Any:
            """Return a value as plain data, without unset fields; `enc_hook` makes plain what is of no known type."""
            match value:
                case Enum():
                    return value.value
                case None | bool() | int() | float() | str():
                    return value
                case list() | tuple():
                    return [to_builtins(part, enc_hook) for part in value]
                case dict():
                    return {to_builtins(key, enc_hook): to_builtins(part, enc_hook) for key, part in value.items()}
            if not is_dataclass(value):
                return to_builtins(enc_hook(value), enc_hook)
            named = {part.metadata.get("name", part.name): getattr(value, part.name) for part in fields(value)}
            return {name: to_builtins(part, enc_hook) for name, part in named.items() if part is not UNSET}
