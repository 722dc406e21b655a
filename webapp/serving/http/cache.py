"""A process's memory of earlier answers: bytes by small keys, within a budget of bytes and not of entries."""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, TypeAlias

DEFAULT_BYTES: Final = 32 << 20
"""The budget of a process that is told none."""

BYTES_VARIABLE: Final = "NOUGHTS_CACHE_BYTES"
"""The environment variable that names another."""

LARGEST_SHARE: Final = 8
"""A value above this part of the budget is not kept: it would push out too many others."""

OVERHEAD: Final = 160
"""Bytes an entry takes beside its key and its value, about: its slots in the dictionary and in the order of use."""

Body: TypeAlias = bytes
"""A value; inside the class `bytes` is the count."""


class ByteCache:
    """The values used last, by key, of which as many are kept as fit into `max_bytes` with their keys. Thread-safe."""

    def __init__(self, max_bytes: int = DEFAULT_BYTES) -> None:
        self.max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[Hashable, Body] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Body | None:
        """The value kept under a key, which then counts as used last; None without one."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Body) -> None:
        """Keeps a value in place of any other under its key, unless it is too large; those unused longest make room."""
        fits = weight(key, value) <= self.max_bytes // LARGEST_SHARE
        with self._lock:
            before = self._entries.pop(key, None)
            if before is not None:
                self._bytes -= weight(key, before)
            if not fits:
                return
            self._entries[key] = value
            self._bytes += weight(key, value)
            while self._bytes > self.max_bytes:
                self._bytes -= weight(*self._entries.popitem(last=False))

    def kept(self, key: Hashable, make: Callable[[], Body]) -> Body:
        """The value kept under a key, made and put there if there is none; two threads at once may both make it."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def bytes(self) -> int:
        """What the entries take, their keys and overhead included."""
        return self._bytes


def weight(key: Hashable, value: Body) -> int:
    """About how many bytes an entry takes: keys are texts, numbers, bytes and tuples of them."""
    parts = sum(map(sys.getsizeof, key)) if isinstance(key, tuple) else 0
    return OVERHEAD + sys.getsizeof(key) + parts + sys.getsizeof(value)
