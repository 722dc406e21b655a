"""The visitors of live games: their seats, which are secrets in cookies, and the networks that they come from.

Others can set a visitor's cookies: a site under the same domain, or a network without encryption. If a visitor took a
seat with a planted secret, the attacker could use the seat too. So a new seat takes only a secret that this server
signed.

A network is stored as a digest that reveals no address. These digests limit the games that one network may make.
"""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_network
from types import MappingProxyType
from typing import Final, NamedTuple

from itsdangerous import BadSignature, Signer
from werkzeug.datastructures import MultiDict

from webapp.pages.live.game import LiveGame
from webapp.serving.fairness import network_of, share_of

PLAIN: Final = "seat"
"""The name of the cookie over HTTP. Earlier versions used it over HTTPS too, and did not sign it."""

SECURE: Final = "__Secure-seat"
"""The name of the cookie over HTTPS. Browsers refuse it over HTTP, but not from HTTPS sites under the same domain.

Such a site can fetch a signed secret here and plant it, so Noughts belongs under a domain without untrusted sites."""

SECRET: Final = re.compile(r"[\w-]{32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SeatCookies:
    """The secrets in a visitor's cookies for a game.

    `own` is signed and can take a seat; it is "" without one. Each of `others` can hold a seat, but cannot take one.
    """

    own: str = ""
    others: tuple[str, ...] = ()

    def secret_in(self, live: LiveGame) -> str:
        """Return the secret that holds a seat in the game, or else `own`."""
        return next((secret for secret in (self.own, *self.others) if live.side_of(secret) is not None), self.own)


def cookie_name(https: bool) -> str:
    """Return the name of the cookie for this scheme."""
    return SECURE if https else PLAIN


def read_seats(cookies: MultiDict[str, str], game: str, key: bytes, https: bool) -> SeatCookies:
    """Return the secrets for a game in a request's cookies; several cookies can have the same name."""
    signer = _signer(game, key)
    own, others = "", []
    for name in (SECURE, PLAIN) if https else (PLAIN,):
        for value in cookies.getlist(name):
            secret, is_signed = _unsign(signer, value)
            if is_signed and name == cookie_name(https) and not own:
                own = secret
            elif SECRET.fullmatch(secret):
                others.append(secret)
    return SeatCookies(own, tuple(others))


def sign(secret: str, game: str, key: bytes) -> str:
    """Return a cookie's value with a secret for a game."""
    return _signer(game, key).sign(secret).decode()


def _unsign(signer: Signer, value: str) -> tuple[str, bool]:
    """Return the secret in a cookie, and whether this server's key signed it."""
    try:
        return signer.unsign(value).decode(), True
    except BadSignature:
        return value.partition(".")[0], False


def _signer(game: str, key: bytes) -> Signer:
    return Signer(key, salt=f"seat/{game}", key_derivation="hmac", digest_method=sha256)


SPAN: Final = 600.0
"""Seconds for which a new game counts against the limits of its network."""

PER_ADDRESS: Final = 30
"""Games that one address, or one /64 of IPv6, may make within the span: enough for a class behind one address."""

WIDER: Final[Mapping[int, int]] = MappingProxyType({56: 60, 48: 120})
"""Games that a wider IPv6 network may make within the span, by prefix length. One customer may own such a network.

A /24 of IPv4 counts like a /56.
"""


class Networks(NamedTuple):
    """The networks that a visitor comes from. For IPv4, they are the address, its /24 and the address again."""

    net64: str
    net56: str
    net48: str

    def digests(self, key: bytes) -> "Networks":
        """Return the networks as digests, which reveal nothing without the key."""
        return Networks(*(hmac.new(key, f"network/{network}".encode(), sha256).hexdigest()[:24] for network in self))


def networks_of(address: str) -> Networks:
    """Return the networks of a visitor's address."""
    share = share_of(address)
    widest = str(ip_network(share).supernet(new_prefix=48)) if "/" in share else share
    return Networks(share, network_of(share) or share, widest)
