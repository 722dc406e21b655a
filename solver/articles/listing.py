"""The source code of functions and of each search, and the line that carries out each step."""

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent
from types import CodeType, MappingProxyType
from typing import Any, Final

import solver
from solver.articles import lookahead
from solver.articles.tracing import Frame, Search, Trace
from solver.search.minimax import alphabeta, minimax

LINES: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "enter": ("nodes += 1", "visited += 1", "nodes += 1"),
        "line": ("return LOST", "yield -1 if", "return LOST"),
        "full": ("return DRAWN", "yield -1 if", "return DRAWN"),
        "horizon": ("", "yield -1 if", "return evaluate(position)"),
        "better": ("return max(", "yield best", "best = score"),
        "no-better": ("return max(", "return None", "if score > best:"),
        "cut": ("", "return None", "break"),
        "end": ("return max(", "yield best", "return best"),
    }
)
"""The first words of the line that carries out a step, by the kind of the step or of its leaf.

The columns are minimax, lazy lists and alpha-beta, as in `Search`. An empty string means that no line does.
"""


@dataclass(frozen=True, slots=True)
class Listing:
    """A piece of source code: the path of its file in the project, and its lines without docstrings."""

    file: str
    lines: tuple[str, ...]


def listing(*functions: Callable[..., Any] | CodeType) -> Listing:
    """Return the source code of functions in the same module, without docstrings."""
    file = Path(inspect.getsourcefile(functions[0]) or "").relative_to(Path(solver.__file__).parent.parent)
    sources = (_without_docstrings(dedent(inspect.getsource(function))) for function in functions)
    return Listing(file.as_posix(), tuple("\n\n".join(sources).splitlines()))


def inner(function: Callable[..., Any], name: str) -> CodeType:
    """Return the code of the function called `name` that is nested in a function."""
    constants = inspect.unwrap(function).__code__.co_consts
    return next(each for each in constants if isinstance(each, CodeType) and each.co_name == name)


@cache
def code_of(search: Search) -> Listing:
    """Return the source code of a search."""
    functions: Mapping[Search, tuple[Callable[..., Any] | CodeType, ...]] = {
        Search.MINIMAX: (inner(minimax, "value"),),
        Search.LAZY: (inner(lookahead.lazy_visits, "replies"), lookahead._least_above),
        Search.ALPHABETA: (inner(alphabeta, "value"),),
    }
    return listing(*functions[search])


def line_of(trace: Trace, frame: Frame) -> int | None:
    """Return the index of the line that carries out a step; None if no line does, as at minimax's horizon."""
    begins = LINES[trace.kind_of(frame.step)][list(Search).index(trace.search)]
    lines = code_of(trace.search).lines
    return next(number for number, line in enumerate(lines) if line.strip().startswith(begins)) if begins else None


def _without_docstrings(source: str) -> str:
    """Return source code without docstrings and `nonlocal` statements."""
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Nonlocal) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return "\n".join(line for number, line in enumerate(source.splitlines(), start=1) if number not in left_out)
