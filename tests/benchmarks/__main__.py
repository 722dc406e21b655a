"""`make bench`: prints every figure, one a line."""

from tests.benchmarks import (
    browsing,
    explaining,
    importing,
    layering,
    learning,
    picturing,
    proving,
    roads,
    scattering,
    searching,
    serving,
)

for part in (
    importing,
    searching,
    proving,
    scattering,
    explaining,
    learning,
    picturing,
    layering,
    roads,
    serving,
    browsing,
):
    for line in part.figures():
        print(line, flush=True)
