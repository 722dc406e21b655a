"""A process's cache of earlier answers, with a budget in bytes."""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, TypeAlias

LARGEST_SHARE: Final = 8
"""The number of entries of the largest size that fit into the budget. Larger entries are not kept."""

OVERHEAD: Final = 160
"""The approximate bytes of an entry beside its key and value: its slots in the dictionary and in the order of use."""

Body: TypeAlias = bytes
"""A cached value. The alias is needed because `ByteCache` has a property called `bytes`."""


class ByteCache:
    """A least-recently-used cache that takes at most `max_bytes`, keys included. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[Hashable, Body] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Body | None:
        """Return the value of a key and mark it as the most recently used; return None if there is no value."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Body) -> None:
        """Keep a value under a key, unless it is too large. Evict the least recently used values to make room."""
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
        """Return the value of a key; make and keep it if there is none. Two threads at once may both make it."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def bytes(self) -> int:
        """The bytes that the entries take, with their keys and overhead."""
        return self._bytes


def weight(key: Hashable, value: Body) -> int:
    """Return the approximate bytes of an entry. A key is a string, a number, bytes, or a tuple of them."""
    parts = sum(map(sys.getsizeof, key)) if isinstance(key, tuple) else 0
    return OVERHEAD + sys.getsizeof(key) + parts + sys.getsizeof(value)
