"""The source of the functions that compute a lesson's figures, as it is installed."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from textwrap import dedent


@dataclass(frozen=True, slots=True)
class Source:
    """A function's own lines, and where they are: the file as the project names it, and the number of the first."""

    name: str
    file: str
    line: int
    text: str


@cache
def source_of(function: Callable[..., object]) -> Source:
    """The source of a function of this project, with its decorators. Raises OSError where no source is installed."""
    plain = inspect.unwrap(function)
    lines, number = inspect.getsourcelines(plain)
    return Source(plain.__name__, f"{plain.__module__.replace('.', '/')}.py", number, dedent("".join(lines)).rstrip())
