"""What is said to a request that the application does not answer: a line of text, or an error object to programs."""

import json
from typing import Final

from solver.report import error_report
from webapp.errors import code_of
from webapp.security import OPEN

RETRY_AFTER: Final = 5
"""Seconds after which a server that had too much to do may be asked again."""


def refusal(path: str, status: int, words: str) -> tuple[list[tuple[str, str]], bytes]:
    """The headers and the body of an answer with this status to what was asked at a path."""
    headers = [("X-Content-Type-Options", "nosniff")]
    if status == 503:
        headers.append(("Retry-After", str(RETRY_AFTER)))
    if not path.startswith(OPEN):
        return [("Content-Type", "text/plain; charset=utf-8"), *headers], f"{words}\n".encode()
    told = error_report(code_of(status), words)
    if status == 503:
        told["error"]["retry_after"] = RETRY_AFTER
    open_to_all = ("Access-Control-Allow-Origin", "*")
    return [("Content-Type", "application/json"), *headers, open_to_all], json.dumps(told).encode()
