"""The kernel that proofs run on: compiled where a C compiler was at hand, else the same source interpreted.

The environment variable NOUGHTS_KERNEL, set to `compiled` or `interpreted`, demands one of them. To import this module
is to load a kernel, so who may do without one imports it late. Raises BadOption for a demand that cannot be met.
"""

import os
import sys
import warnings
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal

from solver.errors import BadOption

__all__ = ["KERNEL", "interpreted", "kernel"]

MODULES = ("transpositions", "kernel")
"""The compiled modules, each after those that it imports."""


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
    return _source()


def _compiled() -> ModuleType:
    """The compiled kernel. Raises ModuleNotFoundError where there is none, ImportError where it must not be used."""
    names = [f"solver.search.{name}" for name in MODULES]
    sources = [name for name in names if str(getattr(find_spec(name), "origin", "")).endswith(".py")]
    if sources == names:
        raise ModuleNotFoundError("there is none; with a C compiler, install Noughts again")
    if sources:
        raise ImportError("only a part of it is compiled; install Noughts again")
    try:
        modules = [import_module(name) for name in names]
    except (TypeError, ValueError) as error:  # what is raised by modules that were not compiled together
        raise ImportError(f"{error}; install Noughts again") from error
    if {getattr(module, "DIGEST", None) for module in modules} != {_digest()}:
        raise ImportError("the compiled one was made from another source; install Noughts again")
    return modules[-1]


def _digest() -> str:
    """Tells the sources from others."""
    paths = (_path(name, suffix) for name in MODULES for suffix in (".py", ".pxd"))
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


@cache
def _source() -> ModuleType:
    """The source as a module of its own, whether or not it is compiled too."""
    imported = {name: sys.modules.pop(name, None) for name in map("solver.search.{}".format, MODULES)}
    try:
        for name in imported:
            spec = spec_from_file_location(name, _path(name.rpartition(".")[2], ".py"))
            assert spec is not None  # noqa: S101 - no path that ends in .py is without one
            assert spec.loader is not None  # noqa: S101 - nor without a loader
            module = sys.modules[name] = module_from_spec(spec)  # where the next one looks for it
            spec.loader.exec_module(module)
        return module
    finally:
        for name, before in imported.items():
            sys.modules.pop(name, None)
            if before is not None:
                sys.modules[name] = before


def _path(module: str, suffix: str) -> Path:
    return Path(__file__).with_name(module).with_suffix(suffix)


def _is_source(module: ModuleType) -> bool:
    return str(module.__file__).endswith(".py")


if TYPE_CHECKING:
    from solver.search import kernel
else:
    kernel = _chosen()

KERNEL: Final[Literal["compiled", "interpreted"]] = "interpreted" if _is_source(kernel) else "compiled"


def interpreted() -> ModuleType:
    """The interpreted kernel, whichever is chosen: for tests that hold one against the other."""
    return _source()
