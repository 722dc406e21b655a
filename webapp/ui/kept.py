"""Pages that take long to make: each is kept by what it shows. What else an address holds is written into it.

That is what was wrong with it, and the settings of a game that one has come from. So they cost no pages of their own:
there is no end of different ones.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from flask import current_app
from markupsafe import Markup

from solver.board.outcome import Outcome
from solver.proofs.prediction import Prediction
from solver.search.tablebase import has_table
from webapp.serving.http.cache import ByteCache
from webapp.serving.http.compression import digest_of

PLACE: Final = b"<!-- problems -->"
"""Where a template leaves room for what was wrong."""

FIELDS: Final = b"<!-- settings -->"
"""Where a form leaves room for the settings of a game."""

_CARRIED: Final = re.compile(rb"(\?|&amp;)carried=([a-z=]*)")


def kept_page(name: str, shown: object, make: Callable[[], str]) -> bytes:
    """The page of this name, made if it is not kept. `shown` is all that it depends on, told apart by its `repr`."""
    cache: ByteCache = current_app.extensions["cache"]
    return cache.kept((name, digest_of(repr(shown).encode())), lambda: make().encode())


def proved_so_far(predictions: Iterable[Prediction]) -> tuple[Outcome, ...]:
    """What is proved where more may be proved, which is on larger boards: pages that show it are kept by it."""
    changing = (prediction for prediction in predictions if not has_table(prediction.position.rules))
    return tuple(outcome for prediction in changing for outcome in prediction.squares.values())


def with_problems(page: bytes, problems: Iterable[str]) -> bytes:
    """The page, which says what was wrong with its address, if anything."""
    said = (Markup('<p class="problem" role="alert">{}</p>\n').format(problem) for problem in problems)
    return page.replace(PLACE, "".join(said).encode(), 1)


def carrying(url: str, otherwise: str = "") -> str:
    """An address with room for the settings of a game, or for what stands there `otherwise`."""
    return f"{url}{'&' if '?' in url else '?'}carried={otherwise}"


def with_settings(page: bytes, settings: Mapping[str, str]) -> bytes:
    """The page, whose links and forms carry the settings of a game along, if there are any."""
    text = "&amp;".join(f"{name}={value}" for name, value in settings.items()).encode()  # none of it needs quoting
    page = _CARRIED.sub(lambda found: found[1] + carried if (carried := text or found[2]) else b"", page)
    fields = (Markup('<input type="hidden" name="{}" value="{}">').format(*each) for each in settings.items())
    return page.replace(FIELDS, "".join(fields).encode())
