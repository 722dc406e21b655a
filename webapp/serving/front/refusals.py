"""Answers to requests that the application does not see: a line of text, or an error object for programs."""

import json
from typing import Final

from solver.report import error_report
from webapp.serving.http.errors import code_of
from webapp.serving.http.security import CHECK_AGAIN, headers_at, is_open

RETRY_AFTER: Final = 5
"""Seconds after which a server that had too much to do may be asked again."""

LATER: Final = (429, 503)
"""The statuses that carry Retry-After."""


def refusal(url: str, status: int, words: str, retry_after: int = RETRY_AFTER) -> tuple[list[tuple[str, str]], bytes]:
    """Return the headers and the body of a refusal with this status, for a request of an address."""
    path = url.partition("?")[0]
    headers = [*headers_at(path), CHECK_AGAIN]
    if status in LATER:
        headers.append(("Retry-After", str(retry_after)))
    if not is_open(path):
        return [("Content-Type", "text/plain; charset=utf-8"), *headers], f"{words}\n".encode()
    told = error_report(code_of(status), words)
    if status in LATER:
        told["error"]["retry_after"] = retry_after
    return [("Content-Type", "application/json"), *headers], json.dumps(told).encode()
