"""`make bench`: prints every figure, one a line."""

from tests.benchmarks import browsing, proving, searching, serving

for part in (searching, proving, serving, browsing):
    for line in part.figures():
        print(line, flush=True)
