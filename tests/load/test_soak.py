"""Ten minutes of new links: memory stays small, and does not grow without end."""

import pytest

from tests.load import SOAK
from tests.load.attack import under_attack
from tests.load.processes import MEGABYTE, MEMORY, Server

CLIENTS = 4
GROWTH = 1.1
"""The largest factor between the memory of the last third of the time and of the middle one."""


@pytest.mark.skipif(SOAK <= 0, reason="left out by LOAD_SOAK=0")
def test_memory_is_flat_under_links_that_are_never_repeated(server: Server) -> None:
    report = under_attack(server, "wanderers.links", "many addresses", CLIENTS, SOAK)
    thirds = [report.watch.peak_between(number / 3, (number + 1) / 3) for number in range(3)]
    print(f"the largest process by thirds of the time: {', '.join(f'{size / MEGABYTE:.0f} MB' for size in thirds)}")
    report.check()
    assert max(thirds) < MEMORY
    assert thirds[2] <= GROWTH * thirds[1]
