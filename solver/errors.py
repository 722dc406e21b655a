"""Errors in input: a class for each kind, and a message in each that says how to mend it."""


class NoughtsError(ValueError):
    """Bad input. `code` names the kind for programs; the message is one sentence or two for people."""

    code = "bad_input"


class BadRules(NoughtsError):
    """The board is no board this game is offered on."""

    code = "bad_board"


class BadNotation(NoughtsError):
    """A text that is no cell, no move list or no position."""

    code = "bad_notation"


class ImpossiblePosition(NoughtsError):
    """Well written, but no game can reach it."""

    code = "impossible_position"


class IllegalMove(NoughtsError):
    """A cell that cannot be played in this position: taken, off the board, or the game is over."""

    code = "illegal_move"


class UnknownPlayer(NoughtsError):
    """No opponent has that name, or it does not play on this board."""

    code = "unknown_player"


class BadOption(NoughtsError):
    """A parameter whose value is not one of those on offer."""

    code = "bad_option"


class TooLarge(NoughtsError):
    """More than can be counted or drawn; the message says how much is."""

    code = "too_large"


class BadCertificate(NoughtsError):
    """A file that is no certificate of a board's outcome."""

    code = "bad_certificate"


class NoSuchDrill(NoughtsError):
    """No drill has that id: its position has nothing of that kind to find, or is none of those that have drills."""

    code = "no_such_drill"
