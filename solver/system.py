"""The system: the folder of the user's files, the identity of a file, and child processes and their memory."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Delay Ctrl-C within the context. Processes that are started there inherit the delay and never receive Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - only a parent of processes needs it

    resource_tracker.ensure_running()  # starting it later would end the delay
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def live_no_longer_than(lifeline: "Connection[Any, Any]") -> None:
    """End this process once the other end of the pipe is closed. A thread waits for this."""
    # Only the parent handles Ctrl-C and the end of a terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def end() -> None:
        lifeline.poll(None)
        os._exit(0)

    Thread(target=end, name="lifeline", daemon=True).start()


def resident_bytes() -> int:
    """Return the bytes of memory that this process holds.

    Some systems only tell the most that it has held, or nothing, which gives 0.
    """
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def cache_folder() -> Path | None:
    """Return the folder for results that later runs can use again; None if nothing is to be kept.

    It is the user's cache folder, unless the environment variable NOUGHTS_CACHE names another one or is "off".
    """
    folder = os.environ.get("NOUGHTS_CACHE") or user_cache_path("noughts", appauthor=False)
    return None if folder == "off" else Path(folder)


def identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, which tell it from a replacement; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
