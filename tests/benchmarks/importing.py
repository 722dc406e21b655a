"""The time to import the library, to predict and to solve a small position, beside that of an idle interpreter."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Final

TRIES = 25

RUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "pass": ("-c", "pass"),
    "import solver": ("-c", "import solver"),
    "noughts predict X.O/.X./..O": ("-m", "solver", "predict", "X.O/.X./..O"),
    "noughts solve X.O/.X./..O": ("-m", "solver", "solve", "X.O/.X./..O"),
}


def figures() -> Iterator[str]:
    """Yield each command's least time of several tries, which take turns. Bytecode is kept, as after any first run."""
    least = dict.fromkeys(RUNS, float("inf"))
    with TemporaryDirectory() as kept:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = kept
        for arguments in RUNS.values():
            _seconds(arguments, environment)
        for _ in range(TRIES):
            for name, arguments in RUNS.items():
                least[name] = min(least[name], _seconds(arguments, environment))
    alone = least.pop("pass")
    for name, seconds in least.items():
        yield (
            f"{name}: {seconds * 1000:.0f} ms in a cold process, of which {alone * 1000:.0f} ms are the interpreter's"
        )


def _seconds(arguments: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """Return a command's CPU time. Waiting for a core does not count."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
