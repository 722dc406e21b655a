"""A clock that stands still until a test sets it."""


class Clock:
    """A clock at `now`, in seconds."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
