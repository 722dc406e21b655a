"""The whole certificate of Qubic is checked, which takes minutes."""

import gzip
from pathlib import Path

from solver.atlas import check
from solver.atlas.check import checked, read_certificate

SHIPPED = Path(check.__file__).with_name("qubic.jsonl.gz")


def test_the_certificate_proves_that_x_wins() -> None:
    with gzip.open(SHIPPED, "rt", encoding="ascii") as lines:
        assert checked(read_certificate(lines)) == "Proved by 4,573 steps and by threats: on 4x4x4x4 X wins."
