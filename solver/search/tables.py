"""Tables of the score of every position of a game, which the kernel makes at once: bytes, price, and making.

A table holds a byte for each way in which marks can lie on some of the squares. Games in which stones vanish have none:
`vanishing` has their scores.
"""

from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from math import comb
from typing import TYPE_CHECKING, Final

from solver.board.rules import Marking, Rules

if TYPE_CHECKING:
    from solver.kernel.kernel import Tablebase

MOST_SMALL: Final = 64
"""The most small boards whose tables are kept."""

SECONDS_A_BYTE: Final = {"compiled": 3e-8, "interpreted": 3e-6}
"""The processor seconds that each byte of a table takes."""

SHARED: Final = 1 << 18
"""The bytes of a table from which on two threads make it."""

PARTS: Final = 8
"""The parts of the work on the positions with as many stones, of which each thread does some."""


@lru_cache(maxsize=512)
def bytes_of(rules: Rules) -> int:
    """Return the size of a game's table, without making it: the ways in which marks can lie on some of the squares."""
    return sum(comb(rules.squares, stones) * ways for stones, ways in enumerate(ways_to_mark(rules)))


def ways_to_mark(rules: Rules) -> list[int]:
    """Return the number of ways in which marks can lie on as many squares as there are stones, by this number."""
    plies = range(rules.squares + 1)
    if rules.is_wild:
        return [1 << stones for stones in plies]
    return [comb(stones, stones // 2) if rules.marks is Marking.OWN else 1 for stones in plies]


def seconds_of(rules: Rules) -> float:
    """Return the processor seconds that making a game's table takes, to within a factor of three."""
    from solver.kernel.engine import KERNEL  # noqa: PLC0415 - most programs need no kernel

    return bytes_of(rules) * SECONDS_A_BYTE[KERNEL]


@lru_cache(maxsize=MOST_SMALL)
def small(rules: Rules) -> "Tablebase":
    """Return the table of a small board: the same object each time."""
    return make(rules, memoryview(bytearray(bytes_of(rules))))


def make(rules: Rules, memory: memoryview) -> "Tablebase":
    """Return the table of a game in which stones stay, decided backwards from the full board in this memory."""
    made, plies = open_table(rules, memory), range(rules.squares + 1)
    if len(memory) < SHARED:
        fill(made, plies, map)
        return made
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small tables are made sooner than threads

    with ThreadPoolExecutor(2) as threads:
        fill(made, plies, threads.map)
    return made


def fill(made: "Tablebase", plies: range, run: Callable[[Callable[[int], None], range], Iterable[None]]) -> None:
    """Fill a table ply by ply; `run` does the parts of a ply."""
    for backwards, order in ((False, plies), (True, plies[::-1])):
        for stones in order:
            deque(run(partial(made.fill, stones, backwards, PARTS), range(PARTS)), maxlen=0)


def open_table(rules: Rules, memory: memoryview) -> "Tablebase":
    """Return the table that `make` has left in a writable memory."""
    from solver.kernel.engine import kernel  # noqa: PLC0415 - most programs need no kernel

    return kernel.Tablebase(rules, memory.cast("b"), ways_to_mark(rules))
