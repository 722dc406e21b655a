"""The claims of the Clojure article's second part about the first two moves and the wins they allow."""

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.theory.claims.claim import Claim, Computation
from solver.theory.graph import graph_of
from solver.theory.openings import distinct_ways, place_name, square_name, tic_tac_toe_openings, worth
from solver.theory.thumbs import (
    Thumb,
    centre_else_corner,
    centre_needs_a_corner,
    corner_needs_the_centre,
    edge_leaves_options,
    wins_begin_with_a_threat,
)

_EMPTY = Position(TIC_TAC_TOE)


def _draw() -> Computation:
    tree = graph_of(_EMPTY)
    won = sum(worth(node) == 1 for node in tree.nodes)
    lost = sum(worth(node) == -1 for node in tree.nodes)
    return Computation(
        worth(_EMPTY) == 0,
        f"Perfect play from the empty board ends in a draw. Of the {len(tree.nodes)} positions up to symmetry X wins"
        f" {won} and O {lost}, but neither can force one of them from the start.",
    )


def _openings_draw() -> Computation:
    worths = {name: opening.move.worth for name, opening in tic_tac_toe_openings().items()}
    safe = ", ".join(f"{len(opening.safe)} after {name}" for name, opening in tic_tac_toe_openings().items())
    return Computation(
        worths, f"Each opening leaves O at least one distinct reply that draws: {safe}. None loses for X."
    )


def _must_draw() -> Computation:
    drawn = [node for node in graph_of(_EMPTY).nodes if worth(node) == 0 and node.result is None]
    mixed = [node for node in drawn if any(worth(node.after(cell)) != 0 for cell in node.legal_moves)]
    as_x = sum(node.mover is Mark.X for node in mixed)
    return Computation(
        not mixed,
        "That a position is drawn says only that its best move draws; others may lose, and no win of the mover is"
        f" needed for that. Of the {len(drawn)} unfinished drawn positions up to symmetry {len(mixed)} have a move that"
        f" loses, {as_x} of them with X to move. All three openings do draw, but that has to be looked up, not"
        " inferred.",
    )


def _replies() -> Computation:
    counts = {name: len(opening.replies) for name, opening in tic_tac_toe_openings().items()}
    return Computation(
        sum(counts.values()),
        "Distinct replies: " + ", ".join(f"{count} after {name}" for name, count in counts.items()) + ".",
    )


def _losing_replies() -> Computation:
    counts = {name: len(opening.losing) for name, opening in tic_tac_toe_openings().items()}
    return Computation(
        sum(counts.values()),
        "X then wins by perfect play: " + ", ".join(f"{count} after {name}" for name, count in counts.items()) + ".",
    )


def _losing_share() -> Computation:
    openings = tic_tac_toe_openings().values()
    losing, whole = sum(len(each.losing) for each in openings), sum(len(each.replies) for each in openings)
    bad = sum(len(each.move.cells) * len(reply.cells) for each in openings for reply in each.losing)
    played = sum(len(each.move.cells) * len(reply.cells) for each in openings for reply in each.replies)
    return Computation(
        round(100 * losing / whole),
        f"{losing} of {whole} distinct replies lose. Counted square by square, as for players who play anywhere, it is"
        f" {bad} of {played}, {round(100 * bad / played)}%.",
    )


def _corner_replies() -> Computation:
    opening = tic_tac_toe_openings()["corner"]
    return Computation(
        [len(opening.safe), len(opening.losing)],
        f"Safe: {', '.join(square_name(reply.cell) for reply in opening.safe)}. Losing:"
        f" {', '.join(place_name(reply.cell, opening.move.cell) for reply in opening.losing)}.",
    )


def _thumb(thumb: Thumb) -> Computation:
    return Computation(thumb.holds, thumb.because)


def _lost_by_forks() -> Computation:
    ways = _ways()
    return Computation(
        all(ways),
        f"From each of the {len(ways)} losing replies X forces a fork by threats alone, in {sum(ways)} ways that are"
        f" not images of each other: {', '.join(map(str, ways))}.",
    )


def _several_ways() -> Computation:
    ways = _ways()
    several = sum(count > 1 for count in ways)
    return Computation(
        several > len(ways) / 2,
        f"{several} of the {len(ways)} losing replies can be punished in more than one way up to symmetry:"
        f" {', '.join(map(str, ways))}.",
    )


def _ways() -> list[int]:
    """The distinct forced wins after each losing reply."""
    openings = tic_tac_toe_openings().values()
    return [len(distinct_ways(reply.position)) for opening in openings for reply in opening.losing]


CLAIMS: tuple[Claim, ...] = (
    Claim("clojure.draw", "If both play their best from the empty board, the game is a draw.", True, _draw),
    Claim(
        "clojure.openings-draw",
        "All three openings are draws (1 is a win of X, 0 a draw, -1 a win of O).",
        {"corner": 0, "edge": 0, "centre": 0},
        _openings_draw,
    ),
    Claim(
        "clojure.openings-must-draw",
        "The openings must all be draws because the empty board is one: otherwise an opening would force a win.",
        True,
        _must_draw,
    ),
    Claim("clojure.replies", "There are 12 distinct replies to the three openings.", 12, _replies),
    Claim("clojure.losing-replies", "7 of the 12 distinct replies lose for O.", 7, _losing_replies),
    Claim("clojure.losing-share", "So 58 % of the replies lose.", 58, _losing_share),
    Claim(
        "clojure.corner-replies",
        "After a corner one of the five distinct replies draws and four lose.",
        [1, 4],
        _corner_replies,
    ),
    Claim(
        "clojure.corner-needs-centre",
        "After an opening corner O must play in the centre.",
        True,
        lambda: _thumb(corner_needs_the_centre()),
    ),
    Claim(
        "clojure.centre-needs-corner",
        "After an opening centre O must play in a corner.",
        True,
        lambda: _thumb(centre_needs_a_corner()),
    ),
    Claim(
        "clojure.edge-leaves-options",
        "After an opening edge O has some options, and the centre is safe.",
        True,
        lambda: _thumb(edge_leaves_options()),
    ),
    Claim(
        "clojure.centre-else-corner",
        "O's first move in one rule: the centre if it is free, otherwise a corner.",
        True,
        lambda: _thumb(centre_else_corner()),
    ),
    Claim("clojure.lost-by-forks", "All seven losing replies lose because X can make a fork.", True, _lost_by_forks),
    Claim(
        "clojure.several-forks",
        "In many of these positions there are several ways to make the fork.",
        True,
        _several_ways,
    ),
    Claim(
        "clojure.forcing-start",
        "Every way to win after a losing reply starts with a move that O must block at once.",
        True,
        lambda: _thumb(wins_begin_with_a_threat()),
    ),
)
