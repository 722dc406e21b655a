"""How many games may be made from one network, and by what a network is known: a digest that tells no address."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_network
from types import MappingProxyType
from typing import Final

from webapp.serving.door import share_of

SPAN: Final = 600.0
"""Seconds in which the games of a network are counted."""

GAMES: Final = 30
"""Games that one address, or one /64 of IPv6, may make within the span: a class behind one address needs as many."""

WIDER: Final[Mapping[int, int]] = MappingProxyType({56: 60, 48: 120})
"""Games that a wider network of IPv6, which one customer may have, may make within the span; by its prefix's length."""


@dataclass(frozen=True, slots=True)
class Networks:
    """The networks that a visitor comes from; an IPv4 address stands for all three."""

    net64: str
    net56: str
    net48: str

    def digests(self, key: bytes) -> "Networks":
        """Return the same networks under names that tell nothing without the key."""

        def digest(network: str) -> str:
            return hmac.new(key, f"network/{network}".encode(), sha256).hexdigest()[:24]

        return Networks(digest(self.net64), digest(self.net56), digest(self.net48))


def networks_of(address: str) -> Networks:
    """Return the networks of a visitor's address."""
    share = share_of(address)
    if "/" not in share:
        return Networks(share, share, share)
    return Networks(share, *(str(ip_network(share).supernet(new_prefix=length)) for length in (56, 48)))
