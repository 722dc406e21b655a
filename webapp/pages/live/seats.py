"""Seats in cookies: the secret of a seat, signed for its game by the server that handed it out.

Others can set a visitor's cookies: a site under the same domain, or a network without encryption. A visitor who sat
down with such a secret would share the seat. So a new seat takes only a secret that this server signed.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from itsdangerous import BadSignature, Signer
from werkzeug.datastructures import MultiDict

from webapp.pages.live.game import LiveGame

PLAIN: Final = "seat"
"""The name of the cookie over HTTP. Earlier versions used it over HTTPS too, and did not sign it."""

SECURE: Final = "__Secure-seat"
"""The name of the cookie over HTTPS. Browsers refuse it over HTTP, but not from HTTPS sites under the same domain.

Such a site can fetch a signed secret here and plant it, so Noughts belongs under a domain without untrusted sites."""

_SECRET: Final = re.compile(r"[\w-]{32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SeatCookies:
    """The secrets in a visitor's cookies for a game.

    `own` is signed and can take a seat; it is "" without one. Each of `others` only holds a seat it already has.
    """

    own: str = ""
    others: tuple[str, ...] = ()

    def secret_in(self, live: LiveGame) -> str:
        """Return the secret that holds a seat in the game, or else `own`."""
        return next((each for each in (self.own, *self.others) if live.side_of(each) is not None), self.own)


def cookie_name(https: bool) -> str:
    """Return the name of the cookie for this scheme."""
    return SECURE if https else PLAIN


def read_seats(cookies: MultiDict[str, str], game: str, key: bytes, https: bool) -> SeatCookies:
    """Return the secrets for a game in a request's cookies; several cookies can have the same name."""
    signer = _signer(game, key)
    own, others = "", []
    for name in (SECURE, PLAIN) if https else (PLAIN,):
        for value in cookies.getlist(name):
            secret, is_signed = _unsigned(signer, value)
            if is_signed and name == cookie_name(https) and not own:
                own = secret
            elif _SECRET.fullmatch(secret):
                others.append(secret)
    return SeatCookies(own, tuple(others))


def signed(secret: str, game: str, key: bytes) -> str:
    """Return a cookie's value with a secret for a game."""
    return _signer(game, key).sign(secret).decode()


def _unsigned(signer: Signer, value: str) -> tuple[str, bool]:
    """Return the secret in a cookie, and whether this server's key signed it."""
    try:
        return signer.unsign(value).decode(), True
    except BadSignature:
        return value.partition(".")[0], False


def _signer(game: str, key: bytes) -> Signer:
    return Signer(key, salt=f"seat/{game}", key_derivation="hmac", digest_method=sha256)
