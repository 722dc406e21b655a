"""The Clojure article's rules of thumb for the first moves of tic-tac-toe, each checked against perfect play."""

from dataclasses import dataclass

from solver.board.position import Mark
from solver.theory.openings import (
    Move,
    Opening,
    forced_wins,
    square_name,
    tic_tac_toe_openings,
    winning_moves,
)


@dataclass(frozen=True, slots=True)
class Thumb:
    """A rule in words, whether it holds, and why."""

    rule: str
    holds: bool
    because: str


def thumbs() -> tuple[Thumb, ...]:
    """Every rule of thumb, checked."""
    return (
        corner_needs_the_centre(),
        centre_needs_a_corner(),
        edge_leaves_options(),
        centre_else_corner(),
        wins_begin_with_a_threat(),
    )


def corner_needs_the_centre() -> Thumb:
    """The reply to a corner."""
    opening = tic_tac_toe_openings()["corner"]
    return Thumb(
        "X opened in a corner: O must take the centre.",
        {square_name(reply.cell) for reply in opening.safe} == {"centre"},
        _which_lose(opening),
    )


def centre_needs_a_corner() -> Thumb:
    """The reply to the centre."""
    opening = tic_tac_toe_openings()["centre"]
    return Thumb(
        "X opened in the centre: O must take a corner.",
        {square_name(reply.cell) for reply in opening.safe} == {"corner"},
        _which_lose(opening),
    )


def edge_leaves_options() -> Thumb:
    """The reply to an edge."""
    opening = tic_tac_toe_openings()["edge"]
    safe = [square_name(reply.cell) for reply in opening.safe]
    return Thumb(
        "X opened on an edge: O has some options, and the centre is safe.",
        len(safe) > 1 and "centre" in safe,
        _which_lose(opening),
    )


def centre_else_corner() -> Thumb:
    """One rule for all first replies."""
    checked = {name: _ruled(opening) for name, opening in tic_tac_toe_openings().items()}
    losing = [name for name, replies in checked.items() if any(reply.worth for reply in replies)]
    taken = ", ".join(f"{square_name(replies[0].cell)} after {name}" for name, replies in checked.items())
    return Thumb(
        "As O, take the centre if it is free, otherwise a corner.",
        not losing,
        f"The rule plays: {taken}. "
        + (f"It loses after {', '.join(losing)}." if losing else "Perfect play then ends in a draw each time."),
    )


def wins_begin_with_a_threat() -> Thumb:
    """How to punish a losing reply."""
    lost = [reply.position for opening in tic_tac_toe_openings().values() for reply in opening.losing]
    winning = [(position, cell) for position in lost for cell in winning_moves(position)]
    quiet = [cell for position, cell in winning if not position.after(cell).completing(Mark.X)]
    ways = sum(len(forced_wins(position)) for position in lost)
    threats = sum(bool(at.after(cell).completing(Mark.X)) for at in lost for cell in at.legal_moves)
    return Thumb(
        "O has lost already: look for moves that O must answer at once. Every way to win begins with one.",
        not quiet and {(way.start, way.moves[0]) for at in lost for way in forced_wins(at)} == set(winning),
        f"After the {len(lost)} losing replies X has {len(winning)} moves that still win, square by square;"
        f" {len(winning) - len(quiet)} of them threaten to win at once. They lead to forks in {ways} ways. But look"
        f" before you threaten: X has {threats} such threats, and only {len(winning) - len(quiet)} win.",
    )


def _ruled(opening: Opening) -> tuple[Move, ...]:
    """The replies that "the centre, otherwise a corner" allows."""
    for name in ("centre", "corner"):
        if found := tuple(reply for reply in opening.replies if square_name(reply.cell) == name):
            return found
    return ()


def _which_lose(opening: Opening) -> str:
    safe, whole = (sum(len(reply.cells) for reply in part) for part in (opening.safe, opening.replies))
    named = ", ".join(dict.fromkeys(square_name(reply.cell) for reply in opening.safe))
    return (
        f"{len(opening.losing)} of the {len(opening.replies)} distinct replies lose;"
        f" safe are {safe} of {whole} squares ({named})."
    )
