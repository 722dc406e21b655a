"""Answers to requests that the application does not see: a line of text, or an error object to programs."""

import json
from typing import Final

from solver.report import error_report
from webapp.errors import code_of
from webapp.security import CHECK_AGAIN, headers_at, is_open

RETRY_AFTER: Final = 5
"""Seconds after which a server that had too much to do may be asked again."""


def refusal(url: str, status: int, words: str, retry_after: int = RETRY_AFTER) -> tuple[list[tuple[str, str]], bytes]:
    """The headers and the body of an answer with this status to what was asked at an address."""
    path = url.partition("?")[0]
    headers = [*headers_at(path), CHECK_AGAIN]
    if status == 503:
        headers.append(("Retry-After", str(retry_after)))
    if not is_open(path):
        return [("Content-Type", "text/plain; charset=utf-8"), *headers], f"{words}\n".encode()
    told = error_report(code_of(status), words)
    if status == 503:
        told["error"]["retry_after"] = retry_after
    return [("Content-Type", "application/json"), *headers], json.dumps(told).encode()
