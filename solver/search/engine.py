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
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal

from solver.errors import BadOption

__all__ = ["KERNEL", "interpreted", "kernel"]

MODULES = ("memory", "kernel")
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
    for name in MODULES:
        module = import_module(f"solver.search.{name}")  # an import prefers a compiled module to the source beside it
        if _is_source(module):
            raise ModuleNotFoundError("there is none; with a C compiler, install Noughts again")
        if getattr(module, "DIGEST", None) != _digest():
            raise ImportError("the compiled one was made from another source; install Noughts again")
    return module


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
            del sys.modules[name]
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


def interpreted() -> type[kernel.Prover]:
    """The prover of the interpreted kernel, whichever is chosen: for tests that hold one against the other."""
    prover: type[kernel.Prover] = _source().Prover
    return prover
