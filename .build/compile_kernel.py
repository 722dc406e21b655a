"""Compiles `solver/search/kernel.py` while a wheel or an editable install is built; where that fails, goes on without.

Cython takes the C types from `kernel.pxd`. The compiled module has a constant that its source has not, DIGEST, by which
the engine knows whether it was made from the files beside it.
"""

import shutil
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from platform import machine
from sysconfig import get_config_var
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilderConfig

FOLDER = Path("solver", "search")
FLAGS = ["-O3", "-g0", "-w"]  # fast, without the debugging data and the warnings that only Cython could use
if machine().lower() in ("x86_64", "amd64"):
    FLAGS.append("-mpopcnt")  # every such processor since 2008 counts bits by itself
UNCHECKED = dict.fromkeys(["boundscheck", "wraparound", "initializedcheck", "annotation_typing"], False)
DIRECTIVES = UNCHECKED | {"cdivision": True}


class CompileKernel(BuildHookInterface[WheelBuilderConfig]):
    """Puts the compiled kernel into the wheel, or beside its source where the checkout itself is installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles before anything is packed."""
        self.workshop = TemporaryDirectory()
        target = FOLDER / f"kernel{get_config_var('EXT_SUFFIX')}"
        in_checkout = Path(self.root, target)
        if version == "editable":
            in_checkout.unlink(missing_ok=True)  # written over, it would crash the processes that have it loaded
        try:
            compiled = compile_kernel(Path(self.root), Path(self.workshop.name))
        except Exception as error:
            reason = " ".join(str(error).split())
            self.app.display_warning(f"The kernel is not compiled, its source will be interpreted: {reason}")
            return
        if version == "editable":
            shutil.copy(compiled, in_checkout)
        else:
            build_data["force_include"][str(compiled)] = str(target)
            build_data |= {"pure_python": False, "infer_tag": True}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Clears up when all is packed."""
        self.workshop.cleanup()


def compile_kernel(root: Path, workshop: Path) -> Path:
    """The path of the compiled kernel, in the workshop. Raises whatever Cython, setuptools and the compiler do."""
    from Cython.Build import cythonize  # noqa: PLC0415 - that it is missing is one of the failures
    from setuptools import Distribution, Extension  # noqa: PLC0415

    source, types = ((root / FOLDER / name).read_bytes() for name in ("kernel.py", "kernel.pxd"))
    digest = sha256(source + types).hexdigest()
    with chdir(workshop):  # relative names, so that the module is the same wherever it is made
        FOLDER.mkdir(parents=True)
        (FOLDER / "kernel.py").write_bytes(source + f"\nDIGEST = {digest!r}\n".encode())
        (FOLDER / "kernel.pxd").write_bytes(types)
        extension = Extension("solver.search.kernel", [str(FOLDER / "kernel.py")], extra_compile_args=FLAGS)
        modules = cythonize([extension], quiet=True, language_level=3, compiler_directives=DIRECTIVES)
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib = command.build_temp = "built"
        command.ensure_finalized()
        command.run()
    return Path(workshop, *command.get_outputs())
