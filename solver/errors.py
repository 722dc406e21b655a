"""Errors in input, a class for each kind. Their messages tell people how to correct the input."""


class NoughtsError(ValueError):
    """Bad input. `code` names the kind for programs; the message is a sentence or two for people."""

    code = "bad_input"


class BadRules(NoughtsError):
    """A board that is not offered, or rules that a search cannot answer for."""

    code = "bad_board"


class BadNotation(NoughtsError):
    """A text that is not a cell, a move list or a position."""

    code = "bad_notation"


class ImpossiblePosition(NoughtsError):
    """A well-formed position that no game can reach."""

    code = "impossible_position"


class IllegalMove(NoughtsError):
    """A cell that cannot be played: it is taken or off the board, or the game is over."""

    code = "illegal_move"


class UnknownPlayer(NoughtsError, KeyError):
    """A name that no opponent has, or an opponent that does not play on this board.

    It is a KeyError too, because `STRATEGIES` raises it as any mapping raises one for a key that it lacks.
    """

    code = "unknown_player"
    __str__ = Exception.__str__  # a KeyError shows its message in quotation marks


def check_text(given: object, what: str) -> None:
    """Raise BadNotation unless a text is given; `what` says which, such as "a square, such as b2"."""
    if not isinstance(given, str):
        raise BadNotation(f"{repr(given)[:40]} isn't a text: write {what}.")


class BadOption(NoughtsError):
    """A parameter with a value that is not accepted."""

    code = "bad_option"


class TooLarge(NoughtsError):
    """More than can be counted or drawn; the message gives the limit."""

    code = "too_large"


class BadCertificate(NoughtsError):
    """A file that is not a certificate of a board's outcome."""

    code = "bad_certificate"


class NoSuchDrill(NoughtsError):
    """An id without a drill: its position makes no drills at all, or none of that kind."""

    code = "no_such_drill"
