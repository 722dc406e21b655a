"""The bytes of HTTP/2 that an attacker needs: the preface, and requests whose bodies never come."""

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

HEADERS, SETTINGS = 1, 4
END_HEADERS = 4

_STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
"""The statuses in HPACK's static table."""


def opening() -> bytes:
    """Return the preface of a client with prior knowledge of HTTP/2."""
    return PREFACE + _frame(SETTINGS, 0, 0, b"")


def stalled_post(stream: int, path: str) -> bytes:
    """Return a POST that announces a body and sends none: its headers do not end the stream."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":authority": "localhost",
        ":path": path,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": "99",
    }
    return _frame(HEADERS, END_HEADERS, stream, b"".join(_literal(name, fields[name]) for name in fields))


def statuses(data: bytes) -> list[int]:
    """Return the statuses in the bytes from a server, in the usual encodings; -1 for any other."""
    found = []
    while len(data) >= 9:
        length, kind = int.from_bytes(data[:3], "big"), data[3]
        if kind == HEADERS and length:
            found.append(_STATUSES.get(data[9], -1))
        data = data[9 + length :]
    return found


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _literal(name: str, value: str) -> bytes:
    """Encode a literal header field without indexing; name and value have less than 127 bytes."""
    return b"\0" + b"".join(bytes((len(text),)) + text.encode() for text in (name, value))
