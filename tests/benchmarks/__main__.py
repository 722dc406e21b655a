"""`make bench`: prints every figure, one a line."""

from tests.benchmarks import browsing, learning, proving, scattering, searching, serving

for part in (searching, proving, scattering, learning, serving, browsing):
    for line in part.figures():
        print(line, flush=True)
