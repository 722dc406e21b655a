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
from functools import lru_cache
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, Final

from flask import has_request_context, request

from webapp.config import LogOptions

LOGGER: Final = logging.getLogger("noughts")

KEPT: Final = 10_000
"""The most events that wait to be written."""

TOGETHER: Final = 0.25
"""Seconds for which lines of requests are collected: writing each one separately would cost more than its request."""

LONGEST: Final = 300
"""The most characters of an address in the log."""

_SECRET: Final = re.compile(r"(live(?:/|%2f)+[\w-]{6})[\w-]+", re.ASCII | re.IGNORECASE)
"""The secret address of a live game, anywhere in a URL. Only its beginning is logged."""


def log(event: str, level: int = logging.INFO, /, **fields: object) -> None:
    """Log one event."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"fields": fields})


def start_log(options: LogOptions, process: str) -> QueueListener:
    """Start to write this process's events, each with its name; return the listener, to be stopped at the end."""
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(_Formatter(options.format, process))
    waiting: Queue[logging.LogRecord] = Queue(KEPT)
    logging.getLogger().handlers = [_Dropping(waiting)]
    LOGGER.setLevel(logging.INFO)
    listener = _Listener(waiting, out)
    listener.start()
    return listener


class RequestLog:
    """The log of requests. To note a request is cheap; a thread writes all notes together a moment later."""

    def __init__(self, options: LogOptions, process: str) -> None:
        self._options, self._process = options, process
        self._notes: deque[tuple[float, dict[str, object]]] = deque()
        self._dropped = 0
        self._stopping = Event()
        self._thread = Thread(target=self._write, name="requests", daemon=True)
        self._thread.start()

    def note(self, environ: Mapping[str, Any], status: int, size: int, seconds: float) -> None:
        """Note an answered request."""
        if len(self._notes) >= KEPT:
            self._dropped += 1
            return
        query, address = environ["QUERY_STRING"], environ["PATH_INFO"]
        fields: dict[str, object] = {
            "process": self._process,
            "method": environ["REQUEST_METHOD"],
            "path": _SECRET.sub(r"\1…", f"{address}?{query}" if query else address)[:LONGEST],
            "status": status,
            "ms": round(seconds * 1000, 1),
            "bytes": size,
            "id": environ["noughts.request_id"],
        }
        if self._options.addresses:
            fields["client"] = environ["REMOTE_ADDR"]
        self._notes.append((time.time(), fields))

    def stop(self) -> None:
        """Write the notes that are left, and end the thread."""
        self._stopping.set()
        self._thread.join(1)

    def _write(self) -> None:
        ended = False
        while not ended:
            ended = self._stopping.wait(TOGETHER)
            notes = [self._notes.popleft() for _ in range(len(self._notes))]
            dropped, self._dropped = self._dropped, 0
            if notes and dropped:
                notes[0][1]["dropped_before"] = dropped
            if notes:
                lines = (_line(self._options.format, at, "info", "request", fields) for at, fields in notes)
                with suppress(OSError, ValueError):  # a full disk, or a closed pipe
                    sys.stderr.write("".join(f"{line}\n" for line in lines))
                    sys.stderr.flush()


class _Listener(QueueListener):
    """A listener that stops without blocking on unread stderr."""

    def stop(self) -> None:
        with suppress(Full):
            self.enqueue_sentinel()
        if self._thread is not None:
            self._thread.join(1)


class _Dropping(QueueHandler):
    dropped = 0

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        if record.exc_info and has_request_context():
            record.request_id = request.environ.get("noughts.request_id")
        return record  # unformatted: the thread that writes it formats it

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            if self.dropped:
                record.fields = {**getattr(record, "fields", {}), "dropped_before": self.dropped}
            self.queue.put_nowait(record)
            self.dropped = 0
        except Full:
            self.dropped += 1


class _Formatter(logging.Formatter):
    """A formatter of events. A library's message is an event called "message"."""

    def __init__(self, form: str, process: str) -> None:
        super().__init__()
        self._form, self._process = form, process

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = getattr(record, "fields", None) or {}
        event = record.getMessage()
        if not hasattr(record, "fields"):
            event, fields = "message", {"message": record.getMessage()}
        if record.exc_info:
            fields = {**fields, "id": getattr(record, "request_id", None)}
            fields["traceback"] = self.formatException(record.exc_info)
        named = {"process": self._process, **fields}
        return _line(self._form, record.created, record.levelname.lower(), event, named)


def _line(form: str, at: float, level: str, event: str, fields: Mapping[str, object]) -> str:
    """Return a line with the time in UTC, the level, the event and its fields."""
    moment = f"{_second(int(at))}.{int(at % 1 * 1000):03}Z"
    if form == "json":
        whole = {"time": moment, "level": level, "event": event, **fields}
        return json.dumps(whole, ensure_ascii=True, default=str)
    return f"{moment} {level} {event}" + "".join(f" {name}={_word(value)}" for name, value in fields.items())


@lru_cache(maxsize=4)
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))


_PLAIN: Final = re.compile(r"[!#-&(-<>-~]+")
"""Printable ASCII without spaces, quotes and equals signs."""


def _word(value: object) -> str:
    """Return a value as one word; as JSON if it has spaces, quotes or unprintable characters."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
