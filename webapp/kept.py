"""Pages that take long to make: each is kept by what it shows, and what was wrong with an address is written into it.

So a mistake costs no page of its own: there is no end of different mistakes.
"""

from collections.abc import Callable, Iterable
from typing import Final

from flask import current_app
from markupsafe import Markup

from webapp.cache import ByteCache
from webapp.compression import digest_of

PLACE: Final = b"<!-- problems -->"
"""Where a template leaves room for what was wrong."""


def kept_page(name: str, shown: object, make: Callable[[], str]) -> bytes:
    """The page of this name, made if it is not kept. `shown` is all that it depends on, told apart by its `repr`."""
    cache: ByteCache = current_app.extensions["cache"]
    key = (name, digest_of(repr(shown).encode()))
    page = cache.get(key)
    if page is None:
        page = make().encode()
        cache.put(key, page)
    return page


def with_problems(page: bytes, problems: Iterable[str]) -> bytes:
    """The page, which says what was wrong with its address, if anything."""
    said = (Markup('<p class="problem" role="alert">{}</p>\n').format(problem) for problem in problems)
    return page.replace(PLACE, "".join(said).encode(), 1)
