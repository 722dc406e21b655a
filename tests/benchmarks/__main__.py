"""`make bench`: prints every figure, one a line."""

from tests.benchmarks import browsing, searching, serving

for part in (searching, serving, browsing):
    for line in part.figures():
        print(line, flush=True)
