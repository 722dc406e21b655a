"""Where msgspec is not installed, answers are the same plain data."""

import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules['msgspec'] = None; "
RUN = "from solver.cli import main; main(sys.argv[1:])"


@pytest.mark.parametrize(
    "words",
    [
        "predict XXX/OO./...",
        "predict 3x3x3-wild",
        "review b2a1b3c3 --board 4x4x3-gravity",
        "drills --count 2 --seed 1",
        "verify win,block --side X",
        "games connect",
        "predict nonsense",
    ],
)
def test_a_command_prints_the_same_with_and_without_it(words: str) -> None:
    with_it, without = (
        subprocess.run([sys.executable, "-c", code, *words.split(), "--json"], capture_output=True, check=False)
        for code in (f"import sys; {RUN}", WITHOUT + RUN)
    )
    assert (with_it.stdout, with_it.stderr) == (without.stdout, without.stderr)
    assert with_it.stdout or with_it.stderr.startswith(b"noughts: ")
