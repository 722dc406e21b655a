"""The errors that the store of live games raises; they need no database library."""


class NoGame(Exception):
    """No game is kept under that name."""


class Full(Exception):
    """The server keeps as many games as it may, and none of them can make room."""


class Unreachable(Exception):
    """The database cannot be asked now. A change that was under way may or may not have been made."""


class TooManyGames(Exception):
    """Somebody's network has made as many games as it may; it may make more after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds
