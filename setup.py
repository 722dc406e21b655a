"""Compiles the kernel, if there is a C compiler, and packs the templates and static files.

Cython translates the kernel's modules to C, with the C types in `solver/kernel/compiled`. The compiled modules go there
too, and one with what Cython adds to all of them. They contain a digest of their sources, so that the engine can tell
whether these have changed since. With NOUGHTS_KERNEL=compiled in the environment the build fails without a compiler.
"""

import os
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from sysconfig import get_platform
from tempfile import TemporaryDirectory

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

KERNEL = Path("solver", "kernel")
COMPILED = "solver.kernel.compiled"
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
FLAGS = ["-g0", "-w"]  # without debugging data and without warnings about Cython's own C
if "-O" not in os.environ.get("CFLAGS", ""):
    FLAGS.append("-O3")  # as fast as can be, unless whoever builds it says otherwise
if get_platform().endswith(("x86_64", "amd64")):  # the target, which can be another machine
    FLAGS.append("-mpopcnt")  # every such processor since 2008 counts bits by itself
STRIPPED = ["-s"] if get_platform().startswith("linux") else []  # without names that only a debugger reads
UNCHECKED = dict.fromkeys(["boundscheck", "wraparound", "initializedcheck", "annotation_typing"], False)
SHARED = f"{COMPILED}.shared"


class BuildKernel(build_ext):
    """A build that translates all modules together, and then compiles as many at a time as there are processors."""

    def build_extensions(self) -> None:
        """Translate the modules, and compile them."""
        translated = cythonize(
            self.extensions,
            build_dir=self.build_temp,
            compiler_directives=UNCHECKED | {"cdivision": True},
            shared_utility_qualified_name=SHARED,
            quiet=True,
        )
        sources = {each.name: each.sources for each in translated}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        self.parallel = True
        super().build_extensions()


class BuildWithPages(build_py):
    """A build that copies the templates and static files, which a checkout has at its root, into `webapp`."""

    def run(self) -> None:
        """Pack the modules, then the templates and static files."""
        super().run()
        if not self.editable_mode:
            for folder in ("templates", "static"):
                copytree(folder, Path(self.build_lib, "webapp", folder))


sources = [path for name in MODULES for path in (KERNEL / f"{name}.py", KERNEL / "compiled" / f"{name}.pxd")]
digest = sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
kernel = [
    Extension(
        f"{COMPILED}.{name}",
        [str(source)],
        define_macros=[("SOURCES", f"0x{digest}ULL")],
        extra_compile_args=FLAGS,
        extra_link_args=STRIPPED,
        optional=os.environ.get("NOUGHTS_KERNEL") != "compiled",
    )
    for name, source in [
        *((name, KERNEL / f"{name}.py") for name in MODULES),
        ("shared", KERNEL / "compiled" / "shared.c"),  # which Cython writes, among the other translations
    ]
]
with TemporaryDirectory() as workshop:  # so that nothing of an earlier build is packed
    setup(
        ext_modules=kernel,
        cmdclass={"build_ext": BuildKernel, "build_py": BuildWithPages},
        options={"build": {"build_base": workshop}, "egg_info": {"egg_base": workshop}},
    )
