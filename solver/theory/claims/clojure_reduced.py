"""The claims of the Clojure article's second part about the reduced game tree."""

from collections import Counter

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.theory.claims.claim import Claim, Computation
from solver.theory.openings import Move, distinct_moves, square_name, tic_tac_toe_openings, worth
from solver.theory.reduced import TREE_RULES, holds_by_blocking, is_settled, reduced_tree

_CENTRE = 4
_WORDS = {1: "X wins", 0: "draw", -1: "O wins"}


def _leaves(root: Position) -> list[Position]:
    tree = reduced_tree(root)
    return [node for node in tree.nodes if not tree.children(node)]


def _ply(position: Position) -> int:
    return position.rules.size - position.plies_left


def _opened(name: str) -> Position:
    return tic_tac_toe_openings()[name].position


def _corner_and_centre() -> Position:
    return _opened("corner").after(_CENTRE)


def _opposite_edge() -> Move:
    """The third of X's four moves after corner and centre."""
    return distinct_moves(_corner_and_centre())[2]


def _opposite_corner(position: Position) -> Move:
    """The last of X's distinct moves in reading order: the corner farthest from the one that is taken."""
    return distinct_moves(position)[-1]


def _under_200() -> Computation:
    counts = {name: len(reduced_tree(_opened(name)).nodes) for name in tic_tac_toe_openings()}
    whole = len(reduced_tree(Position(TIC_TAC_TOE)).nodes)
    return Computation(
        whole < 200,
        f"The tree has {whole} positions, up to symmetry and each once; by opening "
        + ", ".join(f"{count} below the {name}" for name, count in counts.items())
        + ", some of them below two.",
    )


def _edge_95() -> Computation:
    counts = {name: len(reduced_tree(_opened("edge"), reading).nodes) for name, reading in TREE_RULES.items()}
    first, *others = counts.items()
    return Computation(
        first[1],
        f"With {first[0]}, each position once up to symmetry. The article does not print its function; the other"
        f" readings give " + ", ".join(f"{count} ({name})" for name, count in others) + ".",
    )


def _edge_in_three() -> Computation:
    replies = tic_tac_toe_openings()["edge"].safe
    parts = ", ".join(
        f"{square_name(reply.cell)} with {len(reduced_tree(reply.position).nodes)} nodes" for reply in replies
    )
    return Computation(len(replies), f"Replies to the edge that do not lose, each with its own tree: {parts}.")


def _by_blocking() -> Computation:
    drawn = [leaf for leaf in _leaves(Position(TIC_TAC_TOE)) if worth(leaf) == 0]
    held = [leaf for leaf in drawn if holds_by_blocking(leaf, Mark.X) and holds_by_blocking(leaf, Mark.O)]
    return Computation(
        held == drawn,
        f"The tree ends in {len(drawn)} drawn positions. In {len(held)} of them either player, who wins or blocks where"
        " that is called for and plays anything otherwise, cannot lose, whatever the opponent does.",
    )


def _four_responses() -> Computation:
    moves = distinct_moves(_corner_and_centre())
    return Computation(
        ["draw" if is_settled(move.position) else "forks ahead" for move in moves],
        f"X has {len(moves)} distinct moves, in reading order seen from the corner at the top left; all are drawn by"
        f" perfect play. No fork can come about after {sum(is_settled(move.position) for move in moves)} of them.",
    )


def _corner_trap() -> Computation:
    position = _opposite_corner(_corner_and_centre()).position
    replies = distinct_moves(position)
    found = {square_name(reply.cell): [_WORDS[reply.worth], is_settled(reply.position)] for reply in replies}
    return Computation(
        found == {"corner": ["X wins", True], "edge": ["draw", True]},
        f"X holds two opposite corners and O the centre. {_told(replies)}; after an edge no fork is ahead any more.",
    )


def _edge_traps() -> Computation:
    plies = Counter(_ply(leaf) for leaf in _leaves(_opposite_edge().position) if worth(leaf) == 1)
    return Computation(
        {f"level {ply}": plies[ply] for ply in sorted(plies)},
        "Positions that X has won in the reduced tree after corner, centre and opposite edge, by the number of moves"
        " played so far.",
    )


def _green_node() -> Computation:
    reply = _opposite_edge().position.after(8)
    lost = [leaf for leaf in _leaves(_opened("corner")) if worth(leaf) == -1]
    below = [leaf for leaf in _leaves(reply) if worth(leaf) == -1]
    return Computation(
        len(lost) == 1 and [leaf.canonical() for leaf in below] == [leaf.canonical() for leaf in lost],
        f"Positions of the branch that O has won: {len(lost)}. With X's corner at the top left and the edge at the"
        f" right, {len(below)} lies behind O's bottom right corner, where X loses with {len(_losing(reply))} of"
        f" {len(reply.legal_moves)} moves.",
    )


def _losing(position: Position) -> list[int]:
    """The moves that lose for X, to move."""
    return [cell for cell in position.legal_moves if worth(position.after(cell)) == -1]


def _centre_branch() -> Computation:
    moves = distinct_moves(_opened("centre").after(0))
    below = [sorted({_WORDS[worth(leaf)] for leaf in _leaves(move.position)}) for move in moves]
    return Computation(
        below,
        f"How the reduced tree can end after X's {len(moves)} distinct moves, in reading order with O's corner at the"
        " top left. The last is the opposite corner. The first, beside O's corner, lets O block with a threat of its"
        " own, and one of X's next moves then loses.",
    )


def _corner_again() -> Computation:
    position = _opposite_corner(_opened("centre").after(0)).position
    replies = distinct_moves(position)
    safe = {square_name(reply.cell) for reply in replies if reply.worth < 1}
    return Computation(safe == {"corner"}, f"X holds the centre and the corner opposite O's. {_told(replies)}.")


def _told(replies: tuple[Move, ...]) -> str:
    return "O's replies: " + ", ".join(f"{square_name(reply.cell)} {_WORDS[reply.worth]}" for reply in replies)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "clojure.reduced-under-200",
        "The reduced tree captures the whole game in fewer than 200 nodes.",
        True,
        _under_200,
    ),
    Claim("clojure.edge-tree-95", "The reduced tree below the edge opening has 95 nodes.", 95, _edge_95),
    Claim(
        "clojure.edge-in-three",
        "Three distinct replies to the edge are no direct wins for X.",
        3,
        _edge_in_three,
    ),
    Claim(
        "clojure.reduced-by-blocking",
        "Where the reduced tree ends in a draw, blocking is all it takes to draw.",
        True,
        _by_blocking,
    ),
    Claim(
        "clojure.corner-four-responses",
        "After corner and centre X has four distinct moves: two mere draws, and two that can lead to forks.",
        ["draw", "draw", "forks ahead", "forks ahead"],
        _four_responses,
    ),
    Claim(
        "clojure.opposite-corner-trap",
        "If X takes the opposite corner then, O must play an edge and not a corner; after that it is a mere draw.",
        True,
        _corner_trap,
    ),
    Claim(
        "clojure.opposite-edge-traps",
        "If X takes an opposite edge instead, O can lose in two ways at once and in two more at level 6.",
        {"level 4": 2, "level 6": 2},
        _edge_traps,
    ),
    Claim(
        "clojure.o-trap-in-corner-branch",
        "In that line O can set a trap too, the only one of the branch, by the bottom right corner.",
        True,
        _green_node,
    ),
    Claim(
        "clojure.centre-standard-draws",
        "After centre and corner X has four distinct moves, and all but the last, the opposite corner, only draw or may"
        " even lose in one path.",
        [["O wins", "draw"], ["draw"], ["draw"], ["X wins", "draw"]],
        _centre_branch,
    ),
    Claim(
        "clojure.centre-corner-again",
        "If X takes the corner opposite O's, O must play a corner again to draw.",
        True,
        _corner_again,
    ),
)
