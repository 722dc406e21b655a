"""The command behind `make peers`, which prints a row for each check and exits with 1 if any tool does not agree."""

import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

PEERS = {
    "open-spiel": "spiel",
    "pettingzoo": "zoo",
    "sb3-contrib": "ppo",
    "schemathesis": "openapi",
}
"""The module of each package. Its `CHECKS` name what they compare, and return how much of it they compared."""


def rows() -> Iterator[tuple[bool, str, str, str]]:
    """Yield whether a check held, and the cells of its row. What is not installed here has a row that held."""
    for package, module in PEERS.items():
        try:
            named = f"{package} {version(package)}"
        except PackageNotFoundError:
            yield True, package, "not run", "it is not installed here"
            continue
        for said, check in import_module(f"tests.peers.{module}").CHECKS.items():
            try:
                with warnings.catch_warnings(action="error"):
                    yield True, named, said, f"agrees: {check()}"
            except (AssertionError, Warning) as error:
                yield False, named, said, f"DIFFERS: {error}"


held = True
for agrees, *cells in rows():
    held &= agrees
    print("{:<20} {:<42} {}".format(*cells), flush=True)
sys.exit(not held)
