"""The door of a process that answers pages: which connections it takes, how long each may take, and which make room.

A connection that only waits (for its first byte, for the rest of a request, for the next one) is there on sufferance:
when there are too many, of one address or in all, the one that has waited longest is closed, and before it those that
have never asked for anything. So nobody can keep others out by holding connections, not even others behind the same
address. Of one address only those are closed that have waited a while: the bytes of the others may not be read yet.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Protocol

from webapp.server.limits import FrontLimits


def share_of(address: str) -> str:
    """The visitor that a connection is counted for: an IPv4 address, or the network that one visitor has of IPv6."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    return str(found.ipv4_mapped or ip_network((int(found) >> 64 << 64, 64)))


class Guest(Protocol):
    """A connection as the door sees it."""

    client: str
    deadline: float
    """The time at which it has to have got on, infinity while it is being answered."""

    def overdue(self) -> None:
        """Ends it, since its deadline has passed."""

    def make_room(self) -> None:
        """Ends it for the sake of another one."""

    def unread(self) -> int:
        """Bytes of answers that it has not taken yet."""


class Door:
    """Keeps count of the connections of a process. Only the loop's own thread may use it."""

    def __init__(self, limits: FrontLimits, per_client: bool, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        self._per_client = limits.per_client if per_client else limits.connections
        self._inside: dict[Guest, bool] = {}
        """Everyone, and whether each has been answered before."""
        self._waiting: OrderedDict[Guest, float] = OrderedDict()
        """The guests from which bytes are awaited, and since when, the longest first."""
        self._unread: OrderedDict[Guest, None] = OrderedDict()
        self._of_client: Counter[str] = Counter()
        self._streams: Counter[str] = Counter()
        self._streams_per_client = limits.streams_per_client if per_client else limits.streams

    def __len__(self) -> int:
        return len(self._inside)

    @property
    def streams(self) -> int:
        """How many connections stay for news."""
        return self._streams.total()

    def stay(self, guest: Guest) -> bool:
        """A connection stays for news and is none of those that ask any more; False if too many do.

        It has no deadline and makes no room. `left` is to be called when it has ended.
        """
        client = guest.client
        if self._streams.total() >= self.limits.streams or self._streams[client] >= self._streams_per_client:
            return False
        self._streams[client] += 1
        self.leave(guest)
        return True

    def left(self, client: str) -> None:
        """A connection of a client that stayed has ended."""
        self._streams[client] -= 1
        if not self._streams[client]:
            del self._streams[client]

    def enter(self, guest: Guest) -> bool:
        """Lets a new connection in, which waits from now on; False where there is no room and none can be closed."""
        if self._of_client[guest.client] >= self._per_client:
            self._send_one_away(guest.client)
        if len(self._inside) >= self.limits.connections and not self._send_one_away(None):
            return False
        self._inside[guest] = False
        self._of_client[guest.client] += 1
        self.wait(guest, self.limits.first)
        return True

    def leave(self, guest: Guest) -> None:
        """A connection has ended."""
        if guest in self._inside:
            del self._inside[guest]
            self._of_client[guest.client] -= 1
            if not self._of_client[guest.client]:
                del self._of_client[guest.client]
        self._waiting.pop(guest, None)
        self._unread.pop(guest, None)

    def wait(self, guest: Guest, seconds: float) -> None:
        """It is the connection's turn to get on, within so many seconds."""
        if guest not in self._inside:
            return
        guest.deadline = self.clock() + seconds
        self._waiting[guest] = self.clock()
        self._waiting.move_to_end(guest)

    def at_work(self, guest: Guest) -> None:
        """A whole request has come: it is this side's turn."""
        guest.deadline = float("inf")
        self._waiting.pop(guest, None)

    def answered(self, guest: Guest) -> None:
        """A whole answer was written; the connection waits for the next request, or has yet to read."""
        if guest not in self._inside:
            return
        self._inside[guest] = True
        unread = guest.unread()
        self.wait(guest, self.limits.unread if unread else self.limits.idle)
        if unread:
            self._unread[guest] = None
            self._unread.move_to_end(guest)
            while self._unread and sum(each.unread() for each in self._unread) > self.limits.unread_bytes:
                first, _ = self._unread.popitem(last=False)
                first.make_room()

    def sweep(self) -> None:
        """Ends the connections that are overdue."""
        now = self.clock()
        for guest in [guest for guest in self._inside if guest.deadline < now]:
            guest.overdue()

    def _send_one_away(self, client: str | None) -> bool:
        long_ago = self.clock() - self.limits.patience
        waiting = [
            guest
            for guest, since in self._waiting.items()
            if client is None or (guest.client == client and since < long_ago)
        ]
        victim = next((guest for guest in waiting if not self._inside[guest]), waiting[0] if waiting else None)
        if victim is None:
            return False
        self.leave(victim)
        victim.make_room()
        return True
