"""A clock for tests."""


class Clock:
    """A clock that stands still at `now`, in seconds, until a test sets it."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
