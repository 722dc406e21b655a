"""`make bench`: prints every figure, one a line."""

from tests.benchmarks import browsing, proving, scattering, searching, serving

for part in (searching, proving, scattering, serving, browsing):
    for line in part.figures():
        print(line, flush=True)
