"""The door of a page process: it admits connections, sets their deadlines, and closes some to make room.

A connection may wait for its first byte, for the rest of a request, or for the next request. If one address or the
whole process has too many connections, the door closes the connection that has waited longest. Connections without an
answer so far are closed before all others. So nobody can keep others out by holding connections, not even others behind
the same address. If one address has too many connections, the door closes none that has waited only briefly, because
bytes from its client may not have been read yet.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Final, Protocol

from webapp.config import FrontLimits

MOST: Final = 4
"""The factor by which an address may exceed its limit while none of its connections has waited for long."""


def share_of(address: str) -> str:
    """Return the key that a visitor is counted by: an IPv4 address, or the /64 network of an IPv6 address."""
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
    """The time by which the client has to act, or the server to answer."""

    def overdue(self) -> None:
        """End the connection, because its deadline has passed."""

    def make_room(self) -> None:
        """End the connection to make room for another one."""

    def unread(self) -> int:
        """Return the bytes of answers that the client has not taken yet."""


class Door:
    """The connections of a process. Only the loop's own thread may use it."""

    def __init__(self, limits: FrontLimits, per_client: bool, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        self._per_client = limits.per_client if per_client else limits.connections
        self._inside: dict[Guest, bool] = {}
        """All connections, and whether each has been answered before."""
        self._waiting: OrderedDict[Guest, float] = OrderedDict()
        """The connections that the server waits for, with the start of each wait. The longest wait comes first."""
        self._unread: OrderedDict[Guest, None] = OrderedDict()
        self._of_client: Counter[str] = Counter()
        self._streams: Counter[str] = Counter()
        self._streams_per_client = limits.streams_per_client if per_client else limits.streams

    def __len__(self) -> int:
        return len(self._inside)

    @property
    def streams(self) -> int:
        """The number of connections that stay for news."""
        return self._streams.total()

    def stay(self, guest: Guest) -> bool:
        """Let a connection stay open for news. Return False if too many connections stay open already.

        A connection that stays has no deadline, is not closed to make room, and does not count among the others. Call
        `left` when it has ended.
        """
        client = guest.client
        if self._streams.total() >= self.limits.streams or self._streams[client] >= self._streams_per_client:
            return False
        self._streams[client] += 1
        self.leave(guest)
        return True

    def left(self, client: str) -> None:
        """Note the end of a client's connection that stayed for news."""
        self._streams[client] -= 1
        if not self._streams[client]:
            del self._streams[client]

    def enter(self, guest: Guest) -> bool:
        """Let a new connection in; its wait begins now. Return False if there is no room and none can be made."""
        client, crowd = guest.client, self._of_client[guest.client]
        is_crowded = crowd >= self._per_client and not self._send_one_away(client, self.limits.patience)
        if is_crowded and crowd >= MOST * self._per_client and not self._send_one_away(client):
            return False
        if len(self._inside) >= self.limits.connections and not self._send_one_away():
            return False
        self._inside[guest] = False
        self._of_client[guest.client] += 1
        self.wait(guest, self.limits.first)
        return True

    def leave(self, guest: Guest) -> None:
        """Note that a connection has ended."""
        if guest in self._inside:
            del self._inside[guest]
            self._of_client[guest.client] -= 1
            if not self._of_client[guest.client]:
                del self._of_client[guest.client]
        self._waiting.pop(guest, None)
        self._unread.pop(guest, None)

    def wait(self, guest: Guest, seconds: float) -> None:
        """Give the client this number of seconds to send or to read."""
        if guest not in self._inside:
            return
        guest.deadline = self.clock() + seconds
        self._waiting[guest] = self.clock()
        self._waiting.move_to_end(guest)

    def at_work(self, guest: Guest) -> None:
        """Note that a whole request has come, so that it is the server's turn."""
        guest.deadline = self.clock() + self.limits.answer
        self._waiting.pop(guest, None)

    def answered(self, guest: Guest) -> None:
        """Note that a whole answer was written. The client has to read it or to send the next request."""
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
        """End the connections that are overdue."""
        now = self.clock()
        for guest in [guest for guest in self._inside if guest.deadline < now]:
            guest.overdue()

    def _send_one_away(self, client: str | None = None, patience: float = 0.0) -> bool:
        """Close a connection to make room. Return False if none can be closed.

        If a client is named, close one of its connections that has waited for at least `patience` seconds.
        """
        long_ago = self.clock() - patience
        waiting = [
            guest
            for guest, since in self._waiting.items()
            if client is None or (guest.client == client and since <= long_ago)
        ]
        victim = next((guest for guest in waiting if not self._inside[guest]), waiting[0] if waiting else None)
        if victim is None:
            return False
        self.leave(victim)
        victim.make_room()
        return True
