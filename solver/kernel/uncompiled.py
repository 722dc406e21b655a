"""A stand-in for the parts of Cython that the kernel's source uses, where Cython is not installed."""

from array import array
from contextlib import nullcontext

compiled = False

SOURCES = 0
"""The digest of the sources of a compiled module; 0 for an interpreted one."""

nogil = nullcontext()
"""A context that releases nothing: interpreted threads run one at a time."""

popcount = int.bit_count
"""The number of cells in a set."""


def prefetch(memory: "array[int] | memoryview[int]", place: int) -> None:
    """Do nothing: only compiled code gains time when it loads memory before its use."""
