"""A cache for pages that take long to make.

A cached page has no mistakes of an address and no settings of the visitor's game. They have too many variants to be
cached, so they are written into a copy of the page.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from flask import current_app
from markupsafe import Markup

from solver.board.outcome import Outcome
from solver.proofs.prediction import Prediction
from webapp.serving.http.answers import ByteCache, digest_of

PROBLEMS: Final = b"<!-- problems -->"
"""The placeholder in templates for mistakes in the address."""

SETTINGS: Final = b"<!-- settings -->"
"""The placeholder in forms for the settings of a game."""

_CARRIED: Final = re.compile(rb"(\?|&amp;)carried=([a-z=]*)")


def kept_page(name: str, shown: object, make: Callable[[], str]) -> bytes:
    """Return a page from the cache, or make it. It depends only on its name and on the `repr` of `shown`."""
    cache: ByteCache = current_app.extensions["cache"]
    return cache.kept((name, digest_of(repr(shown).encode())), lambda: make().encode())


def proved_so_far(predictions: Iterable[Prediction]) -> tuple[Outcome, ...]:
    """Return the outcomes on boards without a table, as part of a page's key: later proofs may change them."""
    changing = (prediction for prediction in predictions if not prediction.position.rules.is_small)
    return tuple(outcome for prediction in changing for outcome in prediction.squares.values())


def with_problems(page: bytes, problems: Iterable[str]) -> bytes:
    """Write the mistakes in a page's address into the page."""
    said = (Markup('<p class="problem" role="alert">{}</p>\n').format(problem) for problem in problems)
    return page.replace(PROBLEMS, "".join(said).encode(), 1)


def carrying(url: str, otherwise: str = "") -> str:
    """Return an address with a placeholder for a game's settings. Without settings, `otherwise` takes its place."""
    return f"{url}{'&' if '?' in url else '?'}carried={otherwise}"


def with_settings(page: bytes, settings: Mapping[str, str]) -> bytes:
    """Write the settings of a game, if any, into the links and forms of a page."""
    text = "&amp;".join(f"{name}={value}" for name, value in settings.items()).encode()  # none of it needs quoting
    page = _CARRIED.sub(lambda found: found[1] + carried if (carried := text or found[2]) else b"", page)
    fields = (Markup('<input type="hidden" name="{}" value="{}">').format(*each) for each in settings.items())
    return page.replace(SETTINGS, "".join(fields).encode())
