"""Compiles the modules of the kernel while a wheel or an editable install is built; where that fails, goes on without.

Cython takes the C types from the `.pxd` beside each. The compiled modules have a constant that their sources have not,
DIGEST, by which the engine knows whether they were made from the files beside them.
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
MODULES = ("transpositions", "kernel")
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
        targets = [FOLDER / f"{module}{get_config_var('EXT_SUFFIX')}" for module in MODULES]
        if version == "editable":
            for target in targets:  # written over, they would crash the processes that have them loaded
                Path(self.root, target).unlink(missing_ok=True)
        try:
            compiled = compile_kernel(Path(self.root), Path(self.workshop.name))
        except Exception as error:
            reason = " ".join(str(error).split())
            self.app.display_warning(f"The kernel is not compiled, its source will be interpreted: {reason}")
            return
        if version == "editable":
            for path, target in zip(compiled, targets, strict=True):
                shutil.copy(path, Path(self.root, target))
        else:
            build_data["force_include"].update(zip(map(str, compiled), map(str, targets), strict=True))
            build_data |= {"pure_python": False, "infer_tag": True}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Clears up when all is packed."""
        self.workshop.cleanup()


def compile_kernel(root: Path, workshop: Path) -> list[Path]:
    """The paths of the compiled modules, in the workshop. Raises whatever Cython, setuptools and the compiler do."""
    from Cython.Build import cythonize  # noqa: PLC0415 - that it is missing is one of the failures
    from setuptools import Distribution, Extension  # noqa: PLC0415

    names = [f"{module}{suffix}" for module in MODULES for suffix in (".py", ".pxd")]
    contents = {name: (root / FOLDER / name).read_bytes() for name in names}
    digest = sha256(b"".join(contents.values())).hexdigest()
    with chdir(workshop):  # relative names, so that the modules are the same wherever they are made
        FOLDER.mkdir(parents=True)
        for folder in (FOLDER, FOLDER.parent):
            (folder / "__init__.py").touch()
        for name, content in contents.items():
            (FOLDER / name).write_bytes(content)
        extensions = []
        for module in MODULES:
            source = FOLDER / f"{module}.py"
            source.write_bytes(contents[source.name] + f"\nDIGEST = {digest!r}\n".encode())
            extensions.append(Extension(f"solver.search.{module}", [str(source)], extra_compile_args=FLAGS))
        modules = cythonize(extensions, quiet=True, language_level=3, compiler_directives=DIRECTIVES)
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib = command.build_temp = "built"
        command.ensure_finalized()
        command.run()
    return [Path(workshop, command.get_ext_fullpath(f"solver.search.{module}")) for module in MODULES]
