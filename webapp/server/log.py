"""The server's log: an event a line on standard error, in words or as JSON, and never a reason to wait.

A thread of its own writes. If nobody reads what it writes, events are dropped and counted, not waited for.
"""

import json
import logging
import sys
import time
from dataclasses import dataclass
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from typing import Any, Final, Literal

from flask import has_request_context, request

LOGGER: Final = logging.getLogger("noughts")

KEPT: Final = 10_000
"""Events that may wait to be written."""


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How the log is written. With `addresses` it names the visitors' addresses, else it says nothing of them."""

    format: Literal["lines", "json"] = "lines"
    requests: bool = True
    addresses: bool = False


def log(event: str, level: int = logging.INFO, /, **fields: object) -> None:
    """Writes one event."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"fields": fields})


def start_log(options: LogOptions, process: str) -> QueueListener:
    """Sends this process's events to standard error from now on, each with the name of the process."""
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(_Formatter(options.format, process))
    waiting: Queue[logging.LogRecord] = Queue(KEPT)
    logging.getLogger().handlers = [_Dropping(waiting)]
    LOGGER.setLevel(logging.INFO)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # what it cannot read is logged as refused
    listener = QueueListener(waiting, out)
    listener.start()
    return listener


class _Dropping(QueueHandler):
    dropped = 0

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        if record.exc_info and has_request_context():
            record.request_id = request.environ.get("noughts.request_id")
        return record  # it stays in this process, so that its writer can format it

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            if self.dropped:
                record.fields = {**getattr(record, "fields", {}), "dropped_before": self.dropped}
            self.queue.put_nowait(record)
            self.dropped = 0
        except Full:
            self.dropped += 1


class _Formatter(logging.Formatter):
    """Time in UTC, level, event, and its fields; what a library says is an event with its message."""

    def __init__(self, form: str, process: str) -> None:
        super().__init__()
        self._json, self._process = form == "json", process

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = getattr(record, "fields", None) or {}
        event = record.getMessage() if hasattr(record, "fields") else "message"
        if event == "message":
            fields = {"message": record.getMessage()}
        if record.exc_info:
            fields = {**fields, "id": getattr(record, "request_id", None)}
            fields = {**fields, "traceback": self.formatException(record.exc_info)}
        moment = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"
        whole = {"time": moment, "level": record.levelname.lower(), "event": event, "process": self._process, **fields}
        if self._json:
            return json.dumps(whole, ensure_ascii=True, default=str)
        head = f"{moment} {whole['level']} {event} process={self._process}"
        return head + "".join(f" {name}={_word(value)}" for name, value in fields.items())


def _word(value: object) -> str:
    """A value as one word: what has spaces, quotes or anything unprintable is written as JSON."""
    text = str(value)
    plain = text.isascii() and text.isprintable() and not set(text) & set(" \"'=")
    return text if plain and text else json.dumps(text)
