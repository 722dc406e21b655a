"""Many positions in one request: how they are read, and the answer to each, the same as to it alone."""

import json
from typing import Any, TypeGuard

from solver.board.position import Position
from solver.errors import BadOption, NoughtsError
from solver.report import error_report, predict_report
from webapp.api.call import Misfit, Report
from webapp.api.calls import POSITION, pending, predictions
from webapp.api.parameters import Texts
from webapp.api.shapes import MOST_IN_A_BATCH
from webapp.serving.pool.gating import current_gate, proved_together
from webapp.serving.pool.work import Look, Standing

_KNOWN = {each.name: each.longest for each in POSITION}


def read_batch(body: bytes) -> tuple[Texts, ...]:
    """The positions that the body of a request names, not looked at yet. Raises Misfit."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _misfit("The body is no JSON.") from None
    if not isinstance(said, dict) or set(said) != {"positions"} or not isinstance(said["positions"], list):
        raise _misfit('Send one object: {"positions": [{"board": "3x3x3", "from": "X.O/.X./..O"}]}.')
    positions = said["positions"]
    if not 1 <= len(positions) <= MOST_IN_A_BATCH:
        raise _misfit(f"A batch has 1 to {MOST_IN_A_BATCH} positions, and this one has {len(positions)}.")
    for number, each in enumerate(positions, 1):
        if not _is_texts(each):
            raise _misfit(
                f"Position {number} is not written as it has to be: an object of the texts {', '.join(_KNOWN)},"
                " of which each may be left out."
            )
    return tuple({name: text for name, text in each.items() if text} for each in positions)


def answer_batch(asked: tuple[Texts, ...]) -> Report:
    """What a GET answers of each position, or what is wrong with it."""
    games = [_asked(texts) for texts in asked]
    found = proved_together([game for game in games if isinstance(game, Position)])
    # They are not proved on: that is done for a position that is asked for by itself.
    look = Look(Standing.OFF if current_gate() is None else Standing.WAITING)

    def report(game: Position | NoughtsError) -> Report:
        if isinstance(game, NoughtsError):
            return error_report(game.code, str(game))
        return predict_report(found[game]) | pending(found[game], look, predictions.name)

    return {"predictions": [report(game) for game in games]}


def _asked(texts: Texts) -> Position | NoughtsError:
    try:
        return predictions.asked_by(texts).last
    except Misfit as misfit:
        return misfit.error
    except NoughtsError as error:
        return error


def _is_texts(said: Any) -> TypeGuard[Texts]:
    return isinstance(said, dict) and all(
        name in _KNOWN
        and isinstance(text, str)
        and len(text) <= _KNOWN[name]
        and text.isascii()
        and (text.isprintable() or not text)
        for name, text in said.items()
    )


def _misfit(sentence: str) -> Misfit:
    return Misfit(BadOption(sentence))
