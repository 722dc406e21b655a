"""`make bench`: prints every figure, one a line."""

from tests.benchmarks import browsing, learning, proving, searching, serving

for part in (searching, proving, learning, serving, browsing):
    for line in part.figures():
        print(line, flush=True)
