"""The claims of the Erlang article, about its predictions, its game tree and its processes."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from solver.articles.claims.claim import Computation, Json, claim
from solver.articles.parallel_squares import processes_below
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.proofs.predict import predict
from solver.search.fold import fold, itself
from solver.search.minimax import minimax
from solver.search.tablebase import unfinished

# Decorators for claims that share a lesson's page.
predictions_claim = partial(claim, page="predictions")
processes_claim = partial(claim, page="predictions#processes")
census_claim = partial(claim, page="census")

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


def _only(found: set[Json]) -> Json:
    """Return the only element of a set, or all elements in order if there are several."""
    return found.pop() if len(found) == 1 else sorted(found)


@predictions_claim(
    "erlang.seven-predictions", "Given a board with 7 open spaces, the program returns 7 predictions, one for each.", 7
)
def _seven_predictions() -> Computation:
    boards = _with_open(7)
    return Computation(
        _only({len(predict(position).squares) for position in boards}),
        f"There are {len(boards)} boards with 7 open squares, and each gets a prediction for each of them. The function"
        " itself answers a list of 9: those of the 2 taken squares read “collide”.",
    )


@predictions_claim(
    "erlang.nine-results", "predict_outcomes answers a list of 9 results, with “collide” for a square that is taken.", 9
)
def _nine_results() -> Computation:
    open_positions = unfinished(TIC_TAC_TOE)
    return Computation(
        _only({len(predict(position).squares) + (position.x | position.o).bit_count() for position in open_positions}),
        f"In each of the {len(open_positions):,} unfinished positions the predictions and the taken squares, which read"
        " “collide”, make one result a square.",
    )


@census_claim("erlang.entire-tree", "It explores the entire tree of decisions, without pruning.")
def _entire_tree() -> Computation:
    start = Position(TIC_TAC_TOE)
    visited = sum(len(alike) * minimax(start.after(alike[0])).nodes for alike in start.orbits())
    tried = processes_below(start).playing
    return Computation(
        visited == tried,
        f"Below the empty board lie {tried:,} moves, counted position by position; plain minimax visits {visited:,}."
        " Symmetric boards, and boards that several orders of moves lead to, are worked out anew each time.",
    )


@census_claim("erlang.thousands-of-paths", "The computer generates and evaluates thousands of paths through the tree.")
def _thousands_of_paths() -> Computation:
    counts = [_games(position) for position in _with_open(7)]
    return Computation(
        {magnitude(count) for count in counts} == {"thousands"},
        f"A path is a game to its end. From a board with 7 open squares {_range(counts)} of them lead on,"
        f" from the empty board {_games(Position(TIC_TAC_TOE)):,}.",
    )


@census_claim(
    "erlang.countdown",
    "Counting down the open squares, the search ends when all are used up, unless it finds a won board before.",
)
def _countdown() -> Computation:
    lengths = {position: _longest(position) for position in unfinished(TIC_TAC_TOE)}
    shorter = sum(length < position.plies_left for position, length in lengths.items())
    return Computation(
        all(length <= position.plies_left for position, length in lengths.items()),
        "No path is longer than the number of open squares, so counting them down stops the search in time. In"
        f" {shorter:,} of the {len(lengths):,} unfinished positions every path ends sooner, by a win.",
    )


@predictions_claim("erlang.whose-win", "Whether the next outcome in the sequence is a win tells whose turn it is.")
def _whose_win() -> Computation:
    outcomes = [outcome for position in unfinished(TIC_TAC_TOE) for outcome in predict(position).squares.values()]
    wins = [outcome.plies or 0 for outcome in outcomes if outcome.value is Value.WIN]
    losses = [outcome.plies or 0 for outcome in outcomes if outcome.value is Value.LOSS]
    return Computation(
        all(plies % 2 for plies in wins) and not any(plies % 2 for plies in losses),
        f"Of all squares of all positions {len(wins):,} are predicted to win, after 1, 3 … or {max(wins)} plies, and"
        f" {len(losses):,} to lose, after 2, 4 … or {max(losses)}: the plies tell whose win it is.",
    )


@predictions_claim(
    "erlang.quickest-win",
    "With the number of moves in the prediction a player can choose the quickest win or the slowest loss.",
)
def _quickest_win() -> Computation:
    wins = losses = 0
    for position in unfinished(TIC_TAC_TOE):
        prediction = predict(position)
        best = prediction.outcome
        alike = {outcome.plies for outcome in prediction.squares.values() if outcome.value is best.value}
        wins += best.value is Value.WIN and len(alike) > 1
        losses += best.value is Value.LOSS and len(alike) > 1
    return Computation(
        wins > 0 and losses > 0,
        f"In {wins:,} positions some squares win sooner than others, and in {losses:,} lost ones some lose later: there"
        " the number of moves in the prediction decides.",
    )


@predictions_claim("erlang.several-as-good", "Lots of times several moves lead to the same predicted outcome.")
def _several_as_good() -> Computation:
    predictions = [predict(position) for position in unfinished(TIC_TAC_TOE) if position.plies_left > 1]
    alike = sum(len(set(each.squares.values())) < len(each.squares) for each in predictions)
    best = sum(len(each.best) > 1 for each in predictions)
    return Computation(
        2 * alike > len(predictions),
        f"Of the {len(predictions):,} positions with two open squares or more, {alike:,} have squares with the same"
        f" outcome, {alike / len(predictions):.0%}: we read “lots of times” as more than half. In {best:,},"
        f" {best / len(predictions):.0%}, it is the best outcome that several squares share.",
    )


@processes_claim(
    "erlang.order-is-free", "The squares can be evaluated in any order, or all at the same time, with the same results."
)
def _order_is_free() -> Computation:
    distinct = list(dict.fromkeys(position.canonical() for position in _with_open(7)))
    with ThreadPoolExecutor(2) as executor:
        at_once = list(executor.map(_predictions, distinct))
    return Computation(
        at_once == [_predictions(position, backwards=True) for position in distinct],
        f"The squares of the {len(distinct)} boards with 7 open squares, of those that are alike one each, come out"
        " the same, evaluated by two threads at once and one by one from the last to the first.",
    )


def _predictions(position: Position, backwards: bool = False) -> dict[int, int]:
    """Return the minimax score of each square, searched one by one; if `backwards`, from the last to the first."""
    cells = position.legal_moves[::-1] if backwards else position.legal_moves
    return {cell: minimax(position.after(cell)).score for cell in cells}


@processes_claim(
    "erlang.tens-of-thousands", "Some of the variants spawn tens of thousands of processes.", "tens of thousands"
)
def _tens_of_thousands() -> Computation:
    counts = [processes_below(position).spawned for position in _with_open(7)]
    return Computation(
        _only({magnitude(count) for count in counts}),
        f"Each unfinished board starts 9 processes, taken squares included. From the {len(counts)} boards with 7 open"
        f" squares, of which the article speaks, that makes {_range(counts)}.",
    )


@processes_claim(
    "erlang.several-hundred-thousand",
    "The variants make several hundred thousand processes, all running at the same time.",
    "several hundred thousand",
)
def _several_hundred_thousand() -> Computation:
    empty = processes_below(Position(TIC_TAC_TOE))
    later = [processes_below(position).spawned for position in _with_open(8)]
    return Computation(
        magnitude(empty.spawned),
        f"The empty board starts {empty.spawned:,} processes, since taken squares get one too, which ends at once."
        f" Without those it starts {empty.playing:,}, several hundred thousand. They don't all run at the same time:"
        f" ply by ply, at most {max(empty.at_once):,} do. A board with one stone starts {_range(later)}.",
        magnitude(empty.playing),
    )
