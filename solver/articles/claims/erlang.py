"""The checks of the Erlang article's claims, about its predictions, its game tree and its processes."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

from solver.articles.claims.claim import Evidence, Json
from solver.articles.parallel_squares import processes_below
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.proofs.predict import predict
from solver.search.fold import fold, itself
from solver.search.minimax import minimax
from solver.search.tablebase import unfinished

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


def _only(values: set[Json]) -> Json:
    """Return the only element of a set, or all elements in order if there are several."""
    return values.pop() if len(values) == 1 else sorted(values)


def _seven_predictions() -> Evidence:
    boards = _with_open(7)
    return Evidence.of(_only({len(predict(position).squares) for position in boards}), boards=len(boards))


def _nine_results() -> Evidence:
    boards = unfinished(TIC_TAC_TOE)
    results = {len(predict(position).squares) + (position.x | position.o).bit_count() for position in boards}
    return Evidence.of(_only(results), boards=len(boards))


def _entire_tree() -> Evidence:
    start = Position(TIC_TAC_TOE)
    visited = sum(len(alike) * minimax(start.after(alike[0])).nodes for alike in start.orbits())
    tried = processes_below(start).playing
    return Evidence.of(visited == tried, tried=tried, visited=visited)


def _thousands_of_paths() -> Evidence:
    counts = [_games(position) for position in _with_open(7)]
    thousands = {magnitude(count) for count in counts} == {"thousands"}
    return Evidence.of(thousands, later=_range(counts), empty=_games(Position(TIC_TAC_TOE)))


def _countdown() -> Evidence:
    lengths = {position: _longest(position) for position in unfinished(TIC_TAC_TOE)}
    shorter = sum(length < position.plies_left for position, length in lengths.items())
    stops = all(length <= position.plies_left for position, length in lengths.items())
    return Evidence.of(stops, shorter=shorter, positions=len(lengths))


def _whose_win() -> Evidence:
    outcomes = [outcome for position in unfinished(TIC_TAC_TOE) for outcome in predict(position).squares.values()]
    wins = [outcome.plies or 0 for outcome in outcomes if outcome.value is Value.WIN]
    losses = [outcome.plies or 0 for outcome in outcomes if outcome.value is Value.LOSS]
    tells = all(plies % 2 for plies in wins) and not any(plies % 2 for plies in losses)
    return Evidence.of(tells, wins=len(wins), slowest=max(wins), losses=len(losses), last=max(losses))


def _quickest_win() -> Evidence:
    wins = losses = 0
    for position in unfinished(TIC_TAC_TOE):
        prediction = predict(position)
        best = prediction.outcome
        alike = {outcome.plies for outcome in prediction.squares.values() if outcome.value is best.value}
        wins += best.value is Value.WIN and len(alike) > 1
        losses += best.value is Value.LOSS and len(alike) > 1
    return Evidence.of(wins > 0 and losses > 0, wins=wins, losses=losses)


def _several_as_good() -> Evidence:
    predictions = [predict(position) for position in unfinished(TIC_TAC_TOE) if position.plies_left > 1]
    whole = len(predictions)
    alike = sum(len(set(each.squares.values())) < len(each.squares) for each in predictions)
    best = sum(len(each.best) > 1 for each in predictions)
    shares = {"alike_share": alike / whole, "best_share": best / whole}
    return Evidence.of(2 * alike > whole, positions=whole, alike=alike, best=best, **shares)


def _order_is_free() -> Evidence:
    distinct = list(dict.fromkeys(position.canonical() for position in _with_open(7)))
    with ThreadPoolExecutor(2) as executor:
        at_once = list(executor.map(_predictions, distinct))
    one_by_one = [_predictions(position, backwards=True) for position in distinct]
    return Evidence.of(at_once == one_by_one, boards=len(distinct))


def _predictions(position: Position, backwards: bool = False) -> dict[int, int]:
    """Return the minimax score of each square, searched one by one; if `backwards`, from the last to the first."""
    cells = position.legal_moves[::-1] if backwards else position.legal_moves
    return {cell: minimax(position.after(cell)).score for cell in cells}


def _tens_of_thousands() -> Evidence:
    counts = [processes_below(position).spawned for position in _with_open(7)]
    return Evidence.of(_only({magnitude(count) for count in counts}), boards=len(counts), spawned=_range(counts))


def _several_hundred_thousand() -> Evidence:
    empty = processes_below(Position(TIC_TAC_TOE))
    later = _range([processes_below(position).spawned for position in _with_open(8)])
    return Evidence.of(
        magnitude(empty.spawned),
        deviating=magnitude(empty.playing),
        empty=empty,
        at_once=max(empty.at_once),
        later=later,
    )
