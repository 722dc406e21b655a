"""The server's log: one event per line on standard error, as text or as JSON.

A thread of its own writes, so that nothing else waits. Events are dropped and counted while nobody reads the output.
"""

import json
import logging
import re
import sys
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from threading import Event, Thread
from typing import Any, Final

from flask import has_request_context, request

from webapp.config import LogOptions

LOGGER: Final = logging.getLogger("noughts")

KEPT: Final = 10_000
"""The most events and requests that wait to be written."""

TOGETHER: Final = 0.25
"""Seconds for which lines of requests are collected: writing each one separately would cost more than its request."""

LONGEST: Final = 300
"""The most characters of an address in the log."""

_SECRET: Final = re.compile(r"(live(?:/|%2f)+[\w-]{6}|/class(?:/|%2f|\?code=)\w)[\w-]+", re.ASCII | re.IGNORECASE)
"""The secret address of a live game or a class, anywhere in a URL. Only its beginning is logged."""


def log(event: str, level: int = logging.INFO, /, **fields: object) -> None:
    """Log one event."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"fields": fields})


def start_log(options: LogOptions, process: str) -> "LogWriter":
    """Start to write this process's events, each with its name; return the writer, to be stopped at the end."""
    writer = LogWriter(options, process)
    logging.getLogger().handlers = [writer]
    LOGGER.setLevel(logging.INFO)
    return writer


class LogWriter(logging.Handler):
    """The thread that writes events at once, and requests together a moment later.

    A library's message is an event called "message".
    """

    def __init__(self, options: LogOptions, process: str) -> None:
        super().__init__()
        self._options, self._process = options, process
        self._waiting: deque[tuple[float, str, str, dict[str, object]]] = deque()
        self._dropped = 0
        self._is_stopping, self._wake = False, Event()
        self._thread = Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take an event."""
        event, fields = record.getMessage(), getattr(record, "fields", None)
        if fields is None:
            event, fields = "message", {"message": event}
        if record.exc_info:
            request_id = request.environ.get("noughts.request_id") if has_request_context() else None
            fields = {**fields, "id": request_id, "traceback": _FORMATTER.formatException(record.exc_info)}
        self._add(record.created, record.levelname.lower(), event, fields)
        self._wake.set()

    def note(self, environ: Mapping[str, Any], status: int, size: int, seconds: float) -> None:
        """Take an answered request. This is cheap."""
        query, address = environ["QUERY_STRING"], environ["PATH_INFO"]
        fields: dict[str, object] = {
            "method": environ["REQUEST_METHOD"],
            "path": _SECRET.sub(r"\1…", f"{address}?{query}" if query else address)[:LONGEST],
            "status": status,
            "ms": round(seconds * 1000, 1),
            "bytes": size,
            "id": environ["noughts.request_id"],
        }
        if self._options.addresses:
            fields["client"] = environ["REMOTE_ADDR"]
        self._add(time.time(), "info", "request", fields)

    def stop(self) -> None:
        """Write what is left, and end the thread. Do not wait for long if nobody reads."""
        self._is_stopping = True
        self._wake.set()
        self._thread.join(1)

    def _add(self, at: float, level: str, event: str, fields: dict[str, object]) -> None:
        if len(self._waiting) >= KEPT:
            self._dropped += 1
            return
        if self._dropped:
            fields = {**fields, "dropped_before": self._dropped}
            self._dropped = 0
        self._waiting.append((at, level, event, {"process": self._process, **fields}))

    def _write(self) -> None:
        ended = False
        while not ended:
            self._wake.wait(TOGETHER)
            self._wake.clear()
            ended = self._is_stopping
            lines = [_line(self._options.format, *self._waiting.popleft()) for _ in range(len(self._waiting))]
            if lines:
                with suppress(OSError, ValueError):  # a full disk, or a closed pipe
                    sys.stderr.write("".join(f"{line}\n" for line in lines))
                    sys.stderr.flush()


_FORMATTER: Final = logging.Formatter()


def _line(form: str, at: float, level: str, event: str, fields: Mapping[str, object]) -> str:
    """Return a line with the time in UTC, the level, the event and its fields."""
    moment = f"{datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
    if form == "json":
        whole = {"time": moment, "level": level, "event": event, **fields}
        return json.dumps(whole, ensure_ascii=True, default=str)
    return f"{moment} {level} {event}" + "".join(f" {name}={_word(value)}" for name, value in fields.items())


_PLAIN: Final = re.compile(r"[!#-&(-<>-~]+")
"""Printable ASCII without spaces, quotes and equals signs."""


def _word(value: object) -> str:
    """Return a value as one word; as JSON if it has spaces, quotes or unprintable characters."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
