"""The claims of the Clojure article's first part on drawn boards."""

from collections import Counter
from itertools import combinations
from typing import Final

from solver.board.rules import TIC_TAC_TOE, cells_of, union
from solver.theory.claims.claim import Claim, Computation
from solver.theory.drawn import distinct_drawn_boards, drawn_boards, pattern_of


def _distinct() -> Computation:
    found = distinct_drawn_boards(TIC_TAC_TOE)
    sizes = " + ".join(map(str, found.values()))
    return Computation(
        len(found), f"With their rotations and reflections they are {sizes} = {sum(found.values())} boards."
    )


def _boards() -> Computation:
    found = drawn_boards(TIC_TAC_TOE)
    o = found[0].o.bit_count()
    fillings = sum(1 for _ in combinations(range(TIC_TAC_TOE.size), o))
    return Computation(
        len(found), f"Of the {fillings} ways to place {o} O on the full board, these leave nobody a line."
    )


def _list() -> Computation:
    found = [list(cells_of(board.o)) for board in drawn_boards(TIC_TAC_TOE)]
    return Computation(found, f"The cells of O, numbered from 0 in reading order; {len(found)} boards.")


def _condition() -> Computation:
    def covers(o: int) -> bool:
        return all(line & o for line in TIC_TAC_TOE.lines) and not any(line & o == line for line in TIC_TAC_TOE.lines)

    size = TIC_TAC_TOE.size
    cells = [union(1 << cell for cell in chosen) for chosen in combinations(range(size), size // 2)]
    found = {o for o in cells if covers(o)}
    return Computation(
        found == {board.o for board in drawn_boards(TIC_TAC_TOE)},
        f"X has no line just where O has a stone in each of the {len(TIC_TAC_TOE.lines)} lines;"
        f" {len(found)} boards are so.",
    )


def _patterns() -> Computation:
    found = Counter(str(pattern_of(board)) for board in drawn_boards(TIC_TAC_TOE))
    classes = len(distinct_drawn_boards(TIC_TAC_TOE))
    return Computation(
        dict(found), f"X in the centre; else O in two corners or in one. They are the {classes} classes up to symmetry."
    )


CLAIMS: Final = (
    Claim("clojure.three-drawn", "Up to symmetry there are three drawn boards.", 3, _distinct),
    Claim("clojure.drawn-boards", "There are 16 drawn boards.", 16, _boards),
    Claim(
        "clojure.drawn-list",
        "The sixteen drawn boards, by the cells of O.",
        [
            [0, 1, 5, 6],
            [0, 2, 3, 7],
            [0, 2, 4, 7],
            [0, 2, 5, 7],
            [0, 4, 5, 6],
            [0, 4, 5, 7],
            [0, 5, 6, 7],
            [1, 2, 3, 8],
            [1, 3, 4, 8],
            [1, 3, 6, 8],
            [1, 4, 5, 6],
            [1, 4, 6, 8],
            [1, 5, 6, 8],
            [2, 3, 4, 7],
            [2, 3, 4, 8],
            [2, 3, 7, 8],
        ],
        _list,
    ),
    Claim(
        "clojure.drawn-condition",
        "A full board is drawn where O has a stone in every row, column and diagonal and none for itself.",
        True,
        _condition,
    ),
    Claim(
        "clojure.patterns",
        "They are 8 islands, 4 arrows and 4 scorpions.",
        {"island": 8, "arrow": 4, "scorpion": 4},
        _patterns,
    ),
)
"""In the article's order."""
