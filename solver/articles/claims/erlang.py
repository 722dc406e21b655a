"""The measures of the Erlang article's claims, about its predictions, its game tree and its processes."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, Final

from solver.articles.parallel_squares import processes_below
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.proofs.predict import predict
from solver.search.fold import fold, itself
from solver.search.minimax import minimax
from solver.search.tablebase import unfinished

EMPTY: Final = Position(TIC_TAC_TOE)

_SCALE: Final = (
    (1_000_000, "millions"),
    (100_000, "several hundred thousand"),
    (10_000, "tens of thousands"),
    (1_000, "thousands"),
)


def magnitude(number: int) -> str:
    """Return the article's word for a number of this size, e.g. "thousands" for 1,000 to 9,999."""
    return next((words for least, words in _SCALE if number >= least), "fewer")


def _with_open(squares: int) -> list[Position]:
    """Return the unfinished positions with this number of open squares."""
    return [position for position in unfinished(TIC_TAC_TOE) if position.plies_left == squares]


_games = fold(lambda _: 1, lambda _, following: sum(following), Position.successors, itself)
"""The number of ways to play a position to the end."""

_longest = fold(lambda _: 0, lambda _, following: 1 + max(following), Position.successors, itself)
"""The length of the longest game from a position, in plies."""


def _range(numbers: list[int]) -> str:
    """Format the least and the greatest number, e.g. "1 to 9"."""
    return f"{min(numbers):,}" if min(numbers) == max(numbers) else f"{min(numbers):,} to {max(numbers):,}"


def _only(values: set[Any]) -> Any:
    """Return the only element of a set, or all elements in order if there are several."""
    return values.pop() if len(values) == 1 else sorted(values)


def _results() -> SimpleNamespace:
    later, boards = _with_open(7), unfinished(TIC_TAC_TOE)
    whole = {len(predict(position).squares) + (position.x | position.o).bit_count() for position in boards}
    predictions = {len(predict(position).squares) for position in later}
    return SimpleNamespace(predictions=_only(predictions), later=len(later), whole=_only(whole), boards=len(boards))


def _paths() -> SimpleNamespace:
    visited = sum(len(alike) * minimax(EMPTY.after(alike[0])).nodes for alike in EMPTY.orbits())
    tried = processes_below(EMPTY).playing
    later = [_games(position) for position in _with_open(7)]
    lengths = {position: _longest(position) for position in unfinished(TIC_TAC_TOE)}
    return SimpleNamespace(
        unpruned=visited == tried,
        tried=tried,
        visited=visited,
        are_thousands={*map(magnitude, later)} == {"thousands"},
        later=_range(later),
        empty=_games(EMPTY),
        stop=all(length <= position.plies_left for position, length in lengths.items()),
        shorter=sum(length < position.plies_left for position, length in lengths.items()),
        positions=len(lengths),
    )


def _outcomes() -> SimpleNamespace:
    outcomes = [outcome for position in unfinished(TIC_TAC_TOE) for outcome in predict(position).squares.values()]
    wins = [outcome.plies or 0 for outcome in outcomes if outcome.value is Value.WIN]
    losses = [outcome.plies or 0 for outcome in outcomes if outcome.value is Value.LOSS]
    tell = all(plies % 2 for plies in wins) and not any(plies % 2 for plies in losses)
    return SimpleNamespace(tell=tell, wins=len(wins), slowest=max(wins), losses=len(losses), last=max(losses))


def _ties() -> SimpleNamespace:
    predictions = [predict(position) for position in unfinished(TIC_TAC_TOE)]
    sooner = dict.fromkeys(Value, 0)
    for prediction in predictions:
        value = prediction.outcome.value
        sooner[value] += len({each.plies for each in prediction.squares.values() if each.value is value}) > 1
    several = [prediction.squares for prediction in predictions if len(prediction.squares) > 1]
    alike = sum(len(set(squares.values())) < len(squares) for squares in several)
    best = sum(len(prediction.best) > 1 for prediction in predictions)
    return SimpleNamespace(
        can_choose=sooner[Value.WIN] > 0 and sooner[Value.LOSS] > 0,
        wins=sooner[Value.WIN],
        losses=sooner[Value.LOSS],
        often=2 * alike > len(several),
        positions=len(several),
        alike=alike,
        alike_share=alike / len(several),
        best=best,
        best_share=best / len(several),
    )


def _order() -> SimpleNamespace:
    distinct = list(dict.fromkeys(position.canonical() for position in _with_open(7)))
    with ThreadPoolExecutor(2) as executor:
        at_once = list(executor.map(_predictions, distinct))
    one_by_one = [_predictions(position, backwards=True) for position in distinct]
    return SimpleNamespace(free=at_once == one_by_one, boards=len(distinct))


def _predictions(position: Position, backwards: bool = False) -> dict[int, int]:
    """Return the minimax score of each square, searched one by one; if `backwards`, from the last to the first."""
    cells = position.legal_moves[::-1] if backwards else position.legal_moves
    return {cell: minimax(position.after(cell)).score for cell in cells}


def _processes() -> SimpleNamespace:
    later, eight = ([processes_below(position).spawned for position in _with_open(squares)] for squares in (7, 8))
    empty = processes_below(EMPTY)
    return SimpleNamespace(
        later_words=_only({*map(magnitude, later)}),
        later=_range(later),
        boards=len(later),
        words=magnitude(empty.spawned),
        playing_words=magnitude(empty.playing),
        empty=empty,
        at_once=max(empty.at_once),
        eight=_range(eight),
    )
