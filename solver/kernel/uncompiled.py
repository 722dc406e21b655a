"""The part of Cython that the kernel's source uses, for an interpreter that has none."""

from array import array
from contextlib import nullcontext

compiled = False

SOURCES = 0
"""The digest of the sources that a compiled module was made from, as the build told the compiler."""

nogil = nullcontext()
"""Where threads run one at a time, there is no lock to let go."""


popcount = int.bit_count
"""The number of cells in a set."""


def prefetch(memory: "array[int]", place: int) -> None:
    """Has memory loaded before it is used; an interpreter waits for so much else that this would save nothing."""
