"""Pages that take long to make: each is kept by what it shows, and the mistakes of an address are written into it.

So a mistake costs no page of its own: there is no end of different mistakes.
"""

from collections.abc import Callable, Iterable
from typing import Final

from flask import current_app
from markupsafe import Markup

from solver.board.outcome import Outcome
from solver.proofs.prediction import Prediction
from solver.search.tablebase import has_table
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


def proved_so_far(predictions: Iterable[Prediction]) -> tuple[Outcome, ...]:
    """What is proved where more may be proved, which is on larger boards: pages that show it are kept by it."""
    changing = (prediction for prediction in predictions if not has_table(prediction.position.rules))
    return tuple(outcome for prediction in changing for outcome in prediction.squares.values())


def with_problems(page: bytes, problems: Iterable[str]) -> bytes:
    """The page, which says what was wrong with its address, if anything."""
    said = (Markup('<p class="problem" role="alert">{}</p>\n').format(problem) for problem in problems)
    return page.replace(PLACE, "".join(said).encode(), 1)
