"""Addresses made of a path and the parts of a query."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

PLAIN: Final = "/:,"
"""Characters that a query may hold as they are: positions, players and lists stay readable."""


def with_query(path: str, parts: Mapping[str, object], fragment: str = "") -> str:
    """Return an address: the path, its query and the fragment, without the parts that are None.

    Parts never go to `url_for` as keyword arguments, because names such as `endpoint` and `_external` have a meaning of
    their own there: a visitor who sends them would cause an error, or a redirect to another host.
    """
    query = urlencode({name: value for name, value in parts.items() if value is not None}, safe=PLAIN)
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
