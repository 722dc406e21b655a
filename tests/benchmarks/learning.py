"""The times of the lessons: the first answer of a new process, and the next."""

import time
from collections.abc import Iterator

from webapp.app import create_app
from webapp.pages.learn.lessons import LESSONS

BARS = "bars: 200 ms warm, and 1 s for a first answer"


def figures() -> Iterator[str]:
    """Time each lesson in milliseconds. The first lesson also computes what all share."""
    client = create_app().test_client()

    def answered(path: str) -> float:
        began = time.perf_counter()
        assert client.get(path).status_code == 200
        return (time.perf_counter() - began) * 1000

    yield f"lessons, ms ({BARS}):"
    for name in ("claims", *(name for name in LESSONS if name != "claims")):
        yield f"  {name:<14} first {answered(f'/learn/{name}'):8,.0f}   next {answered(f'/learn/{name}'):6,.1f}"
