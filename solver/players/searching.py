"""Players that search: perfect play, and the searches of the articles.

Perfect play prefers quick wins and slow losses. For plain minimax and alpha-beta, all wins are equally good.

Plain minimax is from "Minimax-based AI for the Tic-Tac-Toe game in Scala". It searches the whole tree for the values 1,
0 and -1. The article puts the best moves into a set and takes the last one, but the order of a set is unspecified. Here
all best moves are equally likely.

Alpha-beta to a depth is from the article on lazy game trees in Haskell. Every unfinished position has the static value
0. The article computes the values of moves but chooses none, and its test of the anti-diagonal looks at the diagonal
again. Here the test is right, and all best moves are equally likely. On boards with a table of all positions, the table
replaces a search of n plies: it gives the wins and losses that take at most n plies.

The player "Two in a row" gives points for two in a row at the end of its look-ahead. The Haskell article says that its
own static value lacks this. This player does prefer quick wins and slow losses.
"""

from collections.abc import Callable, Mapping
from functools import partial
from math import perm
from typing import Final

from solver.board.outcome import DRAWN, PROVED, Outcome, Score, Value, counted, sign, to_parent
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.kernel.potential import promise
from solver.players.decision import FINISHED, Decide, Decision, any_of
from solver.proofs.predict import predict, predict_reproducibly
from solver.proofs.prediction import Prediction
from solver.search.alphabeta import Evaluate, alphabeta, nothing_known, two_in_a_row
from solver.search.budget import BudgetExhausted

BEST_OUTCOME: Final = "the best outcome there is"
"""The reason of perfect play for a move whose outcome is proved."""


def impossible(position: Position) -> Decision:
    """Choose any of the best squares: the quickest win, else a draw, else the slowest loss.

    If the best square is not proved, take the square with the best proved outcome, unless that is a loss. Otherwise
    take the most promising square that is not proved lost. If all squares are proved lost, take the one that holds out
    longest.
    """
    return best_known(predict(position))


def impossible_reproducibly(position: Position) -> Decision:
    """Choose as `impossible` does, after a search of a fixed length: the same on every machine, however busy."""
    return best_known(predict_reproducibly(position))


def best_known(prediction: Prediction) -> Decision:
    """Choose among the squares as Perfect does, by their predictions. Raise ValueError for a finished game."""
    position, squares, mover = prediction.position, prediction.squares, prediction.position.mover
    if not squares:
        raise ValueError(FINISHED)
    if best := prediction.best:
        return any_of(best, BEST_OUTCOME, squares[best[0]].words(mover, position.rules))
    floor = {cell: outcome.ranks.lower for cell, outcome in squares.items()}
    top = max(floor.values())
    safest = [cell for cell in floor if floor[cell] == top]
    if top >= DRAWN:
        words = squares[safest[0]].words(mover, position.rules)
        return any_of(safest, "the best that is proved", f"{words}; whether another square is better is not proved")
    holding = {cell: promise(position, cell) for cell in squares if squares[cell].value is not Value.LOSS}
    promising = [cell for cell in holding if holding[cell] == max(holding.values())]
    if not promising:
        return any_of(safest, "the longest resistance that is proved", squares[safest[0]].words(mover, position.rules))
    guessed = any(holding.values())
    return any_of(
        promising,
        "the most promising square, its outcome not proved" if guessed else "any square that is not known to lose",
    )


MAX_NODES = 30_000
"""The most nodes that the search for a move visits. To stay within it, searches on larger boards are less deep."""


def plain_minimax(position: Position) -> Decision:
    """Choose any square of the best value, whether it wins at once or late, on boards with a table of all positions."""
    values = {cell: outcome.value for cell, outcome in predict(position).squares.items()}
    for value, words in ((Value.WIN, "a win"), (Value.DRAW, "a draw"), (Value.LOSS, "a loss")):
        if cells := [cell for cell in values if values[cell] is value]:
            return any_of(cells, "the best value, however late it comes true", words)
    raise ValueError(FINISHED)


def alphabeta_to(depth: int) -> Decide:
    """Return the player that looks `depth` plies ahead, its own move included, and takes a best square."""
    return _looking_ahead(depth, _signs, _say_foreseen)


def valuing_two_in_a_row(depth: int) -> Decide:
    """Return the player that looks `depth` plies ahead and then counts two in a row. A line outweighs any number."""
    return _looking_ahead(depth, partial(_scores, evaluate=two_in_a_row), _say_balance)


def _looking_ahead(
    depth: int, valued: Callable[[Position, int], tuple[Mapping[Cell, int], int]], words: Callable[[int], str]
) -> Decide:
    """Return the player that takes any square of the greatest value, and tells that value in words.

    `valued` takes a position and the plies to look ahead. It returns the value of each square, and the plies that it
    did look ahead.
    """

    def decide(position: Position) -> Decision:
        asked = min(depth, position.plies_left)
        values, reached = valued(position, asked)
        best = max(values.values(), default=0)
        short = f" (of {depth} asked for)" if reached < asked else ""
        reason = f"looking {counted(reached, 'ply', 'plies')} ahead{short}"
        return any_of((cell for cell in values if values[cell] == best), reason, words(best))

    return decide


def _say_foreseen(value: int) -> str:
    return {1: "it sees a win", 0: "it sees no win and a way not to lose", -1: "it sees only losses"}[value]


def _say_balance(score: Score) -> str:
    if abs(score) >= PROVED:
        return "it sees a win" if score > 0 else "it sees only losses"
    if not score:
        return "as many two in a row as the opponent"
    return f"{abs(score)} {'more' if score > 0 else 'fewer'} two in a row than the opponent"


def never_cut(depth: int) -> Callable[[Rules], bool]:
    """Return a test for boards on which a look-ahead of `depth` plies never exceeds MAX_NODES."""
    searches = [range(1, plies + 1) for plies in range(1, depth + 1)]
    return lambda rules: (
        rules.is_small or sum(perm(rules.size, ply) for search in searches for ply in search) <= MAX_NODES
    )


def _signs(position: Position, depth: int) -> tuple[Mapping[Cell, int], int]:
    """Return the value of each move (1, 0 or -1), and the depth of the search, which MAX_NODES may reduce."""
    if position.rules.is_small:
        return {cell: sign(seen_within(depth, outcome)) for cell, outcome in predict(position).squares.items()}, depth
    scores, reached = _scores(position, depth, nothing_known)
    return {cell: sign(score) for cell, score in scores.items()}, reached


def _scores(position: Position, depth: int, evaluate: Evaluate) -> tuple[Mapping[Cell, Score], int]:
    """Return the score of each move for the mover, and the depth of the search, which MAX_NODES may reduce."""
    orbits = position.orbits()
    nodes, reached = 0, 0
    scores: dict[Cell, Score] = {}
    for plies in range(1, depth + 1):
        deeper: dict[Cell, Score] = {}
        for orbit in orbits:
            try:
                searched = alphabeta(position.after(orbit[0]), plies - 1, evaluate, max_nodes=MAX_NODES - nodes)
            except BudgetExhausted:
                return scores, reached
            nodes += searched.nodes
            deeper |= dict.fromkeys(orbit, to_parent(searched.score))
        scores, reached = dict(sorted(deeper.items())), plies
    return scores, reached


def seen_within(depth: int, outcome: Outcome) -> Score:
    """Return the score that a search of `depth` plies gives an outcome: a draw if the game is not decided by then."""
    return outcome.rank if outcome.plies is not None and outcome.plies <= depth else DRAWN
