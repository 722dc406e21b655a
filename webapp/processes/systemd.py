"""Socket activation and notifications of systemd (sd_listen_fds(3), sd_notify(3))."""

import os
import socket
from contextlib import suppress
from typing import Final

from solver.errors import BadOption

FIRST_DESCRIPTOR: Final = 3
"""The first file descriptor that systemd hands over."""


def activated_listener() -> socket.socket | None:
    """Return the listening socket that this process was started with, if there is one.

    Raises BadOption for several sockets, or for a socket that is not TCP.
    """
    ours = os.environ.pop("LISTEN_PID", "") == str(os.getpid())
    handed_over = os.environ.pop("LISTEN_FDS", "")
    if not ours or not handed_over:
        return None
    listener = socket.socket(fileno=FIRST_DESCRIPTOR)
    if handed_over != "1" or listener.family not in (socket.AF_INET, socket.AF_INET6):
        raise BadOption("Hand over one TCP socket to listen on, such as ListenStream=127.0.0.1:8000.")
    return listener


class Notifier:
    """A sender of the server's state to the service manager. Without a manager it does nothing."""

    def __init__(self) -> None:
        # Child processes must not notify systemd.
        place = os.environ.pop("NOTIFY_SOCKET", "")
        self._address = f"\0{place[1:]}" if place.startswith("@") else place
        watched = os.environ.pop("WATCHDOG_USEC", "")
        self._every = int(watched) / 1e6 / 3 if watched.isdigit() else float("inf")
        self._next = 0.0

    def tell(self, state: str) -> None:
        """Send a state such as `READY=1`."""
        if self._address:
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as end:
                end.sendto(state.encode(), self._address)

    def alive(self, now: float) -> None:
        """Send the watchdog's keep-alive message once a third of its timeout has passed since the last one."""
        if self._every < float("inf") and now >= self._next:
            self._next = now + self._every
            self.tell("WATCHDOG=1")
