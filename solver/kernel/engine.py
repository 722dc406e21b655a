"""Load the kernel: compiled if a C compiler was at hand, else its interpreted source.

The environment variable NOUGHTS_KERNEL, set to `compiled` or `interpreted`, demands one of them. Importing this module
loads the kernel, or raises BadOption if the demand cannot be met. Only commands that need the kernel import it.
"""

import os
import sys
import warnings
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal

from solver.board.rules import MAX_LINES, Rules
from solver.errors import BadOption, BadRules

__all__ = ["KERNEL", "check_answerable", "interpreted", "kernel"]

MODULES = (
    "searcher",
    "transpositions",
    "maker_breaker",
    "falling",
    "plain",
    "pairings",
    "vanishing",
    "tablebase",
    "kernel",
)
"""The modules that are compiled."""


def check_answerable(rules: Rules) -> None:
    """Raise BadRules for a game that the kernel would mistake for another one."""
    if not rules.stones_never_harm:
        raise BadRules(
            f"The kernel does not answer for {rules}: it takes for granted that a stone never harms its owner."
        )
    if len(rules.lines) > MAX_LINES:
        raise BadRules(f"No search answers for {rules}: it has {len(rules.lines)} lines, more than {MAX_LINES}.")


def interpreted() -> ModuleType:
    """Return the interpreted kernel, even if the compiled one is in use."""
    return import_module("solver.kernel.kernel")


def _compiled() -> ModuleType:
    """Return the compiled kernel. Raises ModuleNotFoundError if there is none, or ImportError for a stale one."""
    names = [f"solver.kernel.compiled.{name}" for name in MODULES]
    missing = [name for name in names if find_spec(name) is None]
    if missing == names:
        raise ModuleNotFoundError("there is none; with a C compiler, install Noughts again")
    if missing:
        raise ImportError("only a part of it is compiled; install Noughts again")
    try:
        modules = [import_module(name) for name in names]
    except (TypeError, ValueError) as error:  # modules that were not compiled together
        raise ImportError(f"{error}; install Noughts again") from error
    if {module.DIGEST for module in modules} != {_digest()}:
        raise ImportError("the compiled one was made from another source; install Noughts again")
    return modules[-1]


def _digest() -> int:
    """Return a digest of the sources, computed as in the build."""
    folder = Path(__file__).parent
    paths = [path for name in MODULES for path in (folder / f"{name}.py", folder / "compiled" / f"{name}.pxd")]
    return int(sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16], 16)


def _chosen() -> ModuleType:
    demanded = os.environ.get("NOUGHTS_KERNEL", "")
    if demanded not in {"", "compiled", "interpreted"}:
        raise BadOption(f"NOUGHTS_KERNEL can be compiled or interpreted, not {demanded!r}.")
    if demanded != "interpreted":
        try:
            return _compiled()
        except ImportError as error:
            if demanded:
                raise BadOption(f"NOUGHTS_KERNEL demands the compiled kernel, but {error}.") from error
            if not isinstance(error, ModuleNotFoundError):
                warnings.warn(f"The kernel is interpreted, slowly: {error}.", RuntimeWarning, stacklevel=2)
            elif all(stream and stream.isatty() for stream in (sys.stdin, sys.stderr)):
                print(f"The kernel is interpreted, many times slower than a compiled one: {error}.", file=sys.stderr)
    return interpreted()


if TYPE_CHECKING:
    from solver.kernel import kernel
else:
    kernel = _chosen()

KERNEL: Final[Literal["compiled", "interpreted"]] = "compiled" if ".compiled." in kernel.__name__ else "interpreted"
