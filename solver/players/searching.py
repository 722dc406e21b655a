"""The perfect opponent: the best squares, as far as they are proved.

Players that search. Two of them do not know distance: a win is a win, however late.

Plain minimax is that of "Minimax-based AI for the Tic-Tac-Toe game in Scala": the whole tree, valued 1, 0 or -1. The
article takes the last of the best moves in the order of a set, which is no order one can count on; here each of them
is as likely. Alpha-beta to a depth is that of the article on lazy game trees in Haskell, with a static value of 0 for
every unfinished position. The article values moves but chooses none, and its test of the anti-diagonal looks at the
diagonal again; here the test is right, and each of the best moves is as likely. Where every position is looked up,
so is the search's result: to look n plies ahead is to see the wins and losses that take no more than n.

The third one values two in a row where its look-ahead ends, which that article finds lacking in its own static value.
It knows distance, as alpha-beta here does.
"""

from collections.abc import Callable, Mapping
from math import perm

from solver.board.outcome import DRAWN, PROVED, Outcome, Score, Value, counted, sign, to_parent
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.kernel.potential import potential
from solver.players.decision import FINISHED, Decide, Decision, any_of
from solver.proofs.prediction import Prediction, predict, predict_reproducibly
from solver.search.alphabeta import Evaluate, alphabeta, nothing_known, two_in_a_row
from solver.search.budget import BudgetExhausted
from solver.search.tablebase import has_table


def impossible(position: Position) -> Decision:
    """Any of the best squares: the quickest win, else a draw, else the slowest loss.

    Where the best is not proved, the square that is proved to be worth most, if it does not lose; else the most
    promising one that is not proved lost; else the one that is proved to hold out longest.
    """
    return _among(predict(position))


def impossible_reproducibly(position: Position) -> Decision:
    """As `impossible`, from what a search of a fixed length proves: the same on every machine, however busy."""
    return _among(predict_reproducibly(position))


def _among(prediction: Prediction) -> Decision:
    """The choice among the squares by what is predicted of them. Raises ValueError for a finished game."""
    position, squares, mover = prediction.position, prediction.squares, prediction.position.mover
    if not squares:
        raise ValueError(FINISHED)
    if best := prediction.best:
        return any_of(best, "the best outcome there is", squares[best[0]].words(mover))
    floor = {cell: outcome.ranks.lower for cell, outcome in squares.items()}
    top = max(floor.values())
    safest = [cell for cell in floor if floor[cell] == top]
    if top >= DRAWN:
        words = squares[safest[0]].words(mover)
        return any_of(safest, "the best that is proved", f"{words}; whether another square is better is not proved")
    holding = {cell: potential(position, cell) for cell in squares if squares[cell].value is not Value.LOSS}
    promising = [cell for cell in holding if holding[cell] == max(holding.values())]
    if not promising:
        return any_of(safest, "the longest resistance that is proved", squares[safest[0]].words(mover))
    return any_of(promising, "the most promising square, its outcome not proved")


MAX_NODES = 30_000
"""Nodes that a move may cost; on larger boards the search stops at less depth for it, on 3×3 it never has to."""


def plain_minimax(position: Position) -> Decision:
    """Any square of the best value, whether it wins at once or late. For boards whose every position is looked up."""
    values = {cell: outcome.value for cell, outcome in predict(position).squares.items()}
    for value, words in ((Value.WIN, "a win"), (Value.DRAW, "a draw"), (Value.LOSS, "a loss")):
        if cells := [cell for cell in values if values[cell] is value]:
            return any_of(cells, "the best value, however late it comes true", words)
    raise ValueError(FINISHED)


def alphabeta_to(depth: int) -> Decide:
    """The player that looks `depth` plies ahead, its own move included, and takes any square of the best value."""

    def decide(position: Position) -> Decision:
        signs, reached = _signs(position, min(depth, position.plies_left))
        best = max(signs.values(), default=0)
        seen = {1: "it sees a win", 0: "it sees no win and a way not to lose", -1: "it sees only losses"}[best]
        return _of_best(signs, _looked(position, depth, reached), seen)

    return decide


def valuing_two_in_a_row(depth: int) -> Decide:
    """The player that looks `depth` plies ahead and then counts two in a row; a line is worth more than any number."""

    def decide(position: Position) -> Decision:
        scores, reached = _scores(position, min(depth, position.plies_left), two_in_a_row)
        return _of_best(scores, _looked(position, depth, reached), _balance(max(scores.values(), default=0)))

    return decide


def _balance(score: Score) -> str:
    """What a score of that player says."""
    if abs(score) >= PROVED:
        return "it sees a win" if score > 0 else "it sees only losses"
    if not score:
        return "as many two in a row as the opponent"
    return f"{abs(score)} {'more' if score > 0 else 'fewer'} two in a row than the opponent"


def _looked(position: Position, depth: int, reached: int) -> str:
    short = f" (of {depth} asked for)" if reached < min(depth, position.plies_left) else ""
    return f"looking {counted(reached, 'ply', 'plies')} ahead{short}"


def _of_best(values: Mapping[Cell, int], reason: str, value: str) -> Decision:
    """Any square of the greatest value."""
    best = max(values.values(), default=0)
    return any_of((cell for cell in values if values[cell] == best), reason, value)


def never_cut(depth: int) -> Callable[[Rules], bool]:
    """On which boards the player that looks `depth` plies ahead never has to stop at less."""

    def holds(rules: Rules) -> bool:
        nodes = sum(perm(rules.size, ply) for plies in range(1, depth + 1) for ply in range(1, plies + 1))
        return has_table(rules) or nodes <= MAX_NODES

    return holds


def _signs(position: Position, depth: int) -> tuple[Mapping[Cell, int], int]:
    """Each move's value, 1, 0 or -1, at the greatest depth up to `depth` that MAX_NODES allow, and that depth."""
    if has_table(position.rules):
        return {cell: _sign(outcome, depth) for cell, outcome in predict(position).squares.items()}, depth
    scores, reached = _scores(position, depth, nothing_known)
    return {cell: sign(score) for cell, score in scores.items()}, reached


def _scores(position: Position, depth: int, evaluate: Evaluate) -> tuple[Mapping[Cell, Score], int]:
    """Each move's score for the mover at the greatest depth up to `depth` that MAX_NODES allow, and that depth."""
    orbits = position.orbits()
    nodes, reached = 0, 0
    scores: dict[Cell, Score] = {}
    for plies in range(1, depth + 1):
        found: dict[Cell, Score] = {}
        for orbit in orbits:
            try:
                searched = alphabeta(position.after(orbit[0]), plies - 1, evaluate, max_nodes=MAX_NODES - nodes)
            except BudgetExhausted:
                return scores, reached
            nodes += searched.nodes
            found |= dict.fromkeys(orbit, to_parent(searched.score))
        scores, reached = dict(sorted(found.items())), plies
    return scores, reached


def _sign(outcome: Outcome, depth: int) -> int:
    """What a search of `depth` plies makes of a move with this outcome."""
    if outcome.plies is None or outcome.plies > depth or outcome.value is Value.DRAW:
        return 0
    return 1 if outcome.value is Value.WIN else -1
