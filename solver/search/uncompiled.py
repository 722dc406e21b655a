"""What the kernel's source takes from Cython, for an interpreter that has none."""

from contextlib import nullcontext

nogil = nullcontext()
"""Where threads run one at a time, there is no lock to let go."""
