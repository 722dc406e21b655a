"""The cost of pages and moves against a bare route on the same server, in one run. It is only printed."""

from tests.benchmarks import serving


def test_the_price_is_told() -> None:
    print()
    for line in serving.figures():
        print(line, flush=True)
