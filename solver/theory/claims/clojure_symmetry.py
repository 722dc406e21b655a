"""The claims of the Clojure article's first part on symmetry."""

from collections import Counter
from typing import Final

from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.theory.census import Stage
from solver.theory.claims.claim import Claim, Computation
from solver.theory.claims.clojure_census import EMPTY, of_kinds, of_levels, of_nodes
from solver.theory.graph import graph_of


def _after_two() -> Computation:
    graph = graph_of(EMPTY, stop=lambda each: each.plies_left == TIC_TAC_TOE.size - 2)
    corner, edge, centre = graph.children(EMPTY)
    found = {
        name: len({each.canonical() for each in map(opening.after, opening.legal_moves)})
        for name, opening in (("corner", corner), ("edge", edge), ("centre", centre))
    }
    return Computation(found, f"Together {sum(found.values())} positions, where plain counting has 9×8 = {9 * 8}.")


def _symmetries() -> Computation:
    found = len(TIC_TAC_TOE.symmetries) - 1
    return Computation(found, f"With the one that moves nothing the square has {len(TIC_TAC_TOE.symmetries)}.")


PRINTED_TRANSFORMS: Final = (
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
)
"""The index maps of the article's `board-symmetries`."""


def _transforms() -> Computation:
    identity, *others = TIC_TAC_TOE.symmetries
    return Computation(
        set(PRINTED_TRANSFORMS) == set(others),
        f"They are {len(others)} different permutations of the cells, each maps all {len(TIC_TAC_TOE.lines)} lines to"
        f" lines, and none is the one that moves nothing, {list(identity)}.",
    )


def _many_unique() -> Computation:
    nodes = graph_of(EMPTY).nodes
    unique = sum(each.images() == 8 for each in nodes)
    return Computation(
        2 * unique > len(nodes), f"{unique} of the {len(nodes)} positions have seven images that differ."
    )


def _meetings() -> tuple[int, int, int, bool]:
    """Of the article's walk: meetings of images, those of a board met before, boards in both sets, whether none is."""
    walked: set[Position] = set()
    images: set[Position] = set()
    met: Counter[Position] = Counter()
    stack = [EMPTY]
    while stack:
        position = stack.pop()
        if position in images and position not in walked:
            met[position] += 1
        elif position not in walked:
            walked.add(position)
            images |= {position.transformed(symmetry) for symmetry in TIC_TAC_TOE.symmetries} - {position}
            stack += [position.after(cell) for cell in reversed(position.legal_moves)]
    both = len(walked & images)
    return sum(met.values()), sum(met.values()) - len(met), both, not both


def _orthogonal() -> Computation:
    symmetric, again, both, _ = _meetings()
    return Computation(
        again,
        f"Of {symmetric} nodes counted as symmetric, {again} are boards that the walk had met before, so they are"
        " duplicates too. The article's set of visited boards holds only the boards whose moves were tried, not the"
        f" images left out, and of that set {both} boards are images of others.",
        deviating=both,
    )


def _orthogonal_order() -> Computation:
    *_, may_swap = _meetings()
    return Computation(
        may_swap,
        "No visited board is an image of another visited one, so at most one of the look-ups finds a board, and their"
        " order makes no difference.",
    )


CLAIMS: Final = (
    Claim(
        "clojure.twelve-after-two",
        "Up to symmetry there are three first moves, with 5, 5 and 2 replies: twelve positions.",
        {"corner": 5, "edge": 5, "centre": 2},
        _after_two,
    ),
    Claim("clojure.seven-symmetries", "There are seven symmetries: 3 rotations, 4 reflections.", 7, _symmetries),
    Claim("clojure.transforms", "The seven index maps of the program are these symmetries.", True, _transforms),
    Claim("clojure.many-unique", "Many positions have seven new images.", True, _many_unique),
    Claim("clojure.orthogonal", "No node is both a duplicate and a symmetric one.", 0, _orthogonal),
    Claim(
        "clojure.orthogonal-order",
        "It makes no difference whether duplicates or symmetric nodes are looked up first.",
        True,
        _orthogonal_order,
    ),
    Claim(
        "clojure.symmetry",
        "Up to symmetry, 765 nodes are left.",
        765,
        lambda: of_nodes(Stage.SYMMETRY, "These are the positions that no rotation or reflection makes equal."),
    ),
    Claim(
        "clojure.symmetry-by-level",
        "The tree up to symmetry, by level and kind, with the duplicate and symmetric nodes met on the way.",
        {
            "internal": [1, 3, 12, 38, 108, 153, 183, 95, 34, 0],
            "x": [0, 0, 0, 0, 0, 21, 0, 58, 0, 12],
            "o": [0, 0, 0, 0, 0, 0, 21, 0, 23, 0],
            "draw": [0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
            "dup": [0, 0, 0, 3, 44, 161, 225, 220, 82, 11],
            "sym": [0, 6, 12, 43, 76, 205, 183, 176, 51, 8],
        },
        lambda: of_levels(Stage.SYMMETRY),
    ),
    Claim(
        "clojure.symmetry-kinds",
        "Its totals by kind in the tracking table.",
        {"internal": 630, "x": 91, "o": 44},
        lambda: of_kinds(Stage.SYMMETRY),
    ),
)
"""In the article's order."""
