"""The headers of htmx, which only this module names."""

from typing import Final
from urllib.parse import parse_qsl, urlsplit

from flask import Response, request

VARY: Final = "HX-Request, HX-Request-Type, HX-History-Restore-Request"
"""The request headers that choose between a page and its fragment."""


def wants_fragment() -> bool:
    """Return whether htmx asks for a fragment to swap in. To restore history it asks for the whole page."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Request-Type", "partial") == "partial"
        and headers.get("HX-History-Restore-Request") != "true"
    )


def shown_query() -> dict[str, str]:
    """Return the query of the address that the browser shows while htmx asks for a fragment."""
    return dict(parse_qsl(urlsplit(request.headers.get("HX-Current-URL", "")).query))


def lead_to(url: str) -> Response:
    """Return a response that has the browser open another page: by htmx if it asked, else by a plain redirect."""
    if wants_fragment():
        return Response(headers={"HX-Redirect": url})
    return Response(status=303, headers={"Location": url})


def show_url(response: Response, url: str, replace: bool = False) -> Response:
    """Have htmx put a link into the address bar, as a new entry of the history or in place of the current one.

    Browsers ignore the header if they asked for the page themselves.
    """
    response.headers["HX-Replace-Url" if replace else "HX-Push-Url"] = url
    return response
